/* ft.c - recovery and checkpoint as one object: calls of the core, messages, changes of the view
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint/checkpoint.h"

/* The grace of a lost job contains this many times the largest latency. */
#define GRACE_LATENCIES 4

SatinNodeId
ft_self (SatinFt *self)
{
  const SatinView *view = self->peers != NULL ? satin_peers_get_view (self->peers) : NULL;
  return view != NULL ? view->self : 0;
}

/* Whether no master was lost yet. */
gboolean
ft_is_first_term (SatinFt *self)
{
  const SatinView *view = self->peers != NULL ? satin_peers_get_view (self->peers) : NULL;
  return view != NULL && view->term <= 1;
}

Whereabouts
ft_look_for (SatinFt *self, SatinNodeId id)
{
  const SatinView *view = self->peers != NULL ? satin_peers_get_view (self->peers) : NULL;
  if (view == NULL || id == 0 || g_hash_table_contains (self->gone, GUINT_TO_POINTER (id)))
    return PEER_GONE;
  if (id == view->self || satin_view_find (view, id) != NULL)
    return PEER_HERE;
  if (!satin_peers_meet (self->peers, id))
    return PEER_GONE;
  satin_loop_probe (self->loop, "ft.stranger");
  return PEER_ASKED;
}

/* Whether @id is a member, maybe this node, and has not said that it leaves. */
gboolean
ft_is_staying (SatinFt *self, SatinNodeId id)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  const SatinPeer *peer = satin_view_find (view, id);
  return id == view->self ? !view->is_leaving : peer != NULL && !peer->is_leaving;
}

/* Sends a message. If it cannot be sent, it is lost. That does no harm: holders announce their
 * orphans again, and learn then which orphans are unwanted; stored results are announced again when
 * a link breaks; and a result that is missing in a table of results is computed. */
void
ft_send (SatinFt *self, SatinNodeId to, FtKind kind, const SatinRecord *record, gconstpointer data)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 head = kind;
  g_byte_array_append (bytes, &head, 1);
  satin_record_encode (record, data, bytes);
  self->n_messages++;
  self->n_sent_bytes += bytes->len;
  g_autoptr (GBytes) message = g_byte_array_free_to_bytes (bytes);
  satin_peers_send (self->peers, to, SATIN_CHANNEL_RECOVERY, message);
}

static void
take (SatinFt *self, SatinNodeId from, FtKind kind, gconstpointer data)
{
  switch (kind)
    {
    case FT_ANNOUNCE:
      ft_on_announce (self, data);
      break;
    case FT_UNWANTED:
      ft_on_unwanted (self, data);
      break;
    case FT_ELSEWHERE:
      ft_on_elsewhere (self, from, data);
      break;
    case FT_RESULTS:
      ft_on_results (self, data);
      break;
    case FT_ASK:
      ft_on_ask (self, from, data);
      break;
    }
}

static void
on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  static const SatinRecord *const records[] = {
    [FT_ANNOUNCE] = &FtAnnounce_record, [FT_UNWANTED] = &FtNames_record,
    [FT_ELSEWHERE] = &FtNames_record,   [FT_RESULTS] = &FtResults_record,
    [FT_ASK] = &FtAsk_record,
  };
  SatinFt *self = user_data;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint8 kind = n_bytes > 0 ? bytes[0] : 0;
  if (kind == 0 || kind >= G_N_ELEMENTS (records))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from,
                          "recovery message of unknown kind %u dropped", kind);
      return;
    }
  union
  {
    FtAnnounce announce;
    FtNames names;
    FtResults results;
    FtAsk ask;
  } data;
  g_autoptr (GError) error = NULL;
  if (!satin_record_decode (records[kind], bytes + 1, n_bytes - 1, &data, &error))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from, "recovery message dropped: %s",
                          error->message);
      return;
    }
  take (self, from, kind, &data);
  satin_record_clear (records[kind], &data);
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  SatinFt *self = user_data;
  switch (change)
    {
    case SATIN_PEER_LEFT:
    case SATIN_PEER_DIED:
    case SATIN_PEER_UNKNOWN:
      if (change != SATIN_PEER_UNKNOWN)
        ft_node_gone (self, change, id);
      if (satin_peers_get_view (self->peers)->is_partial)
        g_hash_table_add (self->gone, GUINT_TO_POINTER (id));
      ft_forget_holder (self, id);
      ft_orphans_moved (self);
      ft_orphans_place_again (self);
      break;
    case SATIN_PEER_MASTER:
    case SATIN_PEER_LEAVING:
    case SATIN_PEER_JOINED:
      ft_orphans_moved (self);
      break;
    case SATIN_PEER_LINK_BROKEN:
      ft_orphans_link_broken (self, id);
      break;
    }
}

/* ---- calls of the core ---- */

void
ft_attach (SatinRecovery *recovery, const SatinRecoveryHost *host_ops, gpointer host)
{
  SatinFt *self = (SatinFt *)recovery;
  self->host_ops = host_ops;
  self->host = host;
}

/* Computes the grace of a lost job: long enough for other nodes to hear of the loss and to announce
 * their orphans. */
gint64
ft_grace_us (SatinRecovery *recovery)
{
  SatinFt *self = (SatinFt *)recovery;
  if (self->options.strategy == SATIN_FT_NAIVE)
    return 0;
  const SatinView *view = satin_peers_get_view (self->peers);
  gint64 latency_us = 0;
  for (guint i = 0; i < view->n_peers; i++)
    latency_us = MAX (latency_us, view->peers[i].latency_us);
  return self->options.grace_us + GRACE_LATENCIES * latency_us;
}

/* Sets how many bytes of backups (results that this node keeps in case the master is lost) there
 * may be: the room that the results of orphans leave; none with the naive strategy. */
void
ft_update_backup_bytes (SatinFt *self)
{
  gboolean is_full =
      self->options.strategy == SATIN_FT_NAIVE || self->kept_bytes > self->options.max_bytes;
  self->recovery.backup_bytes = is_full ? 0 : self->options.max_bytes - self->kept_bytes;
}

static void
look (gpointer hints, const SatinChild *child, SatinLook *ret_look)
{
  if (child != NULL)
    {
      hints_look (hints, child, ret_look);
      return;
    }
  hints_look_self (hints, ret_look);
  if (ret_look->kind == SATIN_LOOK_HELD)
    ft_job_found (hints_get_user_data (hints), hints);
}

static void
tell (gpointer hints, SatinAgain what, gint64 value)
{
  switch (what)
    {
    case SATIN_AGAIN_QUEUED:
      ft_job_queued (hints_get_user_data (hints), hints);
      break;
    case SATIN_AGAIN_RAN:
      hints_add_ran (hints, value);
      break;
    case SATIN_AGAIN_RETURNED:
      hints_set_exported (hints, 0, 0, 0);
      break;
    case SATIN_AGAIN_GIVEN_BACK:
      hints_note_given_back (hints);
      break;
    }
}

static void
unref (gpointer hints)
{
  hints_end (hints);
}

/* ---- calls for the checkpoint ---- */

gint64
ft_root_wait_us (SatinRecovery *recovery, SatinRootPhase phase, GError **error)
{
  const SatinFt *self = (const SatinFt *)recovery;
  if (self->client == NULL)
    return 0;
  if (phase == SATIN_ROOT_BEGINS)
    return election_root_wait_us (self->client->election, error);
  return checkpoint_client_root_over_us (self->client, phase == SATIN_ROOT_ENDED);
}

static void
finished (SatinRecovery *recovery, const SatinFinished *job)
{
  const SatinFt *self = (const SatinFt *)recovery;
  if (self->client != NULL)
    sender_finished (self->client->sender, job);
}

void
ft_walked (SatinRecovery *recovery, gboolean is_end)
{
  const SatinFt *self = (const SatinFt *)recovery;
  if (self->client != NULL)
    sender_walked (self->client->sender, is_end);
}

gboolean
ft_fetch (SatinRecovery *recovery, const SatinJobRef *ref, guint64 import_id)
{
  SatinFt *self = (SatinFt *)recovery;
  return self->client != NULL && self->client->writing != NULL && ft_take_stored (self, ref)
         && coordinator_fetch (self->client->writing, ref->generation, import_id);
}

void
ft_input (SatinRecovery *recovery, const char *name, const guint8 *digest, SatinInputFunc done,
          gpointer user_data)
{
  const SatinFt *self = (const SatinFt *)recovery;
  if (self->client != NULL)
    inputs_name (self->client->inputs, name, digest, done, user_data);
  else
    done (NULL, user_data);
}

static const SatinRecoveryOps recovery_ops = {
  .struct_size = sizeof (SatinRecoveryOps),
  .attach = ft_attach,
  .grace_us = ft_grace_us,
  .lost = ft_lost,
  .root = ft_root,
  .root_wait_us = ft_root_wait_us,
  .pack = ft_pack,
  .unpack = ft_unpack,
  .unref = unref,
  .look = look,
  .tell = tell,
  .orphan = ft_orphan,
  .finished = finished,
  .walked = ft_walked,
  .fetch = ft_fetch,
  .input = ft_input,
};

/* ---- making ---- */

SatinFt *
satin_ft_new (SatinLoop *loop, const SatinFtOptions *options)
{
  g_return_val_if_fail (options->grace_us >= 0, NULL);
  g_return_val_if_fail (options->checkpoint == NULL || options->strategy != SATIN_FT_RESULT_TABLE,
                        NULL);
  SatinFt *self = g_new0 (SatinFt, 1);
  self->recovery =
      (SatinRecovery){ .ops = &recovery_ops, .stores_results = options->checkpoint != NULL };
  self->loop = loop;
  self->options = *options;
  self->gone = g_hash_table_new (NULL, NULL);
  self->orphans = ft_orphans_new ();
  self->known = ft_known_new ();
  self->losses = g_array_new (FALSE, FALSE, sizeof (Loss));
  self->lost_jobs = g_array_new (FALSE, FALSE, sizeof (LostJob));
  self->moved = g_array_new (FALSE, FALSE, sizeof (Moved));
  self->passed = ft_passed_new ();
  self->book = hintbook_new (loop, ft_tree_ended, self);
  if (options->checkpoint != NULL)
    self->client = checkpoint_client_new (self, options->checkpoint);
  self->options.checkpoint = NULL; /* borrowed for this call only */
  ft_update_backup_bytes (self);
  if (options->strategy != SATIN_FT_RESULT_TABLE)
    return self;
  /* Backups of a lost master go into the table, so they may be as large as the table. */
  self->recovery = (SatinRecovery){
    .ops = &ft_results_ops, .has_all = TRUE, .wants_jobs = TRUE, .backup_bytes = options->max_bytes
  };
  self->table = result_table_new (options->max_bytes);
  self->untold = ft_untold_new ();
  return self;
}

void
satin_ft_convert_results (SatinFt *self)
{
  g_return_if_fail (self != NULL);
  if (self->client != NULL)
    self->client->is_converting = TRUE;
}

void
satin_ft_set_peers (SatinFt *self, SatinPeers *peers)
{
  if (self->peers != NULL)
    {
      satin_peers_set_message_func (self->peers, SATIN_CHANNEL_RECOVERY, NULL, NULL);
      satin_peers_remove_change_func (self->peers, self->change_id);
    }
  self->peers = peers;
  if (peers != NULL)
    {
      self->since_us = satin_loop_now_us (self->loop);
      satin_peers_set_message_func (peers, SATIN_CHANNEL_RECOVERY, on_message, self);
      self->change_id = satin_peers_add_change_func (peers, on_change, self);
    }
  if (self->client != NULL)
    checkpoint_client_set_peers (self->client, peers);
}

void
satin_ft_set_run (SatinFt *self, SatinRun *run)
{
  if (self->client != NULL)
    checkpoint_client_set_run (self->client, run);
}

void
satin_ft_free (SatinFt *self)
{
  if (self == NULL)
    return;
  satin_ft_set_peers (self, NULL);
  checkpoint_client_free (self->client);
  ft_orphans_free (self);
  ft_restart_free (self);
  g_hash_table_unref (self->gone);
  ft_losses_free (self);
  ft_results_free (self);
  satin_warnings_clear (&self->warnings);
  g_free (self);
}

SatinRecovery *
satin_ft_get_recovery (SatinFt *self)
{
  return &self->recovery;
}

SatinObjectStore *
satin_ft_get_object_store (SatinFt *self)
{
  return self->client != NULL ? &self->client->object_store : NULL;
}

void
satin_ft_figures (SatinFt *self, SatinFigureFunc add, gpointer user_data)
{
  add ("ft.announced", self->n_announced, user_data);
  add ("ft.hints", self->n_hints, user_data);
  add ("ft.messages", self->n_messages, user_data);
  add ("ft.bytes", self->n_sent_bytes, user_data);
  add ("ft.unwanted", self->n_unwanted, user_data);
  add ("ft.dropped", self->n_dropped, user_data);
  add ("ft.kept-bytes", (gint64)self->kept_bytes, user_data);
  add ("ft.orphan-bytes", self->n_orphan_bytes, user_data);
  add ("ft.losses", self->n_losses, user_data);
  add ("ft.found", self->n_found, user_data);
  add ("ft.queued-us", self->queued_us, user_data);
  add ("ft.done-us", self->done_us, user_data);
  add ("ft.again-us", self->again_us, user_data);
  if (self->client != NULL)
    checkpoint_client_figures (self->client, add, user_data);
  if (self->table == NULL)
    return;
  TableFigures figures = result_table_get_figures (self->table);
  add ("ft.table-told", self->n_results, user_data);
  add ("ft.table-found", figures.n_found, user_data);
  add ("ft.table-evicted", figures.n_evicted, user_data);
  add ("ft.table", figures.n_entries, user_data);
  add ("ft.table-bytes", (gint64)figures.n_bytes, user_data);
}

void
satin_ft_waits (SatinFt *self, SatinWaitFunc add, gpointer user_data)
{
  SatinWait orphans = { .what = "somebody who wants orphans", .deadline = self->again_timer };
  SatinWait answer = { .what = "what others have in their tables", .deadline = self->answer_timer };
  if (self->orphans->len > 0)
    add (&orphans, user_data);
  if (self->client != NULL)
    checkpoint_client_waits (self->client, add, user_data);
  if (self->answer_timer != 0)
    add (&answer, user_data);
}
