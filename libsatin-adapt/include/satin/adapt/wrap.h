/* wrap.h - words in front of a node's program, and a command that runs before it
 *
 * A wrapper is a program that starts the node's program: "apptainer exec img.sif", "numactl -N 0".
 * The text of a wrapper is split into words as a shell does it, but without a shell: quotes and
 * backslashes group and escape, and nothing else is special. The command before the node is a
 * command of /bin/sh. It runs first, in the shell that then becomes the wrapper or the node. So it
 * can set variables, limits and the folder.
 *
 * In both texts "{cluster}" stands for the node's cluster, and "{number}" for the number that the
 * starter of the node gives it. Another word of small letters in braces is an error, and so are
 * "${cluster}" and "${number}". Other braces after a "$", and braces with anything else in them,
 * stay as they are.
 *
 * A wrapper may drop the environment, as containers do. So the variables that a node needs are
 * given again behind the wrapper, by the command "env". Behind a wrapper a node may have another
 * process number. So SATIN_PARTS, if it begins with the part "net", tells the node the number that
 * its process has outside.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/params.h>

G_BEGIN_DECLS

/* The rows for a plugin's table of parameters. */
/* clang-format off */
#define SATIN_WRAP_PARAMS \
  { "wrap", SATIN_PARAM_STRING, "", "words in front of the program, as \"apptainer exec img.sif\"; with {cluster} and {number}" }, \
  { "before", SATIN_PARAM_STRING, "", "shell command that runs first in the program's shell, as \"module load gcc/12\"" }
/* clang-format on */

/**
 * SatinWrap:
 * @wrap: (nullable): the words in front of the program; %NULL or "" for none
 * @before: (nullable): the command before it; %NULL or "" for none
 *
 * How a node's program is started; everything is borrowed.
 */
typedef struct
{
  const char *wrap;
  const char *before;
} SatinWrap;

/* Whether there is a wrapper or a command before the node. */
SATIN_API gboolean satin_wrap_is_set (const SatinWrap *self);

/**
 * satin_wrap_check:
 * @error: %SATIN_ERROR_INVALID when the words cannot be split, when a word in braces is unknown, or
 *   when a known word in braces is behind a "$"; the message says what to write
 *
 * Returns: whether satin_wrap_words() can use @self
 */
SATIN_API gboolean satin_wrap_check (const SatinWrap *self, GError **error);

/**
 * satin_wrap_words:
 * @self: satin_wrap_check() has accepted it
 * @cluster: (nullable): the node's cluster, "" for none; %NULL leaves "{cluster}" as it is
 * @number: (nullable): the node's number; %NULL leaves "{number}" as it is
 * @variables: (nullable) (array zero-terminated=1): KEY=VALUE or KEY: further variables that are
 *   given again behind the wrapper, if they are set before it. LD_LIBRARY_PATH is never given
 *   again, because its folders are those outside the wrapper
 *
 * Makes the words in front of a command. They are arguments: if the starter quotes arguments, it
 * quotes these words too. If the command before the node fails, the shell prints the command and
 * its status, and ends with that status.
 *
 * Returns: (transfer full) (array zero-terminated=1): no word when satin_wrap_is_set() is false
 */
SATIN_API GStrv satin_wrap_words (const SatinWrap *self, const char *cluster, const char *number,
                                  const char *const *variables);

G_END_DECLS
