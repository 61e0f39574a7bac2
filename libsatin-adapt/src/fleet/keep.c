/* keep.c - requests missing machines again, after pauses
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static guint
count_missing (const SatinFleet *self)
{
  guint n_has = self->n_requested;
  for (guint i = 0; i < self->machines->len; i++)
    n_has += !((const FleetMachine *)g_ptr_array_index (self->machines, i))->is_going;
  return self->n_kept - MIN (n_has, self->n_kept);
}

static void
ask_for_missing (gpointer user_data)
{
  SatinFleet *self = user_data;
  guint n_missing = count_missing (self);
  self->keep_timer = 0;
  if (n_missing == 0)
    return;
  satin_fleet_request (self, n_missing, "");
  self->pause_us = MIN (2 * self->pause_us, SATIN_FLEET_PAUSE_MOST_US);
}

void
fleet_keep_ended (SatinFleet *self, const FleetMachine *machine)
{
  gint64 age_us = satin_loop_now_us (self->loop) - machine->granted_us;
  if (machine->has_joined && age_us >= SATIN_FLEET_STABLE_US)
    self->pause_us = SATIN_FLEET_PAUSE_US;
}

void
fleet_keep_check (SatinFleet *self)
{
  if (self->done != NULL || self->keep_timer != 0 || count_missing (self) == 0)
    return;
  satin_loop_probe (self->loop, "fleet.asks-again");
  self->keep_timer = satin_loop_timer_add (self->loop, self->pause_us, ask_for_missing, self);
}

void
satin_fleet_noticed (SatinFleet *self, const char *host)
{
  FleetMachine *machine = fleet_find (self, host);
  if (machine == NULL || machine->is_going)
    return;
  satin_loop_probe (self->loop, "fleet.noticed");
  machine->is_going = TRUE;
  fleet_keep_check (self);
}

void
satin_fleet_keep (SatinFleet *self, guint n_machines)
{
  self->n_kept = n_machines;
  self->pause_us = SATIN_FLEET_PAUSE_US;
  if (count_missing (self) > 0)
    satin_fleet_request (self, count_missing (self), "");
}
