/* sim.h - what `satin sim` and `satin sim sweep` share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"

G_BEGIN_DECLS

/* The options that describe the world, for both commands. */
extern const GOptionEntry sim_options[];

/* Returns: (transfer full): "sim:key=value,...", the value of SATIN_WORLD for the given options */
char *sim_world_text (void);

/* Returns: (transfer full): the given options and @seed as a user would write them, "--clusters 2x4
 * --seed 17" */
char *sim_options_text (guint64 seed);

/* Appends a word to @text as a user would write it for a shell, quoted if need be. */
void sim_append_word (GString *text, const char *word);

/* Sets the value of the option @key. @value: (transfer full) (nullable). Returns: (transfer full)
 * (nullable): the old value */
char *sim_option_exchange (const char *key, char *value);

/* Removes the value of the option @key. Returns: whether the option had one */
gboolean sim_option_clear (const char *key);

gboolean command_sim_sweep (int argc, char **argv, int *ret_status, GError **error);

G_END_DECLS
