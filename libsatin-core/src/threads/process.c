/* process.c - the end of a program's process, which must not come from a job
 *
 * Nothing can stop a job that calls _exit(). So a node that ends in good order with status 0
 * reports to `satin run` that the run is over, or that the node has left. It reports through a
 * pipe, whose descriptor is in SATIN_END_FD. `satin run` treats a node as lost if it ends with
 * status 0 without this report, or while it is still a member of a run that continues.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "process.h"
#include "workers/pool.h"
#include "tasks/task.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The status that satin_error_exit_status() has for a failed job. */
#define JOB_STATUS (SATIN_ERROR_JOB + 10)

/* Written before any worker exists and when the process ends, except is_master. */
static struct
{
  char *name;    /* (owned) */
  pid_t process; /* the process that is guarded, not a child that a job forks; 0: none */
  gboolean is_node;
  gboolean is_master; /* atomic */
} guard;

/* The pipe to the process that started this node. */
static struct
{
  int fd; /* 0: there is none */
  ino_t pipe;
  gboolean has_left;
} parent;

static pthread_key_t thread_key;

/* Describes the newest job from elsewhere on this thread. The running job is that job or below it.
 * Returns: (transfer full): in words, "" when there is none */
static char *
describe_job (void)
{
  const Worker *self = worker_of_this_thread ();
  if (self == NULL || self->border == NULL)
    return g_strdup ("");
  SatinSlot *slot = self->border->source;
  const SatinTask *task = slot_task (slot)->plain;
  g_autofree char *job = task_describe (task, satin_slot_args (slot, task->args->size_bytes));
  return g_strdup_printf (", in or below the job %s", job);
}

/* Ends the process with a message. A node dies by a signal, so that the other nodes count a crash
 * and in the end name the job. The master does not, because its end ends the run; nor does a
 * program that runs alone, which has no other nodes. @job: the job, in words */
static void G_GNUC_NORETURN
die (const char *what, const char *job, int exit_status)
{
  g_printerr ("%s: %s%s: a job ends by return, and fails by satin_fail ()\n",
              guard.name != NULL ? guard.name : "satin", what, job);
  if (guard.is_node && !SATIN_LOAD (&guard.is_master))
    abort ();
  process_end (exit_status);
}

static void
on_exit_called (int exit_status, gpointer data)
{
  if (guard.process != getpid ())
    return;
  guard.process = 0;
  g_autofree char *what =
      g_strdup_printf ("exit (%d) was called before the root job had ended", exit_status);
  g_autofree char *job = describe_job ();
  die (what, job, exit_status != 0 ? exit_status : JOB_STATUS);
}

/* Whether @fd is a pipe. A job may have closed a descriptor that it had not opened, and opened a
 * file under the same number. */
static gboolean
is_pipe (int fd, ino_t *ret_pipe)
{
  struct stat about;
  if (fstat (fd, &about) < 0 || !S_ISFIFO (about.st_mode))
    return FALSE;
  *ret_pipe = about.st_ino;
  return TRUE;
}

/* Finds the pipe to the process that started this node. Programs that jobs start do not inherit
 * it. */
static void
find_parent (void)
{
  guint64 fd;
  const char *text = g_getenv ("SATIN_END_FD");
  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, STDERR_FILENO + 1, G_MAXINT, &fd, NULL)
      || !is_pipe ((int)fd, &parent.pipe))
    return;
  parent.fd = (int)fd;
  fcntl (parent.fd, F_SETFD, FD_CLOEXEC);
  g_unsetenv ("SATIN_END_FD");
}

int
process_get_parent_fd (void)
{
  return parent.fd > 0 ? parent.fd : -1;
}

gboolean
process_has_parent (void)
{
  ino_t pipe;
  return parent.fd != 0 && is_pipe (parent.fd, &pipe) && pipe == parent.pipe;
}

static void
tell_parent (void)
{
  static const char over[] = "over\n", left[] = "left\n";
  if (!process_has_parent ())
    return;
  const char *word = parent.has_left ? left : over;
  if (write (parent.fd, word, strlen (word)) < 0)
    g_debug ("nobody hears that this node ends: %s", g_strerror (errno));
}

void
process_begin (const char *name, gboolean is_node)
{
  static gboolean is_registered;
  guard.name = g_strdup (name);
  guard.is_node = is_node;
  guard.process = getpid ();
  if (!is_registered)
    on_exit (on_exit_called, NULL);
  is_registered = TRUE;
  if (is_node)
    find_parent ();
}

void
process_set_master (void)
{
  SATIN_STORE (&guard.is_master, TRUE);
}

void
process_set_left (void)
{
  parent.has_left = TRUE;
}

void
process_finish (void)
{
  guard.process = 0;
  guard.is_node = FALSE;
  g_clear_pointer (&guard.name, g_free);
}

/* Called when the thread ends while the key has a value. The thread's stack is gone, so its job is
 * not known. */
static void
on_thread_ended (gpointer value)
{
  die ("a job has ended its worker's thread, as pthread_exit () does", "", JOB_STATUS);
}

static void
make_key (void)
{
  pthread_key_create (&thread_key, on_thread_ended);
}

void
process_thread_begin (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, make_key);
  pthread_setspecific (thread_key, &guard);
}

void
process_thread_end (void)
{
  pthread_setspecific (thread_key, NULL);
}

/* Closes a copy of @fd, because a file system on another machine may report an error only then. */
static gboolean
close_copy (int fd)
{
  int copy = dup (fd);
  return copy < 0 ? errno != EBADF : close (copy) == 0;
}

gboolean
process_flush (GError **error)
{
  /* A stream whose write has failed has lost data. */
  gboolean had_failed = ferror (stdout);
  errno = 0;
  if (fflush (stdout) == 0 && !had_failed && !ferror (stdout)
      && (close_copy (STDOUT_FILENO) || errno == EBADF))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write the answer to standard output: %s",
               errno != 0 ? g_strerror (errno) : "a write has failed; is its disk full?");
  return FALSE;
}

void
process_end (int exit_status)
{
  g_autoptr (GError) error = NULL;
  /* A worker that prints may hold the lock for ever. */
  if (ftrylockfile (stdout) == 0 && !process_flush (&error) && exit_status == 0)
    {
      g_printerr ("%s: %s\n", guard.name != NULL ? guard.name : "satin", error->message);
      exit_status = satin_error_exit_status (error);
    }
  if (exit_status == 0)
    tell_parent ();
  _exit (exit_status);
}
