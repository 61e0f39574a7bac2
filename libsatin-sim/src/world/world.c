/* world.c - virtual time: takes the next event and makes it happen
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

__thread SatinSim *sim_running;

SatinSim *
satin_sim_new (const SatinSimOptions *options)
{
  SatinSim *self = g_new0 (SatinSim, 1);
  self->options = *options;
  self->queue = satin_timer_queue_new ();
  self->hosts = g_ptr_array_new_with_free_func (host_free);
  self->uplinks = g_array_new (FALSE, FALSE, sizeof (Uplink));
  self->ports = g_hash_table_new (NULL, NULL);
  self->context = context_new_here ();
  self->random = options->seed;
  self->probes = probes_new ();
  return self;
}

void
satin_sim_free (SatinSim *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->hosts);
  g_array_unref (self->uplinks);
  g_hash_table_unref (self->ports);
  satin_timer_queue_free (self->queue);
  context_free (self->context);
  trace_done (&self->trace);
  g_tree_unref (self->probes);
  g_free (self->signal_stack);
  g_free (self);
}

/* The uplink of a cluster; makes it when the cluster is new. */
static Uplink *
find_uplink (SatinSim *self, guint cluster)
{
  const Uplink uplink = { .bandwidth = self->options.wan_bandwidth,
                          .latency_us = self->options.wan_us };
  while (self->uplinks->len <= cluster)
    g_array_append_val (self->uplinks, uplink);
  return &g_array_index (self->uplinks, Uplink, cluster);
}

SatinSimHost *
satin_sim_add_host (SatinSim *self, guint cluster, double speed)
{
  g_return_val_if_fail (speed > 0, NULL);
  SatinSimHost *host = host_new (self, self->hosts->len, cluster, speed);
  g_ptr_array_add (self->hosts, host);
  find_uplink (self, cluster);
  return host;
}

void
satin_sim_set_uplink_bandwidth (SatinSim *self, guint cluster, guint64 bandwidth)
{
  find_uplink (self, cluster)->bandwidth = bandwidth;
}

void
satin_sim_set_uplink_latency (SatinSim *self, guint cluster, gint64 latency_us)
{
  g_return_if_fail (latency_us >= 0);
  find_uplink (self, cluster)->latency_us = latency_us;
}

/* Mixes @what and the time of the current event into the trace hash. */
static void
note (SatinSim *self, guint64 what)
{
  self->figures.hash ^= what + (guint64)self->now_us;
  self->figures.hash *= G_GUINT64_CONSTANT (0x100000001b3);
}

gboolean
satin_sim_run (SatinSim *self, gint64 until_us, gboolean (*is_over) (gpointer user_data),
               gpointer user_data)
{
  SatinSim *outer = sim_running;
  SatinCall call;
  gboolean is_end = FALSE;
  sim_running = self;
  overflow_watch (self);
  while (!is_end)
    {
      gint64 due_us = satin_timer_queue_first_due_us (self->queue);
      if (!satin_timer_queue_take (self->queue, until_us, G_MAXUINT64, &call))
        break;
      self->now_us = MAX (self->now_us, due_us);
      self->figures.n_events++;
      call.func (call.user_data);
      note (self, self->host != NULL ? self->host->number : 0);
      self->host = NULL;
      is_end = is_over != NULL && is_over (user_data);
    }
  overflow_unwatch (self);
  sim_running = outer;
  return is_end;
}

gint64
satin_sim_now_us (const SatinSim *self)
{
  return self->now_us;
}

void
satin_sim_get_figures (const SatinSim *self, SatinSimFigures *ret_figures)
{
  *ret_figures = self->figures;
}

const SatinThreadOps *
satin_sim_thread_ops (SatinSim *self, gint64 spawn_ns)
{
  self->thread_ops = sim_thread_ops;
  self->thread_ops.spawn_ns = spawn_ns;
  return &self->thread_ops;
}
