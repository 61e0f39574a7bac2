/* compact.c - compacts the logs of the checkpoint, step by step
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

GArray *
store_list_writers (Store *self, GError **error)
{
  SatinStorage *storage = store_get_storage (self, error);
  g_autoptr (GPtrArray) logs = storage != NULL ? satin_checkpoint_list (storage, error) : NULL;
  if (logs == NULL)
    {
      store_give_up (self);
      return NULL;
    }
  GArray *writers = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  for (guint i = 0; i < logs->len; i++)
    g_array_append_val (writers, ((const SatinCheckpointLog *)g_ptr_array_index (logs, i))->node);
  return writers;
}

static gboolean
contains (const GArray *writers, SatinNodeId node)
{
  for (guint i = 0; i < writers->len; i++)
    if (g_array_index (writers, SatinNodeId, i) == node)
      return TRUE;
  return FALSE;
}

/* For the scan of a log that is read again. @run: the run of this log */
typedef struct
{
  Store *store;
  guint8 run[SATIN_CHECKPOINT_ID_BYTES];
} Rest;

static gboolean
on_rest_head (const SatinCheckpointHead *head, gpointer user_data)
{
  Rest *self = user_data;
  const SatinCheckpointHead *own = &self->store->head;
  if (head->n_run != sizeof self->run || head->n_program != own->n_program
      || head->n_root != own->n_root || memcmp (head->program, own->program, own->n_program) != 0
      || memcmp (head->root, own->root, own->n_root) != 0)
    return FALSE;
  memcpy (self->run, head->run, sizeof self->run);
  return TRUE;
}

static void
on_rest (const SatinCheckpointResult *result, const SatinCheckpointPlace *place, gpointer user_data)
{
  Rest *self = user_data;
  satin_checkpoint_index_add (self->store->index, self->run, result, place);
}

static void
on_rest_object (const SatinCheckpointObject *object, const SatinCheckpointPlace *place,
                gpointer user_data)
{
  satin_checkpoint_index_add_object (((Rest *)user_data)->store->index, object, place);
}

/* Reads @log unless this node has written it in this run, if it is new or has grown since this node
 * read the logs: an earlier coordinator may have written more. */
static gboolean
read_rest (Store *self, SatinStorage *storage, const SatinCheckpointLog *log,
           const StoreOwner *owner, GError **error)
{
  static const SatinCheckpointScanFuncs funcs = { .head = on_rest_head,
                                                  .result = on_rest,
                                                  .object = on_rest_object };
  const guint64 *size_bytes = g_hash_table_lookup (self->sizes, log->name);
  Rest rest = { .store = self };
  if ((owner->is_own_run && log->node == (SatinNodeId)self->head.node)
      || (size_bytes != NULL && *size_bytes == log->size_bytes))
    return TRUE;
  if (!satin_checkpoint_scan (storage, log, FALSE, &funcs, &rest, error))
    return FALSE;
  store_note_size (self, log);
  return TRUE;
}

/* Whether nobody writes @log any more. A node's number has a meaning only in its own run. A log of
 * another run that was not there when this run read the folder may be of a run that has taken the
 * folder since. A log without a HEAD may be one that a node of this run has just begun. */
static gboolean
may_replace (Store *self, const SatinCheckpointLog *log, const StoreOwner *owner,
             const GArray *writers)
{
  if (owner->has_head && !owner->is_own_run)
    return g_hash_table_contains (self->sizes, log->name);
  return contains (writers, log->node) && owner->term <= self->head.term;
}

static gboolean
begin_compaction (Store *self, SatinStorage *storage, const GArray *writers, GError **error)
{
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  if (logs == NULL)
    return FALSE;
  for (guint i = logs->len; i-- > 0;)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      StoreOwner owner;
      self->last_number = MAX (self->last_number, log->number);
      if (!store_read_owner (self, storage, log, &owner, error))
        return FALSE;
      if (!may_replace (self, log, &owner, writers))
        g_ptr_array_remove_index (logs, i);
      else if (!read_rest (self, storage, log, &owner, error))
        return FALSE;
      writer_thread_note_progress (self->writer_thread);
    }
  guint64 number =
      MAX (self->last_number + 1, satin_checkpoint_writer_get_next_number (self->writer));
  self->compaction =
      satin_checkpoint_compaction_new (storage, self->index, &self->head, number, logs);
  satin_checkpoint_compaction_set_tasks (self->compaction, &self->tasks);
  return satin_checkpoint_writer_begin_log (
      self->writer, satin_checkpoint_compaction_get_end (self->compaction), error);
}

static gboolean
end_compaction (Store *self, SatinStorage *storage, GError **error)
{
  guint64 n_bytes;
  guint n_logs;
  self->n_damaged += satin_checkpoint_compaction_get_n_damaged (self->compaction);
  g_clear_pointer (&self->compaction, satin_checkpoint_compaction_free);
  store_drop_writer (self);
  if (!store_count_logs (self, storage, &n_bytes, &n_logs, error))
    return FALSE;
  self->old_log_bytes = n_bytes;
  self->n_old_logs = n_logs;
  return TRUE;
}

gboolean
store_compact (Store *self, const GArray *writers, gboolean *ret_is_over, GError **error)
{
  if (!store_ensure_writer (self, error))
    return FALSE;
  SatinStorage *storage = writer_thread_get_storage (self->writer_thread);
  gboolean is_over = FALSE;
  if ((self->compaction == NULL && !begin_compaction (self, storage, writers, error))
      || !satin_checkpoint_compaction_step (self->compaction, &is_over, error)
      || (is_over && !end_compaction (self, storage, error)))
    return store_give_up (self);
  writer_thread_note_progress (self->writer_thread);
  *ret_is_over = is_over;
  return TRUE;
}
