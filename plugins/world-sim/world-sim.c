/* world-sim.c - runs a program as many nodes in simulated time
 *
 * The program's own satin_main() comes here instead of going on by itself: a hub,
 * and a member for each node with workers and the part "net", all of it the code of real
 * runs, over the transport "sim". The process ends with the run; what still
 * stands on fibers then is left to that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

#define HUB_URI "sim:1"

static void
on_over (SatinMembership *member, int exit_status, gpointer user_data)
{
  WorldNode *node = user_data;
  World *world = node->world;
  node->is_over = TRUE;
  node->exit_status = exit_status;
  world->n_over++;
}

static void
on_began (SatinMembership *member, gpointer user_data)
{
  WorldNode *node = user_data;
  World *world = node->world;
  if (world->started_us == 0)
    world->started_us = satin_sim_now_us (world->sim);
}

/* The members still are what they were while the root ran. */
static void
on_ended (SatinMembership *member, gpointer user_data)
{
  WorldNode *node = user_data;
  World *world = node->world;
  world->ended_us = satin_sim_now_us (world->sim);
  world_count (world);
}

static const SatinMembershipEvents member_events = {
  .began = on_began,
  .ended = on_ended,
  .over = on_over,
};

static void
on_hub_over (SatinHub *hub, int exit_status, const char *message, gpointer user_data)
{
  World *self = user_data;
  self->exit_status = exit_status;
}

/* On the hub's host. */
static void
start_hub (gpointer user_data)
{
  static const SatinHubEvents events = { .over = on_hub_over };
  World *self = user_data;
  SatinLoop *loop = satin_sim_host_get_loop (self->hub_host);
  SatinTransportContext context = { .struct_size = sizeof context, .loop = loop };
  SatinHubOptions options = { .n_nodes = self->options.n_nodes };
  self->transport = satin_transport_new_with_ops (&satin_sim_transport_ops, &context, &self->error);
  if (self->transport != NULL)
    self->hub =
        satin_hub_new (loop, self->transport, HUB_URI, &options, &events, self, &self->error);
}

/* On the node's host. */
static void
start_node (gpointer user_data)
{
  WorldNode *self = user_data;
  World *world = self->world;
  const WorldOptions *options = &world->options;
  SatinWorkersOptions workers_options = {
    .n_workers = options->n_workers,
    .stack_bytes = options->sim.stack_bytes,
    .deque_slots = options->deque_slots,
    .seed = options->sim.seed + self->number,
    .thread_ops = satin_sim_thread_ops (world->sim, options->spawn_ns),
  };
  self->workers = satin_workers_new (&workers_options, &world->error);
  if (self->workers == NULL)
    return;
  g_autofree char *parts =
      g_strdup_printf ("net:hub=" HUB_URI ",listen=sim:0,cluster=c%u,host=c%u,pid=%u",
                       self->cluster + 1, self->cluster + 1, self->number);
  self->member = satin_membership_new (satin_sim_host_get_loop (self->host), world->entry,
                                       self->workers, parts, options->policy, &member_events, self);
}

static void
add_nodes (World *self)
{
  const WorldOptions *options = &self->options;
  guint n = 0;
  self->nodes = g_new0 (WorldNode, options->n_nodes);
  for (guint c = 0; c < options->sizes->len; c++)
    {
      guint last = MIN (c, options->speeds->len - 1);
      double speed = g_array_index (options->speeds, double, last);
      for (guint i = 0; i < g_array_index (options->sizes, guint, c); i++, n++)
        self->nodes[n] = (WorldNode){ .world = self,
                                      .number = n + 1,
                                      .cluster = c,
                                      .host = satin_sim_add_host (self->sim, c, speed) };
    }
}

static gboolean
is_over (gpointer user_data)
{
  World *self = user_data;
  return self->n_over == self->options.n_nodes || self->error != NULL;
}

/* Brings all to life and lets time pass. */
static gboolean
live (World *self, GError **error)
{
  self->sim = satin_sim_new (&self->options.sim);
  self->hub_host = satin_sim_add_host (self->sim, 0, 1);
  add_nodes (self);
  satin_sim_host_call (self->hub_host, start_hub, self);
  for (guint i = 0; i < self->options.n_nodes && self->error == NULL; i++)
    satin_sim_host_call (self->nodes[i].host, start_node, &self->nodes[i]);
  gboolean is_done = satin_sim_run (self->sim, self->options.deadline_us, is_over, self);
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  if (!is_done)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                 "the run did not end: at %.6f s %u of %u nodes are still there",
                 (double)satin_sim_now_us (self->sim) / 1e6, self->options.n_nodes - self->n_over,
                 self->options.n_nodes);
  return is_done;
}

static int
world_run (const SatinEntry *entry, const SatinParams *params)
{
  World self = { .entry = entry };
  g_autoptr (GError) error = NULL;
  if (!world_options_read (&self.options, params, &error) || !live (&self, &error)
      || !world_report (&self, &error))
    {
      g_printerr ("%s: simulation: %s\n", entry->name, error->message);
      self.exit_status = satin_error_exit_status (error);
    }
  world_options_done (&self.options);
  return self.exit_status;
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
  .summary = "runs a program as many nodes in one process, in simulated time",
  .author = "The Satin authors",
  .params = world_params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
