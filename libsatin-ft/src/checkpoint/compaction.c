/* compaction.c - the coordinator decides when to compact its checkpoint, and runs the steps
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator.h"

/* A compaction begins when there are more logs than MAX_LOGS, or when the checkpoint is above its
 * largest size. In the second case, if the records that count take more than FULL_SHARE of the
 * largest size, a compaction would not help; then the checkpoint is full. */
#define MAX_LOGS   256
#define FULL_SHARE 0.8
/* How long after a failed compaction the next one may begin. */
#define COMPACT_AGAIN_US ((gint64)60000000)

static void compact (Coordinator *self, GArray *writers);

static void
compact_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Store *store = self->coordinator->store;
  if (coordinator_has_folder (self->coordinator, &self->error))
    store_compact (store, self->writers, &self->is_over, &self->error);
  self->figures = store_get_figures (store);
}

/* Continues the compaction with the next step, or ends it. The next step is a new task, so writes
 * that wait for the thread go first. */
static void
compact_done (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Coordinator *coordinator = self->coordinator;
  SatinLoop *loop = coordinator->client->loop;
  coordinator->figures = self->figures;
  if (self->error == NULL && !self->is_over)
    {
      compact (coordinator, g_steal_pointer (&self->writers));
      return;
    }
  coordinator->is_compacting = FALSE;
  if (self->error == NULL)
    {
      satin_loop_probe (loop, "checkpoint.compacted");
      coordinator->n_compactions++;
      coordinator->left_bytes = self->figures.log_bytes;
      coordinator->n_left_logs = self->figures.n_logs;
      return;
    }
  if (coordinator->is_lost)
    return;
  satin_loop_probe (loop, "checkpoint.compaction-failed");
  g_warning ("checkpoint %s: it could not be made smaller: %s", coordinator->client->uri,
             self->error->message);
  coordinator->compact_us = satin_loop_now_us (loop) + COMPACT_AGAIN_US;
}

/* Begins the next step of a compaction. @writers: (transfer full) */
static void
compact (Coordinator *self, GArray *writers)
{
  if (self->is_removing)
    {
      g_array_unref (writers);
      return;
    }
  CoordinatorTask *task = coordinator_task_new (self, compact_work, compact_done);
  task->writers = writers;
  coordinator_do (self, task);
}

static void
writers_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  self->writers = store_list_writers (self->coordinator->store, &self->error);
}

/* Compacts the logs of earlier runs, and of the listed nodes. Leaves out other nodes that are still
 * in the run, because they may still be writing. */
static void
writers_done (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Coordinator *coordinator = self->coordinator;
  SatinNodeId own = checkpoint_client_self (coordinator->client);
  if (self->error != NULL)
    {
      compact_done (task);
      return;
    }
  for (guint i = self->writers->len; i-- > 0;)
    {
      SatinNodeId id = g_array_index (self->writers, SatinNodeId, i);
      if (id != own && ft_look_for (coordinator->client->ft, id) != PEER_GONE)
        g_array_remove_index (self->writers, i);
    }
  compact (coordinator, g_steal_pointer (&self->writers));
}

/* Whether the checkpoint is above its limits, and has grown enough since the last compaction: by
 * 1 - FULL_SHARE of its largest size, or to twice as many logs. The last compaction may have left
 * it above the limits, because of logs that it must not replace. */
static gboolean
is_worthwhile (const Coordinator *self, gboolean is_large)
{
  const StoreFigures *figures = &self->figures;
  double more_bytes = (1 - FULL_SHARE) * (double)self->client->max_bytes;
  return (is_large && (double)figures->log_bytes >= (double)self->left_bytes + more_bytes)
         || figures->n_logs > MAX (MAX_LOGS, 2 * self->n_left_logs);
}

void
coordinator_compact_if_large (Coordinator *self)
{
  const CheckpointClient *client = self->client;
  const StoreFigures *figures = &self->figures;
  gboolean is_large = figures->log_bytes > client->max_bytes;
  if (self->is_compacting || self->is_full)
    return;
  if (is_large && (double)figures->result_bytes > FULL_SHARE * (double)client->max_bytes)
    {
      self->is_full = TRUE;
      g_warning ("checkpoint %s: what counts of it takes %" G_GUINT64_FORMAT
                 " bytes, and it may have %" G_GUINT64_FORMAT
                 ": nothing more is stored in this run; give it more with --checkpoint-size",
                 client->uri, figures->result_bytes, client->max_bytes);
      return;
    }
  if (!is_worthwhile (self, is_large) || satin_loop_now_us (client->loop) < self->compact_us)
    return;
  self->is_compacting = TRUE;
  coordinator_do (self, coordinator_task_new (self, writers_work, writers_done));
}
