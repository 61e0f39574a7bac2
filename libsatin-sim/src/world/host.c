/* host.c - a host of a world: its clock and its loop
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/random.h>

/* ---- its clock ---- */

#define PPM ((gint64)1000000)

gint64
host_clock_us (const SatinSimHost *self)
{
  const Clock *clock = &self->clock;
  gint64 passed_us = self->sim->now_us - clock->world_us;
  return clock->local_us + (clock->rate_ppm == PPM ? passed_us : passed_us * clock->rate_ppm / PPM);
}

/* Rounds up, so that the clock shows at least @local_us at the returned time of the world. */
gint64
host_to_world_us (const SatinSimHost *self, gint64 local_us)
{
  const Clock *clock = &self->clock;
  gint64 ahead_us = MAX (local_us - clock->local_us, 0);
  if (clock->rate_ppm != PPM)
    {
      if (ahead_us > G_MAXINT64 / PPM - PPM)
        return G_MAXINT64 - 1;
      ahead_us = (ahead_us * PPM + clock->rate_ppm - 1) / clock->rate_ppm;
    }
  return MIN (ahead_us, G_MAXINT64 - 1 - clock->world_us) + clock->world_us;
}

static gint64
host_now_us (SatinLoop *loop)
{
  return host_clock_us ((SatinSimHost *)loop);
}

/* ---- its turns ---- */

static gint64
first_timer_us (const SatinSimHost *self)
{
  gint64 due_us = satin_timer_queue_first_due_us (self->timers);
  return due_us == G_MAXINT64 ? due_us : host_to_world_us (self, due_us);
}

static void turn (gpointer user_data);

/* Whether the planned turn comes early enough for a call that is due at @due_us, so that
 * plan_turn() has nothing to do. */
static gboolean
has_turn_by (const SatinSimHost *self, gint64 due_us)
{
  return self->turn != 0 && self->is_turn_prompt && self->turn_us <= due_us;
}

/* Plans the next turn: at the time when the first timer or arrival is due, or at the end of a
 * pause. */
static void
plan_turn (SatinSimHost *self)
{
  gint64 due_us = MIN (first_timer_us (self), satin_timer_queue_first_due_us (self->arrivals));
  if (self->turn != 0 && self->turn_us <= due_us)
    return;
  if (self->turn != 0)
    satin_timer_queue_cancel (self->sim->queue, self->turn);
  self->turn = 0;
  if (due_us == G_MAXINT64 || self->is_crashed)
    return;
  self->turn_us = MAX (MAX (due_us, self->paused_until_us), self->sim->now_us);
  self->is_turn_prompt = self->turn_us == due_us;
  self->turn = satin_timer_queue_add (self->sim->queue, self->turn_us, turn, self);
}

/* How many calls had been added to each queue when a turn began. */
typedef struct
{
  guint64 n_timers;
  guint64 n_arrivals;
} Until;

/* Takes the call that is due first. If an arrival and a timer are due at the same time, takes the
 * arrival. Does not take calls that were added since the turn began. */
static gboolean
take (SatinSimHost *self, const Until *until, SatinCall *ret_call)
{
  gint64 now_us = self->sim->now_us;
  gboolean is_arrival =
      satin_timer_queue_first_due_us (self->arrivals) <= MIN (now_us, first_timer_us (self));
  if (is_arrival && satin_timer_queue_take (self->arrivals, now_us, until->n_arrivals, ret_call))
    return TRUE;
  if (satin_timer_queue_take (self->timers, host_clock_us (self), until->n_timers, ret_call))
    return TRUE;
  return satin_timer_queue_take (self->arrivals, now_us, until->n_arrivals, ret_call);
}

/* Makes the calls that are due. Calls that are added meanwhile wait for the next turn. */
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
  const Until until = { satin_timer_queue_count_added (self->timers),
                        satin_timer_queue_count_added (self->arrivals) };
  while (!self->is_crashed && take (self, &until, &call))
    call.func (call.user_data);
  plan_turn (self);
}

void
host_call_at (SatinSimHost *self, gint64 at_us, SatinLoopFunc func, gpointer user_data)
{
  if (self->is_crashed)
    return;
  satin_timer_queue_add (self->arrivals, at_us, func, user_data);
  if (!has_turn_by (self, at_us))
    plan_turn (self);
}

static SatinTimerId
host_timer_add (SatinLoop *loop, gint64 delay_us, SatinLoopFunc func, gpointer user_data)
{
  SatinSimHost *self = (SatinSimHost *)loop;
  gint64 now_us = host_clock_us (self);
  gint64 due_us = delay_us > G_MAXINT64 - 1 - now_us ? G_MAXINT64 - 1 : now_us + delay_us;
  SatinTimerId id = satin_timer_queue_add (self->timers, due_us, func, user_data);
  if (!has_turn_by (self, host_to_world_us (self, due_us)))
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
  return satin_random_next (&((SatinSimHost *)loop)->random);
}

/* Nothing to do: the world owns the loop. */
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
  .note = trace_note,
};

SatinSimHost *
host_new (SatinSim *sim, guint number, guint cluster, double speed)
{
  SatinSimHost *self = g_new0 (SatinSimHost, 1);
  self->loop.ops = &host_ops;
  self->sim = sim;
  self->number = number;
  self->cluster = cluster;
  self->speed = self->own_speed = speed;
  self->n_processors = 1;
  self->random = satin_random_next (&sim->random);
  self->clock = (Clock){ .local_us = sim->now_us, .world_us = sim->now_us, .rate_ppm = PPM };
  self->timers = satin_timer_queue_new ();
  self->arrivals = satin_timer_queue_new ();
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
  satin_timer_queue_free (self->arrivals);
  g_free (self->address);
  g_free (self);
}

SatinLoop *
satin_sim_host_get_loop (SatinSimHost *self)
{
  return &self->loop;
}

/* How much of the charges of the host's fibers has not passed yet, in nanoseconds at speed 1. */
static gint64
left_ns (const SatinSimHost *self)
{
  gint64 sum_ns = 0;
  for (guint i = 0; i < self->fibers->len; i++)
    sum_ns += fiber_left_ns (g_ptr_array_index (self->fibers, i));
  return sum_ns;
}

gint64
satin_sim_host_get_work_ns (const SatinSimHost *self)
{
  return self->is_crashed ? self->work_ns : self->work_ns - left_ns (self);
}

gint64
satin_sim_host_get_due_us (const SatinSimHost *self, SatinTimerId timer)
{
  gint64 due_us = satin_timer_queue_get_due_us (self->timers, timer);
  return due_us == G_MAXINT64 ? due_us : host_to_world_us (self, due_us);
}

gint64
satin_sim_host_get_first_due_us (const SatinSimHost *self)
{
  return first_timer_us (self);
}

gint64
satin_sim_host_get_busy_until_us (const SatinSimHost *self)
{
  return self->busy_until_us;
}

double
satin_sim_host_get_speed (const SatinSimHost *self)
{
  return self->speed;
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
  overflow_watch (self->sim);
  func (user_data);
  overflow_unwatch (self->sim);
  self->sim->host = NULL;
  sim_running = outer;
}

void
satin_sim_host_end (SatinSimHost *self)
{
  if (self->is_crashed)
    return;
  self->work_ns -= left_ns (self);
  self->is_crashed = TRUE;
  plan_turn (self);
  network_crash (self);
}

void
satin_sim_host_crash (SatinSimHost *self)
{
  if (!self->is_crashed)
    trace_crash (self);
  satin_sim_host_end (self);
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
satin_sim_host_set_address (SatinSimHost *self, const char *uri)
{
  g_return_if_fail (uri != NULL);
  g_free (self->address);
  self->address = g_strdup (uri);
}

void
satin_sim_host_set_clock (SatinSimHost *self, gint64 jump_us, double rate)
{
  g_return_if_fail (jump_us >= 0 && rate >= 0.1 && rate <= 10);
  self->clock = (Clock){ .local_us = host_clock_us (self) + jump_us,
                         .world_us = self->sim->now_us,
                         .rate_ppm = (gint64)(rate * (double)PPM) };
  /* With the new clock, the planned turn may be too late or too early. */
  satin_timer_queue_cancel (self->sim->queue, self->turn);
  self->turn = 0;
  plan_turn (self);
}
