/* serve.c - what a message costs a host: its loop handles one message after the other
 *
 * Each message that a host sends or receives takes the loop a fixed time, at the host's speed. The
 * loop is a server with one queue: a message is handled when those before it are done. While fewer
 * fibers work than the host has processors, the loop has an idle processor. Otherwise it takes its
 * time from the fibers, in turns: a charge ends that much later.
 *
 * The world counts in microseconds, and the loop in nanoseconds. So a message is done up to one
 * microsecond late, but these roundings do not add up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static gint64
to_us (gint64 ns)
{
  return (ns + 999) / 1000;
}

static guint
count_busy (const SatinSimHost *self)
{
  guint n = 0;
  for (guint i = 0; i < self->fibers->len; i++)
    n += fiber_is_busy (g_ptr_array_index (self->fibers, i)) != FALSE;
  return n;
}

/* The next fiber from which the loop takes time. One fiber at least must be busy. */
static Fiber *
next_busy (SatinSimHost *self)
{
  Fiber *fiber;
  do
    {
      self->taken_from = (self->taken_from + 1) % self->fibers->len;
      fiber = g_ptr_array_index (self->fibers, self->taken_from);
    }
  while (!fiber_is_busy (fiber));
  return fiber;
}

/* Takes what the loop does until served_until_ns. Returns: whole microseconds; the rest counts the
 * next time */
static gint64
take (SatinSimHost *self)
{
  gint64 from_ns = MAX (self->taken_until_ns, self->sim->now_us * 1000);
  gint64 sum_ns = self->taken_ns + MAX (self->served_until_ns - from_ns, 0);
  self->taken_until_ns = MAX (self->taken_until_ns, self->served_until_ns);
  self->taken_ns = sum_ns % 1000;
  return sum_ns / 1000;
}

gint64
host_serve (SatinSimHost *self)
{
  gint64 now_ns = self->sim->now_us * 1000;
  gint64 each_ns = self->sim->message_ns;
  if (each_ns == 0)
    return self->sim->now_us;
  self->message_ns += each_ns;
  self->served_until_ns =
      MAX (self->served_until_ns, now_ns) + (gint64)((double)each_ns / self->speed);
  if (count_busy (self) >= self->n_processors)
    fiber_delay (next_busy (self), take (self));
  return to_us (self->served_until_ns);
}

gint64
host_served_us (const SatinSimHost *self)
{
  return MAX (to_us (self->served_until_ns), self->sim->now_us);
}

gint64
host_take_backlog_us (SatinSimHost *self)
{
  if (self->served_until_ns <= self->sim->now_us * 1000)
    return 0;
  return count_busy (self) + 1 < self->n_processors ? 0 : take (self);
}

void
satin_sim_set_message_ns (SatinSim *self, gint64 message_ns)
{
  g_return_if_fail (message_ns >= 0);
  self->message_ns = message_ns;
}

void
satin_sim_host_set_processors (SatinSimHost *self, guint n_processors)
{
  g_return_if_fail (n_processors > 0);
  self->n_processors = n_processors;
}

gint64
satin_sim_host_get_message_ns (const SatinSimHost *self)
{
  return self->message_ns;
}
