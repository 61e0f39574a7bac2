/* wrap.h - the options --wrap and --before: words in front of a node's program, and a command that
 * runs first
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt.h>

G_BEGIN_DECLS

/* The values of the options; %NULL when they are not given. */
typedef struct
{
  char *wrap;   /* (owned) (nullable) */
  char *before; /* (owned) (nullable) */
} WrapOptions;

/* The entries for a command's table of options. */
/* clang-format off */
#define WRAP_OPTIONS(self) \
    { "wrap", 0, 0, G_OPTION_ARG_FILENAME, &(self)->wrap, "Words in front of a node's program, as \"apptainer exec img.sif\"; with {cluster}, {number}", "WORDS" }, \
    { "before", 0, 0, G_OPTION_ARG_FILENAME, &(self)->before, "Shell command that runs first in a node's shell, as \"module load gcc/12\"", "COMMAND" }
/* clang-format on */

/**
 * wrap_options_check:
 * @command: the subcommand
 * @error: %SATIN_ERROR_INVALID, with a message that says what to change
 *
 * Returns: whether the options can be used
 */
gboolean wrap_options_check (const WrapOptions *self, const char *command, GError **error);
gboolean wrap_options_are_set (const WrapOptions *self);

/**
 * wrap_options_find_program:
 * @name: as the user wrote it
 *
 * Finds the program, as program_find() does. With --wrap, an absolute path that does not exist here
 * is returned as it is: it may be a path in a container. The command of --before may change the
 * folder, so the path is absolute if one of the options is set.
 *
 * Returns: (transfer full) (nullable): %NULL with @error
 */
char *wrap_options_find_program (const WrapOptions *self, const char *name, GError **error);

/**
 * wrap_options_make:
 * @cluster: the node's cluster, "" for none
 * @number: the number that {number} in the options stands for
 * @command: (array zero-terminated=1): the path of the program, and its arguments
 *
 * Puts @command behind the words of the options. At least one option must be set.
 *
 * Returns: (transfer full) (array zero-terminated=1): the whole command line
 */
char **wrap_options_make (const WrapOptions *self, const char *cluster, guint64 number,
                          const char *const *command);
void wrap_options_clear (WrapOptions *self);

G_END_DECLS
