/* checkpoint.h - the options of a run's checkpoint, which become parameters of the part ft
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * CheckpointOptions:
 *
 * The words of the command line, each %NULL or %FALSE when it was not given.
 */
typedef struct
{
  char *uri;     /* (owned) (nullable) */
  char *every;   /* (owned) (nullable) */
  char *size;    /* (owned) (nullable) */
  char *storage; /* (owned) (nullable) */
  gboolean is_anyway;
} CheckpointOptions;

/* For the table of a command. */
/* clang-format off */
#define CHECKPOINT_OPTIONS(self) \
    { "checkpoint", 0, 0, G_OPTION_ARG_STRING, &(self)->uri, "Store there what is finished, and go on with what is there", "URI" }, \
    { "checkpoint-every", 0, 0, G_OPTION_ARG_STRING, &(self)->every, "How often (default: 60s)", "TIME" }, \
    { "checkpoint-size", 0, 0, G_OPTION_ARG_STRING, &(self)->size, "Most bytes of it (default: 1G)", "SIZE" }, \
    { "checkpoint-storage", 0, 0, G_OPTION_ARG_STRING, &(self)->storage, "Parameters of its storage", "KEY=VALUE,..." }, \
    { "checkpoint-anyway", 0, 0, G_OPTION_ARG_NONE, &(self)->is_anyway, "Go on though it is of another build or other inputs", NULL }
/* clang-format on */

/* "file:PATH" with a path from the working folder becomes one from the root, as a node or a later
 * run may work elsewhere; filters may stand before it. Returns: (transfer full): any other @uri as
 * it is */
char *checkpoint_uri_complete (const char *uri);

/**
 * checkpoint_options_apply:
 * @command: the subcommand, for its errors
 * @given: (nullable) (array zero-terminated=1): parts that were asked for, maybe "ft:KEY=VALUE,..."
 * @has_no_recovery: the part ft was not wanted
 * @ret_parts: (out) (transfer full) (array zero-terminated=1): those, and one "ft" with all
 *   parameters instead of those that were given
 * @ret_has_checkpoint: (out): whether the run has one
 * @error: %SATIN_ERROR_INVALID with the cure, and %SATIN_ERROR_NOT_FOUND when a plugin is missing
 *
 * Opens no storage. Returns: %FALSE with @error
 */
gboolean checkpoint_options_apply (const CheckpointOptions *self, const char *command, char **given,
                                   gboolean has_no_recovery, char ***ret_parts,
                                   gboolean *ret_has_checkpoint, GError **error);

void checkpoint_options_clear (CheckpointOptions *self);

G_END_DECLS
