/* removal.c - removes nodes and clusters
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learning.h"

/* When the efficiency is too low and no node is slow, at most this part (1/3) of the nodes is
 * removed at a time, but at least one node. */
#define MOST_PART 3

void
learning_remove_node (Learning *self, const SatinCensus *census, guint place,
                      SatinRemoveReason reason, SatinDecision *decision)
{
  if (decision->removals->len == 0)
    learning_note_change (self, census, (gint32)reason);
  satin_decision_remove (decision, census->nodes[place].id, reason);
}

gboolean
learning_remove_far_cluster (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  const SatinBadnessWeights now = learning_weights (self), normal = SATIN_BADNESS_WEIGHTS;
  /* If removals of far clusters did harm so far, the limit for the next one is higher. */
  gdouble limit = self->far * MAX (1, normal.far / now.far);
  guint cluster = satin_census_worst_removable (census, &now, limit);
  if (cluster == SATIN_ANY_CLUSTER)
    return FALSE;
  SatinClusterFigures figures;
  satin_census_cluster (census, cluster, &figures);
  if (census->n_nodes - figures.n_nodes < census->n_least)
    return FALSE;
  learning_note_change (self, census, SATIN_REMOVE_FAR);
  satin_decision_remove_cluster (decision, census, cluster, SATIN_REMOVE_FAR);
  memory_bar (self, census->clusters[cluster].name, census->now_us);
  return TRUE;
}

void
learning_bar_cluster_of (Learning *self, const SatinCensus *census, const SatinCensusNode *node)
{
  const char *name = census->clusters[node->cluster].name;
  if (memory_may_ask (self, name, census->now_us, 1) > 0)
    memory_bar (self, name, census->now_us);
}

/* Whether the node may be removed, and is so slow that faster nodes wait for it. */
static gboolean
is_slow (const Learning *self, const SatinCensus *census, const SatinCensusNode *node)
{
  return satin_census_counts (node) && !node->is_kept
         && satin_census_speed (census, node) * 2 * self->better < 1;
}

static gboolean
is_removed (const SatinDecision *decision, SatinNodeId id)
{
  for (guint i = 0; i < decision->removals->len; i++)
    if (g_array_index (decision->removals, SatinRemoval, i).id == id)
      return TRUE;
  return FALSE;
}

void
learning_remove_slow (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  for (guint i = 0; i < census->n_nodes; i++)
    {
      const SatinCensusNode *node = &census->nodes[i];
      if (census->n_nodes - decision->removals->len <= census->n_least)
        return;
      if (!is_slow (self, census, node) || is_removed (decision, node->id))
        continue;
      learning_remove_node (self, census, i, SATIN_REMOVE_BAD, decision);
      learning_bar_cluster_of (self, census, node);
    }
}

/* Removes the worst nodes, when there are too many: the lower the efficiency is, the more. */
static void
remove_worst (Learning *self, const SatinCensus *census, gdouble efficiency,
              SatinDecision *decision)
{
  const SatinBadnessWeights now = learning_weights (self);
  g_autofree guint *places = g_new (guint, census->n_nodes);
  guint n_ranked = satin_census_rank (census, &now, places), n_all = satin_census_count (census);
  guint n = MIN (learning_part_of (n_all, (self->least - efficiency) / self->least),
                 MAX (n_all / MOST_PART, 1));
  if (census->n_nodes <= census->n_least)
    return;
  n = MIN (MIN (n, n_ranked), census->n_nodes - census->n_least);
  for (guint i = 0; i < n; i++)
    {
      learning_remove_node (self, census, places[i], SATIN_REMOVE_BAD, decision);
      learning_bar_cluster_of (self, census, &census->nodes[places[i]]);
    }
}

void
learning_shrink (Learning *self, const SatinCensus *census, gdouble efficiency,
                 SatinDecision *decision)
{
  learning_remove_slow (self, census, decision);
  if (decision->removals->len == 0)
    remove_worst (self, census, efficiency, decision);
}
