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
 * The values from the command line; %NULL or %FALSE for an option that was not given.
 */
typedef struct
{
  char *uri;     /* (owned) (nullable) */
  char *every;   /* (owned) (nullable) */
  char *size;    /* (owned) (nullable) */
  char *storage; /* (owned) (nullable) */
  gboolean is_anyway;
  gboolean is_converting;
} CheckpointOptions;

/* The entries for a command's table of options. */
/* clang-format off */
#define CHECKPOINT_OPTIONS(self) \
    { "checkpoint", 0, 0, G_OPTION_ARG_FILENAME, &(self)->uri, "Store finished results there, and continue from those that are there", "URI" }, \
    { "checkpoint-every", 0, 0, G_OPTION_ARG_STRING, &(self)->every, "How often each node stores its results (default: 60s)", "TIME" }, \
    { "checkpoint-size", 0, 0, G_OPTION_ARG_STRING, &(self)->size, "Largest size of the checkpoint (default: 1G)", "SIZE" }, \
    { "checkpoint-storage", 0, 0, G_OPTION_ARG_FILENAME, &(self)->storage, "Parameters of the checkpoint's storage", "KEY=VALUE,..." }, \
    { "checkpoint-anyway", 0, 0, G_OPTION_ARG_NONE, &(self)->is_anyway, "Also use results of another build or of other inputs", NULL }, \
    { "checkpoint-convert", 0, 0, G_OPTION_ARG_NONE, &(self)->is_converting, "Carry results over from a build with other tasks", NULL }
/* clang-format on */

/* Makes the path of a "file:" URI absolute, because a node or a later run may have another working
 * folder. The URI may begin with filters. Returns: (transfer full): the URI with an absolute path;
 * any other @uri unchanged */
char *checkpoint_uri_complete (const char *uri);

/**
 * checkpoint_options_apply:
 * @command: the subcommand, for its errors
 * @given: (nullable) (array zero-terminated=1): the parts that the user gave, such as
 *   "ft:KEY=VALUE,..."
 * @has_no_recovery: the user does not want the part ft
 * @ret_parts: (out) (transfer full) (array zero-terminated=1): the parts in @given other than ft,
 *   and one "ft" with all its parameters, if there are any
 * @ret_has_checkpoint: (out): whether the run has a checkpoint
 * @error: %SATIN_ERROR_INVALID, with a message that says what to change; %SATIN_ERROR_NOT_FOUND
 *   when a plugin is missing
 *
 * Checks the options, and makes parameters of the part ft from them. Opens no storage.
 *
 * Returns: %FALSE with @error
 */
gboolean checkpoint_options_apply (const CheckpointOptions *self, const char *command, char **given,
                                   gboolean has_no_recovery, char ***ret_parts,
                                   gboolean *ret_has_checkpoint, GError **error);

void checkpoint_options_clear (CheckpointOptions *self);

G_END_DECLS
