/* coordinator.c - the coordinator's trial, its reading of the logs, its beginning and its end
 *
 * The coordinator is the node that writes the checkpoint for all others. Results that arrive during
 * a write are written together in the next write. If the storage fails, the results wait here, and
 * the coordinator tries again. If too many wait, it asks the senders to send them later. Of results
 * that are written, the coordinator keeps only their places in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/atomic.h>

#include "log/private.h"
#include "coordinator.h"

/* A call of the storage that takes longer is interrupted. */
#define PATIENCE_US ((gint64)30000000)
/* How often the coordinator tells the master that it is still reading. */
#define READING_US ((gint64)1000000)

static void
task_free (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  satin_record_clear (&SatinCheckpointHead_record, &self->head);
  satin_record_clear (&SatinCheckpointObject_record, &self->object);
  g_clear_pointer (&self->batch, g_ptr_array_unref);
  g_clear_pointer (&self->result, g_bytes_unref);
  g_clear_pointer (&self->entries, g_array_unref);
  g_clear_pointer (&self->writers, g_array_unref);
  g_clear_pointer (&self->inputs, g_array_unref);
  g_clear_error (&self->error);
  g_free (self);
}

CoordinatorTask *
coordinator_task_new (Coordinator *self, void (*work) (WriterTask *), void (*done) (WriterTask *))
{
  CoordinatorTask *task = g_new0 (CoordinatorTask, 1);
  task->task = (WriterTask){ .work = work, .done = done, .free = task_free };
  task->coordinator = self;
  return task;
}

void
coordinator_do (Coordinator *self, CoordinatorTask *task)
{
  writer_thread_do (self->writer_thread, &task->task);
}

/* ---- the trial: how fast this node writes ---- */

static void
time_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  store_time (self->coordinator->store, self->node, &self->write_us, &self->log_bytes,
              &self->error);
}

static void
time_done (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Coordinator *coordinator = self->coordinator;
  CheckpointTimedMessage timed = {
    .number = self->number,
    .code = checkpoint_client_code_of (self->error),
    .message = self->error != NULL ? self->error->message : NULL,
    .write_us = self->write_us,
    .log_bytes = self->log_bytes,
  };
  checkpoint_client_send (coordinator->client, coordinator->master, CHECKPOINT_MESSAGE_TIMED,
                          &CheckpointTimedMessage_record, &timed);
  g_clear_error (&coordinator->trial_error);
  coordinator->trial_error = g_steal_pointer (&self->error);
}

void
coordinator_time (Coordinator *self, SatinNodeId master, gint64 number)
{
  CoordinatorTask *task = coordinator_task_new (self, time_work, time_done);
  self->master = master;
  task->number = number;
  task->node = checkpoint_client_self (self->client);
  coordinator_do (self, task);
}

/* ---- reading the logs ---- */

static void
tell_master (Coordinator *self, gboolean is_done, const GError *error)
{
  CheckpointStateMessage state = {
    .number = self->number,
    .is_done = is_done,
    .code = checkpoint_client_code_of (error),
    .message = error != NULL ? error->message : NULL,
    .n_results = self->figures.n_results,
    .n_bytes = (gint64)self->figures.result_bytes,
  };
  checkpoint_client_send (self->client, self->master, CHECKPOINT_MESSAGE_READY,
                          &CheckpointStateMessage_record, &state);
}

static void
on_reading (gpointer user_data)
{
  Coordinator *self = user_data;
  tell_master (self, FALSE, NULL);
  self->reading_timer = satin_loop_timer_add (self->client->loop, READING_US, on_reading, self);
}

void
coordinator_is_reading (Coordinator *self)
{
  satin_loop_timer_cancel (self->client->loop, &self->reading_timer);
  self->reading_timer = satin_loop_timer_add (self->client->loop, READING_US, on_reading, self);
}

static void
on_ready (gpointer user_data)
{
  Coordinator *self = user_data;
  self->reading_timer = 0;
  tell_master (self, TRUE, NULL);
}

void
coordinator_ready_soon (Coordinator *self)
{
  satin_loop_timer_cancel (self->client->loop, &self->reading_timer);
  self->reading_timer = satin_loop_timer_add (self->client->loop, 0, on_ready, self);
}

static void
read_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Store *store = self->coordinator->store;
  if (store_read (store, &self->head, &self->error))
    {
      self->entries = store_list (store, 0, TRUE);
      self->inputs = store_list_inputs (store);
    }
  self->figures = store_get_figures (store);
}

/* Warns if the timed write failed although the logs could be read. Then the run uses the stored
 * results, and the coordinator writes as soon as it can. */
static void
warn_of_trial (Coordinator *self)
{
  if (self->trial_error == NULL)
    return;
  g_warning ("checkpoint %s: %s; results wait until it can be written", self->client->uri,
             self->trial_error->message);
  self->has_warned = TRUE;
  g_clear_error (&self->trial_error);
}

/* Says how many results of an earlier build were carried over. */
static void
tell_conversion (const Coordinator *self)
{
  const SatinCheckpointConversion *conversion = &self->figures.conversion;
  const char *uri = self->client->uri;
  if (conversion->n_left > 0)
    g_warning ("checkpoint %s: %u results of the earlier build are carried over; %u are not, and "
               "their jobs run again: %s",
               uri, conversion->n_carried, conversion->n_left, conversion->reason);
  else if (conversion->n_carried > 0)
    g_message ("checkpoint %s: %u results of the earlier build are carried over", uri,
               conversion->n_carried);
}

static void
read_done (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Coordinator *coordinator = self->coordinator;
  SatinLoop *loop = coordinator->client->loop;
  coordinator->is_opening = FALSE;
  coordinator->figures = self->figures;
  coordinator->n_found_bytes = (gint64)self->figures.log_bytes;
  satin_loop_timer_cancel (loop, &coordinator->reading_timer);
  if (self->error != NULL)
    {
      tell_master (coordinator, TRUE, self->error);
      return;
    }
  if (self->figures.n_damaged > 0)
    g_warning ("checkpoint %s: %u pieces, %" G_GUINT64_FORMAT
               " bytes, are damaged; the rest is used",
               coordinator->client->uri, self->figures.n_damaged, self->figures.n_damaged_bytes);
  tell_conversion (coordinator);
  warn_of_trial (coordinator);
  coordinator->is_open = TRUE;
  for (guint i = 0; i < self->inputs->len; i++)
    checkpoint_inputs_add (coordinator->inputs,
                           &g_array_index (self->inputs, SatinCheckpointInput, i));
  coordinator->opening = ++coordinator->client->n_openings;
  coordinator_tell_of_entries (coordinator, self->entries);
  if (!coordinator_tell_objects_first (coordinator))
    coordinator_ready_soon (coordinator);
}

void
coordinator_be (Coordinator *self, SatinNodeId master, const CheckpointBeMessage *be)
{
  self->master = master;
  self->number = be->order.number;
  if (self->is_opening)
    return;
  if (self->is_open)
    {
      if (!coordinator_tell_objects_first (self))
        tell_master (self, TRUE, NULL);
      return;
    }
  self->is_opening = TRUE;
  g_array_unref (self->inputs);
  self->inputs = checkpoint_inputs_new (be->inputs, be->n_inputs);
  if (self->holding == NULL)
    self->holding = holding_new (self);
  else
    coordinator_folder_is_ours (self, NULL);
  on_reading (self);
}

void
coordinator_folder_is_ours (Coordinator *self, const GError *error)
{
  if (error != NULL)
    {
      self->is_opening = FALSE;
      satin_loop_timer_cancel (self->client->loop, &self->reading_timer);
      tell_master (self, TRUE, error);
      checkpoint_client_resign (self->client);
      return;
    }
  CoordinatorTask *task = coordinator_task_new (self, read_work, read_done);
  SatinCheckpointHead head;
  checkpoint_client_fill_head (self->client, self->inputs, &head);
  satin_record_copy (&SatinCheckpointHead_record, &head, &task->head);
  coordinator_do (self, task);
}

/* This happens when this run did not renew its lease for so long that another run took this run for
 * dead. */
void
coordinator_folder_is_lost (Coordinator *self, const GError *error)
{
  self->is_full = TRUE;
  SATIN_STORE (&self->is_lost, TRUE);
  satin_loop_probe (self->client->loop, "checkpoint.folder-lost");
  g_warning ("checkpoint %s: %s; nothing more is stored in this run", self->client->uri,
             error->message);
  coordinator_refuse_pending (self);
}

gboolean
coordinator_has_folder (Coordinator *self, GError **error)
{
  if (!SATIN_LOAD (&self->is_lost))
    return TRUE;
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FENCED, "another run uses it now");
  return FALSE;
}

static void
term_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  store_set_term (self->coordinator->store, self->number);
}

void
coordinator_term_changed (Coordinator *self)
{
  if (!self->is_open && !self->is_opening)
    return;
  CoordinatorTask *task = coordinator_task_new (self, term_work, NULL);
  task->number = (gint64)satin_peers_get_view (self->client->peers)->term;
  coordinator_do (self, task);
}

/* ---- the end of the run ---- */

static void
remove_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  if (coordinator_has_folder (self->coordinator, &self->error))
    store_remove (self->coordinator->store, self->number, &self->error);
}

static void
remove_done (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  CheckpointStateMessage state = { .is_done = TRUE,
                                   .code = checkpoint_client_code_of (self->error),
                                   .message = self->error != NULL ? self->error->message : NULL };
  checkpoint_client_send (self->coordinator->client, self->node, CHECKPOINT_MESSAGE_REMOVED,
                          &CheckpointStateMessage_record, &state);
}

void
coordinator_remove (Coordinator *self, SatinNodeId master, gint64 term)
{
  self->is_full = self->is_removing = TRUE;
  CoordinatorTask *task = coordinator_task_new (self, remove_work, remove_done);
  task->node = master;
  task->number = term;
  coordinator_do (self, task);
}

/* ---- life ---- */

/* Resigns, because the storage hangs, and another node may be able to use it. An interrupt does not
 * help, or is impossible because the storage is being opened. */
static void
on_stuck (gpointer user_data)
{
  Coordinator *self = user_data;
  CheckpointClient *client = self->client;
  g_autoptr (GError) error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                   "its storage has not answered within %d s; is its server up, and can this "
                   "host reach it?",
                   (int)(PATIENCE_US / G_USEC_PER_SEC));
  satin_loop_probe (client->loop, "checkpoint.storage-stuck");
  if (self->is_opening)
    tell_master (self, TRUE, error);
  else if (self->is_open)
    g_warning ("checkpoint %s: %s results wait until another node can write it", client->uri,
               error->message);
  checkpoint_client_resign (client);
}

/* Tells the store the tasks of this program. */
static void
set_tasks (Store *store)
{
  SatinTaskTable tasks;
  satin_program_get_tasks (&tasks);
  store_set_tasks (store, &tasks);
  satin_record_clear (&SatinTaskTable_record, &tasks);
}

Coordinator *
coordinator_new (CheckpointClient *client, GError **error)
{
  WriterThread *writer_thread =
      writer_thread_new (client->loop, client->thread_ops, PATIENCE_US, error);
  if (writer_thread == NULL)
    return NULL;
  Coordinator *self = g_new0 (Coordinator, 1);
  self->client = client;
  self->writer_thread = writer_thread;
  self->store = store_new (writer_thread, client->thread_ops, client->uri, client->storage_params);
  store_take_any (self->store, client->is_anyway);
  store_convert (self->store, client->is_converting);
  set_tasks (self->store);
  self->inputs = checkpoint_inputs_new (NULL, 0);
  self->fetching = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_queue_init (&self->pending);
  writer_thread_set_stuck_func (writer_thread, on_stuck, self);
  return self;
}

static void
on_thread_ended (gpointer user_data)
{
  Coordinator *self = user_data;
  if (--self->n_ending == 0 && self->over != NULL)
    self->over (self->over_data);
}

void
coordinator_end (Coordinator *self, SatinLoopFunc over, gpointer user_data)
{
  satin_loop_timer_cancel (self->client->loop, &self->reading_timer);
  satin_loop_timer_cancel (self->client->loop, &self->retry_timer);
  self->is_open = FALSE;
  self->over = over;
  self->over_data = user_data;
  self->n_ending = 1;
  if (self->holding != NULL)
    self->n_ending += (guint)holding_end (self->holding, on_thread_ended, self);
  writer_thread_end (self->writer_thread, on_thread_ended, self);
  /* Without these results, the nodes that wait for them run the jobs themselves. */
  const SatinFt *ft = self->client->ft;
  for (guint i = 0; i < self->fetching->len && ft->host != NULL; i++)
    ft->host_ops->fetched (ft->host, g_array_index (self->fetching, guint64, i), NULL);
  g_array_set_size (self->fetching, 0);
  ft_forget_stored (self->client->ft);
}

gboolean
coordinator_free (Coordinator *self, gint64 timeout_us)
{
  gboolean has_ended = holding_free (self->holding, timeout_us);
  if (!writer_thread_free (self->writer_thread, has_ended ? timeout_us : 0) || !has_ended)
    return FALSE;
  store_free (self->store);
  g_array_unref (self->fetching);
  g_array_unref (self->inputs);
  g_queue_clear_full (&self->pending, coordinator_pending_free);
  g_clear_error (&self->trial_error);
  g_free (self);
  return TRUE;
}

gboolean
coordinator_is_open (const Coordinator *self)
{
  return self->is_open;
}

void
coordinator_figures (const Coordinator *self, SatinFigureFunc add, gpointer user_data)
{
  add ("checkpoint.results", self->figures.n_results, user_data);
  add ("checkpoint.objects", self->figures.n_objects, user_data);
  add ("checkpoint.bytes", (gint64)self->figures.log_bytes, user_data);
  add ("checkpoint.found-bytes", self->n_found_bytes, user_data);
  add ("checkpoint.writes", self->n_writes, user_data);
  add ("checkpoint.failed", self->n_failed, user_data);
  add ("checkpoint.compactions", self->n_compactions, user_data);
  add ("checkpoint.not-taken", self->n_too_large, user_data);
  add ("checkpoint.told", self->n_told, user_data);
  add ("checkpoint.fetched", self->n_fetched, user_data);
  add ("checkpoint.fetched-bytes", self->n_fetched_bytes, user_data);
}

void
coordinator_waits (const Coordinator *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait storage = { .what = "its storage",
                              .deadline = writer_thread_get_deadline (self->writer_thread) };
  const SatinWait retry = { .what = "a storage that failed", .deadline = self->retry_timer };
  if (writer_thread_is_busy (self->writer_thread))
    add (&storage, user_data);
  if (self->retry_timer != 0)
    add (&retry, user_data);
}
