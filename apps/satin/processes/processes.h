/* processes.h - the node processes that a command started
 *
 * Each is the leader of its own process group, so that Ctrl-C in the terminal
 * reaches the command alone and a signal reaches all that a node started. The
 * kernel kills a node when the command dies, however it dies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct _RunProcesses RunProcesses;

/* What a node that ends with status 0 has said before. */
typedef enum
{
  RUN_WORD_NONE, /* nothing: it has not ended in good order, or is no node */
  RUN_WORD_LEFT, /* it has left the run, which goes on */
  RUN_WORD_OVER, /* the run is over */
} RunWord;

/**
 * RunProcess:
 * @index: from 0, in the order of starting
 * @wait_status: when it has ended, as of waitpid()
 * @word: when it has ended
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
 * @secret: (nullable): handed over through a pipe
 * @output_fd: where its standard output goes, -1 for the command's
 * @error_fd: likewise its standard error
 *
 * What to start; all is borrowed during the call.
 */
typedef struct
{
  const char *program;
  char **arguments;
  char **variables;
  const SatinSecret *secret;
  int output_fd;
  int error_fd;
} RunLaunch;

/* Called on the main loop, once for each process. */
typedef void (*RunProcessEndedFunc) (const RunProcess *process, gpointer user_data);

RunProcesses *run_processes_new (RunProcessEndedFunc ended, gpointer user_data);

/**
 * run_processes_start:
 * @error: %SATIN_ERROR_IO with the program and why it cannot be started
 *
 * Starts one more. The first has the command's standard input unless that is a
 * terminal; the others have none.
 *
 * Returns: (transfer none): the process, or %NULL with @error set
 */
const RunProcess *run_processes_start (RunProcesses *self, const RunLaunch *launch, GError **error);

/* Sends a signal to all that run, with all that they have started. */
void run_processes_signal (RunProcesses *self, int signal_number);
/* Kills one, with all that it has started. Returns: FALSE when none that runs has that number */
gboolean run_processes_kill (RunProcesses *self, gint64 pid);
guint run_processes_count_running (const RunProcesses *self);

/* "was killed by signal 9 (Killed)", "ended with exit status 3". Returns: (transfer full) */
char *run_process_describe_end (const RunProcess *process);

/* The exit status that a shell would give: 128 + signal. */
int run_process_exit_status (const RunProcess *process);

/* Kills what still runs and waits for it. */
void run_processes_free (RunProcesses *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunProcesses, run_processes_free)

G_END_DECLS
