/* overdue.c - gives back machines whose node has not joined in time, or has long been gone
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static void look_for_overdue (gpointer user_data);

static void
set_timer (SatinFleet *self)
{
  gint64 next_us = G_MAXINT64;
  satin_loop_timer_cancel (self->loop, &self->overdue_timer);
  for (guint i = 0; i < self->machines->len; i++)
    {
      const FleetMachine *machine = g_ptr_array_index (self->machines, i);
      next_us = MIN (next_us, machine->due_us);
    }
  if (next_us == G_MAXINT64 || self->done != NULL)
    return;
  gint64 left_us = next_us - satin_loop_now_us (self->loop);
  self->overdue_timer = satin_loop_timer_add (self->loop, MAX (left_us, 0), look_for_overdue, self);
}

static void
give_back (SatinFleet *self, FleetMachine *machine)
{
  if (machine->has_left)
    {
      satin_loop_probe (self->loop, "fleet.never-ended");
      fleet_say (self, "%s is still there %d s after its node was gone: it is given back",
                 machine->name, (int)(SATIN_FLEET_END_US / G_USEC_PER_SEC));
    }
  else
    {
      satin_loop_probe (self->loop, "fleet.never-joined");
      fleet_say (self, "%s was there for %d s, but no node of it joined: it is given back",
                 machine->name, (int)(SATIN_FLEET_JOIN_US / G_USEC_PER_SEC));
    }
  self->provision->ops.withdraw (self->provision->handle, machine->name, 0);
}

static void
look_for_overdue (gpointer user_data)
{
  SatinFleet *self = user_data;
  self->overdue_timer = 0;
  for (guint i = 0; i < self->machines->len; i++)
    {
      FleetMachine *machine = g_ptr_array_index (self->machines, i);
      if (machine->due_us > satin_loop_now_us (self->loop))
        continue;
      machine->due_us = G_MAXINT64;
      give_back (self, machine);
    }
  set_timer (self);
}

void
fleet_await (SatinFleet *self, FleetMachine *machine, gint64 time_us)
{
  machine->due_us = satin_loop_now_us (self->loop) + time_us;
  set_timer (self);
}

void
satin_fleet_joined (SatinFleet *self, const char *host)
{
  FleetMachine *machine = fleet_find (self, host);
  if (machine == NULL || machine->has_joined)
    return;
  machine->has_joined = TRUE;
  machine->due_us = G_MAXINT64;
  set_timer (self);
}

void
satin_fleet_left (SatinFleet *self, const char *host)
{
  FleetMachine *machine = fleet_find (self, host);
  if (machine == NULL || !machine->has_joined || machine->has_left || self->done != NULL)
    return;
  machine->has_left = TRUE;
  fleet_await (self, machine, SATIN_FLEET_END_US);
}
