/* command.h - starts a command on this machine, and ends it with all processes that it started
 *
 * The command leads a process group of its own. A signal reaches the command and its children. When
 * the command has ended, the rest of the group is killed. If the thread that started the command
 * ends, for whatever reason, the kernel kills the command; in that case the children get no signal.
 *
 * Threads: the thread that runs the context.
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
 * @wait_status: the status that waitpid() gave
 * @output: (nullable): what was kept of the command's standard output, if @max_output_bytes is
 *   above 0
 *
 * Called once, on the context, when the command has ended. The caller frees @command, in this
 * function or later.
 */
typedef void (*SatinCommandFunc) (SatinCommand *command, int wait_status, GBytes *output,
                                  gpointer user_data);

/**
 * SatinCommandOptions:
 * @arguments: (array zero-terminated=1): the command and its arguments. The command is a path, or a
 *   name to be found in PATH of @environment
 * @environment: (nullable) (array zero-terminated=1): the whole environment; %NULL for that of this
 *   process
 * @secret: (nullable): bytes that the command can read from descriptor %SATIN_COMMAND_SECRET_FD
 *   until its end; with %NULL that descriptor is open and empty
 * @has_input: the command has the standard input of this process; else it has an empty one
 * @output_fd: (nullable): the command's standard output; %NULL for that of this process
 * @error_fd: (nullable): the command's standard error; %NULL for that of this process
 * @max_output_bytes: above 0: the first bytes of the command's standard output are kept, up to this
 *   number, and the rest is dropped; @output_fd is not used then
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
 * @context: (nullable): the context on which @ended is called; %NULL for the default context
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

/* The id of the command's process, which is also the id of its process group. */
SATIN_API GPid satin_command_get_pid (const SatinCommand *self);

/* Sends a signal to the command and all processes of its group. Does nothing when the command has
 * ended. */
SATIN_API void satin_command_signal (SatinCommand *self, int signal_number);

/* Sends SIGTERM now and SIGKILL after @deadline_us, 0 or more. When it is called several times, the
 * earliest deadline holds, and only the first call sends SIGTERM. */
SATIN_API void satin_command_stop (SatinCommand *self, gint64 deadline_us);

/* Frees the command. If the command still runs, kills its process group, and waits for the end of
 * the command; @ended is not called. @self: (nullable) */
SATIN_API void satin_command_free (SatinCommand *self);

/**
 * satin_command_check:
 * @wait_status: the status that waitpid() gave
 * @error: %SATIN_ERROR_JOB with "was killed by signal 9 (Killed)" or "ended with exit status 3"
 *
 * Checks how a command ended.
 *
 * Returns: whether the command ended with status 0
 */
SATIN_API gboolean satin_command_check (int wait_status, GError **error);

/* Reads the last line of @text that has more than white space, for a message. Control characters
 * become spaces. Returns: (transfer full): UTF-8; "" when there is none */
SATIN_API char *satin_command_last_line (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinCommand, satin_command_free)

G_END_DECLS
