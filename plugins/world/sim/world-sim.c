/* world-sim.c - runs a program as many nodes, in one process and in simulated time
 *
 * The program's satin_main() calls this plugin instead of running by itself. The plugin makes a
 * hub, and for each node a membership with workers and the part "net". All these consist of the
 * code of real runs, over the transport "sim". The process ends with the run, so fibers that still
 * wait at the end are not cleaned up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#include <satin/base/random.h>

/* How many more nodes a world with a pool can have. Each start of a machine makes a node. */
#define MAX_LEASES 20000

guint64
world_random (World *self)
{
  return satin_random_next (&self->random);
}

static gboolean
is_over (gpointer user_data)
{
  World *self = user_data;
  if (self->is_abandoned)
    return TRUE;
  gboolean is_told = self->started_us > 0 || self->is_open || self->is_hub_over;
  return (self->n_over == self->n_started && self->n_started > 0 && is_told) || self->error != NULL;
}

/* Returns: (nullable): the node on the host; %NULL for the host of a registry */
static WorldNode *
find_on_host (World *self, SatinSimHost *host)
{
  for (guint i = g_hash_table_size (self->by_host); i < self->n_started; i++)
    g_hash_table_insert (self->by_host, self->nodes[i].host, &self->nodes[i]);
  return g_hash_table_lookup (self->by_host, host);
}

static void
on_charge (SatinSimHost *host, gconstpointer thread, gint64 duration_ns, gpointer user_data)
{
  WorldNode *node = find_on_host (user_data, host);
  if (node == NULL)
    return;
  world_lost_charge (node, thread, duration_ns);
  world_bad_job_charge (node, thread);
}

/* Makes the simulated world, and the hosts of the first nodes in the order of the clusters. */
static void
make (World *self)
{
  const WorldOptions *options = &self->options;
  self->sim = satin_sim_new (&options->sim);
  satin_sim_set_message_ns (self->sim, options->message_ns);
  self->hub_host = satin_sim_add_host (self->sim, 0, 1);
  self->fate = satin_sim_add_host (self->sim, 0, 1);
  self->n_nodes = options->n_nodes + world_faults_joins (self) + world_events_joins (self);
  if (options->pool->len > 0)
    self->n_nodes += MAX_LEASES;
  self->nodes = g_new0 (WorldNode, self->n_nodes);
  self->loads = g_array_new (FALSE, FALSE, sizeof (double));
  self->by_host = g_hash_table_new (NULL, NULL);
  world_pool_begin (self);
  if (self->pool != NULL)
    return; /* nodes will start on the pool's machines */
  for (guint c = 0; c < options->sizes->len; c++)
    for (guint i = 0; i < g_array_index (options->sizes, guint, c); i++)
      world_add_node (self, c);
}

/* Makes the world and lets time pass until the run is over. Returns: %FALSE with @error when the
 * run failed */
static gboolean
live (World *self, GError **error)
{
  world_go_on (self);
  self->random = self->options.sim.seed * 2 + 1;
  if (!world_faults_read (self, self->options.faults, error)
      || !world_events_read (self, self->options.events, error))
    return FALSE;
  self->is_open =
      world_faults_joins (self) + world_events_joins (self) > 0 || self->options.pool->len > 0;
  make (self);
  world_account_begin (self);
  world_lost_begin (self);
  if (self->shares != NULL || self->faults_left[WORLD_FAULT_BAD_JOB] > 0)
    satin_sim_set_charge_func (self->sim, on_charge, self);
  world_check_begin (self);
  world_trace_begin (self);
  if (!world_plot_begin (self, error) || !world_journal_begin (self, error))
    return FALSE;
  satin_sim_host_call (self->hub_host, world_start_hub, self);
  world_start_nodes (self);
  if (self->is_early)
    world_faults_begin (self);
  gboolean is_done = satin_sim_run (self->sim, self->options.deadline_us, is_over, self);
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  gboolean has_end =
      self->ended_us > 0 || self->exit_status != 0 || self->is_abandoned || self->is_stop_said;
  if (!is_done)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                 "the run did not end: at %.6f s %u of %u nodes are still there",
                 (double)satin_sim_now_us (self->sim) / 1e6, self->n_started - self->n_over,
                 self->n_started);
  else if (!has_end)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_NODE_LOST,
                         "no node is left, and there is no result");
  return is_done && has_end;
}

/* Writes the reports if this is the last world and the run succeeded. Writes the trace even if the
 * run failed. */
static gboolean
tell (World *self, gboolean is_done, gboolean is_last, GError **error)
{
  g_autoptr (GError) local = NULL;
  world_journal_end (self, is_last || !is_done);
  is_done = is_done && (!is_last || world_report (self, error));
  if (world_trace_end (self, &local))
    return is_done && (!is_last || world_check_rest (self, error));
  if (is_done)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    g_printerr ("%s\n", local->message);
  return FALSE;
}

/* Reads the parameters and runs one world. @ret_next: (transfer full) (nullable): the world that
 * continues the run */
static gboolean
run (World *self, const SatinParams *params, World **ret_next, GError **error)
{
  *ret_next = NULL;
  if (!world_options_read (&self->options, params, error)
      || !world_files_check (&self->options, error))
    return FALSE;
  gboolean is_done = live (self, error);
  if (is_done)
    *ret_next = world_next (self);
  return tell (self, is_done, *ret_next == NULL, error);
}

static int
world_run (const SatinEntry *entry, const SatinParams *params)
{
  World *self = world_new (entry);
  World *next;
  g_autoptr (GError) error = NULL;
  while (run (self, params, &next, &error) && next != NULL)
    self = next;
  int exit_status = self->exit_status;
  if (error != NULL)
    {
      g_printerr ("%s: simulation: %s\n", entry->name, error->message);
      exit_status = satin_error_exit_status (error);
    }
  world_free (self);
  return exit_status;
}

static const SatinWorldOps ops = {
  .struct_size = sizeof (SatinWorldOps),
  .run = world_run,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_WORLD,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "sim",
  .version = "0.1.0",
  .summary = "runs a program on many nodes in one process, in simulated time",
  .author = "The Satin authors",
  .params = world_params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
