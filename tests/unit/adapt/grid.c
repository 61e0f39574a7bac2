/* grid.c - nodes and clusters that a test changes, for tests of what an adaptation decides
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "grid.h"

static const char *const names[GRID_CLUSTERS] = { "a", "b", "c", "d" };

void
grid_set_up (Grid *self, gconstpointer adaptation)
{
  g_autoptr (GError) error = NULL;
  *self = (Grid){ .n_least = 1, .n_most = 100, .parallelism = 1000 };
  for (guint i = 0; i < GRID_CLUSTERS; i++)
    self->speeds[i] = 1;
  self->adaptation = satin_adaptation_open (adaptation, &error);
  g_assert_no_error (error);
}

void
grid_tear_down (Grid *self, gconstpointer adaptation)
{
  satin_adaptation_close (self->adaptation);
}

guint
grid_count (const Grid *self)
{
  guint n = 0;
  for (guint i = 0; i < GRID_CLUSTERS; i++)
    n += self->n_nodes[i];
  return n;
}

static gdouble
fastest (const Grid *self)
{
  gdouble most = 0;
  for (guint i = 0; i < GRID_CLUSTERS; i++)
    if (self->n_nodes[i] > 0)
      most = MAX (most, self->speeds[i]);
  return most;
}

static void
fill_clusters (const Grid *self, SatinCensusCluster *clusters)
{
  for (guint i = 0; i < GRID_CLUSTERS; i++)
    clusters[i] = (SatinCensusCluster){
      .name = names[i],
      .n_offered = self->n_machines[i] - self->n_nodes[i],
      .offered_speed = self->is_hidden ? 0 : self->speeds[i] / fastest (self),
    };
}

/* Node 1 is the master, which must stay. */
static void
fill_nodes (const Grid *self, SatinCensusNode *nodes)
{
  gdouble power = 0;
  for (guint i = 0; i < GRID_CLUSTERS; i++)
    power += self->n_nodes[i] * self->speeds[i];
  gdouble busy = MIN (1, self->parallelism / power);
  guint n = 0;
  for (guint i = 0; i < GRID_CLUSTERS; i++)
    for (guint k = 0; k < self->n_nodes[i]; k++, n++)
      nodes[n] = (SatinCensusNode){
        .id = n + 1,
        .cluster = i,
        .speed = self->speeds[i] / fastest (self),
        .overhead = 1 - busy * (1 - self->far_overhead[i]),
        .far_overhead = self->far_overhead[i],
        .is_kept = n == 0,
      };
}

static void
check (const Grid *self, const SatinDecision *decision)
{
  g_assert_cmpuint (grid_count (self) + self->n_asked, <=, MAX (self->n_most, grid_count (self)));
  g_assert_cmpuint (grid_count (self), >=, self->n_least + self->n_removed);
  for (guint i = 0; i < decision->removals->len; i++)
    g_assert_cmpuint (g_array_index (decision->removals, SatinRemoval, i).id, >, 1);
}

void
grid_step (Grid *self)
{
  SatinCensusCluster clusters[GRID_CLUSTERS];
  SatinCensusNode nodes[GRID_NODES];
  fill_clusters (self, clusters);
  fill_nodes (self, nodes);
  self->now_us += G_USEC_PER_SEC;
  const SatinCensus census = {
    .now_us = self->now_us,
    .n_nodes = grid_count (self),
    .nodes = nodes,
    .n_clusters = GRID_CLUSTERS,
    .clusters = clusters,
    .n_least = self->n_least,
    .n_most = self->n_most,
  };
  SatinDecision decision;
  satin_decision_init (&decision);
  self->adaptation->ops.decide (self->adaptation->handle, &census, &decision);
  self->n_asked = 0;
  for (guint i = 0; i < decision.asks->len; i++)
    self->n_asked += g_array_index (decision.asks, SatinAsk, i).n_machines;
  self->n_removed = decision.removals->len;
  check (self, &decision);
  for (guint i = 0; i < decision.removals->len; i++)
    self->n_nodes[nodes[g_array_index (decision.removals, SatinRemoval, i).id - 1].cluster]--;
  for (guint i = 0; i < decision.asks->len; i++)
    {
      const SatinAsk *ask = &g_array_index (decision.asks, SatinAsk, i);
      g_assert_cmpuint (ask->n_machines, <=, clusters[ask->cluster].n_offered);
      self->n_nodes[ask->cluster] += ask->n_machines;
    }
  satin_decision_clear (&decision);
}

guint
grid_run (Grid *self, guint n)
{
  guint n_changed = 0;
  for (guint i = 0; i < n; i++)
    {
      grid_step (self);
      n_changed += self->n_asked + self->n_removed;
    }
  return n_changed;
}
