/* depot.c - a checkpoint as its coordinator has it: what blocks, for the storer's thread
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "depot.h"

#include "checkpoint-private.h"

#include <string.h>

/* What is written to find out how long that takes. */
#define TRIAL_BYTES  4096
#define TRIAL_PREFIX "satin-trial-"

struct _Depot
{
  Storer *storer;                   /* (borrowed) */
  const SatinThreadOps *thread_ops; /* (borrowed) */
  char *uri;                        /* (owned) */
  char *params;                     /* (owned) (nullable) */
  gboolean has_head;
  SatinCheckpointHead head;              /* (owned) */
  SatinCheckpointIndex *index;           /* (owned) (nullable) until it was read */
  SatinCheckpointWriter *writer;         /* (owned) (nullable) none, or what it wrote to failed */
  SatinCheckpointCompaction *compaction; /* (owned) (nullable) under way */
  GHashTable *sizes;                     /* (owned) name of a log to (owned) bytes that were read */
  guint64 last_number;                   /* of a log */
  guint64 old_log_bytes;                 /* of logs that the writer has not written */
  guint n_old_logs;
  guint n_damaged;
  guint64 n_damaged_bytes;
};

Depot *
depot_new (Storer *storer, const SatinThreadOps *thread_ops, const char *uri, const char *params)
{
  Depot *self = g_new0 (Depot, 1);
  self->storer = storer;
  self->thread_ops = thread_ops;
  self->uri = g_strdup (uri);
  self->params = g_strdup (params);
  self->sizes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

static void
drop_writer (Depot *self)
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
depot_free (Depot *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->compaction, satin_checkpoint_compaction_free);
  g_clear_pointer (&self->writer, satin_checkpoint_writer_free);
  satin_checkpoint_index_free (self->index);
  g_hash_table_unref (self->sizes);
  if (self->has_head)
    satin_record_clear (&SatinCheckpointHead_record, &self->head);
  g_free (self->uri);
  g_free (self->params);
  g_free (self);
}

/* Returns: (transfer none) (nullable): the open storage; NULL with @error */
static SatinStorage *
get_storage (Depot *self, GError **error)
{
  if (storer_get_storage (self->storer) == NULL)
    storer_set_storage (self->storer, satin_storage_open (self->uri, self->params, TRUE, error));
  storer_note_progress (self->storer);
  return storer_get_storage (self->storer);
}

/* It has failed. */
static gboolean
give_up (Depot *self)
{
  g_clear_pointer (&self->compaction, satin_checkpoint_compaction_free);
  drop_writer (self);
  storer_set_storage (self->storer, NULL);
  return FALSE;
}

static gboolean
count_logs (Depot *self, SatinStorage *storage, guint64 *ret_n_bytes, GError **error)
{
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  *ret_n_bytes = 0;
  for (guint i = 0; logs != NULL && i < logs->len; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      *ret_n_bytes += log->size_bytes;
      self->last_number = MAX (self->last_number, log->number);
    }
  return logs != NULL;
}

static gboolean
try_writing (Depot *self, SatinStorage *storage, const char *name, gint64 *ret_write_us,
             GError **error)
{
  guint8 bytes[TRIAL_BYTES] = { 0 };
  const SatinStorageOps *ops = &storage->ops;
  if (!ops->remove (storage->handle, name, error))
    return FALSE;
  gint64 begun_us = self->thread_ops->now_us ();
  gboolean is_written = ops->append (storage->handle, name, 0, bytes, sizeof bytes, error)
                        && ops->sync (storage->handle, name, error);
  *ret_write_us = self->thread_ops->now_us () - begun_us;
  /* A part of it may be there. */
  return ops->remove (storage->handle, name, is_written ? error : NULL) && is_written;
}

static void
add_trial (const char *name, guint64 size_bytes, gpointer user_data)
{
  if (g_str_has_prefix (name, TRIAL_PREFIX))
    g_ptr_array_add (user_data, g_strdup (name));
}

/* A node that was lost in its trial has left it. */
static gboolean
remove_trials (SatinStorage *storage, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean is_done = storage->ops.list (storage->handle, add_trial, names, error);
  for (guint i = 0; is_done && i < names->len; i++)
    is_done = storage->ops.remove (storage->handle, g_ptr_array_index (names, i), error);
  return is_done;
}

/* Those that others left may have filled the disk. */
static gboolean
try_with_room (Depot *self, SatinStorage *storage, const char *name, gint64 *ret_write_us,
               GError **error)
{
  g_autoptr (GError) local = NULL;
  if (try_writing (self, storage, name, ret_write_us, &local))
    return TRUE;
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_LIMIT))
    {
      g_clear_error (&local);
      if (remove_trials (storage, &local)
          && try_writing (self, storage, name, ret_write_us, &local))
        return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
depot_time (Depot *self, SatinNodeId node, gint64 *ret_write_us, gint64 *ret_log_bytes,
            GError **error)
{
  g_autofree char *name = g_strdup_printf (TRIAL_PREFIX "%u", node);
  guint64 n_bytes;
  SatinStorage *storage = get_storage (self, error);
  *ret_log_bytes = 0;
  if (storage == NULL)
    return FALSE;
  if (!count_logs (self, storage, &n_bytes, error))
    return give_up (self);
  *ret_log_bytes = (gint64)n_bytes;
  return try_with_room (self, storage, name, ret_write_us, error) || give_up (self);
}

static void
on_progress (guint64 n_bytes, guint64 n_total_bytes, gpointer user_data)
{
  storer_note_progress (((Depot *)user_data)->storer);
}

/* What is behind these sizes was not read. */
static gboolean
note_sizes (Depot *self, SatinStorage *storage, GError **error)
{
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  g_hash_table_remove_all (self->sizes);
  for (guint i = 0; logs != NULL && i < logs->len; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      g_hash_table_insert (self->sizes, g_strdup (log->name),
                           g_memdup2 (&log->size_bytes, sizeof log->size_bytes));
    }
  return logs != NULL;
}

gboolean
depot_read (Depot *self, const SatinCheckpointHead *head, GError **error)
{
  SatinCheckpointSummary summary;
  SatinStorage *storage = get_storage (self, error);
  if (storage == NULL)
    return FALSE;
  g_clear_pointer (&self->index, satin_checkpoint_index_free);
  if (self->has_head)
    satin_record_clear (&SatinCheckpointHead_record, &self->head);
  satin_record_copy (&SatinCheckpointHead_record, head, &self->head);
  self->has_head = TRUE;
  if (note_sizes (self, storage, error))
    self->index = satin_checkpoint_read (storage, head, on_progress, self, &summary, error);
  if (self->index == NULL)
    return give_up (self);
  self->last_number = MAX (self->last_number, summary.last_number);
  self->old_log_bytes = summary.n_bytes;
  self->n_old_logs = summary.n_logs;
  self->n_damaged = summary.n_damaged;
  self->n_damaged_bytes = summary.n_damaged_bytes;
  return TRUE;
}

/* Another may have written there since it was open. */
static gboolean
ensure_writer (Depot *self, GError **error)
{
  guint64 n_bytes;
  SatinStorage *storage = get_storage (self, error);
  if (storage == NULL)
    return FALSE;
  if (self->writer != NULL)
    return TRUE;
  if (!count_logs (self, storage, &n_bytes, error))
    return give_up (self);
  self->writer = satin_checkpoint_writer_new (storage, &self->head, self->last_number + 1);
  return TRUE;
}

/* Whether nothing is to be written, as it is there, or a newer state of it. */
static gboolean
is_there (Depot *self, const DepotItem *item)
{
  const SatinCheckpointResult *result = item->result;
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

/* Writes one that is not there. @ret_is_written: FALSE when it is, or is too large. */
static gboolean
write_item (Depot *self, const DepotItem *item, SatinCheckpointPlace *ret_place,
            gboolean *ret_is_written, gint64 *n_too_large, GError **error)
{
  g_autoptr (GError) local = NULL;
  *ret_is_written = FALSE;
  if (is_there (self, item))
    return TRUE;
  if (item->object != NULL ? satin_checkpoint_writer_add_object (
          self->writer, item->object, item->bytes, item->n_bytes, ret_place, &local)
                           : satin_checkpoint_writer_add (self->writer, item->result, item->bytes,
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
depot_write (Depot *self, const DepotItem *items, guint n, gint64 *n_too_large, GError **error)
{
  g_autofree SatinCheckpointPlace *places = g_new0 (SatinCheckpointPlace, n);
  g_autofree gboolean *are_written = g_new0 (gboolean, n);
  gint64 n_left_out = 0;
  if (!ensure_writer (self, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (!write_item (self, &items[i], &places[i], &are_written[i], &n_left_out, error))
        return give_up (self);
      storer_note_progress (self->storer);
    }
  if (!satin_checkpoint_writer_sync (self->writer, error))
    return give_up (self);
  for (guint i = 0; i < n; i++)
    if (are_written[i] && items[i].object != NULL)
      satin_checkpoint_index_add_object (self->index, items[i].object, &places[i]);
    else if (are_written[i])
      satin_checkpoint_index_add (self->index, self->head.run, items[i].result, &places[i]);
  *n_too_large += n_left_out;
  return TRUE;
}

GBytes *
depot_fetch (Depot *self, guint64 number, GError **error)
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
  SatinStorage *storage = get_storage (self, error);
  if (storage == NULL)
    return NULL;
  GBytes *result = satin_checkpoint_read_result (storage, entry, &local);
  if (result != NULL)
    return result;
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_FORMAT))
    satin_checkpoint_index_remove (self->index, number);
  else
    give_up (self);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

gboolean
depot_next_object (Depot *self, gint64 after, SatinCheckpointObject *ret_object, GBytes **ret_state,
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
      *ret_state = depot_fetch (self, entry->number, &local);
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
  DepotEntry *self = data;
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
  DepotEntry copy = {
    .number = entry->number,
    .node = entry->node,
    .lineage = entry->lineage != NULL ? g_bytes_ref (entry->lineage) : NULL,
    .path = g_bytes_ref (entry->path),
  };
  memcpy (copy.key, entry->key, sizeof copy.key);
  g_array_append_val (self->entries, copy);
}

GArray *
depot_list (Depot *self, SatinNodeId node, gboolean with_earlier)
{
  Listing listing = { .entries = g_array_new (FALSE, FALSE, sizeof (DepotEntry)),
                      .node = node,
                      .with_earlier = with_earlier };
  g_array_set_clear_func (listing.entries, entry_clear);
  if (self->index != NULL)
    satin_checkpoint_index_foreach (self->index, add_entry, &listing);
  return listing.entries;
}

/* ---- making it smaller ---- */

GArray *
depot_list_writers (Depot *self, GError **error)
{
  SatinStorage *storage = get_storage (self, error);
  g_autoptr (GPtrArray) logs = storage != NULL ? satin_checkpoint_list (storage, error) : NULL;
  if (logs == NULL)
    {
      give_up (self);
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

/* Whose log it is that is read again. */
typedef struct
{
  Depot *depot;
  guint8 run[SATIN_CHECKPOINT_ID_BYTES];
} Rest;

static gboolean
on_rest_head (const SatinCheckpointHead *head, gpointer user_data)
{
  Rest *self = user_data;
  const SatinCheckpointHead *own = &self->depot->head;
  if (head->version != own->version || head->n_run != sizeof self->run
      || head->n_program != own->n_program || head->n_root != own->n_root
      || memcmp (head->program, own->program, own->n_program) != 0
      || memcmp (head->root, own->root, own->n_root) != 0)
    return FALSE;
  memcpy (self->run, head->run, sizeof self->run);
  return TRUE;
}

static void
on_rest (const SatinCheckpointResult *result, const SatinCheckpointPlace *place, gpointer user_data)
{
  Rest *self = user_data;
  satin_checkpoint_index_add (self->depot->index, self->run, result, place);
}

static void
on_rest_object (const SatinCheckpointObject *object, const SatinCheckpointPlace *place,
                gpointer user_data)
{
  satin_checkpoint_index_add_object (((Rest *)user_data)->depot->index, object, place);
}

/* Whoever wrote before may have gone on after this one had read it. */
static gboolean
read_rest (Depot *self, SatinStorage *storage, const SatinCheckpointLog *log, GError **error)
{
  static const SatinCheckpointScanFuncs funcs = { .head = on_rest_head,
                                                  .result = on_rest,
                                                  .object = on_rest_object };
  const guint64 *size_bytes = g_hash_table_lookup (self->sizes, log->name);
  Rest rest = { .depot = self };
  if (log->node == (SatinNodeId)self->head.node
      || (size_bytes != NULL && *size_bytes == log->size_bytes))
    return TRUE;
  return satin_checkpoint_scan (storage, log, FALSE, &funcs, &rest, error);
}

static gboolean
begin_compaction (Depot *self, SatinStorage *storage, const GArray *writers, GError **error)
{
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  if (logs == NULL)
    return FALSE;
  for (guint i = logs->len; i-- > 0;)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      self->last_number = MAX (self->last_number, log->number);
      if (!contains (writers, log->node))
        g_ptr_array_remove_index (logs, i);
      else if (!read_rest (self, storage, log, error))
        return FALSE;
    }
  guint64 number =
      MAX (self->last_number + 1, satin_checkpoint_writer_get_next_number (self->writer));
  self->compaction =
      satin_checkpoint_compaction_new (storage, self->index, &self->head, number, logs);
  return satin_checkpoint_writer_begin_log (
      self->writer, satin_checkpoint_compaction_get_end (self->compaction), error);
}

static gboolean
end_compaction (Depot *self, SatinStorage *storage, GError **error)
{
  guint64 n_bytes;
  self->n_damaged += satin_checkpoint_compaction_get_n_damaged (self->compaction);
  g_clear_pointer (&self->compaction, satin_checkpoint_compaction_free);
  drop_writer (self);
  if (!count_logs (self, storage, &n_bytes, error) || !note_sizes (self, storage, error))
    return FALSE;
  self->old_log_bytes = n_bytes;
  self->n_old_logs = g_hash_table_size (self->sizes);
  return TRUE;
}

gboolean
depot_compact (Depot *self, const GArray *writers, gboolean *ret_is_over, GError **error)
{
  if (!ensure_writer (self, error))
    return FALSE;
  SatinStorage *storage = storer_get_storage (self->storer);
  gboolean is_over = FALSE;
  if ((self->compaction == NULL && !begin_compaction (self, storage, writers, error))
      || !satin_checkpoint_compaction_step (self->compaction, &is_over, error)
      || (is_over && !end_compaction (self, storage, error)))
    return give_up (self);
  storer_note_progress (self->storer);
  *ret_is_over = is_over;
  return TRUE;
}

/* ---- */

gboolean
depot_remove (Depot *self, GError **error)
{
  SatinStorage *storage = get_storage (self, error);
  if (storage == NULL)
    return FALSE;
  drop_writer (self);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (storage, error);
  /* The newest last: what is left if this is cut short is older than what would cover it. */
  for (guint i = 0; logs != NULL && i < logs->len; i++)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (logs, i);
      if (!storage->ops.remove (storage->handle, log->name, error))
        return give_up (self);
      storer_note_progress (self->storer);
    }
  return (logs != NULL && remove_trials (storage, error)) || give_up (self);
}

DepotFigures
depot_get_figures (const Depot *self)
{
  DepotFigures figures = {
    .log_bytes = self->old_log_bytes,
    .n_logs = self->n_old_logs,
    .n_damaged = self->n_damaged,
    .n_damaged_bytes = self->n_damaged_bytes,
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
