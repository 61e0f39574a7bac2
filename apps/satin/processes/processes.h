/* processes.h - the node processes that a command started
 *
 * Each process leads its own process group. So Ctrl-C in the terminal reaches only the command, and
 * a signal to a node also reaches everything that the node started. The kernel kills a node when
 * the command dies, however it dies. When memory is short, the kernel kills a node and not the
 * command.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct _RunProcesses RunProcesses;

/* The report that a node sends before it exits with status 0. */
typedef enum
{
  RUN_WORD_NONE, /* no report: the process did not end in good order, or is no node */
  RUN_WORD_LEFT, /* the node left the run, which continues */
  RUN_WORD_OVER, /* the run is over */
} RunWord;

/**
 * RunProcess:
 * @index: from 0, in the order of starting
 * @wait_status: as waitpid() returns it; behind a wrapper, the wait status of the node; set when
 *   the process has ended
 * @word: the report of the node; set when the process has ended
 *
 * A process that was started.
 */
typedef struct
{
  guint index;
  GPid pid;
  gboolean is_running;
  int wait_status;
  RunWord word;
} RunProcess;

/**
 * RunLaunch:
 * @program: the path
 * @arguments: (array zero-terminated=1): its command line
 * @variables: (array zero-terminated=1): its environment
 * @is_wrapped: @program may be a wrapper of the node. A wrapper ends with status 128 + N if signal
 *   N kills the node
 * @secret: (nullable): the process gets it through a pipe
 * @output_fd: where its standard output goes, -1 for the command's
 * @error_fd: where its standard error goes, -1 for the command's
 *
 * A process to start. All fields are borrowed during the call.
 */
typedef struct
{
  const char *program;
  char **arguments;
  char **variables;
  gboolean is_wrapped;
  const SatinSecret *secret;
  int output_fd;
  int error_fd;
} RunLaunch;

/* Called on the main loop when a process has ended, unless run_processes_free() has ended it. */
typedef void (*RunProcessEndedFunc) (const RunProcess *process, gpointer user_data);

RunProcesses *run_processes_new (RunProcessEndedFunc ended, gpointer user_data);

/**
 * run_processes_start:
 * @error: %SATIN_ERROR_IO with the program and why it cannot be started
 *
 * Starts a process. The first process reads the command's standard input, unless that is a
 * terminal. In all other cases a process reads /dev/null.
 *
 * Returns: (transfer none): the process, or %NULL with @error set
 */
const RunProcess *run_processes_start (RunProcesses *self, const RunLaunch *launch, GError **error);

/* Sends a signal to all processes that run, and to everything that they started. */
void run_processes_signal (RunProcesses *self, int signal_number);
/* Kills process @pid and everything that it started. Returns: FALSE when no running process of
 * @self has this pid */
gboolean run_processes_kill (RunProcesses *self, gint64 pid);
guint run_processes_count_running (const RunProcesses *self);
/* How many processes were started so far: the index of the next one. */
guint run_processes_count_started (const RunProcesses *self);
/* The pid of the process with that index. */
gint64 run_processes_get_pid (const RunProcesses *self, guint index);

/* "was killed by signal 9 (Killed)", "ended with exit status 3". Returns: (transfer full) */
char *run_process_describe_end (const RunProcess *process);

/* The exit status as a shell gives it: 128 + N if signal N ended the process. */
int run_process_exit_status (const RunProcess *process);

/* Kills the processes that still run, and waits for their end. @self: (nullable) */
void run_processes_free (RunProcesses *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunProcesses, run_processes_free)

G_END_DECLS
