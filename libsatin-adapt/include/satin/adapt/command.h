/* command.h - a command on this machine that ends with all that it started
 *
 * The command leads a process group of its own. A signal reaches it and its children. When the
 * command has ended, the rest of the group is killed. The kernel kills the command when the thread
 * that started it ends, for whatever reason. In that case its children get no signal.
 *
 * Threads: the one that runs the context.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* The descriptor from which the command reads its secret. */
#define SATIN_COMMAND_SECRET_FD 3

/* A started command. */
typedef struct _SatinCommand SatinCommand;

/**
 * SatinCommandFunc:
 * @wait_status: as of waitpid()
 * @output: (nullable): the kept part of its standard output, when the options ask for it
 *
 * The command has ended. Called once, on the context. The caller frees @command, here or later.
 */
typedef void (*SatinCommandFunc) (SatinCommand *command, int wait_status, GBytes *output,
                                  gpointer user_data);

/**
 * SatinCommandOptions:
 * @arguments: (array zero-terminated=1): the command and its arguments. The command is a path, or a
 *   name to be found in the PATH of its environment
 * @environment: (nullable) (array zero-terminated=1): the whole environment; %NULL for that of this
 *   process
 * @secret: (nullable): the bytes that the command reads from descriptor %SATIN_COMMAND_SECRET_FD,
 *   up to its end
 * @has_input: it has the standard input of this process, else none
 * @output_fd: (nullable): its standard output; %NULL for that of this process
 * @error_fd: (nullable): its standard error; %NULL for that of this process
 * @max_output_bytes: above 0: @output_fd is not used, and that many bytes of the standard output
 *   are kept; the rest is read and dropped
 *
 * How to start a command; everything is borrowed during the call.
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
 * @error: %SATIN_ERROR_NOT_FOUND when there is no such file, and the message names it; else
 *   %SATIN_ERROR_IO
 *
 * Starts a command.
 *
 * Returns: (transfer full): free it with satin_command_free(); %NULL with @error set, and then
 *   @ended is never called
 */
SATIN_API SatinCommand *satin_command_start (GMainContext *context,
                                             const SatinCommandOptions *options,
                                             SatinCommandFunc ended, gpointer user_data,
                                             GError **error);

/* The number of its process and of its process group. */
SATIN_API GPid satin_command_get_pid (const SatinCommand *self);

/* Sends a signal to the command and all that it has started. Does nothing when it has ended. */
SATIN_API void satin_command_signal (SatinCommand *self, int signal_number);

/* Sends SIGTERM now and SIGKILL after @deadline_us, 0 or more. Of several calls the earliest
 * deadline holds, and only the first call sends SIGTERM. */
SATIN_API void satin_command_stop (SatinCommand *self, gint64 deadline_us);

/* Frees the command. If it still runs, it is killed and awaited, and @ended is not called. @self:
 * (nullable) */
SATIN_API void satin_command_free (SatinCommand *self);

/**
 * satin_command_check:
 * @wait_status: as of waitpid()
 * @error: %SATIN_ERROR_JOB with "was killed by signal 9 (Killed)" or "ended with exit status 3"
 *
 * Checks how a command ended.
 *
 * Returns: whether the command ended with status 0
 */
SATIN_API gboolean satin_command_check (int wait_status, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCommand, satin_command_free)

G_END_DECLS
