/* adaptation-learning.c - changes the set of nodes, sees what that brought, and learns from it
 *
 * Thresholds as of adaptation-thresholds, and beside those:
 * - Each change is judged when its period is over. More nodes that did no more work are a ceiling,
 * for a time. A removal that did not help makes its reason weigh less, one that did help more.
 * - A cluster that was bad is barred for a time, twice as long the next time; then one machine is
 * tried.
 * - Machines that are clearly better than the slowest nodes are asked for whatever the efficiency,
 * and replace those once they are here.
 * - While a change is under way (nodes join, leave or are awaited), nothing else is begun.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "memory.h"

#include <math.h>

/* A node that is added must do this part of what the others do on average, or it was too many. */
#define LEAST_GAIN 0.25
/* By how much a weight changes, and the range it stays in. */
#define WEIGHT_LESS 0.5
#define WEIGHT_MORE 1.25
#define WEIGHT_SPAN 8

static const SatinParam params[] = {
  { "min", SATIN_PARAM_DOUBLE, "0.3", "nodes are removed when the efficiency is below" },
  { "max", SATIN_PARAM_DOUBLE, "0.5", "machines are asked for when it is above" },
  { "far", SATIN_PARAM_DOUBLE, "0.25",
    "a cluster goes when messages to others take this share of its time" },
  { "better", SATIN_PARAM_DOUBLE, "1.5",
    "a machine that is so many times as fast as a node replaces it" },
  { "bar", SATIN_PARAM_DURATION, "600s",
    "for how long nothing is asked for where nodes were removed; twice as long each further time" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

static gpointer
learning_open (const SatinParams *given, GError **error)
{
  g_autofree Learning *self = g_new (Learning, 1);
  *self = (Learning){
    .least = satin_params_get_double (given, "min"),
    .most = satin_params_get_double (given, "max"),
    .far = satin_params_get_double (given, "far"),
    .better = satin_params_get_double (given, "better"),
    .bar_us = satin_params_get_duration_us (given, "bar"),
  };
  if (0 <= self->least && self->least < self->most && self->most < 1 && self->far > 0
      && self->better > 1)
    {
      memory_init (self);
      return g_steal_pointer (&self);
    }
  g_set_error (
      error, SATIN_ERROR, SATIN_ERROR_INVALID,
      "min=%g, max=%g, far=%g, better=%g: 0 <= min < max < 1, far above 0 and better above 1 "
      "must hold",
      self->least, self->most, self->far, self->better);
  return NULL;
}

static void
learning_close (gpointer adaptation)
{
  memory_clear (adaptation);
  g_free (adaptation);
}

/* ---- what changes brought ---- */

static SatinBadnessWeights
weights (const Learning *self)
{
  SatinBadnessWeights all = SATIN_BADNESS_WEIGHTS;
  all.slow = self->memory.slow;
  all.far = self->memory.far;
  return all;
}

static void
weigh (gdouble *weight, gdouble by, gdouble normal)
{
  *weight = CLAMP (*weight * by, normal / WEIGHT_SPAN, normal * WEIGHT_SPAN);
}

static void
note_change (Learning *self, const SatinCensus *census, gint32 reason)
{
  self->memory.reason = reason;
  self->memory.n_before = (gint32)satin_census_count (census);
  self->memory.rate_before = satin_census_rate (census);
}

static void
judge_asked (Learning *self, const SatinCensus *census, guint n)
{
  Memory *memory = &self->memory;
  gint64 n_more = (gint64)n - memory->n_before;
  if (n_more <= 0 || memory->n_before <= 0)
    return;
  gdouble gain = (satin_census_rate (census) - memory->rate_before) / (gdouble)n_more;
  if (gain >= LEAST_GAIN * memory->rate_before / memory->n_before)
    return;
  memory->ceiling = (gint32)n;
  memory->ceiling_efficiency = satin_census_efficiency (census);
  memory->ceiling_until_us = census->now_us + self->bar_us;
}

static void
judge_removed (Learning *self, const SatinCensus *census)
{
  const SatinBadnessWeights normal = SATIN_BADNESS_WEIGHTS;
  Memory *memory = &self->memory;
  gboolean has_helped = satin_census_rate (census) >= memory->rate_before;
  gdouble by = has_helped ? WEIGHT_MORE : WEIGHT_LESS;
  if (memory->reason == SATIN_REMOVE_FAR)
    weigh (&memory->far, by, normal.far);
  else
    weigh (&memory->slow, by, normal.slow);
  if (!has_helped)
    memory_unbar_newest (self, census->now_us);
}

static void
judge (Learning *self, const SatinCensus *census)
{
  if (self->memory.reason == JUDGE_ASKED)
    judge_asked (self, census, satin_census_count (census));
  else if (self->memory.reason != JUDGE_NOTHING)
    judge_removed (self, census);
  self->memory.reason = JUDGE_NOTHING;
}

/* ---- changes ---- */

static void
remove_node (Learning *self, const SatinCensus *census, guint place, SatinRemoveReason reason,
             SatinDecision *decision)
{
  if (decision->removals->len == 0)
    note_change (self, census, (gint32)reason);
  satin_decision_remove (decision, census->nodes[place].id, reason);
}

/* Returns: %FALSE when no cluster has too slow a link */
static gboolean
remove_far_cluster (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  const SatinBadnessWeights now = weights (self), normal = SATIN_BADNESS_WEIGHTS;
  guint cluster = satin_census_worst_cluster (census, &now);
  if (cluster == SATIN_ANY_CLUSTER)
    return FALSE;
  SatinClusterFigures figures;
  satin_census_cluster (census, cluster, &figures);
  /* Where removing for that reason did not help, it takes more to do so again. */
  gdouble limit = self->far * MAX (1, normal.far / now.far);
  if (figures.far_overhead <= limit || figures.n_kept > 0
      || census->n_nodes - figures.n_nodes < census->n_least)
    return FALSE;
  for (guint i = 0; i < census->n_nodes; i++)
    if (census->nodes[i].cluster == cluster && satin_census_counts (&census->nodes[i]))
      remove_node (self, census, i, SATIN_REMOVE_FAR, decision);
  memory_bar (self, census->clusters[cluster].name, census->now_us);
  return TRUE;
}

static gdouble
offered_speed (const SatinCensus *census, guint cluster)
{
  const SatinCensusCluster *offer = &census->clusters[cluster];
  if (offer->offered_speed > 0)
    return offer->offered_speed;
  SatinClusterFigures figures;
  satin_census_cluster (census, cluster, &figures);
  return figures.n_nodes > 0 ? figures.speed / figures.n_nodes : 0;
}

/* Asks for up to @n machines, fastest first, that are at least @speed fast; 0: also where it is not
 * known. Returns: for how many */
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

/* The part of @n that lies as far outside as @over says, in [0, 1]; at least one. */
static guint
part_of (guint n, gdouble over)
{
  return (guint)CLAMP (ceil (n * over), 1, n);
}

static gboolean
is_at_ceiling (Learning *self, const SatinCensus *census, gdouble efficiency)
{
  const Memory *memory = &self->memory;
  return memory->ceiling > 0 && census->n_nodes >= (guint)memory->ceiling
         && census->now_us < memory->ceiling_until_us
         && efficiency < memory->ceiling_efficiency + (1 - self->most) / 4;
}

static void
grow (Learning *self, const SatinCensus *census, gdouble efficiency, SatinDecision *decision)
{
  if (census->n_nodes >= census->n_most || is_at_ceiling (self, census, efficiency))
    return;
  guint n = part_of (satin_census_count (census), (efficiency - self->most) / self->most);
  if (ask (self, census, MIN (n, census->n_most - census->n_nodes), 0, decision) > 0)
    note_change (self, census, JUDGE_ASKED);
}

static void
shrink (Learning *self, const SatinCensus *census, gdouble efficiency, SatinDecision *decision)
{
  const SatinBadnessWeights now = weights (self);
  g_autofree guint *places = g_new (guint, census->n_nodes);
  guint n_ranked = satin_census_rank (census, &now, places);
  guint n = part_of (satin_census_count (census), (self->least - efficiency) / self->least);
  n = MIN (n, n_ranked);
  if (census->n_nodes <= census->n_least || n == 0)
    return;
  n = MIN (n, census->n_nodes - census->n_least);
  for (guint i = 0; i < n; i++)
    {
      const SatinCensusNode *node = &census->nodes[places[i]];
      remove_node (self, census, places[i], SATIN_REMOVE_BAD, decision);
      if (memory_may_ask (self, census->clusters[node->cluster].name, census->now_us, 1) > 0)
        memory_bar (self, census->clusters[node->cluster].name, census->now_us);
    }
}

/* How many nodes that may go are slower than @speed; the first @n of them are removed, if
 * @decision. */
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
      if (decision != NULL)
        remove_node (self, census, places[i], SATIN_REMOVE_REPLACED, decision);
    }
  return n_slower;
}

/* Better machines, in place of the slowest nodes. */
static void
replace (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  gdouble best = 0;
  for (guint i = 0; i < census->n_clusters; i++)
    if (census->clusters[i].offered_speed > 0
        && memory_may_ask (self, census->clusters[i].name, census->now_us,
                           census->clusters[i].n_offered)
               > 0)
      best = MAX (best, census->clusters[i].offered_speed);
  guint n = slower (self, census, best / self->better, census->n_nodes, NULL);
  if (n == 0)
    return;
  guint n_free = census->n_most > census->n_nodes ? census->n_most - census->n_nodes : 0;
  if (n_free == 0)
    n = slower (self, census, best / self->better,
                MIN (n, (census->n_nodes + 1) / 2 - MIN (census->n_least, census->n_nodes / 2)),
                decision);
  else
    {
      n = ask (self, census, MIN (n, n_free), best / self->better, decision);
      self->memory.n_to_replace = (gint32)n;
    }
}

static void
finish_replacing (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  gdouble fastest = 0;
  for (guint i = 0; i < census->n_nodes; i++)
    fastest = MAX (fastest, census->nodes[i].speed);
  slower (self, census, fastest / self->better, (guint)self->memory.n_to_replace, decision);
  self->memory.n_to_replace = 0;
}

static gboolean
is_changing (const SatinCensus *census)
{
  return census->n_awaited > 0 || satin_census_count (census) < census->n_nodes;
}

static void
learning_decide (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  Learning *self = adaptation;
  memory_begin (self, census->now_us);
  if (is_changing (census) || satin_census_count (census) == 0)
    return;
  judge (self, census);
  if (self->memory.n_to_replace > 0)
    finish_replacing (self, census, decision);
  if (decision->removals->len > 0 || remove_far_cluster (self, census, decision))
    return;
  gdouble efficiency = satin_census_efficiency (census);
  if (efficiency > self->most)
    grow (self, census, efficiency, decision);
  else if (efficiency < self->least)
    shrink (self, census, efficiency, decision);
  if (decision->asks->len == 0 && decision->removals->len == 0)
    replace (self, census, decision);
}

static const SatinAdaptationOps ops = {
  .struct_size = sizeof (SatinAdaptationOps),
  .open = learning_open,
  .decide = learning_decide,
  .close = learning_close,
  .save = memory_save,
  .load = memory_load,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_ADAPTATION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "learning",
  .version = "0.1.0",
  .summary = "changes the set of nodes, sees what that brought, and learns from it (default)",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
