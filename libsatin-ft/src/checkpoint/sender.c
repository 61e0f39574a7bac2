/* sender.c - sends the results and objects of a node to the coordinator
 *
 * Once in an interval a walk begins: each worker, at its next safe point, names the jobs that it
 * has finished, and the part so names the shared objects that have changed. The results and objects
 * go out in batches, one batch at a time. A batch stays here until it is stored, or until the
 * checkpoint is full. While too much waits, the filter of results lets nothing new pass. A later
 * walk finds again what did not pass. No walk follows the last one, so it takes all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"

#include <string.h>

/* The size at which a batch is full. A single result may be larger. */
#define BATCH_BYTES ((gsize)1 << 20)
/* Larger results do not fit into a message, and are not stored. */
#define RESULT_MAX_BYTES (SATIN_MESSAGE_MAX_BYTES - ((gsize)1 << 20))
/* The most bytes that wait to be stored, before the last walk. */
#define WAITING_MAX_BYTES ((gsize)64 << 20)
/* When a STORE is sent again: without an answer, and after the answer LATER. */
#define AGAIN_US ((gint64)20000000)
#define LATER_US ((gint64)1000000)
/* How often the node asks the master who the coordinator is. */
#define WHO_US ((gint64)500000)
/* How long a walk may wait for a worker in a long job. Then the next walk begins. */
#define WALK_MAX_US ((gint64)600000000)

/* A result that waits to be stored. */
typedef struct
{
  guint8 key[KEY_BYTES];
  const char *task;                /* (static) */
  GBytes *lineage, *path, *result; /* (owned) */
  GBytes *arguments; /* (owned) (nullable): NULL when they are too long to be stored */
} One;

typedef struct
{
  gint64 number;
  GArray *results; /* (owned) of One */
  GArray *objects; /* (owned) of SatinKept, whose pointers are (owned) */
  gsize n_bytes;
  gboolean is_sent; /* it was sent: nothing may be added, because a late STORED would count for the
                     * additions too */
} Batch;

struct _Sender
{
  CheckpointClient *client; /* (borrowed) */
  SentResults *sent;        /* (owned) */
  SatinTimerId walk_timer;
  SatinTimerId send_timer;
  gint64 walk_since_us; /* when the running walk began; 0: none is running */
  GQueue batches;       /* of (owned) Batch, the oldest first; the last one may still grow */
  gsize waiting_bytes;
  gint64 last_number;
  gint64 send_us;       /* nothing is sent before this time */
  SatinNodeId refused;  /* the node that last said that it is not the coordinator; 0: none */
  gboolean is_full;     /* nothing more is stored in this run */
  gboolean is_lost;     /* it is full because another run has taken the folder */
  gboolean is_stopping; /* the last walk has begun */
  gboolean is_last_walk_done;
  gint64 n_results, n_objects, n_bytes, n_stored, n_too_large;
};

static void
one_clear (gpointer data)
{
  One *self = data;
  g_bytes_unref (self->lineage);
  g_bytes_unref (self->path);
  g_clear_pointer (&self->arguments, g_bytes_unref);
  g_bytes_unref (self->result);
}

static void
kept_clear (gpointer data)
{
  SatinKept *self = data;
  g_free ((char *)self->type);
  g_free ((char *)self->name);
  g_bytes_unref (self->state);
}

static void
batch_free (gpointer data)
{
  Batch *self = data;
  g_array_unref (self->objects);
  g_array_unref (self->results);
  g_free (self);
}

static void send_next (gpointer user_data);

static void
send_after (Sender *self, gint64 delay_us)
{
  CheckpointClient *client = self->client;
  satin_loop_timer_cancel (client->loop, &self->send_timer);
  self->send_timer = satin_loop_timer_add (client->loop, MAX (delay_us, 0), send_next, self);
}

static void
send_batch (Sender *self, Batch *batch)
{
  g_autofree CheckpointOneMessage *results = g_new0 (CheckpointOneMessage, batch->results->len);
  g_autofree CheckpointObjectMessage *objects =
      g_new0 (CheckpointObjectMessage, batch->objects->len);
  CheckpointStoreMessage store = { .number = batch->number,
                                   .results = results,
                                   .n_results = batch->results->len,
                                   .objects = objects,
                                   .n_objects = batch->objects->len };
  for (guint i = 0; i < batch->results->len; i++)
    {
      const One *one = &g_array_index (batch->results, One, i);
      results[i] = (CheckpointOneMessage){ .key = one->key, .n_key = KEY_BYTES, .task = one->task };
      results[i].lineage = g_bytes_get_data (one->lineage, &results[i].n_lineage);
      results[i].path = g_bytes_get_data (one->path, &results[i].n_path);
      if (one->arguments != NULL)
        results[i].arguments = g_bytes_get_data (one->arguments, &results[i].n_arguments);
      results[i].result = g_bytes_get_data (one->result, &results[i].n_result);
    }
  for (guint i = 0; i < batch->objects->len; i++)
    {
      const SatinKept *kept = &g_array_index (batch->objects, SatinKept, i);
      objects[i] = (CheckpointObjectMessage){
        .object = kept->object, .type = kept->type, .name = kept->name, .version = kept->version
      };
      objects[i].state = g_bytes_get_data (kept->state, &objects[i].n_state);
    }
  batch->is_sent = TRUE;
  checkpoint_client_send (self->client, self->client->coordinator, CHECKPOINT_MESSAGE_STORE,
                          &CheckpointStoreMessage_record, &store);
}

/* Sends the oldest batch, or asks the master for the coordinator if it is not known. */
static void
send_next (gpointer user_data)
{
  Sender *self = user_data;
  CheckpointClient *client = self->client;
  const SatinView *view = satin_peers_get_view (client->peers);
  Batch *batch = g_queue_peek_head (&self->batches);
  gint64 now_us = satin_loop_now_us (client->loop);
  self->send_timer = 0;
  if (batch == NULL)
    {
      if (self->is_last_walk_done)
        checkpoint_client_all_sent (client);
    }
  else if (client->coordinator == 0)
    {
      const CheckpointNumberMessage who = { .number = self->refused };
      if (view->master != 0)
        checkpoint_client_send (client, view->master, CHECKPOINT_MESSAGE_WHO,
                                &CheckpointNumberMessage_record, &who);
      send_after (self, WHO_US);
    }
  else if (now_us < self->send_us)
    send_after (self, self->send_us - now_us);
  else
    {
      self->send_us = now_us + AGAIN_US;
      send_batch (self, batch);
      send_after (self, AGAIN_US);
    }
}

/* Whether there is room for more waiting results and objects. The last walk gets room for all,
 * which is one frontier at most: the workers have stopped. */
static gboolean
has_room (const Sender *self)
{
  return !self->is_full && (self->is_stopping || self->waiting_bytes <= WAITING_MAX_BYTES);
}

/* Closes the filter while there is no room for more waiting results. Call this function after each
 * change of waiting_bytes, is_full or is_stopping. */
static void
note_waiting (Sender *self)
{
  sent_results_close (self->sent, !has_room (self));
}

static void
drop_oldest (Sender *self)
{
  Batch *batch = g_queue_pop_head (&self->batches);
  self->waiting_bytes -= batch->n_bytes;
  self->send_us = 0;
  batch_free (batch);
  note_waiting (self);
}

void
sender_on_stored (Sender *self, SatinNodeId from, const CheckpointStoredMessage *stored)
{
  CheckpointClient *client = self->client;
  const Batch *batch = g_queue_peek_head (&self->batches);
  if (batch == NULL || from != client->coordinator || batch->number != stored->number)
    return;
  switch ((Verdict)stored->verdict)
    {
    case VERDICT_STORED:
      self->n_stored += batch->results->len;
      drop_oldest (self);
      send_after (self, 0);
      return;
    case VERDICT_LATER:
      satin_loop_probe (client->loop, "checkpoint.put-off");
      self->send_us = satin_loop_now_us (client->loop) + LATER_US;
      send_after (self, LATER_US);
      return;
    case VERDICT_NOT_ME:
      satin_loop_probe (client->loop, "checkpoint.not-me");
      self->refused = from;
      checkpoint_client_set_coordinator (client, 0, NULL, 0);
      return;
    case VERDICT_FULL:
    case VERDICT_LOST:
      satin_loop_probe (client->loop, "checkpoint.full");
      self->is_full = TRUE;
      self->is_lost = stored->verdict == VERDICT_LOST;
      while (!g_queue_is_empty (&self->batches))
        drop_oldest (self);
      note_waiting (self);
      send_after (self, 0);
      return;
    }
}

void
sender_coordinator_changed (Sender *self)
{
  self->send_us = 0;
  if (self->client->coordinator != 0)
    self->refused = 0;
  if (!g_queue_is_empty (&self->batches))
    send_after (self, 0);
}

static Batch *
get_open_batch (Sender *self)
{
  Batch *last = g_queue_peek_tail (&self->batches);
  if (last != NULL && !last->is_sent && last->n_bytes < BATCH_BYTES)
    return last;
  Batch *batch = g_new0 (Batch, 1);
  batch->number = ++self->last_number;
  batch->results = g_array_new (FALSE, FALSE, sizeof (One));
  g_array_set_clear_func (batch->results, one_clear);
  batch->objects = g_array_new (FALSE, FALSE, sizeof (SatinKept));
  g_array_set_clear_func (batch->objects, kept_clear);
  g_queue_push_tail (&self->batches, batch);
  return batch;
}

/* Counts @n_bytes that were added to @batch, and sends soon. */
static void
note_added (Sender *self, Batch *batch, gsize n_bytes)
{
  batch->n_bytes += n_bytes;
  self->waiting_bytes += n_bytes;
  self->n_bytes += (gint64)n_bytes;
  note_waiting (self);
  if (self->send_timer == 0)
    send_after (self, 0);
}

void
sender_finished (Sender *self, const SatinFinished *finished)
{
  if (g_bytes_get_size (finished->result) > RESULT_MAX_BYTES)
    {
      self->n_too_large++;
      return;
    }
  if (self->is_full)
    return;
  One one = {
    .task = finished->task->name,
    .lineage = g_bytes_ref (finished->lineage),
    .path = g_bytes_ref (finished->path),
    .result = g_bytes_ref (finished->result),
  };
  gsize n_arguments = g_bytes_get_size (finished->args);
  if (n_arguments <= SATIN_CHECKPOINT_ARGUMENTS_MAX_BYTES)
    one.arguments = g_bytes_ref (finished->args);
  satin_record_digest_encoded (finished->args, one.task, one.key);
  gsize n_bytes = g_bytes_get_size (one.result) + g_bytes_get_size (one.lineage)
                  + g_bytes_get_size (one.path) + sizeof one
                  + (one.arguments != NULL ? n_arguments : 0);
  Batch *batch = get_open_batch (self);
  g_array_append_val (batch->results, one);
  self->n_results++;
  note_added (self, batch, n_bytes);
}

static void
take_kept (const SatinKept *kept, gpointer user_data)
{
  Sender *self = user_data;
  gsize n_state = g_bytes_get_size (kept->state);
  if (n_state + strlen (kept->name) > RESULT_MAX_BYTES)
    {
      self->n_too_large++;
      return;
    }
  SatinKept copy = *kept;
  copy.type = g_strdup (kept->type);
  copy.name = g_strdup (kept->name);
  copy.state = g_bytes_ref (kept->state);
  Batch *batch = get_open_batch (self);
  g_array_append_val (batch->objects, copy);
  self->n_objects++;
  note_added (self, batch, n_state + sizeof copy);
}

/* Takes the shared objects that have changed. */
static void
take_objects (Sender *self)
{
  if (has_room (self))
    checkpoint_client_pack (self->client, take_kept, self);
}

/* ---- walks ---- */

static void walk (gpointer user_data);

static void
walk_after (Sender *self, gint64 delay_us)
{
  SatinLoop *loop = self->client->loop;
  satin_loop_timer_cancel (loop, &self->walk_timer);
  self->walk_timer = satin_loop_timer_add (loop, delay_us, walk, self);
}

static void
begin_walk (Sender *self, gboolean is_end)
{
  SatinFt *ft = self->client->ft;
  self->walk_since_us = satin_loop_now_us (self->client->loop);
  sent_results_turn (self->sent);
  ft->host_ops->walk (ft->host, is_end, sent_results_get (self->sent));
}

static void
walk (gpointer user_data)
{
  Sender *self = user_data;
  gint64 now_us = satin_loop_now_us (self->client->loop);
  self->walk_timer = 0;
  take_objects (self);
  gboolean is_walking = self->walk_since_us != 0 && now_us - self->walk_since_us < WALK_MAX_US;
  if (is_walking)
    satin_loop_probe (self->client->loop, "checkpoint.walk-goes-on");
  else if (self->client->ft->host != NULL && !self->is_full)
    begin_walk (self, FALSE);
  walk_after (self, self->client->every_us);
}

void
sender_walked (Sender *self, gboolean is_end)
{
  self->walk_since_us = 0;
  if (is_end)
    take_objects (self);
  self->is_last_walk_done |= is_end;
  if (self->send_timer == 0)
    send_after (self, 0);
}

/* Sets the time of the first walk: after half an interval to a whole one, at random, so that the
 * nodes do not all send at once. */
void
sender_begin (Sender *self)
{
  guint32 every_ms = (guint32)MIN (self->client->every_us / 1000, G_MAXUINT32 - 1);
  gint64 delay_us = (gint64)satin_loop_random_below (self->client->loop, every_ms + 1) * 1000;
  walk_after (self, self->client->every_us / 2 + delay_us / 2);
}

int
sender_get_fate (const Sender *self)
{
  return self->is_lost ? STOPPED_LOST : self->is_full ? STOPPED_FULL : STOPPED_ALL_STORED;
}

void
sender_stop (Sender *self)
{
  satin_loop_timer_cancel (self->client->loop, &self->walk_timer);
  self->is_stopping = TRUE;
  note_waiting (self);
  if (self->client->ft->host != NULL)
    begin_walk (self, TRUE);
}

/* ---- life ---- */

Sender *
sender_new (CheckpointClient *client)
{
  Sender *self = g_new0 (Sender, 1);
  self->client = client;
  self->sent = sent_results_new ();
  g_queue_init (&self->batches);
  return self;
}

void
sender_free (Sender *self)
{
  satin_loop_timer_cancel (self->client->loop, &self->walk_timer);
  satin_loop_timer_cancel (self->client->loop, &self->send_timer);
  g_queue_clear_full (&self->batches, batch_free);
  sent_results_unref (self->sent);
  g_free (self);
}

void
sender_figures (const Sender *self, SatinFigureFunc add, gpointer user_data)
{
  add ("checkpoint.sent", self->n_results, user_data);
  add ("checkpoint.sent-objects", self->n_objects, user_data);
  add ("checkpoint.sent-bytes", self->n_bytes, user_data);
  add ("checkpoint.stored", self->n_stored, user_data);
  add ("checkpoint.waiting-bytes", (gint64)self->waiting_bytes, user_data);
  add ("checkpoint.too-large", self->n_too_large, user_data);
}

void
sender_waits (const Sender *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait wait = { .what = "results to be stored",
                           .node = self->client->coordinator,
                           .deadline = self->send_timer };
  if (!g_queue_is_empty ((GQueue *)&self->batches))
    add (&wait, user_data);
}
