/* processes.c - the node processes that a command started
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "processes.h"
#include "node-environment.h"
#include "options/secret.h"

#include <satin/base/child.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIGNAL_MAX 64

/* A process and its owner. An entry never moves in memory, because callers keep pointers to
 * @process. */
typedef struct
{
  RunProcess process;
  RunProcesses *owner; /* (borrowed) */
  GSource *watch;      /* (owned) (nullable): %NULL after the end of the process */
  int end_fd;          /* the pipe from which the process's report is read; -1 after its end */
  gboolean is_wrapped;
} Entry;

/* Both ends of a pipe, through which a node says how it has ended. */
typedef struct
{
  int read_fd;
  int write_fd;
} Ends;

struct _RunProcesses
{
  GPtrArray *entries; /* (owned) (element-type Entry) */
  RunProcessEndedFunc ended;
  gpointer user_data;
};

RunProcesses *
run_processes_new (RunProcessEndedFunc ended, gpointer user_data)
{
  RunProcesses *self = g_new0 (RunProcesses, 1);
  self->entries = g_ptr_array_new_with_free_func (g_free);
  self->ended = ended;
  self->user_data = user_data;
  return self;
}

static RunWord
read_word (int fd)
{
  char text[16] = "";
  if (read (fd, text, sizeof text - 1) <= 0)
    return RUN_WORD_NONE;
  return g_str_equal (text, "over\n")   ? RUN_WORD_OVER
         : g_str_equal (text, "left\n") ? RUN_WORD_LEFT
                                        : RUN_WORD_NONE;
}

/* Returns: the wait status of a node behind a wrapper: death by signal N if the wrapper ended with
 * status 128 + N, else the wait status of the wrapper */
static int
unwrap (int wait_status)
{
  int exit_status = WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) : 0;
  return exit_status > 128 && exit_status <= 128 + SIGNAL_MAX ? exit_status - 128 : wait_status;
}

static void
close_fd (int fd)
{
  if (fd >= 0)
    close (fd);
}

static void
on_ended (GPid pid, gint wait_status, gpointer user_data)
{
  Entry *entry = user_data;
  g_clear_pointer (&entry->watch, g_source_unref);
  entry->process.is_running = FALSE;
  entry->process.wait_status = entry->is_wrapped ? unwrap (wait_status) : wait_status;
  entry->process.word = read_word (entry->end_fd);
  /* Closing the pipe ends a node that has outlived its wrapper. */
  close_fd (entry->end_fd);
  entry->end_fd = -1;
  entry->owner->ended (&entry->process, entry->owner->user_data);
}

/* Returns: a descriptor for a node's standard input, which the caller closes; -1: the node inherits
 * that of the command */
static int
open_input (gboolean is_first)
{
  if (is_first && !isatty (STDIN_FILENO))
    return -1;
  return open ("/dev/null", O_RDONLY | O_CLOEXEC);
}

static gboolean
open_ends (Ends *ret_ends, GError **error)
{
  int fds[2];
  if (pipe2 (fds, O_CLOEXEC | O_NONBLOCK) < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make a pipe for a node: %s",
                   g_strerror (errno));
      return FALSE;
    }
  *ret_ends = (Ends){ fds[0], fds[1] };
  return TRUE;
}

static gboolean
spawn (const RunLaunch *launch, int input_fd, int secret_fd, int end_fd, GPid *ret_pid,
       GError **error)
{
  const int source_fds[] = { end_fd, secret_fd };
  const int target_fds[] = { NODE_END_FD, NODE_SECRET_FD };
  SatinChildSetup setup;
  g_autoptr (GError) local = NULL;
  g_auto (GStrv) command = g_strdupv (launch->arguments);
  GSpawnFlags flags = G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_FILE_AND_ARGV_ZERO
                      | (input_fd < 0 ? G_SPAWN_CHILD_INHERITS_STDIN : 0);

  satin_child_setup_init (&setup);
  g_autoptr (GStrvBuilder) line = g_strv_builder_new ();
  g_strv_builder_add (line, launch->program);
  g_strv_builder_addv (line, (const char **)command);
  g_auto (GStrv) words = g_strv_builder_end (line);
  g_auto (GStrv) variables = g_environ_setenv (g_strdupv (launch->variables), "SATIN_END_FD",
                                               G_STRINGIFY (NODE_END_FD), TRUE);
  if (g_spawn_async_with_pipes_and_fds (
          NULL, (const char *const *)words, (const char *const *)variables, flags,
          satin_child_prepare, &setup, input_fd, launch->output_fd, launch->error_fd, source_fds,
          target_fds, secret_fd >= 0 ? 2 : 1, ret_pid, NULL, NULL, NULL, &local))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot start %s: %s", launch->program,
               local->message);
  return FALSE;
}

const RunProcess *
run_processes_start (RunProcesses *self, const RunLaunch *launch, GError **error)
{
  int secret_fd = launch->secret != NULL ? secret_to_pipe (launch->secret, error) : -1;
  if (launch->secret != NULL && secret_fd < 0)
    return NULL;
  int input_fd = open_input (self->entries->len == 0);
  GPid pid;
  Ends ends = { -1, -1 };
  gboolean is_started =
      open_ends (&ends, error) && spawn (launch, input_fd, secret_fd, ends.write_fd, &pid, error);
  close_fd (input_fd);
  close_fd (secret_fd);
  close_fd (ends.write_fd);
  if (!is_started)
    {
      close_fd (ends.read_fd);
      return NULL;
    }

  Entry *entry = g_new0 (Entry, 1);
  entry->owner = self;
  entry->end_fd = ends.read_fd;
  entry->is_wrapped = launch->is_wrapped;
  entry->process = (RunProcess){ .index = self->entries->len, .pid = pid, .is_running = TRUE };
  g_ptr_array_add (self->entries, entry);
  entry->watch = satin_child_watch (NULL, pid, on_ended, entry);
  return &entry->process;
}

void
run_processes_signal (RunProcesses *self, int signal_number)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->entries, i);
      if (entry->process.is_running)
        kill (-entry->process.pid, signal_number);
    }
}

gboolean
run_processes_kill (RunProcesses *self, gint64 pid)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->entries, i);
      if (entry->process.is_running && entry->process.pid == pid)
        return kill (-entry->process.pid, SIGKILL) == 0;
    }
  return FALSE;
}

guint
run_processes_count_running (const RunProcesses *self)
{
  guint n_running = 0;
  for (guint i = 0; i < self->entries->len; i++)
    n_running += ((const Entry *)g_ptr_array_index (self->entries, i))->process.is_running;
  return n_running;
}

guint
run_processes_count_started (const RunProcesses *self)
{
  return self->entries->len;
}

gint64
run_processes_get_pid (const RunProcesses *self, guint index)
{
  return ((const Entry *)g_ptr_array_index (self->entries, index))->process.pid;
}

char *
run_process_describe_end (const RunProcess *process)
{
  if (WIFSIGNALED (process->wait_status))
    {
      int signal_number = WTERMSIG (process->wait_status);
      return g_strdup_printf ("was killed by signal %d (%s)", signal_number,
                              strsignal (signal_number));
    }
  return g_strdup_printf ("ended with exit status %d", WEXITSTATUS (process->wait_status));
}

int
run_process_exit_status (const RunProcess *process)
{
  return WIFSIGNALED (process->wait_status) ? 128 + WTERMSIG (process->wait_status)
                                            : WEXITSTATUS (process->wait_status);
}

void
run_processes_free (RunProcesses *self)
{
  if (self == NULL)
    return;
  run_processes_signal (self, SIGKILL);
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);
      if (entry->process.is_running)
        waitpid (entry->process.pid, NULL, 0);
      if (entry->watch != NULL)
        g_source_destroy (entry->watch);
      g_clear_pointer (&entry->watch, g_source_unref);
      close_fd (entry->end_fd);
    }
  g_ptr_array_unref (self->entries);
  g_free (self);
}
