/* nodes.c - the nodes of a simulated run: they start, leave, crash and end
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world-sim.h"

/* Ends the process of a node whose run is over, so that its workers do nothing any more. */
static void
end_process (gpointer user_data)
{
  WorldNode *node = user_data;
  node->end_us = satin_sim_now_us (node->world->sim);
  satin_sim_host_end (node->host);
}

static void
on_over (SatinMembership *member, int exit_status, gpointer user_data)
{
  WorldNode *node = user_data;
  World *world = node->world;
  world_account_gone (node);
  world_pool_gone (node, FALSE);
  /* If the node left too late, jobs that it still had are lost. */
  if (node->leave_until_us != 0
      && satin_loop_now_us (satin_sim_host_get_loop (node->host)) >= node->leave_until_us)
    world->n_deaths++;
  node->is_over = TRUE;
  satin_loop_post (satin_sim_host_get_loop (node->host), end_process, node);
  node->exit_status = exit_status;
  world->n_over++;
  /* While there is no master, not yet or not any more, an error of any node decides the exit
   * status. */
  gboolean is_alone = world->started_us == 0 || (world->is_master_lost && world->ended_us == 0);
  if (node->is_master || (is_alone && world->exit_status == 0))
    world->exit_status = exit_status;
}

static void
on_began (SatinMembership *member, gpointer user_data)
{
  WorldNode *node = user_data;
  World *world = node->world;
  node->is_master = TRUE;
  if (world->started_us > 0)
    return;
  world->started_us = satin_sim_now_us (world->sim);
  world_account_started (world);
  world_events_begin (world);
  if (!world->is_early)
    world_faults_begin (world);
}

/* The root job has ended. All members are still there. */
static void
on_ended (SatinMembership *member, gpointer user_data)
{
  WorldNode *node = user_data;
  World *world = node->world;
  /* on_began() was not called if the master refused the root job. */
  node->is_master = TRUE;
  world_account_end (world);
  world->ended_us = satin_sim_now_us (world->sim);
  world_check_ended (world);
}

static const SatinMembershipEvents member_events = {
  .struct_size = sizeof (SatinMembershipEvents),
  .began = on_began,
  .ended = on_ended,
  .over = on_over,
};

/* The name that the node reports for its host: the name of its machine in the pool; without a pool,
 * a name that all nodes of a cluster share. Returns: (transfer full) */
char *
world_host_name (const WorldNode *self)
{
  return self->machine != NULL ? g_strdup (self->machine)
                               : g_strdup_printf ("c%u", self->cluster + 1);
}

/* Runs on the node's host. */
static void
start_node (gpointer user_data)
{
  WorldNode *self = user_data;
  World *world = self->world;
  const WorldOptions *options = &world->options;
  SatinWorkersOptions workers_options = {
    .struct_size = sizeof (SatinWorkersOptions),
    .n_workers = options->n_workers,
    .stack_bytes = options->sim.stack_bytes,
    .deque_slots = options->deque_slots,
    .seed = options->sim.seed + self->number,
    .thread_ops = satin_sim_thread_ops (world->sim, options->spawn_ns),
  };
  self->workers = satin_workers_new (&workers_options, &world->error);
  if (self->workers == NULL || world->is_refused)
    {
      self->is_over = TRUE;
      world->n_over++;
      return;
    }
  g_autofree char *host = world_host_name (self);
  g_autofree char *parts = g_strdup_printf (
      "net:hub=" WORLD_HUB_URI
      ",listen=sim:0,cluster=c%u,host=%s,pid=%u,max-queue=%" G_GUINT64_FORMAT
      ",registry-timeout=60s;%s",
      self->cluster + 1, host, self->number, options->max_queue_bytes, options->parts);
  self->member = satin_membership_new (satin_sim_host_get_loop (self->host), world->entry,
                                       self->workers, parts, options->policy, &member_events, self);
  /* All nodes get the same parameters, so if one node refuses them, all nodes would. */
  world->is_refused |= world->started_us == 0 && satin_membership_is_over (self->member);
}

double
world_speed (const World *self, guint cluster)
{
  const GArray *speeds = self->options.speeds;
  return g_array_index (speeds, double, MIN (cluster, speeds->len - 1));
}

static double *
get_load (World *self, guint cluster)
{
  const double none = 1;
  while (self->loads->len <= cluster)
    g_array_append_val (self->loads, none);
  return &g_array_index (self->loads, double, cluster);
}

void
world_load (World *self, guint cluster, double share)
{
  *get_load (self, cluster) = share;
  for (guint i = 0; i < self->n_started; i++)
    if (self->nodes[i].cluster == cluster)
      world_account_speed (&self->nodes[i], world_speed (self, cluster) * share);
}

void
world_add_node (World *self, guint cluster)
{
  double speed = world_speed (self, cluster);
  WorldNode *node = &self->nodes[self->n_started++];
  *node = (WorldNode){ .world = self,
                       .number = self->n_started,
                       .cluster = cluster,
                       .seen_us = satin_sim_now_us (self->sim),
                       .host = satin_sim_add_host (self->sim, cluster, speed) };
  satin_sim_host_set_processors (node->host, self->options.n_workers);
  if (*get_load (self, cluster) < 1)
    satin_sim_host_set_speed (node->host, speed * *get_load (self, cluster));
  world_faults_meet (self, node->host);
}

const SatinView *
world_get_view (const WorldNode *node)
{
  if (node->member == NULL)
    return NULL;
  SatinPeers *peers =
      satin_node_find (satin_membership_get_node (node->member), SATIN_INTERFACE_PEERS);
  return peers != NULL ? satin_peers_get_view (peers) : NULL;
}

gboolean
world_has_joined (const WorldNode *node)
{
  const SatinView *view = world_get_view (node);
  return view != NULL && view->self != 0;
}

static void
end_node (World *self, WorldNode *node, gboolean is_machine_lost)
{
  satin_sim_host_crash (node->host);
  world_account_gone (node);
  world_pool_gone (node, is_machine_lost);
  world_lost_node (node);
  if (node->is_master)
    self->is_master_lost = TRUE;
  node->is_over = TRUE;
  self->n_over++;
  self->n_deaths++;
}

void
world_crash (World *self, WorldNode *node)
{
  end_node (self, node, TRUE);
}

void
world_kill (World *self, WorldNode *node)
{
  end_node (self, node, FALSE);
}

/* Runs on the node's host. */
static void
leave_node (gpointer user_data)
{
  WorldNode *self = user_data;
  if (self->is_over || !satin_membership_leave (self->member, self->leave_us, NULL))
    return;
  self->leave_until_us = satin_loop_now_us (satin_sim_host_get_loop (self->host)) + self->leave_us;
}

gboolean
world_leave (WorldNode *node, gint64 deadline_us)
{
  if (node->leave_us != 0 || !world_has_joined (node))
    return FALSE;
  node->leave_us = deadline_us;
  world_lost_later (node, deadline_us);
  satin_loop_post (satin_sim_host_get_loop (node->host), leave_node, node);
  return TRUE;
}

WorldNode *
world_start (World *self, guint cluster)
{
  if (self->n_started == self->n_nodes || self->is_refused)
    return NULL;
  world_add_node (self, cluster);
  WorldNode *node = &self->nodes[self->n_started - 1];
  satin_loop_post (satin_sim_host_get_loop (node->host), start_node, node);
  if (self->still_until_us > satin_sim_now_us (self->sim))
    satin_sim_host_pause (node->host, self->still_until_us - satin_sim_now_us (self->sim));
  return node;
}

gboolean
world_join (World *self, guint cluster)
{
  return world_start (self, cluster) != NULL;
}

void
world_stall (WorldNode *node, gint64 duration_us)
{
  satin_sim_host_pause (node->host, duration_us);
  if (node->leave_until_us != 0)
    node->leave_until_us += duration_us;
}

void
world_start_nodes (World *self)
{
  guint n = 0;
  if (self->pool != NULL)
    return; /* the fleet requests machines for the nodes */
  while (n < self->options.n_nodes && self->error == NULL && !self->is_refused)
    {
      WorldNode *node = &self->nodes[n++];
      satin_sim_host_call (node->host, start_node, node);
    }
  self->n_started = n;
}
