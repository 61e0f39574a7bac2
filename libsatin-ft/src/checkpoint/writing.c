/* writing.c - the coordinator writes received results and objects: append, sync, answer
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator.h"

/* A failed write is tried again after RETRY_US, then after twice as long, and so on, but at most
 * after RETRY_MAX_US. */
#define RETRY_US     ((gint64)1000000)
#define RETRY_MAX_US ((gint64)30000000)
/* While more bytes than this wait to be written, the answer to STORE is LATER. */
#define PENDING_MAX_BYTES ((gsize)64 << 20)

void
coordinator_pending_free (gpointer data)
{
  Pending *self = data;
  satin_record_clear (&CheckpointStoreMessage_record, &self->store);
  g_free (self);
}

static void
answer (Coordinator *self, SatinNodeId to, gint64 number, Verdict verdict)
{
  CheckpointStoredMessage stored = { .number = number, .verdict = (gint32)verdict };
  checkpoint_client_send (self->client, to, CHECKPOINT_MESSAGE_STORED,
                          &CheckpointStoredMessage_record, &stored);
}

static SatinCheckpointStored
get_result (const Pending *pending, const CheckpointOneMessage *one)
{
  gboolean has_arguments = one->n_arguments <= SATIN_CHECKPOINT_ARGUMENTS_MAX_BYTES;
  return (SatinCheckpointStored){ .result = { .key = one->key,
                                              .n_key = one->n_key,
                                              .task = one->task,
                                              .node = (gint32)pending->from,
                                              .lineage = one->lineage,
                                              .n_lineage = one->n_lineage,
                                              .path = one->path,
                                              .n_path = one->n_path },
                                  .stored_us = pending->stored_us,
                                  .arguments = one->arguments,
                                  .n_arguments = has_arguments ? one->n_arguments : 0 };
}

static SatinCheckpointObject
get_object (const CheckpointObjectMessage *one)
{
  return (SatinCheckpointObject){
    .object = one->object, .type = one->type, .name = one->name, .version = one->version
  };
}

/* Appends to @items all results of @pending whose keys have the right length, and all objects.
 * Fills @results and @objects, to which the items point; they have room for all of @pending. */
static void
add_items (const Pending *pending, GArray *items, SatinCheckpointStored *results,
           SatinCheckpointObject *objects)
{
  for (gsize i = 0; i < pending->store.n_results; i++)
    {
      const CheckpointOneMessage *one = &pending->store.results[i];
      results[i] = get_result (pending, one);
      StoreItem item = { .stored = &results[i], .bytes = one->result, .n_bytes = one->n_result };
      if (one->n_key == ID_BYTES)
        g_array_append_val (items, item);
    }
  for (gsize i = 0; i < pending->store.n_objects; i++)
    {
      const CheckpointObjectMessage *one = &pending->store.objects[i];
      objects[i] = get_object (one);
      StoreItem item = { .object = &objects[i], .bytes = one->state, .n_bytes = one->n_state };
      g_array_append_val (items, item);
    }
}

static void
write_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Store *store = self->coordinator->store;
  gsize n_results = 0, n_objects = 0;
  self->figures = store_get_figures (store);
  if (!coordinator_has_folder (self->coordinator, &self->error))
    return;
  for (guint i = 0; i < self->batch->len; i++)
    {
      const Pending *pending = g_ptr_array_index (self->batch, i);
      n_results += pending->store.n_results;
      n_objects += pending->store.n_objects;
    }
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (StoreItem));
  g_autofree SatinCheckpointStored *results = g_new0 (SatinCheckpointStored, n_results);
  g_autofree SatinCheckpointObject *objects = g_new0 (SatinCheckpointObject, n_objects);
  n_results = n_objects = 0;
  for (guint i = 0; i < self->batch->len; i++)
    {
      const Pending *pending = g_ptr_array_index (self->batch, i);
      add_items (pending, items, results + n_results, objects + n_objects);
      n_results += pending->store.n_results;
      n_objects += pending->store.n_objects;
    }
  store_write (store, &g_array_index (items, StoreItem, 0), items->len, &self->n_too_large,
               &self->error);
  self->figures = store_get_figures (store);
}

static void
answer_batch (Coordinator *self, const GPtrArray *batch, Verdict verdict)
{
  for (guint i = 0; i < batch->len; i++)
    {
      const Pending *pending = g_ptr_array_index (batch, i);
      answer (self, pending->from, pending->store.number, verdict);
    }
}

void
coordinator_refuse_pending (Coordinator *self)
{
  Pending *pending;
  while ((pending = g_queue_pop_head (&self->pending)) != NULL)
    {
      answer (self, pending->from, pending->store.number, VERDICT_LOST);
      coordinator_pending_free (pending);
    }
  self->pending_bytes = 0;
}

static void
on_retry (gpointer user_data)
{
  Coordinator *self = user_data;
  self->retry_timer = 0;
  coordinator_write_pending (self);
}

/* Returns a batch to the queue, in front of newer results, because the write has failed. */
static void
write_later (Coordinator *self, CoordinatorTask *task)
{
  self->n_failed++;
  satin_loop_probe (self->client->loop, "checkpoint.write-failed");
  for (guint i = task->batch->len; i-- > 0;)
    {
      Pending *pending = g_ptr_array_index (task->batch, i);
      self->pending_bytes += pending->n_bytes;
      g_queue_push_head (&self->pending, pending);
    }
  g_ptr_array_set_free_func (task->batch, NULL);
  self->retry_us = CLAMP (self->retry_us * 2, RETRY_US, RETRY_MAX_US);
  if (!self->has_warned)
    g_warning ("checkpoint %s: %s; results wait until it can be written", self->client->uri,
               task->error->message);
  self->has_warned = TRUE;
  self->retry_timer = satin_loop_timer_add (self->client->loop, self->retry_us, on_retry, self);
}

static void
write_done (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Coordinator *coordinator = self->coordinator;
  /* Results that are stored already are not written again. So a write that succeeds may have
   * written nothing, and then does not show that the storage works. */
  gboolean is_any_written = self->figures.log_bytes > coordinator->figures.log_bytes;
  coordinator->is_writing = FALSE;
  coordinator->figures = self->figures;
  if (self->error != NULL && coordinator->is_lost)
    {
      answer_batch (coordinator, self->batch, VERDICT_LOST);
      return;
    }
  if (self->error != NULL)
    {
      write_later (coordinator, self);
      return;
    }
  if (coordinator->has_warned && is_any_written)
    {
      g_message ("checkpoint %s: it can be written again", coordinator->client->uri);
      coordinator->has_warned = FALSE;
    }
  coordinator->retry_us = 0;
  coordinator->n_writes++;
  coordinator->n_too_large += self->n_too_large;
  answer_batch (coordinator, self->batch, VERDICT_STORED);
  coordinator_compact_if_large (coordinator);
  coordinator_write_pending (coordinator);
}

void
coordinator_write_pending (Coordinator *self)
{
  if (self->is_writing || self->retry_timer != 0 || g_queue_is_empty (&self->pending)
      || !self->is_open || self->is_removing)
    return;
  CoordinatorTask *task = coordinator_task_new (self, write_work, write_done);
  task->batch = g_ptr_array_new_with_free_func (coordinator_pending_free);
  Pending *pending;
  while ((pending = g_queue_pop_head (&self->pending)) != NULL)
    g_ptr_array_add (task->batch, pending);
  self->pending_bytes = 0;
  self->is_writing = TRUE;
  coordinator_do (self, task);
}

void
coordinator_on_store (Coordinator *self, SatinNodeId from, CheckpointStoreMessage *message)
{
  if (!self->is_open || self->is_full || self->pending_bytes > PENDING_MAX_BYTES)
    {
      Verdict verdict = self->is_lost ? VERDICT_LOST : self->is_full ? VERDICT_FULL : VERDICT_LATER;
      answer (self, from, message->number, verdict);
      return;
    }
  Pending *pending = g_new0 (Pending, 1);
  pending->from = from;
  pending->stored_us = checkpoint_client_wall_us (self->client);
  pending->store = *message;
  for (gsize i = 0; i < message->n_results; i++)
    pending->n_bytes += message->results[i].n_arguments + message->results[i].n_result
                        + sizeof (CheckpointOneMessage);
  for (gsize i = 0; i < message->n_objects; i++)
    pending->n_bytes += message->objects[i].n_state + sizeof (CheckpointObjectMessage);
  *message = (CheckpointStoreMessage){ 0 };
  self->pending_bytes += pending->n_bytes;
  g_queue_push_tail (&self->pending, pending);
  coordinator_write_pending (self);
}
