/* batches.c - results on their way to the nodes that must keep them
 *
 * A node that leaves sends its finished results this way (KEEP), and a master its backups. A batch
 * is sent again until its receiver answers KEPT.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* After how long an unacknowledged batch is sent again the first time. */
#define BATCH_US ((gint64)500000)
/* How long results that are not urgent wait for more. */
#define SOON_US ((gint64)500)
/* The most bytes of a result in a message beside its arguments, lineage, path and value, and the
 * most bytes of a message beside its results. */
#define HEAD_MAX_BYTES ((gsize)64)
/* The largest result that a KEEP can carry. */
#define KEPT_MAX_BYTES (SATIN_MESSAGE_MAX_BYTES - HEAD_MAX_BYTES)

/* Results on their way to one node. */
typedef struct
{
  gint64 number;
  SatinNodeId to;
  gint64 send_us; /* when it must be sent (again) */
  guint n_sent;
  gsize n_bytes;   /* size of its results in a message */
  GArray *results; /* (owned) of StealKept, whose pointers are (owned) */
} Batch;

static void
batch_free (gpointer data)
{
  Batch *self = data;
  for (guint i = 0; i < self->results->len; i++)
    satin_record_clear (&StealKept_record, &g_array_index (self->results, StealKept, i));
  g_array_unref (self->results);
  g_free (self);
}

void
steal_batches_init (StealBatches *self)
{
  self->all = g_ptr_array_new_with_free_func (batch_free);
}

static gboolean
is_staying (const SatinView *view, SatinNodeId id)
{
  const SatinPeer *peer = satin_view_find (view, id);
  return peer != NULL && !peer->is_leaving;
}

/* Finds the node that must keep a result with @lineage: the nearest owner in the lineage that
 * stays, else the master, else any node that stays. Returns: 0 when no node stays */
static SatinNodeId
find_recipient (const SatinView *view, const SatinLineage *lineage)
{
  for (gsize i = lineage->n_hops; i-- > 0;)
    if (is_staying (view, (SatinNodeId)lineage->hops[i].owner))
      return (SatinNodeId)lineage->hops[i].owner;
  if (is_staying (view, view->master))
    return view->master;
  for (guint i = 0; i < view->n_peers; i++)
    if (!view->peers[i].is_leaving)
      return view->peers[i].id;
  return 0;
}

/* The size of @result in a message, or a little more. */
static gsize
count_bytes (const StealKept *result)
{
  return HEAD_MAX_BYTES + result->n_args + result->n_lineage + result->n_path + result->n_result;
}

/* Returns: a batch for node @to, not sent yet, that has room for @n_bytes or has no result */
static Batch *
get_batch (Steal *self, SatinNodeId to, gsize n_bytes)
{
  for (guint i = 0; i < self->batches.all->len; i++)
    {
      Batch *batch = g_ptr_array_index (self->batches.all, i);
      if (batch->to == to && batch->number == 0 && batch->n_bytes + n_bytes <= RESULTS_MAX_BYTES)
        return batch;
    }
  Batch *batch = g_new0 (Batch, 1);
  batch->to = to;
  batch->results = g_array_new (FALSE, FALSE, sizeof (StealKept));
  g_ptr_array_add (self->batches.all, batch);
  return batch;
}

SatinNodeId
steal_find_recipient (Steal *self, const StealKept *result)
{
  SatinLineage lineage = { 0 };
  if (result->index == BACKUP_INDEX)
    return steal_find_backup_recipient (self, (SatinNodeId)result->owner);
  if (!satin_record_decode (&SatinLineage_record, result->lineage, result->n_lineage, &lineage,
                            NULL))
    return 0;
  SatinNodeId recipient = find_recipient (satin_peers_get_view (self->peers), &lineage);
  satin_record_clear (&SatinLineage_record, &lineage);
  return recipient;
}

void
steal_pack_result (Steal *self, const StealKept *result, SatinNodeId to)
{
  gsize n_bytes = count_bytes (result);
  if (to == 0)
    return;
  if (n_bytes > KEPT_MAX_BYTES)
    {
      satin_loop_probe (self->loop, "steal.result-too-large");
      return;
    }
  StealKept kept = *result;
  kept.args = g_memdup2 (result->args, result->n_args);
  kept.lineage = g_memdup2 (result->lineage, result->n_lineage);
  kept.path = g_memdup2 (result->path, result->n_path);
  kept.result = g_memdup2 (result->result, result->n_result);
  Batch *batch = get_batch (self, to, n_bytes);
  batch->n_bytes += n_bytes;
  g_array_append_val (batch->results, kept);
}

static void
send_batches_again (gpointer user_data)
{
  Steal *self = user_data;
  self->batches.timer = 0;
  steal_send_batches (self);
}

void
steal_send_batches_after (Steal *self, gint64 delay_us)
{
  satin_loop_timer_cancel (self->loop, &self->batches.timer);
  self->batches.timer = satin_loop_timer_add (self->loop, delay_us, send_batches_again, self);
}

/* Sends the batch, unless an earlier copy may still wait in the queue for its node. */
static void
send_batch (Steal *self, Batch *batch)
{
  if (batch->n_sent > 0 && satin_peers_queued_bytes (self->peers, batch->to) > 0)
    return;
  StealKeep keep = { .number = batch->number,
                     .results = (const StealKept *)batch->results->data,
                     .n_results = batch->results->len };
  if (steal_send (self, batch->to, STEAL_KEEP, &StealKeep_record, &keep))
    batch->n_sent++;
}

void
steal_send_batches (Steal *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 next_us = G_MAXINT64;
  self->batches.is_soon = FALSE;
  for (guint i = 0; i < self->batches.all->len; i++)
    {
      Batch *batch = g_ptr_array_index (self->batches.all, i);
      if (batch->number == 0)
        batch->number = ++self->batches.last_number;
      if (batch->send_us <= now_us)
        {
          batch->send_us = now_us + steal_again_us (BATCH_US, batch->n_sent);
          send_batch (self, batch);
        }
      next_us = MIN (next_us, batch->send_us);
    }
  satin_loop_timer_cancel (self->loop, &self->batches.timer);
  if (next_us < G_MAXINT64)
    steal_send_batches_after (self, next_us - now_us);
}

void
steal_send_batches_soon (Steal *self)
{
  if (self->batches.is_soon)
    return;
  self->batches.is_soon = TRUE;
  steal_send_batches_after (self, SOON_US);
}

gsize
steal_count_batch_bytes (const Steal *self)
{
  gsize n_bytes = 0;
  for (guint i = 0; i < self->batches.all->len; i++)
    n_bytes += ((const Batch *)g_ptr_array_index (self->batches.all, i))->n_bytes;
  return n_bytes;
}

void
steal_on_kept (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealNumber *message = data;
  for (guint i = 0; i < self->batches.all->len; i++)
    {
      const Batch *batch = g_ptr_array_index (self->batches.all, i);
      if (batch->to != from || batch->number != message->number)
        continue;
      g_ptr_array_remove_index (self->batches.all, i);
      break;
    }
  steal_let_go (self);
}

void
steal_recipient_unsure (Steal *self, SatinNodeId id)
{
  gboolean is_any = FALSE;
  for (guint i = 0; i < self->batches.all->len; i++)
    {
      Batch *batch = g_ptr_array_index (self->batches.all, i);
      if (batch->to != id || batch->n_sent == 0)
        continue;
      batch->n_sent = 0;
      batch->send_us = 0;
      is_any = TRUE;
    }
  if (is_any)
    steal_send_batches (self);
}

void
steal_recipient_gone (Steal *self, SatinNodeId id)
{
  for (guint i = self->batches.all->len; i-- > 0;)
    {
      Batch *batch = g_ptr_array_index (self->batches.all, i);
      if (batch->to != id)
        continue;
      batch->to = steal_find_recipient (self, &g_array_index (batch->results, StealKept, 0));
      batch->send_us = 0;
      batch->n_sent = 0;
      if (batch->to == 0)
        g_ptr_array_remove_index (self->batches.all, i);
    }
  steal_send_batches (self);
  steal_let_go (self);
}

void
steal_batches_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->batches.timer);
  g_ptr_array_unref (self->batches.all);
}
