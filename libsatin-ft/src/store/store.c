/* store.c - the coordinator's checkpoint: reads, writes and lists its results and objects
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

Store *
store_new (WriterThread *writer_thread, const SatinThreadOps *thread_ops, const char *uri,
           const char *params)
{
  Store *self = g_new0 (Store, 1);
  self->writer_thread = writer_thread;
  self->thread_ops = thread_ops;
  self->uri = g_strdup (uri);
  self->params = g_strdup (params);
  self->sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
store_drop_writer (Store *self)
{
  if (self->writer == NULL)
    return;
  guint64 next_number = satin_checkpoint_writer_get_next_number (self->writer);
  self->last_number = MAX (self->last_number, next_number - 1);
  self->old_log_bytes += satin_checkpoint_writer_get_bytes (self->writer);
  self->n_old_logs += checkpoint_writer_get_logs (self->writer)->len;
  g_clear_pointer (&self->writer, satin_checkpoint_writer_free);
}

void
store_free (Store *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->compaction, satin_checkpoint_compaction_free);
  g_clear_pointer (&self->writer, satin_checkpoint_writer_free);
  satin_checkpoint_index_free (self->index);
  g_hash_table_unref (self->sizes);
  if (self->has_head)
    satin_record_clear (&SatinCheckpointHead_record, &self->head);
  satin_record_clear (&SatinTaskTable_record, &self->tasks);
  g_free (self->conversion.reason);
  g_free (self->uri);
  g_free (self->params);
  g_free (self);
}

SatinStorage *
store_get_storage (Store *self, GError **error)
{
  if (writer_thread_get_storage (self->writer_thread) == NULL)
    writer_thread_set_storage (self->writer_thread,
                               satin_storage_open (self->uri, self->params, TRUE, error));
  writer_thread_note_progress (self->writer_thread);
  return writer_thread_get_storage (self->writer_thread);
}

gboolean
store_give_up (Store *self)
{
  g_clear_pointer (&self->compaction, satin_checkpoint_compaction_free);
  store_drop_writer (self);
  writer_thread_set_storage (self->writer_thread, NULL);
  return FALSE;
}

gboolean
store_count_logs (Store *self, SatinStorage *storage, guint64 *ret_n_bytes, guint *ret_n_logs,
                  GError **error)
{
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  *ret_n_bytes = 0;
  if (ret_n_logs != NULL)
    *ret_n_logs = logs != NULL ? logs->len : 0;
  for (guint i = 0; logs != NULL && i < logs->len; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      *ret_n_bytes += log->size_bytes;
      self->last_number = MAX (self->last_number, log->number);
    }
  return logs != NULL;
}

gboolean
store_acquire (Store *self, SatinFolderLease *lease, gint64 now_us, gboolean *ret_is_ours,
               GError **error)
{
  SatinStorage *storage = store_get_storage (self, error);
  if (storage == NULL)
    return FALSE;
  return satin_folder_lease_acquire (lease, storage, now_us, ret_is_ours, error)
         || store_give_up (self);
}

static void
on_progress (guint64 n_bytes, guint64 n_total_bytes, gpointer user_data)
{
  writer_thread_note_progress (((Store *)user_data)->writer_thread);
}

void
store_note_size (Store *self, const SatinCheckpointLog *log)
{
  g_hash_table_insert (self->sizes, g_strdup (log->name),
                       g_memdup2 (&log->size_bytes, sizeof log->size_bytes));
}

/* Notes the sizes of all logs, which are read next. */
static gboolean
note_sizes (Store *self, SatinStorage *storage, GError **error)
{
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  g_hash_table_remove_all (self->sizes);
  for (guint i = 0; logs != NULL && i < logs->len; i++)
    store_note_size (self, g_ptr_array_index (logs, i));
  return logs != NULL;
}

void
store_take_any (Store *self, gboolean is_anyway)
{
  self->is_anyway = is_anyway;
}

void
store_convert (Store *self, gboolean is_converting)
{
  self->is_converting = is_converting;
}

void
store_set_tasks (Store *self, const SatinTaskTable *tasks)
{
  satin_record_clear (&SatinTaskTable_record, &self->tasks);
  satin_record_copy (&SatinTaskTable_record, tasks, &self->tasks);
}

GArray *
store_list_inputs (Store *self)
{
  GArray *list = checkpoint_inputs_new (self->head.inputs, self->head.n_inputs);
  const GArray *found =
      self->index != NULL ? satin_checkpoint_index_get_inputs (self->index) : NULL;
  for (guint i = 0; found != NULL && i < found->len; i++)
    checkpoint_inputs_add (list, &g_array_index (found, SatinCheckpointInput, i));
  return list;
}

/* Sets the inputs of the HEAD: those in @list, but @inputs in place of inputs with the same name.
 */
static void
set_inputs (Store *self, GArray *list, const SatinCheckpointInput *inputs, gsize n)
{
  SatinCheckpointHead head = self->head, copy;
  for (gsize i = 0; i < n; i++)
    checkpoint_inputs_replace (list, &inputs[i]);
  head.inputs = (const SatinCheckpointInput *)list->data;
  head.n_inputs = list->len;
  satin_record_copy (&SatinCheckpointHead_record, &head, &copy);
  satin_record_clear (&SatinCheckpointHead_record, &self->head);
  self->head = copy;
}

/* Also drops the writer and the compaction, because the next results must go into new logs: the
 * HEAD of a log names all inputs of its results. */
void
store_name_inputs (Store *self, const SatinCheckpointInput *inputs, gsize n)
{
  g_autoptr (GArray) list = checkpoint_inputs_new (self->head.inputs, self->head.n_inputs);
  set_inputs (self, list, inputs, n);
  g_clear_pointer (&self->compaction, satin_checkpoint_compaction_free);
  store_drop_writer (self);
}

/* Adds the inputs of the logs that were read to the HEAD. Of inputs with the same name, the input
 * of this run counts; without it, the input of the last log. */
static void
take_found_inputs (Store *self)
{
  g_autoptr (GArray) own = checkpoint_inputs_new (self->head.inputs, self->head.n_inputs);
  g_autoptr (GArray) list = checkpoint_inputs_new (NULL, 0);
  const GArray *found = satin_checkpoint_index_get_inputs (self->index);
  for (guint i = 0; i < found->len; i++)
    checkpoint_inputs_replace (list, &g_array_index (found, SatinCheckpointInput, i));
  set_inputs (self, list, (const SatinCheckpointInput *)own->data, own->len);
}

/* Carries results over, if that is wanted. */
static gboolean
convert (Store *self, SatinStorage *storage, const SatinCheckpointHead *head, GError **error)
{
  SatinCheckpointConversion conversion;
  if (!self->is_converting)
    return TRUE;
  if (!satin_checkpoint_convert (storage, head, &self->tasks, on_progress, self, &conversion,
                                 error))
    return FALSE;
  g_free (self->conversion.reason);
  self->conversion = conversion;
  return TRUE;
}

gboolean
store_read (Store *self, const SatinCheckpointHead *head, GError **error)
{
  SatinCheckpointSummary summary;
  SatinStorage *storage = store_get_storage (self, error);
  if (storage == NULL)
    return FALSE;
  g_clear_pointer (&self->index, satin_checkpoint_index_free);
  if (self->has_head)
    satin_record_clear (&SatinCheckpointHead_record, &self->head);
  satin_record_copy (&SatinCheckpointHead_record, head, &self->head);
  self->has_head = TRUE;
  SatinCheckpointHead wanted = *head;
  if (self->is_anyway)
    {
      wanted.build = NULL;
      wanted.n_inputs = 0;
    }
  if (convert (self, storage, head, error) && note_sizes (self, storage, error))
    self->index = satin_checkpoint_read_for (storage, &wanted, &self->tasks, on_progress, self,
                                             &summary, error);
  if (self->index == NULL)
    return store_give_up (self);
  take_found_inputs (self);
  self->last_number = MAX (self->last_number, summary.last_number);
  self->old_log_bytes = summary.n_bytes;
  self->n_old_logs = summary.n_logs;
  self->n_damaged = summary.n_damaged;
  self->n_damaged_bytes = summary.n_damaged_bytes;
  return TRUE;
}

gboolean
store_ensure_writer (Store *self, GError **error)
{
  guint64 n_bytes;
  SatinStorage *storage = store_get_storage (self, error);
  if (storage == NULL)
    return FALSE;
  if (self->writer != NULL)
    return TRUE;
  /* Other nodes may have begun logs since the logs were last listed. */
  if (!store_count_logs (self, storage, &n_bytes, NULL, error))
    return store_give_up (self);
  self->writer = satin_checkpoint_writer_new (storage, &self->head, self->last_number + 1);
  satin_checkpoint_writer_set_tasks (self->writer, &self->tasks);
  return TRUE;
}

/* Whether @item needs no write: the index has this result, or a newer state of this object. If the
 * result is there, its entry gets the node and the lineage of @item. */
static gboolean
is_there (Store *self, const StoreItem *item)
{
  const SatinCheckpointResult *result = item->stored != NULL ? &item->stored->result : NULL;
  const SatinCheckpointEntry *same =
      item->object != NULL ? satin_checkpoint_index_find_object (self->index, item->object->object)
                           : satin_checkpoint_index_find_same (self->index, result);
  if (same == NULL || item->object != NULL)
    return same != NULL && same->object->version > item->object->version;
  g_autoptr (GBytes) lineage = g_bytes_new (result->lineage, result->n_lineage);
  g_autoptr (GBytes) path = g_bytes_new (result->path, result->n_path);
  satin_checkpoint_index_move (self->index, same->number, (SatinNodeId)result->node, lineage, path);
  return TRUE;
}

/* Writes @item unless is_there() says that it needs no write. @ret_is_written: FALSE when it needs
 * no write, or is too large */
static gboolean
write_item (Store *self, const StoreItem *item, SatinCheckpointPlace *ret_place,
            gboolean *ret_is_written, gint64 *n_too_large, GError **error)
{
  g_autoptr (GError) local = NULL;
  *ret_is_written = FALSE;
  if (is_there (self, item))
    return TRUE;
  if (item->object != NULL
          ? satin_checkpoint_writer_add_object (self->writer, item->object, item->bytes,
                                                item->n_bytes, ret_place, &local)
          : satin_checkpoint_writer_add_stored (self->writer, item->stored, item->bytes,
                                                item->n_bytes, ret_place, &local))
    *ret_is_written = TRUE;
  else if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_INVALID))
    (*n_too_large)++;
  else
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return TRUE;
}

gboolean
store_write (Store *self, const StoreItem *items, guint n, gint64 *n_too_large, GError **error)
{
  g_autofree SatinCheckpointPlace *places = g_new0 (SatinCheckpointPlace, n);
  g_autofree gboolean *are_written = g_new0 (gboolean, n);
  gint64 n_left_out = 0;
  if (!store_ensure_writer (self, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (!write_item (self, &items[i], &places[i], &are_written[i], &n_left_out, error))
        return store_give_up (self);
      writer_thread_note_progress (self->writer_thread);
    }
  if (!satin_checkpoint_writer_sync (self->writer, error))
    return store_give_up (self);
  for (guint i = 0; i < n; i++)
    if (are_written[i] && items[i].object != NULL)
      satin_checkpoint_index_add_object (self->index, items[i].object, &places[i]);
    else if (are_written[i])
      satin_checkpoint_index_add (self->index, self->head.run, &items[i].stored->result,
                                  &places[i]);
  *n_too_large += n_left_out;
  return TRUE;
}

GBytes *
store_fetch (Store *self, guint64 number, GError **error)
{
  g_autoptr (GError) local = NULL;
  const SatinCheckpointEntry *entry =
      self->index != NULL ? satin_checkpoint_index_find (self->index, number) : NULL;
  if (entry == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                   "checkpoint %s: there is no result %" G_GUINT64_FORMAT " any more", self->uri,
                   number);
      return NULL;
    }
  SatinStorage *storage = store_get_storage (self, error);
  if (storage == NULL)
    return NULL;
  GBytes *result = satin_checkpoint_read_result (storage, entry, &local);
  if (result != NULL)
    return result;
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_FORMAT))
    satin_checkpoint_index_remove (self->index, number);
  else
    store_give_up (self);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

gboolean
store_next_object (Store *self, gint64 after, SatinCheckpointObject *ret_object, GBytes **ret_state,
                   guint *n_damaged, GError **error)
{
  const SatinCheckpointEntry *entry;
  while (self->index != NULL
         && (entry = satin_checkpoint_index_next_object (self->index, after)) != NULL)
    {
      g_autoptr (GError) local = NULL;
      SatinCheckpointObject object;
      satin_record_copy (&SatinCheckpointObject_record, entry->object, &object);
      after = object.object;
      *ret_state = store_fetch (self, entry->number, &local);
      if (*ret_state != NULL)
        {
          *ret_object = object;
          return TRUE;
        }
      satin_record_clear (&SatinCheckpointObject_record, &object);
      if (!g_error_matches (local, SATIN_ERROR, SATIN_ERROR_FORMAT))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      (*n_damaged)++;
    }
  return FALSE;
}

typedef struct
{
  GArray *entries;
  SatinNodeId node;
  gboolean with_earlier;
} Listing;

static void
entry_clear (gpointer data)
{
  StoreEntry *self = data;
  g_clear_pointer (&self->lineage, g_bytes_unref);
  g_bytes_unref (self->path);
}

static void
add_entry (const SatinCheckpointEntry *entry, gpointer user_data)
{
  Listing *self = user_data;
  gboolean is_earlier = entry->node == 0;
  if (entry->object != NULL
      || (is_earlier ? !self->with_earlier : self->node != 0 && entry->node != self->node))
    return;
  StoreEntry copy = {
    .number = entry->number,
    .node = entry->node,
    .lineage = entry->lineage != NULL ? g_bytes_ref (entry->lineage) : NULL,
    .path = g_bytes_ref (entry->path),
  };
  memcpy (copy.key, entry->key, sizeof copy.key);
  g_array_append_val (self->entries, copy);
}

GArray *
store_list (Store *self, SatinNodeId node, gboolean with_earlier)
{
  Listing listing = { .entries = g_array_new (FALSE, FALSE, sizeof (StoreEntry)),
                      .node = node,
                      .with_earlier = with_earlier };
  g_array_set_clear_func (listing.entries, entry_clear);
  if (self->index != NULL)
    satin_checkpoint_index_foreach (self->index, add_entry, &listing);
  return listing.entries;
}

StoreFigures
store_get_figures (const Store *self)
{
  StoreFigures figures = {
    .log_bytes = self->old_log_bytes,
    .n_logs = self->n_old_logs,
    .n_damaged = self->n_damaged,
    .n_damaged_bytes = self->n_damaged_bytes,
    .conversion = self->conversion,
  };
  if (self->index != NULL)
    {
      figures.n_results = satin_checkpoint_index_count (self->index);
      figures.n_objects = satin_checkpoint_index_count_objects (self->index);
      figures.result_bytes = satin_checkpoint_index_bytes (self->index);
    }
  if (self->writer != NULL)
    {
      figures.log_bytes += satin_checkpoint_writer_get_bytes (self->writer);
      figures.n_logs += checkpoint_writer_get_logs (self->writer)->len;
    }
  return figures;
}
