/* background.c - runs blocking work on a thread, while the main thread handles signals and progress
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "background.h"
#include "terminal.h"
#include "stop-signals.h"

#include <errno.h>
#include <glib-unix.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* The time between two drawings of the line of progress, and between two interrupts of the work. */
#define PROGRESS_MS  100
#define INTERRUPT_MS 50

typedef struct
{
  const BackgroundFuncs *funcs; /* (borrowed) */
  gpointer user_data;
  GMainLoop *loop;       /* (owned) */
  int over_fd;           /* (owned): an eventfd; readable when the work has ended */
  RunTerminal *terminal; /* (owned) */
  gint64 began_us;
  int signal_number;  /* the signal that stopped the work, 0 for none */
  guint interrupting; /* the source that repeats the interrupt, 0 for none */

  /* Written by the thread; read after the thread has ended. */
  gboolean is_done;
  GError *error; /* (owned) (nullable) */
} Background;

static gboolean
on_over (int fd, GIOCondition condition, gpointer user_data)
{
  Background *self = user_data;
  g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

static void *
run_work (void *data)
{
  Background *self = data;
  self->is_done = self->funcs->work (self->user_data, &self->error);
  eventfd_write (self->over_fd, 1);
  return NULL;
}

/* Interrupts the work. A timer repeats this, because an interrupt between two operations of the
 * work has no effect. */
static gboolean
on_interrupt (gpointer user_data)
{
  Background *self = user_data;
  self->funcs->interrupt (self->user_data);
  return G_SOURCE_CONTINUE;
}

static void
on_stop (int signal_number, gpointer user_data)
{
  Background *self = user_data;
  if (self->signal_number != 0)
    return;
  self->signal_number = signal_number;
  on_interrupt (self);
  self->interrupting = g_timeout_add (INTERRUPT_MS, on_interrupt, self);
}

static gboolean
on_progress (gpointer user_data)
{
  Background *self = user_data;
  g_autofree char *line =
      self->funcs->describe (self->user_data, g_get_monotonic_time () - self->began_us);
  run_terminal_show (self->terminal, line);
  return G_SOURCE_CONTINUE;
}

/* Runs the work on a new thread, while the calling thread runs the loop. */
static void
run_beside (Background *self)
{
  pthread_t thread;
  guint progress = g_timeout_add (PROGRESS_MS, on_progress, self);
  guint over = g_unix_fd_add (self->over_fd, G_IO_IN, on_over, self);
  StopSignals *signals = stop_signals_watch (on_stop, self);
  self->began_us = g_get_monotonic_time ();
  int status = pthread_create (&thread, NULL, run_work, self);
  g_assert (status == 0);
  g_main_loop_run (self->loop);
  pthread_join (thread, NULL);
  stop_signals_free (signals);
  g_source_remove (progress);
  g_source_remove (over);
  if (self->interrupting != 0)
    g_source_remove (self->interrupting);
  run_terminal_finish (self->terminal);
}

/* Reports the end of the work. Returns: %FALSE with @error when the work failed without a signal */
static gboolean
tell_end (Background *self, const char *advice, int *ret_status, GError **error)
{
  *ret_status = 0;
  if (self->is_done)
    return TRUE;
  if (self->signal_number == 0)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  run_terminal_say (self->terminal, "stopped by signal %d (%s); %s", self->signal_number,
                    strsignal (self->signal_number), advice);
  g_clear_error (&self->error);
  *ret_status = 128 + self->signal_number;
  return TRUE;
}

gboolean
background_run (const BackgroundFuncs *funcs, gpointer user_data, gboolean is_quiet,
                const char *advice, int *ret_status, GError **error)
{
  Background self = { .funcs = funcs, .user_data = user_data };
  self.over_fd = eventfd (0, EFD_CLOEXEC);
  if (self.over_fd < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make an eventfd: %s",
                   g_strerror (errno));
      return FALSE;
    }
  self.loop = g_main_loop_new (NULL, FALSE);
  self.terminal = run_terminal_new (is_quiet);
  run_beside (&self);
  gboolean is_right = tell_end (&self, advice, ret_status, error);
  run_terminal_free (self.terminal);
  g_main_loop_unref (self.loop);
  close (self.over_fd);
  return is_right;
}
