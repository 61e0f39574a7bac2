/* hub.c - the registry of a simulated run: starts it, loses it, and replaces it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

static void
on_hub_over (SatinHub *hub, int exit_status, const char *message, gpointer user_data)
{
  World *self = user_data;
  self->is_hub_over = TRUE;
  world_pool_close (self);
  gboolean is_alone = self->started_us == 0 || (self->is_master_lost && self->ended_us == 0);
  if (!is_alone || exit_status == 0 || self->exit_status != 0)
    return;
  /* Without a master, only the registry reports this error, unless a node has reported one
   * before. */
  self->exit_status = exit_status;
  g_printerr ("%s: %s\n", self->entry->name, message);
}

/* Returns: (nullable): the node with the id; %NULL when the node is over, or was never there */
static WorldNode *
find_node (const World *self, SatinNodeId id)
{
  for (guint i = 0; i < self->n_started; i++)
    {
      const SatinView *view = self->nodes[i].is_over ? NULL : world_get_view (&self->nodes[i]);
      if (view != NULL && view->self == id)
        return &self->nodes[i];
    }
  return NULL;
}

static void
on_changed (SatinHub *hub, SatinNodeId id, const char *what, gpointer user_data)
{
  World *self = user_data;
  WorldNode *node;
  world_journal_changed (self);
  if (g_str_equal (what, "joined"))
    world_pool_joined (self, id);
  /* If leave_us is 0, another node or the fleet has told the node to leave. */
  if (g_str_equal (what, "is leaving") && (node = find_node (self, id)) != NULL
      && node->leave_us == 0)
    node->leave_us = SATIN_LEAVE_DEFAULT_US;
  if (!g_str_equal (what, "died"))
    return;
  self->n_deaths++;
  world_journal_loss (self, id);
  if ((node = find_node (self, id)) != NULL)
    node->is_dead = TRUE;
  world_lost_id (self, id);
}

static void
on_told (SatinHub *hub, SatinNodeId from, const char *word, GBytes *payload, gpointer user_data)
{
  if (g_str_equal (word, SATIN_SIGNAL_EVENT))
    world_journal_event (user_data, from, payload);
  else
    world_pool_told (user_data, from, word, payload);
}

static void
on_elected (SatinHub *hub, SatinNodeId id, gpointer user_data)
{
  world_journal_changed (user_data);
}

void
world_start_hub (gpointer user_data)
{
  static const SatinHubEvents events = {
    .over = on_hub_over, .changed = on_changed, .told = on_told, .elected = on_elected
  };
  World *self = user_data;
  SatinLoop *loop = satin_sim_host_get_loop (self->hub_host);
  SatinTransportContext context = { .struct_size = sizeof context, .loop = loop };
  /* A run that waits for all its nodes lets nobody in later. */
  SatinHubOptions options = { .n_nodes = self->is_open ? 0 : self->options.n_nodes,
                              .view_max = self->options.view_max,
                              .is_restarted = self->is_hub_restarted };
  self->transport = satin_transport_new_with_ops (&satin_sim_transport_ops, &context, &self->error);
  if (self->transport != NULL)
    self->hub =
        satin_hub_new (loop, self->transport, WORLD_HUB_URI, &options, &events, self, &self->error);
  if (self->hub == NULL)
    return;
  world_pool_open (self);
  world_journal_follow (self);
}

void
world_suspect (World *self, WorldNode *node)
{
  g_autofree char *host = world_host_name (node);
  /* Name the node by host and process, because it may not know its number in the run yet. */
  node->is_dead = TRUE;
  satin_hub_process_ended (self->hub, host, node->number, "suspected");
}

void
world_lose_hub (World *self)
{
  satin_sim_host_crash (self->hub_host);
  world_pool_lost (self);
  self->hub = NULL; /* the object stays with the crashed host */
}

void
world_restart_hub (World *self, gint64 delay_us)
{
  world_lose_hub (self);
  self->is_hub_restarted = TRUE;
  self->hub_host = satin_sim_add_host (self->sim, 0, 1);
  world_faults_meet (self, self->hub_host);
  satin_loop_timer_add (satin_sim_host_get_loop (self->hub_host), delay_us, world_start_hub, self);
}
