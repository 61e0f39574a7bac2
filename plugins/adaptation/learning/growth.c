/* growth.c - asks for more machines, or for better machines in place of slow nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learning.h"

/* The expected speed of a machine of the cluster: the offered speed, but not more than the mean
 * speed of the nodes there. If one of these is unknown, the other counts; 0: both are unknown. */
static gdouble
offered_speed (const SatinCensus *census, guint cluster)
{
  const SatinCensusCluster *offer = &census->clusters[cluster];
  SatinClusterFigures figures;
  satin_census_cluster (census, cluster, &figures);
  gdouble seen = figures.n_nodes > 0 ? figures.speed / figures.n_nodes : 0;
  if (offer->offered_speed <= 0 || seen <= 0)
    return MAX (offer->offered_speed, seen);
  return MIN (offer->offered_speed, seen);
}

/* Asks for up to @n machines in the fastest clusters. @speed: the least expected speed; 0: machines
 * of any speed, known or not. Returns: how many machines it asked for */
static guint
ask (Learning *self, const SatinCensus *census, guint n, gdouble speed, SatinDecision *decision)
{
  g_autofree gboolean *is_done = g_new0 (gboolean, census->n_clusters);
  guint n_asked = 0;
  for (guint turn = 0; turn < census->n_clusters && n_asked < n; turn++)
    {
      guint best = SATIN_ANY_CLUSTER;
      for (guint i = 0; i < census->n_clusters; i++)
        if (!is_done[i]
            && (best == SATIN_ANY_CLUSTER
                || offered_speed (census, i) > offered_speed (census, best)))
          best = i;
      is_done[best] = TRUE;
      const SatinCensusCluster *cluster = &census->clusters[best];
      guint n_here = memory_may_ask (self, cluster->name, census->now_us,
                                     MIN (n - n_asked, cluster->n_offered));
      if (n_here == 0 || offered_speed (census, best) < speed)
        continue;
      satin_decision_ask (decision, best, n_here);
      memory_asked (self, cluster->name, census->now_us);
      n_asked += n_here;
    }
  return n_asked;
}

static gboolean
is_at_ceiling (Learning *self, const SatinCensus *census, gdouble utilisation)
{
  const Memory *memory = &self->memory;
  return memory->ceiling > 0 && census->n_nodes >= (guint)memory->ceiling
         && census->now_us < memory->ceiling_until_us
         && utilisation < memory->ceiling_utilisation + (1 - self->most) / 4;
}

void
learning_grow (Learning *self, const SatinCensus *census, gdouble utilisation,
               SatinDecision *decision)
{
  if (census->n_awaited > 0 || census->n_nodes >= census->n_most
      || is_at_ceiling (self, census, utilisation))
    return;
  guint n = learning_part_of (satin_census_count (census), (utilisation - self->most) / self->most);
  if (ask (self, census, MIN (n, census->n_most - census->n_nodes), 0, decision) > 0)
    learning_note_change (self, census, JUDGE_ASKED);
}

/* Counts the nodes that may be removed and are slower than @speed, up to @n. If @decision is not
 * %NULL, also removes them. */
static guint
slower (Learning *self, const SatinCensus *census, gdouble speed, guint n, SatinDecision *decision)
{
  const SatinBadnessWeights slow = { .slow = 1 };
  g_autofree guint *places = g_new (guint, census->n_nodes);
  guint n_ranked = satin_census_rank (census, &slow, places), n_slower = 0;
  for (guint i = 0; i < n_ranked && n_slower < n; i++)
    {
      if (satin_census_speed (census, &census->nodes[places[i]]) >= speed)
        break;
      n_slower++;
      if (decision == NULL)
        continue;
      const SatinCensusNode *node = &census->nodes[places[i]];
      learning_remove_node (self, census, places[i], SATIN_REMOVE_REPLACED, decision);
      /* The cluster offers better machines than it really gives: bar it. */
      if (census->clusters[node->cluster].offered_speed > node->speed * self->better)
        learning_bar_cluster_of (self, census, node);
    }
  return n_slower;
}

void
learning_replace (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  gdouble best = 0;
  if (census->n_awaited > 0)
    return;
  for (guint i = 0; i < census->n_clusters; i++)
    if (census->clusters[i].offered_speed > 0
        && memory_may_ask (self, census->clusters[i].name, census->now_us,
                           census->clusters[i].n_offered)
               > 0)
      best = MAX (best, offered_speed (census, i));
  guint n = slower (self, census, best / self->better, census->n_nodes, NULL);
  if (n == 0)
    return;
  guint n_free = census->n_most > census->n_nodes ? census->n_most - census->n_nodes : 0;
  guint n_spare = census->n_nodes > census->n_least ? census->n_nodes - census->n_least : 0;
  guint n_half = (census->n_nodes + 1) / 2 - MIN (census->n_least, census->n_nodes / 2);
  if (n_free == 0)
    n = slower (self, census, best / self->better, MIN (n, MIN (n_half, n_spare)), decision);
  else
    {
      n = ask (self, census, MIN (n, n_free), best / self->better, decision);
      self->memory.n_to_replace = (gint32)n;
      self->memory.n_at_replacing = (gint32)satin_census_count (census);
    }
}

void
learning_finish_replacing (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  gint64 n_come = (gint64)satin_census_count (census) - self->memory.n_at_replacing;
  guint n_spare = census->n_nodes > census->n_least ? census->n_nodes - census->n_least : 0;
  guint n = (guint)CLAMP (n_come, 0, MIN (self->memory.n_to_replace, (gint64)n_spare));
  gdouble fastest = 0;
  for (guint i = 0; i < census->n_nodes; i++)
    fastest = MAX (fastest, census->nodes[i].speed);
  self->memory.n_to_replace = 0;
  if (n > 0)
    slower (self, census, fastest / self->better, n, decision);
}
