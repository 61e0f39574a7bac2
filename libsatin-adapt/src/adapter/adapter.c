/* adapter.c - the life of an adapter: its timer, its messages, and whether it coordinates
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* The first node of each cluster ends its period a little before the coordinator does: this part
 * (1/8) of the period, between the two limits. The other nodes of the cluster end theirs as much
 * earlier than the first node. */
#define AHEAD_SHARE  8
#define AHEAD_MIN_US ((gint64)1000)
#define AHEAD_MAX_US ((gint64)2000000)

/* At least this part of a period (1/4) lies between two reports of a node. */
#define LEAST_SHARE 4

gboolean
adapter_is_coordinator (const SatinAdapter *self)
{
  return self->nodes != NULL;
}

/* ---- messages ---- */

void
adapter_send (SatinAdapter *self, SatinNodeId to, AdaptKind kind, const SatinRecord *record,
              gconstpointer data)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_byte_array_append (bytes, &(guint8){ kind }, 1);
  satin_record_encode (record, data, bytes);
  g_autoptr (GBytes) payload = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  self->n_messages += adapter_is_coordinator (self);
  satin_peers_send (self->peers, to, SATIN_CHANNEL_ADAPT, payload);
}

static void
take (SatinAdapter *self, SatinNodeId from, AdaptKind kind, gconstpointer data)
{
  const AdaptReport *report = data;
  const AdaptPlan *plan = data;
  if (kind == ADAPT_FIGURES && report->n_nodes <= ADAPT_MAX_NODES
      && report->n_sample <= SATIN_SAMPLE_MAX_BYTES && report->n_memory <= SATIN_MEMORY_MAX_BYTES)
    adapter_on_report (self, from, report);
  else if (kind == ADAPT_PLAN && plan->n_sample <= SATIN_SAMPLE_MAX_BYTES
           && plan->n_memory <= SATIN_MEMORY_MAX_BYTES)
    adapter_on_plan (self, from, plan);
}

static void
on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  SatinAdapter *self = user_data;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  g_autoptr (GError) error = NULL;
  union
  {
    AdaptReport report;
    AdaptPlan plan;
  } message;
  self->n_messages += adapter_is_coordinator (self);
  if (n_bytes < 1 || (bytes[0] != ADAPT_FIGURES && bytes[0] != ADAPT_PLAN))
    return;
  const SatinRecord *record = bytes[0] == ADAPT_FIGURES ? &AdaptReport_record : &AdaptPlan_record;
  if (!satin_record_decode (record, bytes + 1, n_bytes - 1, &message, &error))
    {
      g_debug ("node %u: %s", from, error->message);
      return;
    }
  take (self, from, bytes[0], &message);
  satin_record_clear (record, &message);
}

/* ---- periods ---- */

static gint64
ahead_us (const SatinAdapter *self)
{
  gint64 ahead_us = CLAMP (self->options.period_us / AHEAD_SHARE, AHEAD_MIN_US, AHEAD_MAX_US);
  if (adapter_is_coordinator (self))
    return 0;
  return adapter_find_first (self) == 0 ? ahead_us : 2 * ahead_us;
}

static void
end_period (gpointer user_data)
{
  SatinAdapter *self = user_data;
  self->timer = 0;
  adapter_tell (self);
  if (adapter_is_coordinator (self))
    adapter_end_period (self);
  adapter_set_timer (self);
}

/* Plans the end of this node's period. If no plan has said when the coordinator's period ends, that
 * period is assumed to begin now and to have the usual length. */
void
adapter_set_timer (SatinAdapter *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  satin_loop_timer_cancel (self->loop, &self->timer);
  if (self->next_us == 0)
    self->next_us = now_us + self->options.period_us;
  /* If a node has just reported when a plan comes, it does not report again in the same period. */
  gint64 least_us = MAX (now_us + 1, self->told_us + self->options.period_us / LEAST_SHARE);
  while (self->next_us - ahead_us (self) < least_us)
    self->next_us += self->options.period_us;
  self->timer =
      satin_loop_timer_add (self->loop, self->next_us - ahead_us (self) - now_us, end_period, self);
}

/* ---- membership ---- */

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  SatinAdapter *self = user_data;
  const SatinView *view = satin_peers_get_view (self->peers);
  if (change == SATIN_PEER_MASTER)
    {
      adapter_end_term (self);
      if (self->told_us == 0)
        adapter_count_from_now (self);
      if (view->master == view->self)
        adapter_begin_term (self);
      else
        adapter_set_timer (self); /* the end of its period depends on whether it is the first of its
                                   * cluster, which may have changed */
    }
  if ((change == SATIN_PEER_LEFT || change == SATIN_PEER_DIED) && self->nodes != NULL)
    g_hash_table_remove (self->nodes, GUINT_TO_POINTER (id));
}

static void
on_word (const char *word, GBytes *payload, gpointer user_data)
{
  SatinAdapter *self = user_data;
  FleetState state;
  gsize n_bytes;
  if (strcmp (word, SATIN_FLEET_STATE) != 0 || payload == NULL || !adapter_is_coordinator (self))
    return;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  if (!satin_record_decode (&FleetState_record, bytes, n_bytes, &state, NULL))
    return;
  self->n_messages++;
  if (state.n_offers <= FLEET_MAX_CLUSTERS)
    adapter_on_state (self, &state);
  satin_record_clear (&FleetState_record, &state);
}

static const SatinRunEvents run_events = { .struct_size = sizeof (SatinRunEvents),
                                           .signal = on_word };

/* Begins to take part, if the adapter has both the peers and the run. */
static void
begin (SatinAdapter *self)
{
  const SatinView *view;
  if (self->peers == NULL || self->run == NULL)
    return;
  satin_peers_set_message_func (self->peers, SATIN_CHANNEL_ADAPT, on_message, self);
  self->change_id = satin_peers_add_change_func (self->peers, on_change, self);
  self->events_id = satin_run_add_events (self->run, &run_events, self);
  view = satin_peers_get_view (self->peers);
  if (view->master != 0)
    adapter_count_from_now (self);
  if (view->master != 0 && view->master == view->self)
    adapter_begin_term (self);
  else
    adapter_set_timer (self);
}

void
satin_adapter_set_peers (SatinAdapter *self, SatinPeers *peers)
{
  self->peers = peers;
  begin (self);
}

void
satin_adapter_set_run (SatinAdapter *self, SatinRun *run)
{
  self->run = run;
  begin (self);
}

SatinAdapter *
satin_adapter_new (SatinLoop *loop, SatinWorkers *workers, const SatinAdapterOptions *options,
                   const SatinAdapterHost *host, gpointer user_data, GError **error)
{
  SatinAdaptation *tried = NULL;
  if (options->adaptation != NULL
      && (tried = satin_adaptation_open (options->adaptation, error)) == NULL)
    return NULL;
  satin_adaptation_close (tried); /* opened only to find errors early: each node may become the
                                   * coordinator */
  SatinAdapter *self = g_new0 (SatinAdapter, 1);
  self->loop = loop;
  self->workers = workers;
  self->options = *options;
  self->options.adaptation = g_strdup (options->adaptation);
  self->host = host;
  self->host_data = user_data;
  self->load = 1;
  self->gathered = g_array_new (FALSE, FALSE, sizeof (AdaptFigures));
  self->children = g_array_new (FALSE, FALSE, sizeof (AdaptChild));
  return self;
}

void
satin_adapter_free (SatinAdapter *self)
{
  if (self == NULL)
    return;
  if (self->change_id != 0)
    {
      satin_peers_set_message_func (self->peers, SATIN_CHANNEL_ADAPT, NULL, NULL);
      satin_peers_remove_change_func (self->peers, self->change_id);
      satin_run_remove_events (self->run, self->events_id);
    }
  adapter_end_term (self);
  satin_loop_timer_cancel (self->loop, &self->timer);
  satin_measurement_free (self->measurement);
  g_clear_pointer (&self->sample, g_bytes_unref);
  g_clear_pointer (&self->found, g_bytes_unref);
  g_clear_pointer (&self->memory, g_bytes_unref);
  g_array_unref (self->gathered);
  g_array_unref (self->children);
  g_free ((char *)self->options.adaptation);
  g_free (self);
}

void
satin_adapter_figures (const SatinAdapter *self, SatinFigureFunc add, gpointer user_data)
{
  add ("adapt.periods", self->n_periods, user_data);
  add ("adapt.messages", self->n_messages, user_data);
  add ("adapt.asked", self->n_asked, user_data);
  add ("adapt.removed", self->n_removed, user_data);
  add ("adapt.benchmarks", self->n_benchmarks, user_data);
  add ("adapt.benchmark-us", self->benchmark_us, user_data);
  add ("adapt.efficiency-permille", (gint64)(self->efficiency * 1000), user_data);
}

void
satin_adapter_waits (const SatinAdapter *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait wait = { .what = "the state of the fleet", .deadline = self->state_timer };
  if (self->state_timer != 0)
    add (&wait, user_data);
}
