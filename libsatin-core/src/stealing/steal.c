/* steal.c - stealing between nodes: making, messages, events
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

GBytes *
steal_message (StealKind kind, const SatinRecord *record, gconstpointer data)
{
  GByteArray *bytes = g_byte_array_sized_new (64);
  guint8 head = kind;
  g_byte_array_append (bytes, &head, 1);
  satin_record_encode (record, data, bytes);
  return g_byte_array_free_to_bytes (bytes);
}

static void on_message (SatinNodeId from, GBytes *payload, gpointer user_data);

static void
take_own (gpointer user_data)
{
  Steal *self = user_data;
  self->to_self.timer = 0;
  SatinNodeId id = satin_peers_get_view (self->peers)->self;
  for (guint n = self->to_self.messages.length; n > 0; n--)
    {
      g_autoptr (GBytes) message = g_queue_pop_head (&self->to_self.messages);
      on_message (id, message, self);
    }
}

/* Sends a message to this node itself: an orphan for which this node waits may be here too. */
static void
send_to_self (Steal *self, GBytes *message)
{
  g_queue_push_tail (&self->to_self.messages, g_bytes_ref (message));
  if (self->to_self.timer == 0)
    self->to_self.timer = satin_loop_timer_add (self->loop, 0, take_own, self);
}

/* Sends a message. If that is not possible, the message counts as lost, and the timer of its sender
 * acts later. Returns: whether it was sent */
gboolean
steal_send (Steal *self, SatinNodeId to, StealKind kind, const SatinRecord *record,
            gconstpointer data)
{
  g_autoptr (GBytes) message = steal_message (kind, record, data);
  const SatinView *view = satin_peers_get_view (self->peers);
  if (view == NULL || to != view->self)
    return satin_peers_send (self->peers, to, SATIN_CHANNEL_STEAL, message);
  send_to_self (self, message);
  return TRUE;
}

/* How often, at most, the time before sending again is doubled. */
#define MAX_DOUBLINGS 6

gint64
steal_again_us (gint64 first_us, guint n_sent)
{
  return first_us << MIN (n_sent, MAX_DOUBLINGS);
}

/* The record of each kind of message, and its handler, whose @data is that record. */
typedef struct
{
  const SatinRecord *record;
  void (*take) (Steal *self, SatinNodeId from, gconstpointer data);
} Handler;

static const Handler handlers[] = {
  [STEAL_REQUEST] = { &StealRequest_record, steal_on_request },
  [STEAL_JOBS] = { &StealJobsMessage_record, steal_on_jobs },
  [STEAL_NOTHING] = { &StealAnswer_record, steal_on_nothing },
  [STEAL_RESULTS] = { &StealResults_record, steal_on_results },
  [STEAL_ACK] = { &StealNames_record, steal_on_ack },
  [STEAL_QUERY] = { &StealName_record, steal_on_query },
  [STEAL_RUNNING] = { &StealRunning_record, steal_on_running },
  [STEAL_UNKNOWN] = { &StealName_record, steal_on_unknown },
  [STEAL_OFFER] = { &StealAnswer_record, steal_on_offer },
  [STEAL_LOAD] = { &StealLoad_record, steal_on_load },
  [STEAL_ADOPT] = { &StealAdopt_record, steal_on_adopt },
  [STEAL_LINEAGE] = { &StealLineage_record, steal_on_lineage },
  [STEAL_KEEP] = { &StealKeep_record, steal_on_keep },
  [STEAL_KEPT] = { &StealNumber_record, steal_on_kept },
  [STEAL_RETURNED] = { &StealReturned_record, steal_on_returned },
  [STEAL_ORPHANED] = { &StealNames_record, steal_on_orphaned },
  [STEAL_ABORT] = { &StealName_record, steal_on_abort },
  [STEAL_PROGRESS] = { &StealProgressMessage_record, steal_on_progress },
};

static void
on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  Steal *self = user_data;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint8 kind = n_bytes > 0 ? bytes[0] : 0;
  if (kind == 0 || kind >= G_N_ELEMENTS (handlers))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from,
                          "steal message of unknown kind %u dropped", kind);
      return;
    }
  const Handler *handler = &handlers[kind];
  union
  {
    StealRequest request;
    StealAnswer answer;
    StealJobsMessage jobs;
    StealResults results;
    StealName name;
    StealRunning running;
    StealNames names;
    StealLoad load;
    StealAdopt adopt;
    StealLineage lineage;
    StealKeep keep;
    StealNumber number;
    StealReturned returned;
    StealProgressMessage shares;
  } data;
  g_autoptr (GError) error = NULL;
  if (!satin_record_decode (handler->record, bytes + 1, n_bytes - 1, &data, &error))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from, "steal message dropped: %s",
                          error->message);
      return;
    }
  if (kind == STEAL_JOBS)
    steal_count_bytes (self, from, n_bytes);
  handler->take (self, from, &data);
  satin_record_clear (handler->record, &data);
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  Steal *self = user_data;
  switch (change)
    {
    case SATIN_PEER_LEFT:
    case SATIN_PEER_DIED:
      steal_peer_gone (self, id);
      steal_thief_gone (self, id, satin_peers_get_view (self->peers)->death_signal);
      steal_recipient_gone (self, id);
      steal_abort_answered (self, id, NULL);
      steal_stop_sending_load (self, id);
      self->jobs_ops->forget_ways (self->jobs);
      break;
    case SATIN_PEER_LINK_BROKEN:
      steal_peer_unsure (self, id);
      steal_thief_unsure (self, id);
      steal_recipient_unsure (self, id);
      steal_tell_again (self, id);
      break;
    case SATIN_PEER_LEAVING:
      steal_victims_forget_view (&self->victims);
      steal_recipient_gone (self, id);
      break;
    case SATIN_PEER_UNKNOWN:
      steal_holder_met (self, id);
      break;
    case SATIN_PEER_JOINED:
      steal_holder_met (self, id);
      steal_forget_refusals (self);
      break;
    case SATIN_PEER_MASTER:
      steal_master_changed (self);
      steal_begin_feeding (self);
      steal_forget_refusals (self);
      break;
    }
  steal_consider (self);
}

Steal *
steal_new (SatinLoop *loop, SatinPeers *peers, const StealJobs *jobs_ops, gpointer jobs,
           const SatinPolicyOps *policy_ops, gpointer policy)
{
  Steal *self = g_new0 (Steal, 1);
  self->loop = loop;
  self->peers = peers;
  self->jobs_ops = jobs_ops;
  self->jobs = jobs;
  steal_exports_init (&self->exports);
  steal_victim_init (&self->serving);
  steal_accepting_init (&self->accepting);
  steal_batches_init (&self->batches);
  steal_feeding_init (&self->feeding);
  steal_by_cluster_init (&self->by_cluster);
  self->losses = steal_losses_new ();
  self->rooted = steal_lineage_new (TRUE);
  self->rootless = steal_lineage_new (FALSE);
  steal_imports_init (&self->imports, self->rootless);
  steal_policy_init (self, policy_ops, policy);
  satin_peers_set_message_func (peers, SATIN_CHANNEL_STEAL, on_message, self);
  self->change_id = satin_peers_add_change_func (peers, on_change, self);
  return self;
}

void
steal_free (Steal *self)
{
  if (self == NULL)
    return;
  satin_peers_set_message_func (self->peers, SATIN_CHANNEL_STEAL, NULL, NULL);
  satin_peers_remove_change_func (self->peers, self->change_id);
  steal_thief_free (self);
  steal_returning_free (self);
  steal_abort_free (self);
  steal_victim_free (self);
  steal_accepting_free (self);
  steal_batches_free (self);
  steal_by_cluster_done (&self->by_cluster);
  steal_losses_free (self);
  satin_loop_timer_cancel (self->loop, &self->to_self.timer);
  g_queue_clear_full (&self->to_self.messages, (GDestroyNotify)g_bytes_unref);
  satin_warnings_clear (&self->warnings);
  steal_feeding_free (&self->feeding);
  steal_exports_free (&self->exports);
  steal_imports_free (&self->imports);
  g_bytes_unref (self->rooted);
  g_bytes_unref (self->rootless);
  steal_policy_free (self);
  g_free (self);
}

void
steal_hungry (Steal *self)
{
  steal_consider (self);
}

void
steal_quiet (Steal *self)
{
  self->is_quiet = TRUE;
}

void
steal_figures (Steal *self, SatinFigureFunc add, gpointer user_data)
{
  add ("steals.remote-tried", self->asking.n_tried, user_data);
  add ("steals.remote", self->asking.n_won, user_data);
  add ("steals.near", self->asking.n_won - self->asking.n_won_far, user_data);
  add ("steals.far", self->asking.n_won_far, user_data);
  add ("steals.given", self->serving.n_given, user_data);
  add ("steals.pushed", self->serving.n_pushed, user_data);
  add ("steals.returned", self->serving.n_returned, user_data);
  add ("steals.results", self->accepting.n_results, user_data);
  add ("comm-us", self->asking.waited_us, user_data);
  steal_overdue_figures (self, add, user_data);
  steal_by_cluster_figures (self, add, user_data);
  steal_durations_figures (self, add, user_data);
  add ("steals.aborted", self->aborts.n, user_data);
  steal_losses_figures (self, add, user_data);
}

guint
steal_count_exported (const Steal *self)
{
  return self->exports.n;
}

guint
steal_count_held (const Steal *self)
{
  return self->imports.all.length;
}
