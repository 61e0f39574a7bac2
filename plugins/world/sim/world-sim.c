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

#include <satin/base/random.h>

#define HUB_URI "sim:1"

/* So many machines of a pool can be started in a world, again and again. */
#define MAX_LEASES 20000

guint64
world_random (World *self)
{
  return satin_random_next (&self->random);
}

/* ---- members ---- */

/* A node whose run is over is a process that ends: nothing of its workers is seen any more. */
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
  /* What it still had is lost. */
  if (node->leave_until_us != 0
      && satin_loop_now_us (satin_sim_host_get_loop (node->host)) >= node->leave_until_us)
    world->n_deaths++;
  node->is_over = TRUE;
  satin_loop_post (satin_sim_host_get_loop (node->host), end_process, node);
  node->exit_status = exit_status;
  world->n_over++;
  /* What all nodes find wrong counts when there is no master: not yet, or not any more. */
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
  world_events_begin (world);
  if (!world->is_early)
    world_faults_begin (world);
}

/* The members still are what they were while the root ran. */
static void
on_ended (SatinMembership *member, gpointer user_data)
{
  WorldNode *node = user_data;
  World *world = node->world;
  /* Also a master that refuses the root job, which does not begin then. */
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

/* As its nodes name it: a cluster is one machine, unless there is a pool. Returns: (transfer full)
 */
char *
world_host_name (const WorldNode *self)
{
  return self->machine != NULL ? g_strdup (self->machine)
                               : g_strdup_printf ("c%u", self->cluster + 1);
}

/* On the node's host. */
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
      "net:hub=" HUB_URI ",listen=sim:0,cluster=c%u,host=%s,pid=%u,max-queue=%" G_GUINT64_FORMAT
      ",registry-timeout=60s;%s",
      self->cluster + 1, host, self->number, options->max_queue_bytes, options->parts);
  self->member = satin_membership_new (satin_sim_host_get_loop (self->host), world->entry,
                                       self->workers, parts, options->policy, &member_events, self);
  /* What one is refused all are. */
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

static void
add_node (World *self, guint cluster)
{
  double speed = world_speed (self, cluster);
  WorldNode *node = &self->nodes[self->n_started++];
  *node = (WorldNode){ .world = self,
                       .number = self->n_started,
                       .cluster = cluster,
                       .seen_us = satin_sim_now_us (self->sim),
                       .host = satin_sim_add_host (self->sim, cluster, speed) };
  if (*get_load (self, cluster) < 1)
    satin_sim_host_set_speed (node->host, speed * *get_load (self, cluster));
  world_faults_meet (self, node->host);
}

/* ---- the registry ---- */

static void
on_hub_over (SatinHub *hub, int exit_status, const char *message, gpointer user_data)
{
  World *self = user_data;
  self->is_hub_over = TRUE;
  world_pool_close (self);
  gboolean has_master = self->started_us > 0 && !self->is_master_lost;
  if (has_master || exit_status == 0 || self->exit_status != 0)
    return;
  /* Nobody else says so while there is no master, unless the nodes found something wrong. */
  self->exit_status = exit_status;
  g_printerr ("%s: %s\n", self->entry->name, message);
}

/* Returns: (nullable): %NULL when it is over, or was never there */
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
  if (g_str_equal (what, "joined"))
    world_pool_joined (self, id);
  /* Who was sent away by another node. */
  if (g_str_equal (what, "is leaving") && (node = find_node (self, id)) != NULL
      && node->leave_us == 0)
    node->leave_us = SATIN_LEAVE_DEFAULT_US;
  if (!g_str_equal (what, "died"))
    return;
  self->n_deaths++;
  if ((node = find_node (self, id)) != NULL)
    node->is_dead = TRUE;
  world_lost_id (self, id);
}

static void
on_told (SatinHub *hub, SatinNodeId from, const char *word, GBytes *payload, gpointer user_data)
{
  world_pool_told (user_data, from, word, payload);
}

/* On its host, which is new. */
static void
start_hub (gpointer user_data)
{
  static const SatinHubEvents events = { .over = on_hub_over,
                                         .changed = on_changed,
                                         .told = on_told };
  World *self = user_data;
  SatinLoop *loop = satin_sim_host_get_loop (self->hub_host);
  SatinTransportContext context = { .struct_size = sizeof context, .loop = loop };
  /* A run that waits for all its members lets nobody in later. */
  SatinHubOptions options = { .n_nodes = self->is_open ? 0 : self->options.n_nodes,
                              .view_max = self->options.view_max,
                              .is_restarted = self->is_hub_restarted };
  self->transport = satin_transport_new_with_ops (&satin_sim_transport_ops, &context, &self->error);
  if (self->transport != NULL)
    self->hub =
        satin_hub_new (loop, self->transport, HUB_URI, &options, &events, self, &self->error);
  if (self->hub != NULL)
    world_pool_open (self);
}

/* ---- faults ---- */

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

void
world_suspect (World *self, WorldNode *node)
{
  g_autofree char *host = world_host_name (node);
  /* It may not have heard yet by which number the registry knows it. */
  node->is_dead = TRUE;
  satin_hub_process_ended (self->hub, host, node->number, "suspected");
}

/* On its host. */
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
  add_node (self, cluster);
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
world_lose_hub (World *self)
{
  satin_sim_host_crash (self->hub_host);
  world_pool_lost (self);
  self->hub = NULL; /* what is left of it lies on the crashed host */
}

void
world_stall (WorldNode *node, gint64 duration_us)
{
  satin_sim_host_pause (node->host, duration_us);
  if (node->leave_until_us != 0)
    node->leave_until_us += duration_us;
}

void
world_restart_hub (World *self, gint64 delay_us)
{
  world_lose_hub (self);
  self->is_hub_restarted = TRUE;
  self->hub_host = satin_sim_add_host (self->sim, 0, 1);
  world_faults_meet (self, self->hub_host);
  satin_loop_timer_add (satin_sim_host_get_loop (self->hub_host), delay_us, start_hub, self);
}

/* ---- the run ---- */

static gboolean
is_over (gpointer user_data)
{
  World *self = user_data;
  if (self->is_abandoned)
    return TRUE;
  gboolean is_told = self->started_us > 0 || self->is_open || self->is_hub_over;
  return (self->n_over == self->n_started && self->n_started > 0 && is_told) || self->error != NULL;
}

/* The node that runs on the host. Returns: (nullable): none, for the registry's */
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

/* Makes the hosts, in the order of the clusters. */
static void
make (World *self)
{
  const WorldOptions *options = &self->options;
  self->sim = satin_sim_new (&options->sim);
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
    return; /* which has them */
  for (guint c = 0; c < options->sizes->len; c++)
    for (guint i = 0; i < g_array_index (options->sizes, guint, c); i++)
      add_node (self, c);
}

/* All are given the same: what the first one refuses is said once, and no other is started. */
static void
start_nodes (World *self)
{
  guint n = 0;
  if (self->pool != NULL)
    return; /* the registry asks for them */
  while (n < self->options.n_nodes && self->error == NULL && !self->is_refused)
    {
      WorldNode *node = &self->nodes[n++];
      satin_sim_host_call (node->host, start_node, node);
    }
  self->n_started = n;
}

/* Brings all to life and lets time pass. */
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
  if (!world_plot_begin (self, error))
    return FALSE;
  satin_sim_host_call (self->hub_host, start_hub, self);
  start_nodes (self);
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

/* Tells of it, unless another goes on; of one that failed the trace. */
static gboolean
tell (World *self, gboolean is_done, gboolean is_last, GError **error)
{
  g_autoptr (GError) local = NULL;
  is_done = is_done && (!is_last || world_report (self, error));
  if (world_trace_end (self, &local))
    return is_done && (!is_last || world_check_rest (self, error));
  if (is_done)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    g_printerr ("%s\n", local->message);
  return FALSE;
}

/* Reads what is wanted and lets it happen. @ret_next: (transfer full) (nullable): what goes on */
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
  .summary = "runs a program as many nodes in one process, in simulated time",
  .author = "The Satin authors",
  .params = world_params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
