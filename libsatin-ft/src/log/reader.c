/* reader.c - reads single results, and the beginnings of logs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "crc32c.h"

struct _SatinCheckpointReader
{
  SatinStorage *storage;         /* (borrowed) */
  const SatinCheckpointLog *log; /* (borrowed from an index) (nullable): the window's log */
  CheckpointWindow window;
};

/* ---- results ---- */

static gboolean
refuse (const SatinCheckpointEntry *entry, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s: the %s at %" G_GUINT64_FORMAT " is damaged", entry->at.log->name,
               entry->object != NULL ? "object" : "result", entry->at.offset);
  return FALSE;
}

/* Reads @n_bytes that begin at @offset, and appends them to @out, which grows as bytes arrive. */
static gboolean
read_bytes (CheckpointWindow *window, const SatinCheckpointEntry *entry, guint64 offset,
            guint64 n_bytes, GByteArray *out, GError **error)
{
  guint64 end = offset + n_bytes;
  while (offset < end)
    {
      gsize n = 0;
      const guint8 *bytes = checkpoint_window_get (window, offset, 1, &n, error);
      if (bytes == NULL || (n == 0 && !refuse (entry, error)))
        return FALSE;
      n = (gsize)MIN (n, end - offset);
      g_byte_array_append (out, bytes, (guint)n);
      offset += n;
    }
  return TRUE;
}

static gboolean
read_body (CheckpointWindow *window, const SatinCheckpointEntry *entry, guint32 sum,
           GByteArray *body, GError **error)
{
  const SatinCheckpointPlace *at = &entry->at;
  guint n_body = (guint)at->n_result;
  if (n_body == 0)
    return TRUE;
  if (!read_bytes (window, entry, at->offset + CHECKPOINT_FRAME_BYTES + at->n_head,
                   at->n_result + CHECKPOINT_SUM_BYTES, body, error))
    return FALSE;
  if (checkpoint_sum_read (body->data + n_body) != crc32c (sum, body->data, n_body))
    return refuse (entry, error);
  g_byte_array_set_size (body, n_body);
  return TRUE;
}

/* @ret_stored: (nullable): set on success, for a result */
static GBytes *
read_record (CheckpointWindow *window, const SatinCheckpointEntry *entry,
             SatinCheckpointStored *ret_stored, GError **error)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();
  SatinCheckpointStored stored = { 0 };
  guint32 sum = 0;
  gboolean is_right = FALSE;
  if (!checkpoint_window_check_top (window, &entry->at, entry, &sum,
                                    ret_stored != NULL ? &stored : NULL, &is_right, error)
      || (!is_right && !refuse (entry, error)) || !read_body (window, entry, sum, body, error))
    {
      satin_record_clear (&SatinCheckpointStored_record, &stored);
      return NULL;
    }
  if (ret_stored != NULL)
    *ret_stored = stored;
  return g_byte_array_free_to_bytes (g_steal_pointer (&body));
}

GBytes *
satin_checkpoint_read_result (SatinStorage *storage, const SatinCheckpointEntry *entry,
                              GError **error)
{
  g_return_val_if_fail (storage != NULL && entry != NULL, NULL);
  g_return_val_if_fail (entry->at.n_result <= SATIN_CHECKPOINT_RESULT_MAX_BYTES, NULL);
  CheckpointWindow window;
  checkpoint_window_init (&window, storage, entry->at.log,
                          entry->at.offset + checkpoint_place_bytes (&entry->at));
  GBytes *result = read_record (&window, entry, NULL, error);
  checkpoint_window_clear (&window);
  return result;
}

SatinCheckpointReader *
satin_checkpoint_reader_new (SatinStorage *storage)
{
  g_return_val_if_fail (storage != NULL, NULL);
  SatinCheckpointReader *self = g_new0 (SatinCheckpointReader, 1);
  self->storage = storage;
  return self;
}

void
satin_checkpoint_reader_free (SatinCheckpointReader *self)
{
  if (self == NULL)
    return;
  checkpoint_window_clear (&self->window);
  g_free (self);
}

GBytes *
satin_checkpoint_reader_read (SatinCheckpointReader *self, const SatinCheckpointEntry *entry,
                              SatinCheckpointStored *ret_stored, GError **error)
{
  g_return_val_if_fail (self != NULL && entry != NULL && ret_stored != NULL, NULL);
  g_return_val_if_fail (entry->object == NULL, NULL);
  const SatinCheckpointPlace *at = &entry->at;
  if (self->log != at->log)
    {
      checkpoint_window_clear (&self->window);
      checkpoint_window_init (&self->window, self->storage, at->log, at->log->size_bytes);
      self->log = at->log;
    }
  return read_record (&self->window, entry, ret_stored, error);
}

/* ---- beginnings ---- */

typedef struct
{
  gboolean is_there;
  SatinCheckpointHead head; /* (owned) */
  SatinTaskTable tasks;     /* (owned) */
} Beginning;

static gboolean
on_begin (const SatinCheckpointHead *head, const SatinTaskTable *tasks, gpointer user_data)
{
  Beginning *self = user_data;
  self->is_there = TRUE;
  satin_record_copy (&SatinCheckpointHead_record, head, &self->head);
  if (tasks != NULL)
    satin_record_copy (&SatinTaskTable_record, tasks, &self->tasks);
  return FALSE;
}

gboolean
satin_checkpoint_read_beginning (SatinStorage *storage, const SatinCheckpointLog *log,
                                 SatinCheckpointHead *ret_head, SatinTaskTable *ret_tasks,
                                 GError **error)
{
  static const CheckpointScanFuncs funcs = { .begin = on_begin };
  Beginning beginning = { 0 };
  g_return_val_if_fail (storage != NULL && log != NULL, FALSE);
  g_return_val_if_fail (ret_head != NULL && ret_tasks != NULL, FALSE);
  if (!checkpoint_scan (storage, log, FALSE, &funcs, &beginning, error))
    return FALSE;
  if (beginning.is_there && checkpoint_version_is_known (beginning.head.version))
    {
      *ret_head = beginning.head;
      *ret_tasks = beginning.tasks;
      return TRUE;
    }
  if (beginning.is_there)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_PROTOCOL, "%s is of version %d", log->name,
                 beginning.head.version);
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "%s is damaged at its beginning",
                 log->name);
  satin_record_clear (&SatinCheckpointHead_record, &beginning.head);
  satin_record_clear (&SatinTaskTable_record, &beginning.tasks);
  return FALSE;
}
