/* command.h - a command on this machine that ends with all that it started
 *
 * It leads a process group of its own: a signal reaches it and its children, and when it has
 * ended the rest of the group is killed. The kernel kills it when the thread that started it ends,
 * however that happens; what it started is told nothing then.
 *
 * Threads: the one that runs the context.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* Where the command reads its secret. */
#define SATIN_COMMAND_SECRET_FD 3

/* A command that was started. */
typedef struct _SatinCommand SatinCommand;

/**
 * SatinCommandFunc:
 * @wait_status: as of waitpid()
 * @output: (nullable): what it wrote to its standard output, when that is kept
 *
 * The command has ended; called once, on the context. @command is to be freed, here or later.
 */
typedef void (*SatinCommandFunc) (SatinCommand *command, int wait_status, GBytes *output,
                                  gpointer user_data);

/**
 * SatinCommandOptions:
 * @arguments: (array zero-terminated=1): a path, or a name to be found in PATH, and its arguments
 * @environment: (nullable) (array zero-terminated=1): all of it; %NULL for this process's
 * @secret: (nullable): what is read from descriptor %SATIN_COMMAND_SECRET_FD, up to its end
 * @has_input: it has the standard input of this process, else none
 * @output_fd: (nullable): its standard output; %NULL for that of this process
 * @error_fd: (nullable): likewise its standard error
 * @max_output_bytes: above 0: @output_fd is not used, and so many bytes of what it writes there are
 *   kept; more is read and forgotten
 *
 * What to start; all is borrowed during the call.
 */
typedef struct
{
  const char *const *arguments;
  const char *const *environment;
  GBytes *secret;
  gboolean has_input;
  const int *output_fd;
  const int *error_fd;
  gsize max_output_bytes;
} SatinCommandOptions;

/**
 * satin_command_start:
 * @context: (nullable): where @ended is called, %NULL for the default one
 * @error: %SATIN_ERROR_NOT_FOUND when there is no such file, else %SATIN_ERROR_IO; with its name
 *
 * Returns: (transfer full): free it with satin_command_free(); %NULL with @error set, and then
 *   @ended is never called
 */
SATIN_API SatinCommand *satin_command_start (GMainContext *context,
                                             const SatinCommandOptions *options,
                                             SatinCommandFunc ended, gpointer user_data,
                                             GError **error);

/* The number of its process, which is that of its process group too. */
SATIN_API GPid satin_command_get_pid (const SatinCommand *self);

/* Sends a signal to it and all that it has started; nothing when it has ended. */
SATIN_API void satin_command_signal (SatinCommand *self, int signal_number);

/* SIGTERM now, SIGKILL after @deadline_us, 0 or more; of several calls the earliest deadline holds,
 * and only the first sends SIGTERM. */
SATIN_API void satin_command_stop (SatinCommand *self, gint64 deadline_us);

/* What runs is killed and awaited, and nobody is told. */
SATIN_API void satin_command_free (SatinCommand *self);

/**
 * satin_command_check:
 * @wait_status: as of waitpid()
 * @error: %SATIN_ERROR_JOB with "was killed by signal 9 (Killed)" or "ended with exit status 3"
 *
 * Returns: whether the command ended with status 0
 */
SATIN_API gboolean satin_command_check (int wait_status, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCommand, satin_command_free)

G_END_DECLS
