/* messages.c - sends and receives the messages of the checkpoint, and obeys the master's orders
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator.h"

#include <string.h>

/* With this many coordinators whose threads hang in a storage, a node is not a candidate. */
#define ENDING_MAX 4

static void
take_own (gpointer user_data)
{
  CheckpointClient *self = user_data;
  self->self_timer = 0;
  for (guint n = self->to_self.length; n > 0 && self->peers != NULL; n--)
    {
      g_autoptr (GBytes) message = g_queue_pop_head (&self->to_self);
      checkpoint_client_on_message (checkpoint_client_self (self), message, self);
    }
  if (!g_queue_is_empty (&self->to_self) && self->self_timer == 0)
    self->self_timer = satin_loop_timer_add (self->loop, 0, take_own, self);
}

/* ---- orders of a master ---- */

/* The most orders that wait for a master of which this node has not heard yet. */
#define EARLY_MAX 8

typedef struct
{
  SatinNodeId from;
  GBytes *payload; /* (owned) */
} EarlyOrder;

static void
early_free (gpointer data)
{
  EarlyOrder *self = data;
  g_bytes_unref (self->payload);
  g_free (self);
}

CheckpointOrderMessage
checkpoint_client_order (CheckpointClient *self, gint64 number)
{
  return (CheckpointOrderMessage){ .number = number,
                                   .term = (gint64)satin_peers_get_view (self->peers)->term,
                                   .run = self->id,
                                   .n_run = self->has_id ? ID_BYTES : 0 };
}

/* Whether @order comes from the master of the current term. An order of a later term waits until
 * this node hears of the master of that term. An order of an earlier term comes from a deposed
 * master, which may not know yet that it is deposed; it is ignored. */
static gboolean
must_obey (CheckpointClient *self, SatinNodeId from, const CheckpointOrderMessage *order,
           GBytes *payload)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  guint64 term = (guint64)order->term;
  if (term == view->term && from == view->master)
    return TRUE;
  if (term > view->term)
    {
      EarlyOrder *early = g_new0 (EarlyOrder, 1);
      early->from = from;
      early->payload = g_bytes_ref (payload);
      g_queue_push_tail (&self->early, early);
      if (self->early.length > EARLY_MAX)
        early_free (g_queue_pop_head (&self->early));
    }
  return FALSE;
}

void
checkpoint_client_take_early (CheckpointClient *self)
{
  for (guint n = self->early.length; n > 0; n--)
    {
      EarlyOrder *early = g_queue_pop_head (&self->early);
      checkpoint_client_on_message (early->from, early->payload, self);
      early_free (early);
    }
}

void
checkpoint_client_drop_early (CheckpointClient *self)
{
  g_queue_clear_full (&self->early, early_free);
}

/* ---- sending ---- */

gint32
checkpoint_client_code_of (const GError *error)
{
  if (error == NULL)
    return -1;
  return error->domain == SATIN_ERROR && error->code >= 0 ? error->code : SATIN_ERROR_IO;
}

/* Sends a message, maybe to this node itself. If a message is lost, the node that needs the answer
 * sends the message again, or stops waiting after some time. */
void
checkpoint_client_send (CheckpointClient *self, SatinNodeId to, CheckpointMessageKind kind,
                        const SatinRecord *record, gconstpointer data)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 head = (guint8)kind;
  g_byte_array_append (bytes, &head, 1);
  satin_record_encode (record, data, bytes);
  GBytes *message = g_byte_array_free_to_bytes (bytes);
  if (to == checkpoint_client_self (self))
    {
      g_queue_push_tail (&self->to_self, message);
      if (self->self_timer == 0)
        self->self_timer = satin_loop_timer_add (self->loop, 0, take_own, self);
      return;
    }
  satin_peers_send (self->peers, to, SATIN_CHANNEL_CHECKPOINT, message);
  g_bytes_unref (message);
}

static void
on_ended (gpointer user_data)
{
  Coordinator *ended = user_data;
  g_ptr_array_remove (ended->client->ending, ended);
  coordinator_free (ended, 0);
}

static void
end_writing (CheckpointClient *self)
{
  Coordinator *writing = g_steal_pointer (&self->writing);
  if (writing == NULL)
    return;
  g_ptr_array_add (self->ending, writing);
  coordinator_end (writing, on_ended, writing);
}

void
checkpoint_client_set_coordinator (CheckpointClient *self, SatinNodeId id, const guint8 *run,
                                   gsize n_run)
{
  if (n_run == ID_BYTES)
    {
      memmove (self->id, run, ID_BYTES);
      self->has_id = TRUE;
    }
  if (id != 0 && id != checkpoint_client_self (self) && ft_look_for (self->ft, id) != PEER_HERE)
    id = 0; /* not in the view yet, or not any more: this node will ask the master again */
  gboolean has_changed = id != self->coordinator;
  self->coordinator = id;
  gboolean is_other = id != 0 && id != checkpoint_client_self (self);
  if (is_other)
    end_writing (self);
  if (has_changed)
    {
      self->is_removing = FALSE;
      sender_coordinator_changed (self->sender);
      inputs_coordinator_changed (self->inputs);
    }
}

void
checkpoint_client_resign (CheckpointClient *self)
{
  end_writing (self);
  if (self->coordinator == checkpoint_client_self (self))
    checkpoint_client_set_coordinator (self, 0, NULL, 0);
}

/* Returns: (nullable): this node's coordinator, made if needed; %NULL with @error when it gets no
 * thread, or when too many earlier ones have not ended yet */
static Coordinator *
get_coordinator (CheckpointClient *self, GError **error)
{
  if (self->writing == NULL && self->ending->len >= ENDING_MAX)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                 "%d attempts to use its storage have not ended yet", ENDING_MAX);
  else if (self->writing == NULL)
    self->writing = coordinator_new (self, error);
  return self->writing;
}

/* Handles IS. Ignores the IS of an earlier master, which may name an earlier coordinator. */
static void
on_is (CheckpointClient *self, SatinNodeId from, const CheckpointWhoMessage *message)
{
  if (from == satin_peers_get_view (self->peers)->master)
    checkpoint_client_set_coordinator (self, (SatinNodeId)message->node, message->run,
                                       message->n_run);
}

static void
on_time (CheckpointClient *self, SatinNodeId from, const CheckpointOrderMessage *message)
{
  g_autoptr (GError) error = NULL;
  Coordinator *coordinator = get_coordinator (self, &error);
  if (coordinator != NULL)
    {
      coordinator_time (coordinator, from, message->number);
      return;
    }
  CheckpointTimedMessage timed = { .number = message->number,
                                   .code = checkpoint_client_code_of (error),
                                   .message = error->message };
  checkpoint_client_send (self, from, CHECKPOINT_MESSAGE_TIMED, &CheckpointTimedMessage_record,
                          &timed);
}

static void
on_be (CheckpointClient *self, SatinNodeId from, const CheckpointBeMessage *message)
{
  Coordinator *coordinator = get_coordinator (self, NULL);
  if (coordinator == NULL || message->order.n_run != ID_BYTES)
    return;
  memcpy (self->id, message->order.run, ID_BYTES);
  self->has_id = TRUE;
  coordinator_be (coordinator, from, message);
}

static void
on_remove (CheckpointClient *self, SatinNodeId from, const CheckpointOrderMessage *message)
{
  if (self->writing != NULL && message->n_run == ID_BYTES
      && memcmp (message->run, self->id, ID_BYTES) == 0)
    coordinator_remove (self->writing, from, message->term);
}

static void
on_store (CheckpointClient *self, SatinNodeId from, CheckpointStoreMessage *message)
{
  gboolean is_mine = self->writing != NULL && coordinator_is_open (self->writing)
                     && !satin_peers_get_view (self->peers)->is_leaving;
  if (is_mine)
    {
      coordinator_on_store (self->writing, from, message);
      return;
    }
  CheckpointStoredMessage stored = { .number = message->number, .verdict = VERDICT_NOT_ME };
  checkpoint_client_send (self, from, CHECKPOINT_MESSAGE_STORED, &CheckpointStoredMessage_record,
                          &stored);
}

static void
on_removed (CheckpointClient *self, const CheckpointStateMessage *state)
{
  if (state->code >= 0)
    g_warning ("checkpoint %s: the run is over, but its logs could not be removed: %s", self->uri,
               state->message);
  self->is_removed = TRUE;
}

static void
take (CheckpointClient *self, SatinNodeId from, CheckpointMessageKind kind, gpointer data)
{
  switch (kind)
    {
    case CHECKPOINT_MESSAGE_WHO:
      election_on_who (self->election, from,
                       (SatinNodeId)((CheckpointNumberMessage *)data)->number);
      break;
    case CHECKPOINT_MESSAGE_IS:
      on_is (self, from, data);
      break;
    case CHECKPOINT_MESSAGE_TIME:
      on_time (self, from, data);
      break;
    case CHECKPOINT_MESSAGE_TIMED:
      election_on_timed (self->election, from, data);
      break;
    case CHECKPOINT_MESSAGE_BE:
      on_be (self, from, data);
      break;
    case CHECKPOINT_MESSAGE_READY:
      election_on_ready (self->election, from, data);
      break;
    case CHECKPOINT_MESSAGE_AM:
      election_on_am (self->election, from, data);
      break;
    case CHECKPOINT_MESSAGE_STORE:
      on_store (self, from, data);
      break;
    case CHECKPOINT_MESSAGE_STORED:
      sender_on_stored (self->sender, from, data);
      break;
    case CHECKPOINT_MESSAGE_REMOVE:
      on_remove (self, from, data);
      break;
    case CHECKPOINT_MESSAGE_REMOVED:
      on_removed (self, data);
      break;
    case CHECKPOINT_MESSAGE_STOPPED:
      checkpoint_client_on_stopped (self, from, data);
      break;
    case CHECKPOINT_MESSAGE_OBJECT:
      checkpoint_client_on_object (self, data);
      break;
    case CHECKPOINT_MESSAGE_INPUT:
      if (self->writing != NULL)
        coordinator_on_input (self->writing, from, data);
      break;
    case CHECKPOINT_MESSAGE_INPUT_IS:
      inputs_on_answer (self->inputs, data);
      break;
    }
}

void
checkpoint_client_on_message (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  static const SatinRecord *const records[] = {
    [CHECKPOINT_MESSAGE_WHO] = &CheckpointNumberMessage_record,
    [CHECKPOINT_MESSAGE_IS] = &CheckpointWhoMessage_record,
    [CHECKPOINT_MESSAGE_TIME] = &CheckpointOrderMessage_record,
    [CHECKPOINT_MESSAGE_TIMED] = &CheckpointTimedMessage_record,
    [CHECKPOINT_MESSAGE_BE] = &CheckpointBeMessage_record,
    [CHECKPOINT_MESSAGE_READY] = &CheckpointStateMessage_record,
    [CHECKPOINT_MESSAGE_AM] = &CheckpointWhoMessage_record,
    [CHECKPOINT_MESSAGE_STORE] = &CheckpointStoreMessage_record,
    [CHECKPOINT_MESSAGE_STORED] = &CheckpointStoredMessage_record,
    [CHECKPOINT_MESSAGE_REMOVE] = &CheckpointOrderMessage_record,
    [CHECKPOINT_MESSAGE_REMOVED] = &CheckpointStateMessage_record,
    [CHECKPOINT_MESSAGE_STOPPED] = &CheckpointNumberMessage_record,
    [CHECKPOINT_MESSAGE_OBJECT] = &CheckpointObjectMessage_record,
    [CHECKPOINT_MESSAGE_INPUT] = &CheckpointInputMessage_record,
    [CHECKPOINT_MESSAGE_INPUT_IS] = &CheckpointToldMessage_record,
  };
  CheckpointClient *self = user_data;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint8 kind = n_bytes > 0 ? bytes[0] : 0;
  if (kind == 0 || kind >= G_N_ELEMENTS (records))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from,
                          "checkpoint message of unknown kind %u dropped", kind);
      return;
    }
  union
  {
    CheckpointNumberMessage number;
    CheckpointOrderMessage order;
    CheckpointWhoMessage who;
    CheckpointTimedMessage timed;
    CheckpointStateMessage state;
    CheckpointStoredMessage stored;
    CheckpointStoreMessage store;
    CheckpointObjectMessage object;
    CheckpointBeMessage be;
    CheckpointInputMessage input;
    CheckpointToldMessage told;
  } data;
  g_autoptr (GError) error = NULL;
  if (!satin_record_decode (records[kind], bytes + 1, n_bytes - 1, &data, &error))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from, "checkpoint message dropped: %s",
                          error->message);
      return;
    }
  const CheckpointOrderMessage *order = kind == CHECKPOINT_MESSAGE_BE ? &data.be.order
                                        : records[kind] == &CheckpointOrderMessage_record
                                            ? &data.order
                                            : NULL;
  if (order == NULL || must_obey (self, from, order, payload))
    take (self, from, kind, &data);
  satin_record_clear (records[kind], &data);
}
