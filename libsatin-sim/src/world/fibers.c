/* fibers.c - workers as fibers: the operations of satin_sim_thread_ops()
 *
 * A fiber runs until it lets time pass: it waits, relaxes, or pays for the time that it was
 * charged. Then the world continues with the next event. Nothing else interrupts a fiber.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* After this many fruitless tries to find a job, which cost no virtual time, a worker sleeps. A
 * worker that may not sleep lets RELAX_US pass instead. */
#define MAX_TRIES 66
#define RELAX_US  1

/* If fibers woke each other again and again, no time would pass, and the world would stand still. A
 * fiber that has waited this often with no more than RELAX_US between continues RELAX_US after it
 * is woken, as a thread would. */
#define MAX_WAITS 1000

/* Charges of a fiber are added up until their sum reaches the latency within a cluster divided by
 * this number, or the fiber waits; only then does the time pass. Otherwise every spawn would be an
 * event of its own. */
#define SHORT_SHARE 10

static gint64
sim_now_us (void)
{
  const SatinSimHost *host = sim_running->host;
  return host != NULL ? host_clock_us (host) : sim_running->now_us;
}

static void
enter (Fiber *self)
{
  SatinSim *sim = self->host->sim;
  self->resume = 0;
  sim->host = self->host;
  sim->fiber = self;
  context_switch (sim->context, self->context);
  sim->fiber = NULL;
}

static void
go_on (gpointer user_data)
{
  Fiber *self = user_data;
  SatinSim *sim = self->host->sim;
  self->resume = 0;
  sim->host = self->host;
  if (self->host->is_crashed)
    return;
  if (self->host->paused_until_us > sim->now_us)
    {
      self->resume = satin_timer_queue_add (sim->queue, self->host->paused_until_us, go_on, self);
      return;
    }
  enter (self);
}

/* Suspends the running fiber until @delay_us of the world's time have passed, or sim_wake() ends
 * the wait. */
static void
leave (Fiber *self, gint64 delay_us)
{
  SatinSim *sim = self->host->sim;
  overflow_check (self);
  self->resume = satin_timer_queue_add (sim->queue, sim->now_us + delay_us, go_on, self);
  context_switch (self->context, sim->context);
}

static void
begin (gpointer data)
{
  Fiber *self = data;
  self->main (self->data);
  self->is_over = TRUE;
  context_switch (self->context, self->host->sim->context);
}

static gpointer
sim_start (void (*main) (gpointer data), gpointer data, gsize stack_bytes, GError **error)
{
  SatinSim *sim = sim_running;
  Fiber *self = g_new0 (Fiber, 1);
  self->host = sim->host;
  self->number = sim->host->fibers->len;
  self->main = main;
  self->data = data;
  self->context = context_new (stack_bytes, sim->options.is_guarded, begin, self);
  if (self->context == NULL)
    {
      g_free (self);
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_IO, "no memory for a fiber's stack");
      return NULL;
    }
  g_ptr_array_add (self->host->fibers, self);
  self->resume = satin_timer_queue_add (sim->queue, sim->now_us, go_on, self);
  return self;
}

/* Runs the fiber until it has ended, without letting time pass. */
static void
sim_join (gpointer thread)
{
  Fiber *self = thread;
  SatinSim *sim = self->host->sim;
  while (!self->is_over && !self->host->is_crashed)
    {
      if (self->resume != 0)
        satin_timer_queue_cancel (sim->queue, self->resume);
      enter (self);
    }
}

static gboolean
sim_join_within (gpointer thread, gint64 timeout_us)
{
  sim_join (thread);
  return TRUE;
}

/* Nothing to do: the fiber is freed with its host. */
static void
sim_abandon (gpointer thread)
{
}

static void
sim_get_stack (char **ret_low, gsize *ret_n_bytes)
{
  context_get_stack (sim_running->fiber->context, ret_low, ret_n_bytes);
}

/* Makes the fiber pay its debt: the time that it was charged passes now. */
static void
pay (Fiber *self)
{
  gint64 delay_us = self->debt_ns / 1000;
  self->charge_ns = (gint64)((double)delay_us * 1000 * self->host->speed);
  self->debt_ns %= 1000;
  delay_us += host_take_backlog_us (self->host);
  self->charge_us = delay_us;
  self->host->busy_until_us = MAX (self->host->busy_until_us, self->host->sim->now_us + delay_us);
  trace_work (self, delay_us);
  leave (self, delay_us);
}

static void
sim_wait (int *word, gint64 timeout_us)
{
  Fiber *self = sim_running->fiber;
  if (*word == 0 && self->debt_ns >= 1000)
    pay (self);
  if (*word != 0)
    return;
  gint64 now_us = self->host->sim->now_us;
  self->n_waits = now_us - self->waited_us <= RELAX_US ? self->n_waits + 1 : 0;
  self->waited_us = now_us;
  self->word = word;
  gsize event = trace_wait (self);
  leave (self, host_to_world_us (self->host, host_clock_us (self->host) + timeout_us)
                   - self->host->sim->now_us);
  trace_woken (self, event);
  self->word = NULL;
}

static void
sim_wake (int *word)
{
  SatinSim *sim = sim_running;
  *word = 1;
  for (guint i = 0; i < sim->host->fibers->len; i++)
    {
      Fiber *fiber = g_ptr_array_index (sim->host->fibers, i);
      if (fiber->word != word)
        continue;
      fiber->word = NULL;
      satin_timer_queue_cancel (sim->queue, fiber->resume);
      gint64 at_us = sim->now_us + (fiber->n_waits > MAX_WAITS ? RELAX_US : 0);
      fiber->resume = satin_timer_queue_add (sim->queue, at_us, go_on, fiber);
    }
}

gboolean
satin_sim_fiber_wait (int *word, gint64 timeout_us)
{
  g_return_val_if_fail (word != NULL && timeout_us >= 0, FALSE);

  if (sim_running == NULL || sim_running->fiber == NULL)
    return FALSE;
  sim_wait (word, timeout_us);
  return TRUE;
}

void
satin_sim_fiber_wake (int *word)
{
  g_return_if_fail (word != NULL);

  if (sim_running != NULL && sim_running->host != NULL)
    sim_wake (word);
  else
    *word = 1;
}

static void
sim_relax (guint n_tries)
{
  if (n_tries >= MAX_TRIES)
    leave (sim_running->fiber, RELAX_US);
}

static void
sim_charge (gint64 duration_ns)
{
  Fiber *self = sim_running->fiber;
  SatinSim *sim = self->host->sim;
  if (sim->on_charge != NULL)
    sim->on_charge (self->host, self, duration_ns, sim->charge_data);
  self->host->work_ns += duration_ns;
  self->work_ns += duration_ns;
  self->debt_ns += (gint64)((double)duration_ns / self->host->speed);
  if (self->debt_ns >= MAX (sim->options.lan_us / SHORT_SHARE, 1) * 1000)
    pay (self);
}

/* Returns the processor time of the running fiber, or with @is_all of the host, at the processors'
 * own speed: when other load slows the host down, a fiber has a processor for a part of the time
 * only. A charge counts as its time passes. */
static gint64
sim_cpu_us (gboolean is_all)
{
  const SatinSimHost *host = sim_running->host;
  const Fiber *fiber = sim_running->fiber;
  if (host == NULL)
    return 0;
  gint64 work_ns = is_all ? satin_sim_host_get_work_ns (host) + host->message_ns
                          : fiber->work_ns - fiber_left_ns (fiber);
  return (gint64)((double)work_ns / host->own_speed / 1000);
}

void
satin_sim_set_charge_func (SatinSim *self, SatinSimChargeFunc func, gpointer user_data)
{
  self->on_charge = func;
  self->charge_data = user_data;
}

gint64
fiber_left_ns (const Fiber *self)
{
  gint64 left_us = self->work_until_us - self->host->sim->now_us;
  if (left_us <= 0)
    return 0;
  return (gint64)((double)self->charge_ns * (double)left_us / (double)self->charge_us);
}

gboolean
fiber_is_busy (const Fiber *self)
{
  return self->work_until_us > self->host->sim->now_us;
}

void
fiber_delay (Fiber *self, gint64 delay_us)
{
  SatinSim *sim = self->host->sim;
  if (delay_us == 0)
    return;
  self->charge_ns = fiber_left_ns (self);
  trace_delay (self, delay_us);
  self->charge_us = self->work_until_us - sim->now_us;
  self->host->busy_until_us = MAX (self->host->busy_until_us, self->work_until_us);
  satin_timer_queue_cancel (sim->queue, self->resume);
  self->resume = satin_timer_queue_add (sim->queue, self->work_until_us, go_on, self);
}

void
fiber_free (gpointer fiber)
{
  Fiber *self = fiber;
  context_free (self->context);
  g_free (self);
}

const SatinThreadOps sim_thread_ops = {
  .struct_size = sizeof (SatinThreadOps),
  .now_us = sim_now_us,
  .start = sim_start,
  .join = sim_join,
  .get_stack = sim_get_stack,
  .wait = sim_wait,
  .wake = sim_wake,
  .relax = sim_relax,
  .charge = sim_charge,
  .max_tries = MAX_TRIES,
  .cpu_us = sim_cpu_us,
  .join_within = sim_join_within,
  .abandon = sim_abandon,
};
