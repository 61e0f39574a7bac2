/* census.c - the efficiency of a run, and which clusters and nodes lower it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/census.h>

gboolean
satin_census_counts (const SatinCensusNode *node)
{
  return !node->is_new && !node->is_leaving;
}

guint
satin_census_count (const SatinCensus *self)
{
  guint n = 0;
  for (guint i = 0; i < self->n_nodes; i++)
    n += satin_census_counts (&self->nodes[i]);
  return n;
}

gdouble
satin_census_speed (const SatinCensus *self, const SatinCensusNode *node)
{
  if (node->speed > 0)
    return node->speed;
  gdouble sum = 0;
  guint n = 0;
  for (guint i = 0; i < self->n_nodes; i++)
    if (self->nodes[i].speed > 0)
      {
        sum += self->nodes[i].speed;
        n++;
      }
  return n > 0 ? sum / n : 1;
}

gdouble
satin_census_rate (const SatinCensus *self)
{
  gdouble rate = 0;
  for (guint i = 0; i < self->n_nodes; i++)
    if (satin_census_counts (&self->nodes[i]))
      rate += satin_census_speed (self, &self->nodes[i]) * (1 - self->nodes[i].overhead);
  return rate;
}

gdouble
satin_census_efficiency (const SatinCensus *self)
{
  guint n = satin_census_count (self);
  return n > 0 ? satin_census_rate (self) / n : 0;
}

void
satin_census_cluster (const SatinCensus *self, guint cluster, SatinClusterFigures *ret_figures)
{
  SatinClusterFigures figures = { 0 };
  for (guint i = 0; i < self->n_nodes; i++)
    {
      const SatinCensusNode *node = &self->nodes[i];
      if (node->cluster != cluster)
        continue;
      figures.n_kept += node->is_kept;
      if (!satin_census_counts (node))
        continue;
      figures.n_nodes++;
      figures.speed += satin_census_speed (self, node);
      figures.far_overhead += node->far_overhead;
    }
  if (figures.n_nodes > 0)
    figures.far_overhead /= figures.n_nodes;
  *ret_figures = figures;
}

guint
satin_census_count_clusters (const SatinCensus *self)
{
  guint n = 0;
  for (guint i = 0; i < self->n_clusters; i++)
    {
      SatinClusterFigures figures;
      satin_census_cluster (self, i, &figures);
      n += figures.n_nodes > 0;
    }
  return n;
}

static gdouble
fastest_cluster (const SatinCensus *self)
{
  gdouble most = 0;
  for (guint i = 0; i < self->n_clusters; i++)
    {
      SatinClusterFigures figures;
      satin_census_cluster (self, i, &figures);
      most = MAX (most, figures.speed);
    }
  return most;
}

/* Finds the worst cluster. @may_be_kept: also consider clusters with nodes that must stay.
 * @least_far: only clusters with a higher far overhead are considered; below 0: all */
static guint
find_worst (const SatinCensus *self, const SatinBadnessWeights *weights, gboolean may_be_kept,
            gdouble least_far)
{
  if (satin_census_count_clusters (self) < 2)
    return SATIN_ANY_CLUSTER;
  gdouble fastest = fastest_cluster (self), most = -1;
  guint worst = SATIN_ANY_CLUSTER;
  for (guint i = 0; i < self->n_clusters; i++)
    {
      SatinClusterFigures figures;
      satin_census_cluster (self, i, &figures);
      if (figures.n_nodes == 0 || (figures.n_kept > 0 && !may_be_kept)
          || figures.far_overhead <= least_far)
        continue;
      gdouble badness =
          weights->slow * fastest / figures.speed + weights->far * figures.far_overhead;
      if (badness > most)
        {
          most = badness;
          worst = i;
        }
    }
  return worst;
}

guint
satin_census_worst_cluster (const SatinCensus *self, const SatinBadnessWeights *weights)
{
  return find_worst (self, weights, TRUE, -1);
}

guint
satin_census_worst_removable (const SatinCensus *self, const SatinBadnessWeights *weights,
                              gdouble least_far)
{
  return find_worst (self, weights, FALSE, least_far);
}

/* A node in the ranking. */
typedef struct
{
  guint place;
  SatinNodeId id;
  gdouble badness;
} Ranked;

static int
compare_ranked (gconstpointer a, gconstpointer b)
{
  const Ranked *one = a, *other = b;
  if (one->badness != other->badness)
    return one->badness > other->badness ? -1 : 1;
  return one->id > other->id ? -1 : one->id < other->id;
}

guint
satin_census_rank (const SatinCensus *self, const SatinBadnessWeights *weights, guint *ret_places)
{
  guint worst = satin_census_worst_cluster (self, weights), n = 0;
  g_autofree Ranked *ranked = g_new (Ranked, self->n_nodes);
  for (guint i = 0; i < self->n_nodes; i++)
    {
      const SatinCensusNode *node = &self->nodes[i];
      if (node->is_kept || !satin_census_counts (node))
        continue;
      gdouble badness = weights->slow / satin_census_speed (self, node)
                        + weights->far * node->far_overhead
                        + (node->cluster == worst ? weights->cluster : 0);
      ranked[n++] = (Ranked){ .place = i, .id = node->id, .badness = badness };
    }
  if (n > 0)
    qsort (ranked, n, sizeof *ranked, compare_ranked);
  for (guint i = 0; i < n; i++)
    ret_places[i] = ranked[i].place;
  return n;
}
