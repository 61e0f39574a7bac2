/* sim.h - what `satin sim` and `satin sim sweep` share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"

G_BEGIN_DECLS

/* The options that say what the world is like; for both commands. */
extern const GOptionEntry sim_options[];

/* "sim:key=value,..." for SATIN_WORLD, of what was given. Returns: (transfer full) */
char *sim_world_text (void);

/* The same as the user would write it, for one seed: "--clusters 2x4 --seed 17". Returns: (transfer
 * full) */
char *sim_options_text (guint64 seed);

/* Gives one option another value (transfer full) (nullable). Returns: (transfer full) (nullable):
 * the one that it had */
char *sim_option_exchange (const char *key, char *value);

/* Takes the value of one option away, and returns whether it was given. */
gboolean sim_option_clear (const char *key);

gboolean command_sim_sweep (int argc, char **argv, int *ret_status, GError **error);

G_END_DECLS
