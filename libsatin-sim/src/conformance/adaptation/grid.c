/* grid.c - clusters and nodes that come, go and change, and do what the adaptation decides
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "grid.h"

/* On average, a node crashes in one of CRASH_IN periods. In one of CHANGE_IN periods, a cluster
 * gets a new speed and far overhead. In one of CHANGE_IN periods, the parallelism changes. */
#define CRASH_IN  6
#define CHANGE_IN 8

static guint
draw (Grid *self, guint from, guint to)
{
  return (guint)g_rand_int_range (self->random, (gint32)from, (gint32)to + 1);
}

/* Draws the speed and the far overhead of a cluster, and whether its speed is hidden. */
static void
draw_cluster (Grid *self, GridCluster *cluster)
{
  static const gdouble speeds[] = { 1, 1, 1, 0.5, 2, 0.1 };
  static const gdouble fars[] = { 0, 0, 0.02, 0.1, 0.3, 0.8 };
  cluster->speed = speeds[draw (self, 0, G_N_ELEMENTS (speeds) - 1)];
  cluster->far = fars[draw (self, 0, G_N_ELEMENTS (fars) - 1)];
  cluster->is_hidden = draw (self, 0, 3) == 0;
}

static void
add_node (Grid *self, guint cluster, gboolean is_kept)
{
  self->last_id += draw (self, 1, 3);
  const GridNode node = {
    .shown = { .id = self->last_id, .cluster = cluster, .is_kept = is_kept, .is_new = TRUE },
  };
  g_array_append_val (self->nodes, node);
}

Grid *
grid_new (guint32 seed, guint n_clusters, guint n_nodes)
{
  Grid *self = g_new0 (Grid, 1);
  self->random = g_rand_new_with_seed (seed);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (GridNode));
  self->awaited = g_array_new (FALSE, FALSE, sizeof (GridMachine));
  self->n_clusters = n_clusters;
  for (guint i = 0; i < n_clusters; i++)
    {
      g_snprintf (self->clusters[i].name, sizeof self->clusters[i].name, i == 0 ? "" : "site-%u",
                  i);
      draw_cluster (self, &self->clusters[i]);
      self->clusters[i].n_machines = draw (self, 0, 2 * n_nodes / n_clusters + 2);
    }
  for (guint i = 0; i < n_nodes; i++)
    add_node (self, draw (self, 0, n_clusters - 1), i == 0 || draw (self, 0, 9) == 0);
  self->parallelism = draw (self, 1, 3 * n_nodes + 1);
  self->n_least = draw (self, 1, n_nodes / 2 + 1);
  self->n_most = draw (self, n_nodes, 2 * n_nodes + 8);
  return self;
}

void
grid_free (Grid *self)
{
  g_rand_free (self->random);
  g_array_unref (self->nodes);
  g_array_unref (self->awaited);
  g_free (self->shown_nodes);
  g_free (self->shown_clusters);
  g_free (self);
}

static GridNode *
node_at (const Grid *self, guint place)
{
  return &g_array_index (self->nodes, GridNode, place);
}

/* Lets nodes leave, crash and join. The first node is the master, and always stays. */
static void
move_nodes (Grid *self)
{
  gboolean is_crash = self->nodes->len > 1 && draw (self, 0, CRASH_IN - 1) == 0;
  guint crashed = is_crash ? draw (self, 1, self->nodes->len - 1) : 0;
  for (guint i = self->nodes->len; i-- > 1;)
    {
      GridNode *node = node_at (self, i);
      node->shown.is_new = FALSE;
      if (i != crashed && !(node->shown.is_leaving && --node->n_left == 0))
        continue;
      self->clusters[node->shown.cluster].n_machines++;
      g_array_remove_index (self->nodes, i);
    }
  node_at (self, 0)->shown.is_new = FALSE;
  for (guint i = self->awaited->len; i-- > 0;)
    {
      GridMachine *machine = &g_array_index (self->awaited, GridMachine, i);
      if (--machine->n_left > 0)
        continue;
      add_node (self, machine->cluster, FALSE);
      g_array_remove_index (self->awaited, i);
    }
}

static void
change_world (Grid *self)
{
  if (draw (self, 0, CHANGE_IN - 1) == 0)
    draw_cluster (self, &self->clusters[draw (self, 0, self->n_clusters - 1)]);
  if (draw (self, 0, CHANGE_IN - 1) == 0)
    self->parallelism = draw (self, 1, 3 * self->nodes->len + 1);
}

/* Computes the figures of all nodes. Returns: the speed of the fastest node */
static gdouble
measure (Grid *self)
{
  gdouble power = 0, fastest = 0;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      gdouble speed = self->clusters[node_at (self, i)->shown.cluster].speed;
      power += speed;
      fastest = MAX (fastest, speed);
    }
  gdouble busy = MIN (1, self->parallelism / power);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      SatinCensusNode *node = &node_at (self, i)->shown;
      const GridCluster *cluster = &self->clusters[node->cluster];
      node->speed = node->is_new ? 0 : cluster->speed / fastest;
      node->overhead = 1 - busy * (1 - cluster->far);
      node->far_overhead = MIN (cluster->far, node->overhead);
    }
  return fastest;
}

static void
show (Grid *self)
{
  gdouble unit = measure (self);
  g_free (self->shown_nodes);
  g_free (self->shown_clusters);
  self->shown_nodes = g_new0 (SatinCensusNode, self->nodes->len);
  self->shown_clusters = g_new0 (SatinCensusCluster, self->n_clusters);
  for (guint i = 0; i < self->n_clusters; i++)
    self->shown_clusters[i] = (SatinCensusCluster){
      .name = self->clusters[i].name,
      .n_offered = self->clusters[i].n_machines,
      .offered_speed = self->clusters[i].is_hidden ? 0 : self->clusters[i].speed / unit,
    };
  for (guint i = 0; i < self->nodes->len; i++)
    self->shown_nodes[i] = node_at (self, i)->shown;
  self->census = (SatinCensus){
    .now_us = self->now_us,
    .n_nodes = self->nodes->len,
    .nodes = self->shown_nodes,
    .n_clusters = self->n_clusters,
    .clusters = self->shown_clusters,
    .n_awaited = self->awaited->len,
    .n_least = self->n_least,
    .n_most = self->n_most,
    .unit = unit,
  };
}

const SatinCensus *
grid_pass (Grid *self)
{
  self->now_us += GRID_PERIOD_US;
  change_world (self);
  move_nodes (self);
  show (self);
  return &self->census;
}

/* Asks for a machine of @cluster, which may be SATIN_ANY_CLUSTER. */
static void
ask (Grid *self, guint cluster)
{
  for (guint i = 0; cluster == SATIN_ANY_CLUSTER && i < self->n_clusters; i++)
    if (self->clusters[i].n_machines > 0)
      cluster = i;
  if (cluster >= self->n_clusters || self->clusters[cluster].n_machines == 0)
    return; /* the adaptation has asked for too much, which subject_decide() has noted */
  const GridMachine machine = { cluster, draw (self, 1, 2) };
  self->clusters[cluster].n_machines--;
  g_array_append_val (self->awaited, machine);
}

void
grid_obey (Grid *self, const SatinDecision *decision)
{
  for (guint i = 0; i < decision->asks->len; i++)
    {
      const SatinAsk *one = &g_array_index (decision->asks, SatinAsk, i);
      for (guint k = 0; k < MIN (one->n_machines, self->n_most); k++)
        ask (self, one->cluster);
    }
  for (guint i = 0; i < decision->removals->len; i++)
    for (guint k = 0; k < self->nodes->len; k++)
      if (node_at (self, k)->shown.id == g_array_index (decision->removals, SatinRemoval, i).id)
        {
          node_at (self, k)->shown.is_leaving = TRUE;
          node_at (self, k)->n_left = 2;
        }
}

void
grid_step (Grid *self, Subject *subject, GString *text)
{
  SatinDecision decision;
  satin_decision_init (&decision);
  subject_decide (subject, grid_pass (self), &decision);
  grid_obey (self, &decision);
  if (text != NULL)
    decision_append (&decision, text);
  satin_decision_clear (&decision);
}
