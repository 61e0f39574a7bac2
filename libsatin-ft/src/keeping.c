/* keeping.c - a run's checkpoint, as each node sees it: messages, changes, beginning and end
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "keeping.h"

#include <string.h>

/* How long the end of a run may wait until its checkpoint is removed. */
#define REMOVE_US ((gint64)10000000)
/* How often the end asks. */
#define END_US ((gint64)5000)
/* How often a node says that it has stored all. */
#define STOPPED_US ((gint64)1000000)

SatinNodeId
keeping_self (Keeping *self)
{
  return satin_peers_get_view (self->peers)->self;
}

gboolean
keeping_is_master (Keeping *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  return view->master != 0 && view->master == view->self;
}

void
keeping_fill_head (Keeping *self, SatinCheckpointHead *ret_head)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  *ret_head = (SatinCheckpointHead){
    .version = SATIN_CHECKPOINT_VERSION,
    .run = self->id,
    .n_run = ID_BYTES,
    .program = self->program->digest,
    .n_program = sizeof self->program->digest,
    .root = self->program->root,
    .n_root = sizeof self->program->root,
    .name = self->program->name,
    .arguments = self->program->arguments,
    .term = (gint32)view->term,
    .node = (gint32)view->self,
    .made_us = self->made_us,
  };
}

/* ---- messages ---- */

static void on_message (SatinNodeId from, GBytes *payload, gpointer user_data);

static void
take_own (gpointer user_data)
{
  Keeping *self = user_data;
  self->self_timer = 0;
  for (guint n = self->to_self.length; n > 0 && self->peers != NULL; n--)
    {
      g_autoptr (GBytes) message = g_queue_pop_head (&self->to_self);
      on_message (keeping_self (self), message, self);
    }
  if (!g_queue_is_empty (&self->to_self) && self->self_timer == 0)
    self->self_timer = satin_loop_timer_add (self->loop, 0, take_own, self);
}

/* One that is lost is said again by who needs an answer. */
void
keeping_send (Keeping *self, SatinNodeId to, KeepingKind kind, const SatinRecord *record,
              gconstpointer data)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 head = (guint8)kind;
  g_byte_array_append (bytes, &head, 1);
  satin_record_encode (record, data, bytes);
  GBytes *message = g_byte_array_free_to_bytes (bytes);
  if (to == keeping_self (self))
    {
      g_queue_push_tail (&self->to_self, message);
      if (self->self_timer == 0)
        self->self_timer = satin_loop_timer_add (self->loop, 0, take_own, self);
      return;
    }
  satin_peers_send (self->peers, to, SATIN_CHANNEL_CHECKPOINT, message);
  g_bytes_unref (message);
}

void
keeping_set_coordinator (Keeping *self, SatinNodeId id, const guint8 *run, gsize n_run)
{
  if (n_run == ID_BYTES)
    {
      memmove (self->id, run, ID_BYTES);
      self->has_id = TRUE;
    }
  if (id != 0 && id != keeping_self (self) && ft_look_for (self->ft, id) != PEER_HERE)
    id = 0; /* not yet, or not any more: it is asked again */
  gboolean has_changed = id != self->coordinator;
  self->coordinator = id;
  gboolean is_other = id != 0 && id != keeping_self (self);
  if (is_other)
    g_clear_pointer (&self->writing, coordinator_free);
  if (has_changed)
    sender_coordinator_changed (self->sender);
}

/* Returns: (nullable): %NULL when there is no thread for it */
static Coordinator *
get_coordinator (Keeping *self, GError **error)
{
  if (self->writing == NULL)
    self->writing = coordinator_new (self, error);
  return self->writing;
}

/* One that was the master before may name another. */
static void
on_is (Keeping *self, SatinNodeId from, const KeepingWho *message)
{
  if (from == satin_peers_get_view (self->peers)->master)
    keeping_set_coordinator (self, (SatinNodeId)message->node, message->run, message->n_run);
}

static void
on_time (Keeping *self, SatinNodeId from, const KeepingNumber *message)
{
  g_autoptr (GError) error = NULL;
  Coordinator *coordinator = get_coordinator (self, &error);
  if (coordinator != NULL)
    {
      coordinator_time (coordinator, from, message->number);
      return;
    }
  KeepingTimed timed = { .number = message->number,
                         .code = error->code,
                         .message = error->message };
  keeping_send (self, from, KEEPING_TIMED, &KeepingTimed_record, &timed);
}

static void
on_be (Keeping *self, SatinNodeId from, const KeepingWho *message)
{
  Coordinator *coordinator = get_coordinator (self, NULL);
  if (coordinator == NULL || message->n_run != ID_BYTES)
    return;
  memcpy (self->id, message->run, ID_BYTES);
  self->has_id = TRUE;
  coordinator_be (coordinator, from, message->node);
}

static void
on_store (Keeping *self, SatinNodeId from, KeepingStore *message)
{
  gboolean is_mine = self->writing != NULL && coordinator_is_open (self->writing)
                     && !satin_peers_get_view (self->peers)->is_leaving;
  if (is_mine)
    {
      coordinator_on_store (self->writing, from, message);
      return;
    }
  KeepingStored stored = { .number = message->number, .verdict = VERDICT_NOT_ME };
  keeping_send (self, from, KEEPING_STORED, &KeepingStored_record, &stored);
}

static void
on_removed (Keeping *self, const KeepingState *state)
{
  if (state->code >= 0)
    g_warning ("checkpoint %s: the run is over, but its logs could not be removed: %s", self->uri,
               state->message);
  self->is_removed = TRUE;
}

static void on_stopped (Keeping *self, SatinNodeId from, const KeepingNumber *message);

static void
take (Keeping *self, SatinNodeId from, KeepingKind kind, gpointer data)
{
  switch (kind)
    {
    case KEEPING_WHO:
      election_on_who (self->election, from, (SatinNodeId)((KeepingNumber *)data)->number);
      break;
    case KEEPING_IS:
      on_is (self, from, data);
      break;
    case KEEPING_TIME:
      on_time (self, from, data);
      break;
    case KEEPING_TIMED:
      election_on_timed (self->election, from, data);
      break;
    case KEEPING_BE:
      on_be (self, from, data);
      break;
    case KEEPING_READY:
      election_on_ready (self->election, from, data);
      break;
    case KEEPING_AM:
      election_on_am (self->election, from, data);
      break;
    case KEEPING_STORE:
      on_store (self, from, data);
      break;
    case KEEPING_STORED:
      sender_on_stored (self->sender, from, data);
      break;
    case KEEPING_REMOVE:
      if (self->writing != NULL)
        coordinator_remove (self->writing, from);
      break;
    case KEEPING_REMOVED:
      on_removed (self, data);
      break;
    case KEEPING_STOPPED:
      on_stopped (self, from, data);
      break;
    case KEEPING_OBJECT:
      keeping_on_object (self, data);
      break;
    }
}

static void
on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  static const SatinRecord *const records[] = {
    [KEEPING_WHO] = &KeepingNumber_record,    [KEEPING_IS] = &KeepingWho_record,
    [KEEPING_TIME] = &KeepingNumber_record,   [KEEPING_TIMED] = &KeepingTimed_record,
    [KEEPING_BE] = &KeepingWho_record,        [KEEPING_READY] = &KeepingState_record,
    [KEEPING_AM] = &KeepingWho_record,        [KEEPING_STORE] = &KeepingStore_record,
    [KEEPING_STORED] = &KeepingStored_record, [KEEPING_REMOVE] = &KeepingNumber_record,
    [KEEPING_REMOVED] = &KeepingState_record, [KEEPING_STOPPED] = &KeepingNumber_record,
    [KEEPING_OBJECT] = &KeepingObject_record,
  };
  Keeping *self = user_data;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint8 kind = n_bytes > 0 ? bytes[0] : 0;
  if (kind == 0 || kind >= G_N_ELEMENTS (records))
    {
      g_warning ("node %u: checkpoint message of unknown kind %u dropped", from, kind);
      return;
    }
  union
  {
    KeepingNumber number;
    KeepingWho who;
    KeepingTimed timed;
    KeepingState state;
    KeepingStored stored;
    KeepingStore store;
    KeepingObject object;
  } data;
  g_autoptr (GError) error = NULL;
  if (!satin_record_decode (records[kind], bytes + 1, n_bytes - 1, &data, &error))
    {
      g_warning ("node %u: checkpoint message dropped: %s", from, error->message);
      return;
    }
  take (self, from, kind, &data);
  satin_record_clear (records[kind], &data);
}

/* ---- who comes and goes ---- */

static void
tell_new_master (Keeping *self, SatinNodeId master)
{
  if (self->writing == NULL || !coordinator_is_open (self->writing))
    return;
  KeepingWho am = { .node = (gint32)keeping_self (self), .run = self->id, .n_run = ID_BYTES };
  if (master != keeping_self (self))
    keeping_send (self, master, KEEPING_AM, &KeepingWho_record, &am);
  coordinator_tell_objects (self->writing, master);
}

static void
node_gone (Keeping *self, SatinNodeId id, gboolean has_died)
{
  if (id == self->coordinator)
    keeping_set_coordinator (self, 0, NULL, 0);
  election_node_gone (self->election, id);
  if (has_died && self->writing != NULL)
    coordinator_node_died (self->writing, id, id == self->master);
  keeping_check_stopped (self);
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  Keeping *self = user_data;
  switch (change)
    {
    case SATIN_PEER_LEFT:
    case SATIN_PEER_UNKNOWN:
      node_gone (self, id, FALSE);
      break;
    case SATIN_PEER_DIED:
      node_gone (self, id, TRUE);
      break;
    case SATIN_PEER_LEAVING:
      if (id == self->coordinator && !self->is_stopping)
        node_gone (self, id, FALSE);
      break;
    case SATIN_PEER_MASTER:
      self->master = id;
      tell_new_master (self, id);
      election_master_changed (self->election);
      break;
    case SATIN_PEER_LINK_BROKEN:
      if (id == self->coordinator)
        sender_coordinator_changed (self->sender);
      break;
    case SATIN_PEER_JOINED:
      break;
    }
}

/* ---- the end ---- */

gint64
keeping_root_over_us (Keeping *self, gboolean is_well)
{
  const KeepingNumber remove = { 0 };
  gint64 now_us = satin_loop_now_us (self->loop);
  self->is_run_over = is_well;
  if (!is_well || self->coordinator == 0 || self->is_removed)
    return 0;
  if (self->removing_since_us == 0)
    {
      self->removing_since_us = now_us;
      keeping_send (self, self->coordinator, KEEPING_REMOVE, &KeepingNumber_record, &remove);
    }
  if (now_us - self->removing_since_us < REMOVE_US)
    return END_US;
  g_warning ("checkpoint %s: the run is over, but its logs could not be removed in time",
             self->uri);
  return 0;
}

/* At the master: ends the run when all have stored what they had. */
void
keeping_check_stopped (Keeping *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  if (!keeping_is_master (self) || !self->is_stopping || self->is_run_over || self->run == NULL)
    return;
  gboolean is_late = satin_loop_now_us (self->loop) >= self->stop_until_us;
  guint n_missing = !g_hash_table_contains (self->stopped, GUINT_TO_POINTER (view->self));
  for (guint i = 0; i < view->n_peers; i++)
    n_missing += !g_hash_table_contains (self->stopped, GUINT_TO_POINTER (view->peers[i].id));
  if (n_missing > 0 && !is_late)
    return;
  g_autofree char *late =
      n_missing > 0 ? g_strdup_printf ("; %u nodes could not store all in time", n_missing) : NULL;
  g_autofree char *message =
      g_strdup_printf ("stopped, its results are in %s; the same program with the same checkpoint "
                       "goes on%s",
                       self->uri, late != NULL ? late : "");
  g_autoptr (GError) error = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_STOPPED, message);
  satin_loop_probe (self->loop, "checkpoint.stopped");
  satin_run_end (self->run, satin_error_exit_status (error), message);
  self->run = NULL;
}

static void stop (Keeping *self, gint64 within_us);

/* A node that came after the word to stop, and was made the master, hears of it so. */
static void
on_stopped (Keeping *self, SatinNodeId from, const KeepingNumber *message)
{
  if (!self->is_stopping)
    {
      satin_loop_probe (self->loop, "checkpoint.stop-missed");
      stop (self, SATIN_LEAVE_DEFAULT_US);
    }
  if (message->number > 0)
    g_hash_table_add (self->stopped, GUINT_TO_POINTER (from));
  keeping_check_stopped (self);
}

/* Some may have missed the word, or come later. */
static void
repeat_stop (Keeping *self)
{
  gint64 left_us = self->stop_until_us - satin_loop_now_us (self->loop);
  const SatinLeave leave = { MAX (left_us, 0) };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  satin_run_signal (self->run, 0, SATIN_SIGNAL_STOP, payload);
}

static void
say_stopped (gpointer user_data)
{
  Keeping *self = user_data;
  const SatinView *view = satin_peers_get_view (self->peers);
  const KeepingNumber stopped = { .number = self->has_sent_all };
  self->stop_timer = satin_loop_timer_add (self->loop, STOPPED_US, say_stopped, self);
  if (view->master != 0)
    keeping_send (self, view->master, KEEPING_STOPPED, &KeepingNumber_record, &stopped);
  if (keeping_is_master (self) && self->run != NULL)
    repeat_stop (self);
  keeping_check_stopped (self);
}

void
keeping_all_sent (Keeping *self)
{
  if (!self->is_stopping || self->has_sent_all)
    return;
  self->has_sent_all = TRUE;
  satin_loop_timer_cancel (self->loop, &self->stop_timer);
  say_stopped (self);
}

static void
stop (Keeping *self, gint64 within_us)
{
  satin_loop_note (self->loop, G_LOG_DOMAIN, "checkpoint: the run is to stop");
  self->is_stopping = TRUE;
  self->stop_until_us = satin_loop_now_us (self->loop) + within_us;
  self->stop_timer = satin_loop_timer_add (self->loop, STOPPED_US, say_stopped, self);
  sender_stop (self->sender);
}

static void
on_signal (const char *word, GBytes *payload, gpointer user_data)
{
  Keeping *self = user_data;
  if (g_str_equal (word, SATIN_SIGNAL_STOP) && !self->is_stopping)
    stop (self, satin_leave_read_deadline_us (payload));
}

/* ---- */

void
keeping_set_run (Keeping *self, SatinRun *run)
{
  static const SatinRunEvents events = { .signal = on_signal };
  if (self->events_run != NULL)
    satin_run_remove_events (self->events_run, self->events_id);
  self->run = self->events_run = run;
  if (run != NULL)
    self->events_id = satin_run_add_events (run, &events, self);
}

void
keeping_set_peers (Keeping *self, SatinPeers *peers)
{
  if (self->peers != NULL)
    {
      satin_peers_set_message_func (self->peers, SATIN_CHANNEL_CHECKPOINT, NULL, NULL);
      satin_peers_remove_change_func (self->peers, self->change_id);
    }
  self->peers = peers;
  if (peers == NULL)
    return;
  satin_peers_set_message_func (peers, SATIN_CHANNEL_CHECKPOINT, on_message, self);
  self->change_id = satin_peers_add_change_func (peers, on_change, self);
  sender_begin (self->sender);
}

Keeping *
keeping_new (SatinFt *ft, const SatinFtCheckpoint *options)
{
  Keeping *self = g_new0 (Keeping, 1);
  self->keeper.ops = &keeping_keeper_ops;
  self->ft = ft;
  self->loop = ft->loop;
  self->thread_ops = satin_workers_get_thread_ops (options->workers);
  self->program = options->program;
  self->uri = g_strdup (options->uri);
  self->storage_params = g_strdup (options->storage_params);
  self->every_us = options->every_us;
  self->max_bytes = options->max_bytes;
  self->made_us = options->made_us;
  self->stopped = g_hash_table_new (NULL, NULL);
  g_queue_init (&self->to_self);
  self->sender = sender_new (self);
  self->election = election_new (self);
  return self;
}

void
keeping_free (Keeping *self)
{
  if (self == NULL)
    return;
  keeping_set_run (self, NULL);
  keeping_set_peers (self, NULL);
  coordinator_free (self->writing);
  election_free (self->election);
  sender_free (self->sender);
  satin_loop_timer_cancel (self->loop, &self->self_timer);
  satin_loop_timer_cancel (self->loop, &self->stop_timer);
  g_queue_clear_full (&self->to_self, (GDestroyNotify)g_bytes_unref);
  g_hash_table_unref (self->stopped);
  g_free (self->uri);
  g_free (self->storage_params);
  g_free (self);
}

void
keeping_figures (const Keeping *self, SatinFigureFunc add, gpointer user_data)
{
  sender_figures (self->sender, add, user_data);
  if (self->writing != NULL)
    coordinator_figures (self->writing, add, user_data);
}

void
keeping_waits (const Keeping *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait stop = { .what = "all to have stored what they have",
                           .deadline = self->stop_timer };
  sender_waits (self->sender, add, user_data);
  election_waits (self->election, add, user_data);
  if (self->writing != NULL)
    coordinator_waits (self->writing, add, user_data);
  if (self->is_stopping)
    add (&stop, user_data);
}
