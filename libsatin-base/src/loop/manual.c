/* manual.c - a loop whose time is moved by hand, for tests
 *
 * Posted calls run before the next timer. All calls of one instant run before the time moves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "post-queue.h"
#include <satin/base/random.h>
#include <satin/base/timer-queue.h>

/* More calls than this at one instant count as an endless loop. */
#define MAX_CALLS_AT_ONE_INSTANT 10000000

typedef struct
{
  SatinLoop base;
  SatinTimerQueue *timers; /* (owned) */
  SatinPostQueue posts;
  gint64 now_us;
  guint64 random;
  guint64 n_calls; /* since now_us last changed */
  gboolean is_advancing;
} ManualLoop;

static gint64
manual_now_us (SatinLoop *loop)
{
  return ((ManualLoop *)loop)->now_us;
}

static SatinTimerId
manual_timer_add (SatinLoop *loop, gint64 delay_us, SatinLoopFunc func, gpointer user_data)
{
  ManualLoop *self = (ManualLoop *)loop;

  return satin_timer_queue_add (self->timers, satin_time_add (self->now_us, delay_us), func,
                                user_data);
}

static void
manual_timer_cancel (SatinLoop *loop, SatinTimerId id)
{
  satin_timer_queue_cancel (((ManualLoop *)loop)->timers, id);
}

static void
manual_post (SatinLoop *loop, SatinLoopFunc func, gpointer user_data)
{
  satin_post_queue_push (&((ManualLoop *)loop)->posts, func, user_data);
}

static guint64
manual_random (SatinLoop *loop)
{
  return satin_random_next (&((ManualLoop *)loop)->random);
}

static void
manual_free (SatinLoop *loop)
{
  ManualLoop *self = (ManualLoop *)loop;

  satin_post_queue_done (&self->posts);
  satin_timer_queue_free (self->timers);
  g_free (self);
}

static const SatinLoopOps manual_ops = {
  .struct_size = sizeof (SatinLoopOps),
  .now_us = manual_now_us,
  .timer_add = manual_timer_add,
  .timer_cancel = manual_timer_cancel,
  .post = manual_post,
  .random = manual_random,
  .free = manual_free,
};

SatinLoop *
satin_loop_new_manual (guint64 seed)
{
  ManualLoop *self = g_new0 (ManualLoop, 1);

  self->base.ops = &manual_ops;
  self->random = seed;
  self->timers = satin_timer_queue_new ();
  satin_post_queue_init (&self->posts);
  return &self->base;
}

static void
move_to (ManualLoop *self, gint64 time_us)
{
  if (time_us > self->now_us)
    {
      self->now_us = time_us;
      self->n_calls = 0;
    }
}

static void
count_calls (ManualLoop *self, guint n_calls)
{
  self->n_calls += n_calls;
  if (self->n_calls > MAX_CALLS_AT_ONE_INSTANT)
    g_error ("the loop makes no progress: over %d calls at %" G_GINT64_FORMAT " us",
             MAX_CALLS_AT_ONE_INSTANT, self->now_us);
}

static void
run_posts (ManualLoop *self)
{
  while (!satin_post_queue_is_empty (&self->posts))
    count_calls (self, satin_post_queue_run (&self->posts));
}

void
satin_loop_advance (SatinLoop *loop, gint64 duration_us)
{
  ManualLoop *self = (ManualLoop *)loop;
  SatinCall call;
  gint64 until_us;

  g_return_if_fail (loop != NULL && loop->ops == &manual_ops);
  g_return_if_fail (duration_us >= 0);
  g_return_if_fail (!self->is_advancing);

  self->is_advancing = TRUE;
  until_us = satin_time_add (self->now_us, duration_us);
  run_posts (self);
  for (gint64 due_us = satin_timer_queue_first_due_us (self->timers);
       satin_timer_queue_take (self->timers, until_us, G_MAXUINT64, &call);
       due_us = satin_timer_queue_first_due_us (self->timers))
    {
      move_to (self, due_us);
      count_calls (self, 1);
      call.func (call.user_data);
      run_posts (self);
    }
  move_to (self, until_us);
  self->is_advancing = FALSE;
}
