/* clerk.c - a thread that asks Slurm and moves files, one task after another
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clerk.h"

#include "command.h"

#include <errno.h>
#include <satin/base/atomic.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct _Clerk
{
  SatinLoop *loop; /* (borrowed) */
  gint64 patience_us;
  pthread_t thread;
  int stop_fd; /* can be read once it is interrupted */
  pthread_mutex_t lock;
  pthread_cond_t changed;
  /* guarded by lock */
  GQueue waiting; /* of (owned) ClerkTask */
  gboolean is_stopping;
};

/* ---- on its thread ---- */

/* Waits for it. Returns: (nullable): %NULL at the end */
static ClerkTask *
take (Clerk *self)
{
  pthread_mutex_lock (&self->lock);
  while (self->waiting.length == 0 && !self->is_stopping)
    pthread_cond_wait (&self->changed, &self->lock);
  ClerkTask *task = g_queue_pop_head (&self->waiting);
  pthread_mutex_unlock (&self->lock);
  return task;
}

static void
tell (gpointer user_data)
{
  ClerkTask *task = user_data;
  task->done (task);
}

static gpointer
run (gpointer data)
{
  Clerk *self = data;
  ClerkTask *task;
  while ((task = take (self)) != NULL)
    {
      task->work (task);
      satin_loop_post (self->loop, tell, task);
    }
  return NULL;
}

gboolean
clerk_run (Clerk *self, const char *const *arguments, char **ret_output, GError **error)
{
  return command_run (arguments, self->patience_us, self->stop_fd, ret_output, error);
}

/* ---- on the loop ---- */

/* Signals are for the threads that were there before. Returns: 0 or an errno */
static int
start_thread (Clerk *self)
{
  sigset_t all, before;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  int result = pthread_create (&self->thread, NULL, run, self);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return result;
}

static void
clear (Clerk *self)
{
  if (self->stop_fd >= 0)
    close (self->stop_fd);
  pthread_cond_destroy (&self->changed);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

Clerk *
clerk_new (SatinLoop *loop, gint64 patience_us, GError **error)
{
  Clerk *self = g_new0 (Clerk, 1);
  self->loop = loop;
  self->patience_us = patience_us;
  pthread_mutex_init (&self->lock, NULL);
  pthread_cond_init (&self->changed, NULL);
  g_queue_init (&self->waiting);
  self->stop_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  int status = self->stop_fd >= 0 ? start_thread (self) : errno;
  if (status == 0)
    return self;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot start a thread: %s",
               g_strerror (status));
  clear (self);
  return NULL;
}

void
clerk_free (Clerk *self)
{
  if (self == NULL)
    return;
  pthread_mutex_lock (&self->lock);
  self->is_stopping = TRUE;
  pthread_cond_signal (&self->changed);
  pthread_mutex_unlock (&self->lock);
  pthread_join (self->thread, NULL);
  clear (self);
}

void
clerk_do (Clerk *self, ClerkTask *task)
{
  task->clerk = self;
  pthread_mutex_lock (&self->lock);
  g_queue_push_tail (&self->waiting, task);
  pthread_cond_signal (&self->changed);
  pthread_mutex_unlock (&self->lock);
}

void
clerk_interrupt (Clerk *self)
{
  eventfd_write (self->stop_fd, 1);
}
