/* command.c - starts a command on this machine, and ends it with all processes that it started
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/command.h>
#include <satin/base/child.h>

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The capacity of a pipe. */
#define PIPE_BYTES ((gsize)65536)

struct _SatinCommand
{
  GMainContext *context; /* (owned) (nullable) */
  GPid pid;
  gboolean is_running;
  gboolean is_told; /* SIGTERM was sent */
  GSource *watch;   /* (owned) */
  GSource *killer;  /* (owned) (nullable): sends SIGKILL at the deadline */
  gint64 kill_at_us;
  GSource *reader;    /* (owned) (nullable) */
  int output_fd;      /* (owned): the end of a pipe from which its output is read, or -1 */
  GByteArray *output; /* (owned) (nullable) */
  gsize max_output_bytes;
  SatinCommandFunc ended;
  gpointer user_data;
};

static void
drop_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static GSource *
attach (GMainContext *context, GSource *source, GSourceFunc func, gpointer user_data)
{
  g_source_set_callback (source, func, user_data, NULL);
  g_source_attach (source, context);
  return source;
}

/* ---- output ---- */

/* Reads some output, and keeps as much as there is room for. Returns: how many bytes were read; 0
 * at the end or after an error; -1 when there are no bytes now */
static gssize
read_output (SatinCommand *self)
{
  guint8 bytes[4096];
  gssize n = read (self->output_fd, bytes, sizeof bytes);
  if (n < 0)
    return errno == EINTR || errno == EAGAIN ? -1 : 0;
  gsize room = self->max_output_bytes - self->output->len;
  g_byte_array_append (self->output, bytes, (guint)MIN ((gsize)n, room));
  return n;
}

static gboolean
on_output (gint fd, GIOCondition condition, gpointer user_data)
{
  return read_output (user_data) != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* Takes all output that was kept, after reading what is still in the pipe. Does not read until the
 * end of the pipe, because other processes may continue to write. */
static GBytes *
take_output (SatinCommand *self)
{
  if (self->output == NULL)
    return NULL;
  for (gsize left = PIPE_BYTES; left > 0;)
    {
      gssize n = read_output (self);
      if (n <= 0)
        break;
      left -= MIN (left, (gsize)n);
    }
  drop_source (&self->reader);
  close_fd (&self->output_fd);
  return g_byte_array_free_to_bytes (g_steal_pointer (&self->output));
}

/* ---- end ---- */

static void
on_ended (GPid pid, gint wait_status, gpointer user_data)
{
  SatinCommand *self = user_data;
  self->is_running = FALSE;
  drop_source (&self->killer);
  g_autoptr (GBytes) output = take_output (self);
  self->ended (self, wait_status, output, self->user_data);
}

static gboolean
on_deadline (gpointer user_data)
{
  SatinCommand *self = user_data;
  satin_command_signal (self, SIGKILL);
  return G_SOURCE_REMOVE;
}

void
satin_command_signal (SatinCommand *self, int signal_number)
{
  if (self->is_running)
    kill (-self->pid, signal_number);
}

void
satin_command_stop (SatinCommand *self, gint64 deadline_us)
{
  g_return_if_fail (deadline_us >= 0);
  gint64 wait_us = MIN (deadline_us, (gint64)G_MAXINT * 1000);
  gint64 kill_at_us = g_get_monotonic_time () + wait_us;
  if (!self->is_told)
    satin_command_signal (self, SIGTERM);
  else if (kill_at_us >= self->kill_at_us)
    return;
  self->is_told = TRUE;
  self->kill_at_us = kill_at_us;
  drop_source (&self->killer);
  if (self->is_running)
    self->killer = attach (self->context, g_timeout_source_new ((guint)((wait_us + 999) / 1000)),
                           on_deadline, self);
}

gboolean
satin_command_check (int wait_status, GError **error)
{
  if (WIFSIGNALED (wait_status))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB, "was killed by signal %d (%s)",
                 WTERMSIG (wait_status), strsignal (WTERMSIG (wait_status)));
  else if (WEXITSTATUS (wait_status) != 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB, "ended with exit status %d",
                 WEXITSTATUS (wait_status));
  else
    return TRUE;
  return FALSE;
}

void
satin_command_free (SatinCommand *self)
{
  if (self == NULL)
    return;
  drop_source (&self->watch);
  drop_source (&self->killer);
  drop_source (&self->reader);
  if (self->is_running)
    {
      satin_command_signal (self, SIGKILL);
      while (waitpid (self->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    }
  close_fd (&self->output_fd);
  g_clear_pointer (&self->output, g_byte_array_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_free (self);
}

/* ---- start ---- */

/* Runs in the child between fork and exec, where only functions that are safe in signal handlers
 * are allowed. */
static void
prepare_child (gpointer setup)
{
  sigset_t none;
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  signal (SIGTERM, SIG_DFL);
  signal (SIGINT, SIG_DFL);
  satin_child_prepare (setup);
}

static gboolean
fail (const char *what, GError **error)
{
  int failed_errno = errno;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot %s: %s", what,
               g_strerror (failed_errno));
  return FALSE;
}

/* Puts the secret into a nameless file in memory. Without a secret, the command gets an empty file,
 * because a shell that reads a closed descriptor fails. @ret_fd: the file */
static gboolean
hold_secret (GBytes *secret, int *ret_fd, GError **error)
{
  int fd = secret != NULL ? memfd_create ("secret", MFD_CLOEXEC)
                          : open ("/dev/null", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return secret != NULL ? fail ("hold a secret in memory", error)
                          : fail ("open /dev/null", error);
  *ret_fd = fd;
  if (secret == NULL)
    return TRUE;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (secret, &n_bytes);
  for (gsize done = 0; done < n_bytes;)
    {
      gssize n = write (fd, bytes + done, n_bytes - done);
      if (n < 0 && errno != EINTR)
        {
          fail ("hold a secret in memory", error);
          close_fd (ret_fd);
          return FALSE;
        }
      done += n > 0 ? (gsize)n : 0;
    }
  lseek (fd, 0, SEEK_SET);
  return TRUE;
}

static gboolean
spawn (SatinCommand *self, const SatinCommandOptions *options, int secret_fd, int output_fd,
       GError **error)
{
  const int target_fd = SATIN_COMMAND_SECRET_FD;
  g_autoptr (GError) local = NULL;
  SatinChildSetup setup;
  GSpawnFlags flags = G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH_FROM_ENVP
                      | (options->has_input ? G_SPAWN_CHILD_INHERITS_STDIN : 0);
  g_auto (GStrv) ours = g_get_environ ();
  const char *const *environment =
      options->environment != NULL ? options->environment : (const char *const *)ours;
  satin_child_setup_init (&setup);
  self->is_running = g_spawn_async_with_pipes_and_fds (
      NULL, options->arguments, environment, flags, prepare_child, &setup, -1, output_fd,
      options->error_fd != NULL ? *options->error_fd : -1, &secret_fd, &target_fd, 1, &self->pid,
      NULL, NULL, NULL, &local);
  if (self->is_running)
    return TRUE;
  g_set_error (error, SATIN_ERROR,
               g_error_matches (local, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT) ? SATIN_ERROR_NOT_FOUND
                                                                           : SATIN_ERROR_IO,
               "cannot start %s: %s", options->arguments[0], local->message);
  return FALSE;
}

/* Prepares the command's standard output. @ret_fd: the descriptor for it, -1 for that of this
 * process. If @max_output_bytes is above 0, @ret_fd is one end of a new pipe, which the caller
 * closes */
static gboolean
open_output (SatinCommand *self, const SatinCommandOptions *options, int *ret_fd, GError **error)
{
  int ends[2];
  *ret_fd = options->output_fd != NULL ? *options->output_fd : -1;
  if (options->max_output_bytes == 0)
    return TRUE;
  if (pipe2 (ends, O_CLOEXEC) < 0)
    return fail ("make a pipe", error);
  g_unix_set_fd_nonblocking (ends[0], TRUE, NULL);
  self->output_fd = ends[0];
  self->output = g_byte_array_new ();
  self->max_output_bytes = options->max_output_bytes;
  *ret_fd = ends[1];
  return TRUE;
}

SatinCommand *
satin_command_start (GMainContext *context, const SatinCommandOptions *options,
                     SatinCommandFunc ended, gpointer user_data, GError **error)
{
  g_return_val_if_fail (options->arguments != NULL && options->arguments[0] != NULL, NULL);
  g_autoptr (SatinCommand) self = g_new0 (SatinCommand, 1);
  int secret_fd, output_fd;
  self->context = context != NULL ? g_main_context_ref (context) : NULL;
  self->output_fd = -1;
  self->ended = ended;
  self->user_data = user_data;
  if (!hold_secret (options->secret, &secret_fd, error))
    return NULL;
  gboolean is_started = open_output (self, options, &output_fd, error)
                        && spawn (self, options, secret_fd, output_fd, error);
  close_fd (&secret_fd);
  if (self->output_fd >= 0)
    close_fd (&output_fd);
  if (!is_started)
    return NULL;
  self->watch = satin_child_watch (context, self->pid, on_ended, self);
  if (self->output_fd >= 0)
    self->reader = attach (context, g_unix_fd_source_new (self->output_fd, G_IO_IN | G_IO_HUP),
                           G_SOURCE_FUNC (on_output), self);
  return g_steal_pointer (&self);
}

GPid
satin_command_get_pid (const SatinCommand *self)
{
  return self->pid;
}

char *
satin_command_last_line (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_strchomp (valid);
  const char *end = strrchr (valid, '\n');
  char *line = g_strdup (end != NULL ? end + 1 : valid);
  for (char *byte = line; *byte != '\0'; byte++)
    if (g_ascii_iscntrl (*byte))
      *byte = ' ';
  return line;
}
