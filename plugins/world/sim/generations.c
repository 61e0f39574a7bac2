/* generations.c - runs that lose all their nodes, and worlds that continue them
 *
 * When all nodes have crashed at once, or have been stopped in good order, the run continues from
 * its checkpoint in another world: the same program begins there on new nodes, with the disks as
 * they were left. Scheduled events that have not happened yet happen in that world.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <satin/base/run.h>
#include <satin/sim/disk.h>

/* How long nodes may take to store their results when all are stopped. */
#define STOP_US ((gint64)20000000)

/* How much higher the seed of a world is than the seed of the world before. */
#define SEED_STEP ((guint64)1000003)

static gboolean
may_end (const World *self)
{
  return self->options.has_checkpoint && self->started_us > 0 && self->ended_us == 0
         && !self->is_abandoned && self->exit_status == 0;
}

gboolean
world_crash_all (World *self)
{
  if (!may_end (self))
    return FALSE;
  self->is_abandoned = TRUE;
  world_account_end (self);
  satin_sim_disk_crash_all (world_random (self), SATIN_SIM_CRASH_CUTS);
  return TRUE;
}

/* Runs on the node's host. */
static void
say_stop (gpointer user_data)
{
  WorldNode *self = user_data;
  SatinRun *run = self->is_over ? NULL
                                : satin_node_find (satin_membership_get_node (self->member),
                                                   SATIN_INTERFACE_RUN);
  const SatinLeave leave = { STOP_US };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  if (run != NULL)
    satin_run_signal (run, 0, SATIN_SIGNAL_STOP, payload);
}

gboolean
world_stop_all (World *self)
{
  WorldNode *master = NULL;
  for (guint i = 0; i < self->n_started; i++)
    if (self->nodes[i].is_master && !self->nodes[i].is_over)
      master = &self->nodes[i];
  if (!may_end (self) || master == NULL)
    return FALSE;
  self->is_stop_said = TRUE;
  satin_loop_post (satin_sim_host_get_loop (master->host), say_stop, master);
  return TRUE;
}

World *
world_new (const SatinEntry *entry)
{
  World *self = g_new0 (World, 1);
  self->entry = entry;
  return self;
}

/* Whether the run was stopped. Then its exit status may be 0, that of a stopped run, or that of a
 * node that joined too late, was declared dead, or lost the registry. */
static gboolean
is_stopped (const World *self)
{
  static const SatinErrorCode codes[] = { SATIN_ERROR_STOPPED, SATIN_ERROR_CLOSED,
                                          SATIN_ERROR_FENCED };
  gboolean is_it = self->exit_status == 0;
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    is_it |= self->exit_status == satin_error_code_exit_status (codes[i]);
  return is_it && self->is_stop_said && self->ended_us == 0;
}

World *
world_next (World *self)
{
  if (!self->is_abandoned && !is_stopped (self))
    return NULL;
  World *next = world_new (self->entry);
  next->earlier = self;
  next->generation = self->generation + 1;
  return next;
}

/* Prepares the world to continue the earlier world: gives it another seed, and notes the time that
 * has passed, so that scheduled events do not happen again. */
void
world_go_on (World *self)
{
  const World *earlier = self->earlier;
  self->options.sim.seed += SEED_STEP * self->generation;
  if (earlier == NULL)
    return;
  self->passed_us =
      earlier->passed_us + satin_sim_now_us (earlier->sim) - MAX (earlier->started_us, 0);
}

double
world_earlier_work_s (const World *self)
{
  double work_s = 0;
  for (const World *i = self->earlier; i != NULL; i = i->earlier)
    work_s += i->figures.work_s;
  return work_s;
}

/* Returns: the time from the beginning of the root job in the first world to its beginning in this
 * world, including the time to read checkpoints */
double
world_earlier_s (const World *self)
{
  gint64 earlier_us = 0;
  for (const World *i = self; i->earlier != NULL; i = i->earlier)
    earlier_us += i->started_us;
  return (double)(self->passed_us + earlier_us) / 1e6;
}

void
world_free (World *self)
{
  while (self != NULL)
    {
      World *earlier = self->earlier;
      world_check_end (self);
      world_lost_done (self);
      world_account_done (self);
      world_pool_done (self);
      g_clear_pointer (&self->loads, g_array_unref);
      g_clear_pointer (&self->by_host, g_hash_table_unref);
      g_clear_pointer (&self->bad_job, g_free);
      world_events_done (self);
      world_options_done (&self->options);
      g_free (self);
      self = earlier;
    }
}
