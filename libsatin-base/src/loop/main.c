/* main.c - the real loop, a source in a GMainContext
 *
 * One GSource serves timers and posted calls. GLib rounds its own timeouts to milliseconds, so the
 * kernel gets the earliest timer as a timerfd. The loop sets the timerfd just before the poll.
 * Until the timerfd rings, the loop sets it only to an earlier time. So a cancelled timer may wake
 * the loop once for nothing. That costs less than a system call for each change. While a callback
 * runs a main loop of its own, source_check() may turn the timerfd off.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <glib-unix.h>

#include "private.h"
#include "post-queue.h"
#include <satin/base/random.h>
#include <satin/base/timer-queue.h>

typedef struct
{
  SatinLoop base;
  GMainContext *context;   /* (owned) */
  GSource *source;         /* (owned) */
  SatinTimerQueue *timers; /* (owned) */
  SatinPostQueue posts;
  guint64 random;
  int timer_fd;          /* (owned) */
  gpointer timer_fd_tag; /* (borrowed from source) */
  gint64 wake_us;        /* when timer_fd rings; G_MAXINT64: it is off */
  gboolean has_rung;     /* timer_fd is readable until it is set again */
  gboolean is_dispatching;
} MainLoop;

typedef struct
{
  GSource base;
  MainLoop *loop; /* (weak) */
} LoopSource;

/* Ends the process: without its timerfd the loop would spin, or sleep for ever. */
static void G_GNUC_NORETURN
end_without_timer (MainLoop *self)
{
  g_critical ("descriptor %d, a timer of Satin, was closed: code of a program, its jobs too, must "
              "only close descriptors that it has opened",
              self->timer_fd);
  abort ();
}

/* Sets the timerfd; G_MAXINT64 turns it off. */
static void
set_wake (MainLoop *self, gint64 wake_us)
{
  struct itimerspec when = { 0 };

  if (wake_us != G_MAXINT64)
    when.it_value = satin_wake_delay (wake_us, g_get_monotonic_time ());
  if (timerfd_settime (self->timer_fd, 0, &when, NULL) != 0)
    end_without_timer (self);
  self->wake_us = wake_us;
  self->has_rung = FALSE;
}

static gboolean
has_work (MainLoop *self)
{
  if (self->is_dispatching)
    return FALSE;
  return satin_timer_queue_first_due_us (self->timers) <= g_get_monotonic_time ()
         || !satin_post_queue_is_empty (&self->posts);
}

static gboolean
source_prepare (GSource *source, int *ret_timeout_ms)
{
  MainLoop *self = ((LoopSource *)source)->loop;
  gint64 due_us = satin_timer_queue_first_due_us (self->timers);

  *ret_timeout_ms = -1;
  if (self->is_dispatching)
    return FALSE;
  if (has_work (self))
    return TRUE;
  if (due_us < self->wake_us || self->has_rung)
    set_wake (self, due_us);
  return FALSE;
}

static gboolean
source_check (GSource *source)
{
  MainLoop *self = ((LoopSource *)source)->loop;

  GIOCondition seen = g_source_query_unix_fd (source, self->timer_fd_tag);
  if (seen & G_IO_NVAL)
    end_without_timer (self);
  if (seen & G_IO_IN)
    self->has_rung = TRUE;
  /* If a callback of this loop runs a main loop of its own, that loop does not serve the timer, and
   * would spin. */
  if (self->is_dispatching && self->has_rung)
    set_wake (self, G_MAXINT64);
  return has_work (self);
}

/* GLib also calls this when the timerfd is readable, whatever source_check() has returned. */
static gboolean
source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  MainLoop *self = ((LoopSource *)source)->loop;
  gint64 now_us = g_get_monotonic_time ();
  guint64 n_added = satin_timer_queue_count_added (self->timers);
  SatinCall call;

  if (self->is_dispatching)
    return G_SOURCE_CONTINUE;
  self->is_dispatching = TRUE;
  /* Calls and timers that these calls add wait for a later turn: other sources come first. */
  satin_post_queue_run (&self->posts);
  while (satin_timer_queue_take (self->timers, now_us, n_added, &call))
    call.func (call.user_data);
  self->is_dispatching = FALSE;
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs source_funcs = {
  .prepare = source_prepare,
  .check = source_check,
  .dispatch = source_dispatch,
};

static gint64
main_now_us (SatinLoop *loop)
{
  return g_get_monotonic_time ();
}

static SatinTimerId
main_timer_add (SatinLoop *loop, gint64 delay_us, SatinLoopFunc func, gpointer user_data)
{
  MainLoop *self = (MainLoop *)loop;

  return satin_timer_queue_add (self->timers, satin_time_add (g_get_monotonic_time (), delay_us),
                                func, user_data);
}

static void
main_timer_cancel (SatinLoop *loop, SatinTimerId id)
{
  satin_timer_queue_cancel (((MainLoop *)loop)->timers, id);
}

static void
main_post (SatinLoop *loop, SatinLoopFunc func, gpointer user_data)
{
  MainLoop *self = (MainLoop *)loop;

  if (satin_post_queue_push (&self->posts, func, user_data))
    g_main_context_wakeup (self->context);
}

static guint64
main_random (SatinLoop *loop)
{
  return satin_random_next (&((MainLoop *)loop)->random);
}

static GMainContext *
main_get_context (SatinLoop *loop)
{
  return ((MainLoop *)loop)->context;
}

static void
main_free (SatinLoop *loop)
{
  MainLoop *self = (MainLoop *)loop;

  g_source_destroy (self->source);
  g_source_unref (self->source);
  g_main_context_unref (self->context);
  close (self->timer_fd);
  satin_post_queue_done (&self->posts);
  satin_timer_queue_free (self->timers);
  g_free (self);
}

static const SatinLoopOps main_ops = {
  .struct_size = sizeof (SatinLoopOps),
  .now_us = main_now_us,
  .timer_add = main_timer_add,
  .timer_cancel = main_timer_cancel,
  .post = main_post,
  .random = main_random,
  .get_context = main_get_context,
  .free = main_free,
};

/* Draws a seed from the kernel. A kernel refuses so few bytes only if it does not have the call. */
static guint64
draw_seed (void)
{
  guint64 seed = 0;

  if (getrandom (&seed, sizeof seed, 0) != sizeof seed)
    seed = (guint64)g_get_real_time () ^ (guint64)getpid () << 32;
  return seed;
}

SatinLoop *
satin_loop_new (GMainContext *context, guint64 seed, GError **error)
{
  int timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (timer_fd < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make a timer: %s%s",
                   g_strerror (errno), errno == EMFILE ? "; set ulimit -n higher" : "");
      return NULL;
    }
  MainLoop *self = g_new0 (MainLoop, 1);

  self->base.ops = &main_ops;
  self->context = context == NULL ? g_main_context_new () : g_main_context_ref (context);
  self->random = seed == 0 ? draw_seed () : seed;
  self->timers = satin_timer_queue_new ();
  satin_post_queue_init (&self->posts);
  self->wake_us = G_MAXINT64;
  self->timer_fd = timer_fd;
  self->source = g_source_new (&source_funcs, sizeof (LoopSource));
  ((LoopSource *)self->source)->loop = self;
  g_source_set_static_name (self->source, "SatinLoop");
  self->timer_fd_tag = g_source_add_unix_fd (self->source, self->timer_fd, G_IO_IN);
  /* Unless a source may recurse, GLib takes its descriptors out of the poll while it dispatches,
   * and wakes itself to put them back, which costs a second turn. This source guards itself against
   * recursion. */
  g_source_set_can_recurse (self->source, TRUE);
  g_source_attach (self->source, self->context);
  return &self->base;
}
