/* remove.c - removes the logs of a run that is over, and leaves all others
 *
 * When the network is parted, two nodes may both believe that they are the master of the run. The
 * node with the later term is right, so the other node must not remove logs of that term.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

static gboolean
on_head (const SatinCheckpointHead *head, gpointer user_data)
{
  StoreOwner *self = user_data;
  self->has_head = TRUE;
  self->is_own_run = head->version == self->own->version && head->n_run == self->own->n_run
                     && memcmp (head->run, self->own->run, head->n_run) == 0;
  self->term = self->is_own_run ? head->term : 0;
  return FALSE;
}

gboolean
store_read_owner (Store *self, SatinStorage *storage, const SatinCheckpointLog *log,
                  StoreOwner *ret_owner, GError **error)
{
  static const SatinCheckpointScanFuncs funcs = { .head = on_head };
  *ret_owner = (StoreOwner){ .own = &self->head };
  return satin_checkpoint_scan (storage, log, FALSE, &funcs, ret_owner, error);
}

void
store_set_term (Store *self, gint64 term)
{
  if (!self->has_head || self->head.term >= term)
    return;
  self->head.term = (gint32)term;
  store_drop_writer (self);
}

/* Drops from @logs the logs that this run must not remove: logs of other runs that were not there
 * when this run read the folder. A log without a HEAD is removed: nothing can be read from it, and
 * no other run is writing it now, because this run has the lease. */
static gboolean
select_logs (Store *self, SatinStorage *storage, gint64 term, GPtrArray *logs, GError **error)
{
  for (guint i = logs->len; i-- > 0;)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      StoreOwner owner;
      if (!store_read_owner (self, storage, log, &owner, error))
        return FALSE;
      if (owner.is_own_run && owner.term > term)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_FENCED,
                       "%s is of a later master of this run, which goes on elsewhere", log->name);
          return FALSE;
        }
      if (owner.has_head && !owner.is_own_run && !g_hash_table_contains (self->sizes, log->name))
        g_ptr_array_remove_index (logs, i);
      writer_thread_note_progress (self->writer_thread);
    }
  return TRUE;
}

gboolean
store_remove (Store *self, gint64 term, GError **error)
{
  SatinStorage *storage = store_get_storage (self, error);
  if (storage == NULL)
    return FALSE;
  store_drop_writer (self);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  if (logs == NULL || !select_logs (self, storage, term, logs, error))
    return store_give_up (self);
  /* The oldest log goes first. So if the removal is cut short, no COVERS record is gone before the
   * logs that it covers. Otherwise these logs would count again. */
  for (guint i = 0; i < logs->len; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      if (!storage->ops.remove (storage->handle, log->name, error))
        return store_give_up (self);
      writer_thread_note_progress (self->writer_thread);
    }
  return store_remove_trials (storage, error) || store_give_up (self);
}
