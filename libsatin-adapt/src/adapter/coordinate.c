/* coordinate.c - the coordinator: makes a census at the end of each period, and acts on it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/run.h>

#include <string.h>

/* A node whose figures are older than this many periods counts as silent. */
#define FRESH_PERIODS 2.5
/* How long the fleet may take to answer: this part of a period (1/4), but at most STATE_MAX_US. */
#define STATE_SHARE  4
#define STATE_MAX_US ((gint64)5000000)
/* The range of speeds that offered machines may have. Other speeds count as unknown. */
#define SPEED_MIN 1e-9
#define SPEED_MAX 1e9

/* A census while it is being made. */
typedef struct
{
  SatinCensus census;
  GArray *nodes;     /* (owned) of SatinCensusNode */
  GArray *clusters;  /* (owned) of SatinCensusCluster */
  GHashTable *named; /* (owned) from (borrowed) name of a cluster to its index in @clusters + 1 */
} Draft;

/* ---- a coordinator's term ---- */

static void
load_memory (SatinAdapter *self, GBytes *memory)
{
  g_autoptr (GError) error = NULL;
  if (self->adaptation == NULL || self->adaptation->ops.load == NULL)
    return;
  satin_loop_probe (self->loop, "adapt.memory-taken");
  if (!self->adaptation->ops.load (self->adaptation->handle, memory, &error))
    g_message ("what the coordinator before this one had learnt is lost: %s", error->message);
}

void
adapter_begin_term (SatinAdapter *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  g_autoptr (GError) error = NULL;
  self->nodes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (self->options.adaptation != NULL)
    self->adaptation = satin_adaptation_open (self->options.adaptation, &error);
  if (error != NULL)
    g_message ("nobody decides which nodes the run should have: %s", error->message);
  if (self->memory != NULL)
    load_memory (self, self->memory);
  self->term = (gint64)view->term;
  self->asked = 0;
  self->began_us = satin_loop_now_us (self->loop);
  self->next_us = self->began_us + self->options.period_us;
  adapter_set_timer (self);
}

void
adapter_end_term (SatinAdapter *self)
{
  satin_loop_timer_cancel (self->loop, &self->state_timer);
  g_clear_pointer (&self->adaptation, satin_adaptation_close);
  g_clear_pointer (&self->nodes, g_hash_table_unref);
  self->efficiency = 0;
}

void
adapter_take_memory (SatinAdapter *self, const AdaptReport *report)
{
  if (self->sample == NULL && report->n_sample > 0)
    {
      g_autoptr (GBytes) sample = g_bytes_new (report->sample, report->n_sample);
      adapter_set_sample (self, sample);
    }
  if (report->n_memory == 0 || report->n_memory > SATIN_MEMORY_MAX_BYTES
      || report->term <= self->memory_term || report->term >= self->term)
    return;
  g_clear_pointer (&self->memory, g_bytes_unref);
  self->memory = g_bytes_new (report->memory, report->n_memory);
  self->memory_term = report->term;
  load_memory (self, self->memory);
}

static gboolean
is_share (gint32 thousandths)
{
  return thousandths >= 0 && thousandths <= 1000;
}

/* Whether all these figures are in their ranges. */
static gboolean
is_possible (const AdaptFigures *figures)
{
  return figures->node > 0 && figures->node < SATIN_RUN_HOLDER && figures->n_workers > 0
         && figures->n_workers <= ADAPT_MAX_WORKERS && is_share (figures->idle)
         && is_share (figures->overdue_near) && is_share (figures->overdue_far)
         && is_share (figures->load) && figures->sample_us >= 0;
}

void
adapter_take_figures (SatinAdapter *self, const AdaptFigures *figures)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  SatinNodeId id = (SatinNodeId)figures->node;
  if (!is_possible (figures) || (id != view->self && satin_view_find (view, id) == NULL))
    return; /* the figures are invalid, or the node is no member */
  AdaptNode *node = g_new0 (AdaptNode, 1);
  node->figures = *figures;
  node->told_us = satin_loop_now_us (self->loop);
  g_hash_table_replace (self->nodes, GUINT_TO_POINTER (id), node);
}

/* ---- the census ---- */

static guint
find_cluster (Draft *self, const char *name)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->named, name));
  if (place > 0)
    return place - 1;
  const SatinCensusCluster cluster = { .name = name };
  g_array_append_val (self->clusters, cluster);
  g_hash_table_insert (self->named, (gpointer)name, GUINT_TO_POINTER (self->clusters->len));
  return self->clusters->len - 1;
}

/* Returns: the node's work per unit of time; 0 unless its speed was measured with the current
 * sample, because speeds can be compared only if they were measured with the same sample */
static double
speed_of (const SatinAdapter *self, const AdaptFigures *figures)
{
  if (figures->sample == 0 || figures->sample != self->sample_id || figures->sample_us <= 0)
    return 0;
  return figures->n_workers * MAX (figures->load, 1) / 1000.0 / (double)figures->sample_us;
}

/* Whether the node has not reported for FRESH_PERIODS. */
static gboolean
is_silent (const SatinAdapter *self, const AdaptNode *known)
{
  double old_us = FRESH_PERIODS * (double)self->options.period_us;
  return (double)(satin_loop_now_us (self->loop) - known->told_us) > old_us;
}

static void
add_node (Draft *draft, const SatinAdapter *self, const SatinPeer *peer)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  const AdaptNode *known = g_hash_table_lookup (self->nodes, GUINT_TO_POINTER (peer->id));
  SatinCensusNode node = { .id = peer->id,
                           .cluster = find_cluster (draft, peer->cluster),
                           .is_new = TRUE,
                           .is_leaving = peer->is_leaving,
                           .is_kept = peer->id == view->self || known == NULL };
  if (known != NULL)
    {
      const AdaptFigures *figures = &known->figures;
      node.is_new = figures->is_new || is_silent (self, known);
      node.is_kept |= figures->is_kept;
      node.speed = speed_of (self, figures);
      node.overhead = figures->idle / 1000.0;
      node.far_overhead = MIN (figures->overdue_far / 1000.0, node.overhead);
    }
  g_array_append_val (draft->nodes, node);
}

static void
add_nodes (Draft *draft, const SatinAdapter *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  const SatinPeer own = { .id = view->self, .cluster = view->cluster };
  guint i = 0;
  for (; i < view->n_peers && view->peers[i].id < view->self; i++)
    add_node (draft, self, &view->peers[i]);
  add_node (draft, self, &own);
  for (; i < view->n_peers; i++)
    add_node (draft, self, &view->peers[i]);
}

/* Finds clusters (not the coordinator's own) of which no node reports any more while nodes of other
 * clusters do: the link of such a cluster lets nothing through. All time of nodes there that have
 * stopped reporting counts as overhead, so that this cluster is blamed, and not the nodes that wait
 * for it. */
static void
add_silent_clusters (Draft *draft, const SatinAdapter *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  guint own = find_cluster (draft, view->cluster);
  g_autofree gboolean *is_heard = g_new0 (gboolean, draft->clusters->len);
  gboolean is_any_heard = FALSE;
  for (guint i = 0; i < draft->nodes->len; i++)
    {
      const SatinCensusNode *node = &g_array_index (draft->nodes, SatinCensusNode, i);
      is_heard[node->cluster] |= !node->is_new;
      is_any_heard |= !node->is_new && node->id != view->self;
    }
  for (guint i = 0; i < draft->nodes->len && is_any_heard; i++)
    {
      SatinCensusNode *node = &g_array_index (draft->nodes, SatinCensusNode, i);
      const AdaptNode *known = g_hash_table_lookup (self->nodes, GUINT_TO_POINTER (node->id));
      if (is_heard[node->cluster] || node->cluster == own || known == NULL || known->figures.is_new
          || !is_silent (self, known))
        continue;
      node->is_new = FALSE;
      node->overhead = node->far_overhead = 1;
    }
}

/* Divides all speeds by the speed of the fastest node. @ret_unit: that speed */
static void
normalise (GArray *nodes, double *ret_unit)
{
  double fastest = 0;
  for (guint i = 0; i < nodes->len; i++)
    fastest = MAX (fastest, g_array_index (nodes, SatinCensusNode, i).speed);
  for (guint i = 0; i < nodes->len && fastest > 0; i++)
    g_array_index (nodes, SatinCensusNode, i).speed /= fastest;
  *ret_unit = fastest;
}

/* Whether the speed of an offered machine is in the range that is used. */
static gboolean
is_speed (double speed)
{
  return speed > SPEED_MIN && speed < SPEED_MAX;
}

/* Returns: by what a speed of the fleet's offers must be multiplied to get a speed of the census; 0
 * when that is unknown. The factor is found by comparing the offers of clusters with the measured
 * speeds of nodes there */
static double
measure_unit (const Draft *self, const FleetState *state)
{
  double measured = 0, offered = 0;
  for (gsize i = 0; i < state->n_offers; i++)
    {
      guint cluster =
          GPOINTER_TO_UINT (g_hash_table_lookup (self->named, state->offers[i].cluster));
      for (guint j = 0; cluster > 0 && j < self->nodes->len; j++)
        {
          const SatinCensusNode *node = &g_array_index (self->nodes, SatinCensusNode, j);
          if (node->cluster + 1 != cluster || node->is_kept || node->speed <= 0
              || !is_speed (state->offers[i].speed))
            continue;
          measured += node->speed;
          offered += state->offers[i].speed;
        }
    }
  return offered > 0 ? measured / offered : 0;
}

static void
add_offers (Draft *self, const FleetState *state)
{
  double unit = measure_unit (self, state);
  for (gsize i = 0; i < state->n_offers; i++)
    {
      const FleetOffer *offer = &state->offers[i];
      if (offer->n_machines <= 0)
        continue;
      guint place = find_cluster (self, offer->cluster);
      SatinCensusCluster *cluster = &g_array_index (self->clusters, SatinCensusCluster, place);
      cluster->n_offered += (guint)MIN (offer->n_machines, SATIN_PROVISION_MAX);
      cluster->offered_speed = is_speed (offer->speed) ? offer->speed * unit : 0;
    }
}

static void
draft_init (Draft *self, const SatinAdapter *adapter, const FleetState *state)
{
  self->nodes = g_array_new (FALSE, FALSE, sizeof (SatinCensusNode));
  self->clusters = g_array_new (FALSE, FALSE, sizeof (SatinCensusCluster));
  self->named = g_hash_table_new (g_str_hash, g_str_equal);
  double unit;
  add_nodes (self, adapter);
  add_silent_clusters (self, adapter);
  normalise (self->nodes, &unit);
  if (state != NULL)
    add_offers (self, state);
  self->census = (SatinCensus){
    .now_us = satin_loop_now_us (adapter->loop),
    .n_nodes = self->nodes->len,
    .nodes = (const SatinCensusNode *)(gpointer)self->nodes->data,
    .n_clusters = self->clusters->len,
    .clusters = (const SatinCensusCluster *)(gpointer)self->clusters->data,
    .n_awaited = state != NULL ? (guint)MAX (state->n_awaited, 0) : 0,
    .n_least = state != NULL ? (guint)MAX (state->n_least, 1) : 1,
    .n_most = state != NULL ? (guint)MAX (state->n_most, 1) : G_MAXINT32,
    .unit = unit,
  };
}

static void
draft_clear (Draft *self)
{
  g_array_unref (self->nodes);
  g_array_unref (self->clusters);
  g_hash_table_unref (self->named);
}

/* ---- acting on a census ---- */

static void
ask_fleet (SatinAdapter *self, const SatinDecision *decision, const Draft *draft, GString *text)
{
  g_autoptr (GArray) wishes = g_array_new (FALSE, FALSE, sizeof (FleetWish));
  for (guint i = 0; i < decision->asks->len; i++)
    {
      const SatinAsk *ask = &g_array_index (decision->asks, SatinAsk, i);
      const char *cluster =
          ask->cluster < draft->clusters->len
              ? g_array_index (draft->clusters, SatinCensusCluster, ask->cluster).name
              : "";
      FleetWish wish = { (char *)cluster, (gint32)ask->n_machines };
      g_array_append_val (wishes, wish);
      g_string_append_printf (text, "; asks for %u machine%s%s%s", ask->n_machines,
                              ask->n_machines == 1 ? "" : "s", *cluster != '\0' ? " in " : "",
                              cluster);
      self->n_asked += ask->n_machines;
    }
  if (wishes->len == 0)
    return;
  const FleetAsk ask = { self->term, ++self->asked,
                         .wishes = (const FleetWish *)(gpointer)wishes->data,
                         .n_wishes = wishes->len };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&FleetAsk_record, &ask);
  self->n_messages++;
  satin_run_signal (self->run, SATIN_RUN_HOLDER, SATIN_FLEET_ASK, payload);
}

static void
send_away (SatinAdapter *self, const SatinDecision *decision, GString *text)
{
  const SatinLeave leave = { self->options.leave_us };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  for (guint i = 0; i < decision->removals->len; i++)
    {
      const SatinRemoval *removal = &g_array_index (decision->removals, SatinRemoval, i);
      g_string_append_printf (text, "; node %u leaves: %s", removal->id,
                              satin_remove_reason_text (removal->reason));
      satin_run_signal (self->run, removal->id, SATIN_SIGNAL_LEAVE, payload);
      self->n_removed++;
    }
}

static void
remember (SatinAdapter *self)
{
  if (self->adaptation->ops.save == NULL)
    return;
  g_clear_pointer (&self->memory, g_bytes_unref);
  self->memory = self->adaptation->ops.save (self->adaptation->handle);
  self->memory_term = self->term;
}

/* The text for people mentions a cluster if its messages to other clusters are overdue for more
 * than this share of the time. */
#define TOLD_FAR 0.05

static void
tell_census (const SatinCensus *census, GString *text)
{
  g_string_printf (text, "%u nodes, efficiency %.2f", census->n_nodes,
                   satin_census_efficiency (census));
  for (guint i = 0; i < census->n_clusters; i++)
    {
      SatinClusterFigures figures;
      satin_census_cluster (census, i, &figures);
      if (figures.far_overhead > TOLD_FAR)
        g_string_append_printf (text, ", messages of %s overdue for %.0f %% of the time",
                                census->clusters[i].name, figures.far_overhead * 100);
    }
}

/* Tells the run's journal what was seen and decided. */
static void
tell_decision (SatinAdapter *self, const SatinCensus *census, const SatinDecision *decision,
               const char *text)
{
  gint64 n_asked = 0;
  for (guint i = 0; i < decision->asks->len; i++)
    n_asked += g_array_index (decision->asks, SatinAsk, i).n_machines;
  const SatinEventValue values[] = {
    { "nodes", census->n_nodes },
    { "efficiency_permille", (gint64)(self->efficiency * 1000) },
    { "asked", n_asked },
    { "removed", decision->removals->len },
  };
  satin_run_tell (self->run, SATIN_EVENT_DECISION, text, values, G_N_ELEMENTS (values));
}

/* Makes a census at the end of a period, and carries out what the plugin decides. @state:
 * (nullable): the fleet's answer; %NULL: the fleet has not answered, so nothing is decided */
static void
decide (SatinAdapter *self, const FleetState *state)
{
  Draft draft;
  SatinDecision decision;
  g_autoptr (GString) text = g_string_new (NULL);
  draft_init (&draft, self, state);
  satin_decision_init (&decision);
  self->efficiency = satin_census_efficiency (&draft.census);
  tell_census (&draft.census, text);
  if (state != NULL && self->adaptation != NULL)
    {
      self->adaptation->ops.decide (self->adaptation->handle, &draft.census, &decision);
      ask_fleet (self, &decision, &draft, text);
      send_away (self, &decision, text);
      remember (self);
    }
  tell_decision (self, &draft.census, &decision, text->str);
  if (self->host->decided != NULL)
    self->host->decided (text->str, decision.asks->len > 0 || decision.removals->len > 0,
                         self->host_data);
  satin_decision_clear (&decision);
  draft_clear (&draft);
  adapter_plan_all (self);
}

static void
without_state (gpointer user_data)
{
  SatinAdapter *self = user_data;
  self->state_timer = 0;
  satin_loop_probe (self->loop, "adapt.no-fleet");
  decide (self, NULL);
}

void
adapter_on_state (SatinAdapter *self, const FleetState *state)
{
  if (self->state_timer == 0 || state->term != self->term || state->number > self->asked)
    {
      satin_loop_probe (self->loop, "adapt.state-late");
      return;
    }
  satin_loop_timer_cancel (self->loop, &self->state_timer);
  decide (self, state);
}

/* Looks for a sample: a job with which all nodes can measure their speed. Until there is a sample,
 * asks the workers of this node and of other nodes for a job that was stolen. */
static void
find_sample (SatinAdapter *self)
{
  if (self->sample != NULL || self->workers == NULL || self->options.benchmark_share <= 0)
    {
      self->is_sample_wanted = FALSE;
      return;
    }
  g_autoptr (GBytes) own = satin_workers_get_sample (self->workers);
  adapter_set_sample (self, own);
  satin_workers_want_sample (self->workers);
  self->is_sample_wanted = self->sample == NULL;
}

void
adapter_end_period (SatinAdapter *self)
{
  const FleetLook look = { self->term };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&FleetLook_record, &look);
  self->n_periods++;
  self->number++;
  find_sample (self);
  if (self->state_timer != 0)
    return; /* the fleet still has not answered the question of an earlier period */
  self->n_messages++;
  self->state_timer = satin_loop_timer_add (
      self->loop, MIN (self->options.period_us / STATE_SHARE, STATE_MAX_US), without_state, self);
  satin_run_signal (self->run, SATIN_RUN_HOLDER, SATIN_FLEET_LOOK, payload);
}
