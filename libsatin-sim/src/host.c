/* host.c - a machine of a world: its loop
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-private.h"

static gint64
host_now_us (SatinLoop *loop)
{
  return ((SatinSimHost *)loop)->sim->now_us;
}

static void turn (gpointer user_data);

/* Sees to it that the loop turns when its first timer is due. */
static void
plan_turn (SatinSimHost *self)
{
  gint64 due_us = satin_timer_queue_first_due_us (self->timers);
  if (self->turn != 0 && self->turn_us <= due_us)
    return;
  if (self->turn != 0)
    satin_timer_queue_cancel (self->sim->queue, self->turn);
  self->turn = 0;
  if (due_us == G_MAXINT64 || self->is_crashed)
    return;
  self->turn_us = MAX (MAX (due_us, self->paused_until_us), self->sim->now_us);
  self->turn = satin_timer_queue_add (self->sim->queue, self->turn_us, turn, self);
}

/* Runs what is due. What that adds is for the next turn. */
static void
turn (gpointer user_data)
{
  SatinSimHost *self = user_data;
  SatinCall call;
  self->turn = 0;
  if (self->paused_until_us > self->sim->now_us)
    {
      plan_turn (self);
      return;
    }
  self->sim->host = self;
  guint64 n_added = satin_timer_queue_count_added (self->timers);
  while (!self->is_crashed
         && satin_timer_queue_take (self->timers, self->sim->now_us, n_added, &call))
    call.func (call.user_data);
  plan_turn (self);
}

void
host_call_at (SatinSimHost *self, gint64 at_us, SatinLoopFunc func, gpointer user_data)
{
  if (self->is_crashed)
    return;
  satin_timer_queue_add (self->timers, at_us, func, user_data);
  plan_turn (self);
}

static SatinTimerId
host_timer_add (SatinLoop *loop, gint64 delay_us, SatinLoopFunc func, gpointer user_data)
{
  SatinSimHost *self = (SatinSimHost *)loop;
  gint64 now_us = self->sim->now_us;
  gint64 due_us = delay_us > G_MAXINT64 - 1 - now_us ? G_MAXINT64 - 1 : now_us + delay_us;
  SatinTimerId id = satin_timer_queue_add (self->timers, due_us, func, user_data);
  plan_turn (self);
  return id;
}

static void
host_timer_cancel (SatinLoop *loop, SatinTimerId id)
{
  satin_timer_queue_cancel (((SatinSimHost *)loop)->timers, id);
}

static void
host_post (SatinLoop *loop, SatinLoopFunc func, gpointer user_data)
{
  host_timer_add (loop, 0, func, user_data);
}

static guint64
host_random (SatinLoop *loop)
{
  return satin_sim_random (&((SatinSimHost *)loop)->random);
}

/* The world owns it. */
static void
host_loop_free (SatinLoop *loop)
{
}

static const SatinLoopOps host_ops = {
  .struct_size = sizeof (SatinLoopOps),
  .now_us = host_now_us,
  .timer_add = host_timer_add,
  .timer_cancel = host_timer_cancel,
  .post = host_post,
  .random = host_random,
  .free = host_loop_free,
  .probe = probe_count,
};

SatinSimHost *
host_new (SatinSim *sim, guint number, guint cluster, double speed)
{
  SatinSimHost *self = g_new0 (SatinSimHost, 1);
  self->loop.ops = &host_ops;
  self->sim = sim;
  self->number = number;
  self->cluster = cluster;
  self->speed = speed;
  self->random = satin_sim_random (&sim->random);
  self->timers = satin_timer_queue_new ();
  self->fibers = g_ptr_array_new_with_free_func (fiber_free);
  self->transports = g_ptr_array_new ();
  self->ends = g_hash_table_new (NULL, NULL);
  self->clogs = g_array_new (FALSE, FALSE, sizeof (Clog));
  return self;
}

void
host_free (gpointer host)
{
  SatinSimHost *self = host;
  g_ptr_array_unref (self->fibers);
  network_free (self);
  g_array_unref (self->clogs);
  g_free (self->busy_us);
  satin_timer_queue_free (self->timers);
  g_free (self);
}

SatinLoop *
satin_sim_host_get_loop (SatinSimHost *self)
{
  return &self->loop;
}

gint64
satin_sim_host_get_work_ns (const SatinSimHost *self)
{
  return self->work_ns;
}

SatinSimHost *
satin_sim_host_of (SatinLoop *loop)
{
  return loop->ops == &host_ops ? (SatinSimHost *)loop : NULL;
}

void
satin_sim_host_call (SatinSimHost *self, SatinLoopFunc func, gpointer user_data)
{
  SatinSim *outer = sim_running;
  g_return_if_fail (self->sim->host == NULL);
  sim_running = self->sim;
  self->sim->host = self;
  func (user_data);
  self->sim->host = NULL;
  sim_running = outer;
}

void
satin_sim_host_crash (SatinSimHost *self)
{
  if (self->is_crashed)
    return;
  self->is_crashed = TRUE;
  trace_crash (self);
  plan_turn (self);
  network_crash (self);
}

gboolean
satin_sim_host_is_crashed (const SatinSimHost *self)
{
  return self->is_crashed;
}

void
satin_sim_host_pause (SatinSimHost *self, gint64 duration_us)
{
  self->paused_until_us = MAX (self->paused_until_us, self->sim->now_us + duration_us);
}

void
satin_sim_host_set_speed (SatinSimHost *self, double speed)
{
  g_return_if_fail (speed > 0);
  self->speed = speed;
}

void
satin_sim_break_links (SatinSimHost *a, SatinSimHost *b)
{
  network_break (a, b);
  network_break (b, a);
}

void
satin_sim_clog (SatinSimHost *from, SatinSimHost *to, gint64 duration_us)
{
  Clog clog = { to->number, from->sim->now_us + duration_us };
  g_array_append_val (from->clogs, clog);
}
