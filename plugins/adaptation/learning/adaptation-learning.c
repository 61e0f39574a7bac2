/* adaptation-learning.c - changes the set of nodes, judges the effect, and learns from it
 *
 * The plugin has the thresholds of adaptation-thresholds, and these rules:
 * - It decides by means over the time since the set of nodes last changed (era.c).
 * - Whether more nodes would help depends on the utilisation: the work that the nodes do, as a
 *   share of what they could do. So the plugin does not conclude from slow nodes that there are
 *   too many nodes.
 * - A change is judged when the same nodes have worked for two periods, and no node is new or
 *   leaving. If new nodes did far less than the other nodes, relative to their speed, the number
 *   of nodes is not increased for a time. If a removal did harm, its reason gets a lower weight;
 *   if the removal helped, its reason gets a higher weight.
 * - A bad cluster is barred for a time (no machines are asked for there), and twice as long the
 *   next time. When the time is over, one machine is tried first.
 * - Machines that are clearly better than the slowest nodes are asked for at any efficiency. When
 *   they have joined, slow nodes are removed. If the run may have no more nodes, slow nodes are
 *   removed first.
 * - While machines are awaited, no more are asked for. While many nodes join or leave, nothing is
 *   decided.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learning.h"

#include <math.h>

/* Nothing is decided while more than this part (1/4) of the nodes are new or leaving. */
#define CHANGING_PART 4

static const SatinParam params[] = {
  { "min", SATIN_PARAM_DOUBLE, "0.3", "nodes are removed when the efficiency is below" },
  { "max", SATIN_PARAM_DOUBLE, "0.5",
    "machines are asked for when the nodes do more than this share of what they could" },
  { "far", SATIN_PARAM_DOUBLE, "0.25",
    "a cluster is sent away when answers from other clusters are overdue for this share of its "
    "time" },
  { "better", SATIN_PARAM_DOUBLE, "1.5",
    "a node is replaced by a machine that is this many times as fast" },
  { "bar", SATIN_PARAM_DURATION, "600s",
    "how long no machine is asked for in a cluster where nodes were removed; doubles each time" },
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

/* Returns: @n * @over, rounded up, but at least 1 and at most @n */
guint
learning_part_of (guint n, gdouble over)
{
  return (guint)CLAMP (ceil (n * over), 1, n);
}

/* Whether so many nodes are new or leaving that the figures say nothing. */
static gboolean
is_changing (const SatinCensus *census)
{
  guint n = satin_census_count (census);
  return n == 0 || (census->n_nodes - n) * CHANGING_PART > census->n_nodes;
}

/* Whether a node is leaving. As long as that is so, the figures do not show what the other nodes do
 * without it. */
static gboolean
is_anybody_leaving (const SatinCensus *census)
{
  for (guint i = 0; i < census->n_nodes; i++)
    if (census->nodes[i].is_leaving)
      return TRUE;
  return FALSE;
}

/* Whether all machines that were asked for have joined, and no node is new or leaving. */
static gboolean
is_settled (const SatinCensus *census)
{
  return census->n_awaited == 0 && satin_census_count (census) == census->n_nodes;
}

/* Whether nodes may be removed: not before the last removal is judged. Nodes that waited for a bad
 * link or a slow node still do so for a while after it is gone. */
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
    learning_finish_replacing (self, census, decision);
  gboolean is_too_low = may_remove (self) && efficiency < self->least - era_margin (era);
  if (decision->removals->len > 0)
    return;
  if (may_remove (self) && learning_remove_far_cluster (self, census, decision))
    {
      if (is_too_low)
        learning_remove_slow (self, census, decision);
      return;
    }
  if (era_utilisation (era) > self->most + era_margin (era))
    learning_grow (self, census, era_utilisation (era), decision);
  else if (is_too_low)
    learning_shrink (self, census, efficiency, decision);
  if (decision->asks->len == 0 && decision->removals->len == 0 && self->memory.n_to_replace == 0)
    learning_replace (self, census, decision);
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
    learning_judge (self, census);
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
  .summary = "changes the set of nodes, and learns from the effect (default)",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
