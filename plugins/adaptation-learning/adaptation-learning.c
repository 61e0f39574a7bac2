/* adaptation-learning.c - changes the set of nodes, sees what that brought, and learns from it
 *
 * Thresholds as of adaptation-thresholds, and beside those:
 * - What counts are means since the nodes were last others (era.c).
 * - Each change is judged two periods later. More nodes that did no more work are a ceiling, for a
 * time. A removal that did harm makes its reason weigh less, one that did help more.
 * - A cluster that was bad is barred for a time, twice as long the next time; then one machine is
 * tried.
 * - Machines that are clearly better than the slowest nodes are asked for whatever the efficiency,
 * and replace those once they are here.
 * - While machines are awaited no more are asked for; while many nodes join or leave, nothing is
 * decided.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "memory.h"

#include <math.h>

/* A node that is added must do this part of what the others do on average, or it was too many. */
#define LEAST_GAIN 0.25
/* A change is judged after so many periods, and only one of this part of the nodes at least. */
#define LEAST_PERIODS 2
#define LEAST_PART    8
/* Without those that were removed at least so much less must be done, or it did no harm. */
#define LEAST_LOSS 0.1
/* Of all nodes at most one in so many goes at a time because they are too many. */
#define MOST_PART 3
/* Of the run's nodes one in so many may be new, or on its way out, while others are changed. */
#define CHANGING_PART 4
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
  self->memory.rate_before = era_rate (&self->memory.era);
}

static void
judge_asked (Learning *self, const SatinCensus *census, guint n)
{
  Memory *memory = &self->memory;
  gint64 n_more = (gint64)n - memory->n_before;
  /* What a few nodes bring does not show. */
  if (n_more <= 0 || memory->n_before <= 0 || n_more * LEAST_PART < memory->n_before)
    return;
  gdouble gain = (era_rate (&memory->era) - memory->rate_before) / (gdouble)n_more;
  if (gain >= LEAST_GAIN * memory->rate_before / memory->n_before)
    return;
  memory->ceiling = (gint32)n;
  memory->ceiling_efficiency = era_efficiency (&memory->era);
  memory->ceiling_until_us = census->now_us + self->bar_us;
}

static void
judge_removed (Learning *self, const SatinCensus *census)
{
  const SatinBadnessWeights normal = SATIN_BADNESS_WEIGHTS;
  Memory *memory = &self->memory;
  gdouble rate = era_rate (&memory->era);
  gboolean has_helped = rate >= memory->rate_before;
  gboolean has_hurt = rate < memory->rate_before * (1 - LEAST_LOSS);
  gdouble by = has_helped ? WEIGHT_MORE : has_hurt ? WEIGHT_LESS : 1;
  if (memory->reason == SATIN_REMOVE_FAR)
    weigh (&memory->far, by, normal.far);
  else
    weigh (&memory->slow, by, normal.slow);
  if (has_hurt)
    memory_unbar_newest (self, census->now_us);
}

/* When it was seen for long enough. */
static void
judge (Learning *self, const SatinCensus *census)
{
  if (self->memory.era.n_periods < LEAST_PERIODS)
    return;
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
  /* Where removing for that reason did not help, it takes more to do so again. */
  gdouble limit = self->far * MAX (1, normal.far / now.far);
  guint cluster = satin_census_worst_removable (census, &now, limit);
  if (cluster == SATIN_ANY_CLUSTER)
    return FALSE;
  SatinClusterFigures figures;
  satin_census_cluster (census, cluster, &figures);
  if (census->n_nodes - figures.n_nodes < census->n_least)
    return FALSE;
  for (guint i = 0; i < census->n_nodes; i++)
    if (census->nodes[i].cluster == cluster && satin_census_counts (&census->nodes[i]))
      remove_node (self, census, i, SATIN_REMOVE_FAR, decision);
  memory_bar (self, census->clusters[cluster].name, census->now_us);
  return TRUE;
}

/* What is said of machines cannot be more than what is seen of those that are here. */
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
  if (census->n_awaited > 0 || census->n_nodes >= census->n_most
      || is_at_ceiling (self, census, efficiency))
    return;
  guint n = part_of (satin_census_count (census), (efficiency - self->most) / self->most);
  if (ask (self, census, MIN (n, census->n_most - census->n_nodes), 0, decision) > 0)
    note_change (self, census, JUDGE_ASKED);
}

static void
bar_cluster_of (Learning *self, const SatinCensus *census, const SatinCensusNode *node)
{
  const char *name = census->clusters[node->cluster].name;
  if (memory_may_ask (self, name, census->now_us, 1) > 0)
    memory_bar (self, name, census->now_us);
}

/* Far slower than others, which wait for it. */
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

/* Also beside a cluster that is sent away: how long it takes until its going is over and judged
 * says nothing of them. */
static void
remove_slow (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  for (guint i = 0; i < census->n_nodes; i++)
    {
      const SatinCensusNode *node = &census->nodes[i];
      if (census->n_nodes - decision->removals->len <= census->n_least)
        return;
      if (!is_slow (self, census, node) || is_removed (decision, node->id))
        continue;
      remove_node (self, census, i, SATIN_REMOVE_BAD, decision);
      bar_cluster_of (self, census, node);
    }
}

/* There are too many: the more go the lower the efficiency is. */
static void
remove_worst (Learning *self, const SatinCensus *census, gdouble efficiency,
              SatinDecision *decision)
{
  const SatinBadnessWeights now = weights (self);
  g_autofree guint *places = g_new (guint, census->n_nodes);
  guint n_ranked = satin_census_rank (census, &now, places), n_all = satin_census_count (census);
  guint n =
      MIN (part_of (n_all, (self->least - efficiency) / self->least), MAX (n_all / MOST_PART, 1));
  if (census->n_nodes <= census->n_least)
    return;
  n = MIN (MIN (n, n_ranked), census->n_nodes - census->n_least);
  for (guint i = 0; i < n; i++)
    {
      remove_node (self, census, places[i], SATIN_REMOVE_BAD, decision);
      bar_cluster_of (self, census, &census->nodes[places[i]]);
    }
}

static void
shrink (Learning *self, const SatinCensus *census, gdouble efficiency, SatinDecision *decision)
{
  remove_slow (self, census, decision);
  if (decision->removals->len == 0)
    remove_worst (self, census, efficiency, decision);
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
      if (decision == NULL)
        continue;
      const SatinCensusNode *node = &census->nodes[places[i]];
      remove_node (self, census, places[i], SATIN_REMOVE_REPLACED, decision);
      /* What is offered there is not what one gets. */
      if (census->clusters[node->cluster].offered_speed > node->speed * self->better)
        bar_cluster_of (self, census, node);
    }
  return n_slower;
}

/* Better machines, in place of the slowest nodes. */
static void
replace (Learning *self, const SatinCensus *census, SatinDecision *decision)
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
  if (n_free == 0)
    n = slower (self, census, best / self->better,
                MIN (n, (census->n_nodes + 1) / 2 - MIN (census->n_least, census->n_nodes / 2)),
                decision);
  else
    {
      n = ask (self, census, MIN (n, n_free), best / self->better, decision);
      self->memory.n_to_replace = (gint32)n;
      self->memory.n_before = (gint32)satin_census_count (census);
    }
}

/* As many go as have come. */
static void
finish_replacing (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  gint64 n_come = (gint64)satin_census_count (census) - self->memory.n_before;
  guint n = (guint)CLAMP (n_come, 0, self->memory.n_to_replace);
  gdouble fastest = 0;
  for (guint i = 0; i < census->n_nodes; i++)
    fastest = MAX (fastest, census->nodes[i].speed);
  self->memory.n_to_replace = 0;
  if (n > 0)
    slower (self, census, fastest / self->better, n, decision);
}

/* Too many nodes are new, or leave, to say anything of the run. */
static gboolean
is_changing (const SatinCensus *census)
{
  guint n = satin_census_count (census);
  return n == 0 || (census->n_nodes - n) * CHANGING_PART > census->n_nodes;
}

/* What those leave behind is no work of the others. */
static gboolean
is_anybody_leaving (const SatinCensus *census)
{
  for (guint i = 0; i < census->n_nodes; i++)
    if (census->nodes[i].is_leaving)
      return TRUE;
  return FALSE;
}

/* All that was changed has come to its end. */
static gboolean
is_settled (const SatinCensus *census)
{
  return census->n_awaited == 0 && satin_census_count (census) == census->n_nodes;
}

/* Nobody is sent away before it is known what that was good for the last time: what waited for a
 * bad link or a slow node does so for a while after it is gone. */
static gboolean
may_remove (const Learning *self)
{
  return self->memory.reason == JUDGE_NOTHING || self->memory.reason == JUDGE_ASKED;
}

static void
change (Learning *self, const SatinCensus *census, SatinDecision *decision)
{
  const Era *era = &self->memory.era;
  gdouble efficiency = era_efficiency (era);
  if (self->memory.n_to_replace > 0 && is_settled (census))
    finish_replacing (self, census, decision);
  gboolean is_too_low = may_remove (self) && efficiency < self->least - era_margin (era);
  if (decision->removals->len > 0)
    return;
  if (may_remove (self) && remove_far_cluster (self, census, decision))
    {
      if (is_too_low)
        remove_slow (self, census, decision);
      return;
    }
  if (efficiency > self->most + era_margin (era))
    grow (self, census, efficiency, decision);
  else if (is_too_low)
    shrink (self, census, efficiency, decision);
  if (decision->asks->len == 0 && decision->removals->len == 0 && self->memory.n_to_replace == 0)
    replace (self, census, decision);
}

static void
learning_decide (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  Learning *self = adaptation;
  memory_begin (self, census->now_us);
  if (is_changing (census))
    return;
  if (!is_anybody_leaving (census))
    era_note (&self->memory.era, census);
  if (is_settled (census))
    judge (self, census);
  change (self, census, decision);
  if (decision->asks->len > 0 || decision->removals->len > 0)
    era_end (&self->memory.era);
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
