/* writer.c - appends records to logs
 *
 * Added records wait in a buffer. If the storage can append, they are appended in blocks. If the
 * storage cannot append, each log is written as a whole: at a sync, or when the next record would
 * make the log too large.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "crc32c.h"

/* With this many bytes, the buffer is appended to the log. */
#define BUFFER_BYTES ((guint)4 << 20)

struct _SatinCheckpointWriter
{
  SatinStorage *storage;    /* (borrowed) */
  SatinCheckpointHead head; /* (owned) */
  SatinTaskTable tasks;     /* (owned) */
  gboolean has_tasks;
  guint64 n_log_head; /* size of the HEAD record, and of the TASKS record behind it */
  guint64 next_number;
  GPtrArray *logs;         /* (owned) (element-type SatinCheckpointLog): all logs so far */
  SatinCheckpointLog *log; /* (nullable) (borrowed from logs): the current log */
  GByteArray *buffer;      /* (owned): bytes of the current log that are not appended yet */
  guint64 n_appended;      /* bytes of the current log that were appended */
  gboolean is_synced;      /* everything that was added is synced */
  guint64 n_bytes;         /* size of the earlier logs */

  /* the record that is being added in pieces */
  guint64 offset; /* in the log */
  guint64 n_body;
  guint32 sum;
};

static gsize
count_encoded (const SatinRecord *record, gconstpointer data)
{
  g_autoptr (GBytes) bytes = satin_record_to_bytes (record, data);
  return g_bytes_get_size (bytes);
}

SatinCheckpointWriter *
satin_checkpoint_writer_new (SatinStorage *storage, const SatinCheckpointHead *head, guint64 number)
{
  g_return_val_if_fail (storage != NULL && head != NULL, NULL);
  g_return_val_if_fail (head->n_run == SATIN_CHECKPOINT_ID_BYTES, NULL);
  g_return_val_if_fail (head->n_program == SATIN_CHECKPOINT_ID_BYTES, NULL);
  g_return_val_if_fail (head->n_root == SATIN_CHECKPOINT_ID_BYTES, NULL);
  gsize n_head = count_encoded (&SatinCheckpointHead_record, head);
  g_return_val_if_fail (n_head <= SATIN_CHECKPOINT_HEAD_MAX_BYTES, NULL);
  SatinCheckpointWriter *self = g_new0 (SatinCheckpointWriter, 1);
  self->storage = storage;
  satin_record_copy (&SatinCheckpointHead_record, head, &self->head);
  self->n_log_head = checkpoint_frame_bytes (n_head, 0);
  self->next_number = number;
  self->logs = g_ptr_array_new_with_free_func ((GDestroyNotify)checkpoint_log_free);
  self->buffer = g_byte_array_new ();
  self->is_synced = TRUE;
  return self;
}

void
satin_checkpoint_writer_free (SatinCheckpointWriter *self)
{
  if (self == NULL)
    return;
  satin_record_clear (&SatinCheckpointHead_record, &self->head);
  satin_record_clear (&SatinTaskTable_record, &self->tasks);
  g_ptr_array_unref (self->logs);
  g_byte_array_unref (self->buffer);
  g_free (self);
}

void
satin_checkpoint_writer_set_tasks (SatinCheckpointWriter *self, const SatinTaskTable *tasks)
{
  g_return_if_fail (self != NULL && tasks != NULL);
  g_return_if_fail (!self->has_tasks && self->log == NULL);
  SatinTaskTable version = { .results_version = tasks->results_version };
  gsize n_tasks = count_encoded (&SatinTaskTable_record, tasks);
  if (n_tasks > SATIN_CHECKPOINT_HEAD_MAX_BYTES)
    {
      tasks = &version;
      n_tasks = count_encoded (&SatinTaskTable_record, tasks);
    }
  satin_record_copy (&SatinTaskTable_record, tasks, &self->tasks);
  self->has_tasks = TRUE;
  self->n_log_head += checkpoint_frame_bytes (n_tasks, 0);
}

static gboolean
can_append (const SatinCheckpointWriter *self)
{
  return (self->storage->can & SATIN_STORAGE_CAN_APPEND) != 0;
}

/* ---- logs ---- */

/* Ends the current log, and drops what is still in the buffer. */
static void
end_log (SatinCheckpointWriter *self)
{
  self->n_bytes += self->n_appended;
  self->n_appended = 0;
  self->log = NULL;
  self->is_synced = TRUE;
  g_byte_array_set_size (self->buffer, 0);
}

static gboolean
begin_log (SatinCheckpointWriter *self, GError **error)
{
  if (self->log != NULL)
    return TRUE;
  if (self->next_number > CHECKPOINT_NUMBER_MAX)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "a log there has the highest number, %" G_GUINT64_FORMAT
                   ": remove it, or use another folder",
                   CHECKPOINT_NUMBER_MAX);
      return FALSE;
    }
  self->log = checkpoint_log_new (self->next_number++, (SatinNodeId)self->head.node);
  checkpoint_log_set_seed (self->log, &self->head);
  g_ptr_array_add (self->logs, self->log);
  checkpoint_frame_append (self->buffer, CHECKPOINT_HEAD, &SatinCheckpointHead_record, &self->head,
                           0, 0);
  if (self->has_tasks)
    checkpoint_frame_append (self->buffer, CHECKPOINT_TASKS, &SatinTaskTable_record, &self->tasks,
                             0, self->log->seed);
  return TRUE;
}

/* Ends the current log after an error, because its contents are unknown now. Returns: FALSE */
static gboolean
give_up (SatinCheckpointWriter *self, GError *cause, GError **error)
{
  /* The file has another length: it existed before, or another process writes to it. To callers of
   * the writer, INVALID would mean a record that is too large. */
  if (g_error_matches (cause, SATIN_ERROR, SATIN_ERROR_INVALID))
    cause->code = SATIN_ERROR_IO;
  g_propagate_error (error, cause);
  end_log (self);
  return FALSE;
}

static gboolean
flush (SatinCheckpointWriter *self, GError **error)
{
  GError *cause = NULL;
  guint n_done = 0;
  while (n_done < self->buffer->len)
    {
      guint n =
          can_append (self) ? MIN (self->buffer->len - n_done, BUFFER_BYTES) : self->buffer->len;
      if (!self->storage->ops.append (self->storage->handle, self->log->name, self->n_appended,
                                      self->buffer->data + n_done, n, &cause))
        return give_up (self, cause, error);
      n_done += n;
      self->n_appended += n;
    }
  g_byte_array_set_size (self->buffer, 0);
  return TRUE;
}

gboolean
satin_checkpoint_writer_sync (SatinCheckpointWriter *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  GError *cause = NULL;
  if (self->is_synced)
    return TRUE;
  if (!flush (self, error))
    return FALSE;
  if (!self->storage->ops.sync (self->storage->handle, self->log->name, &cause))
    return give_up (self, cause, error);
  self->is_synced = TRUE;
  if (!can_append (self))
    end_log (self);
  return TRUE;
}

gboolean
satin_checkpoint_writer_begin_log (SatinCheckpointWriter *self, guint64 number, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (!satin_checkpoint_writer_sync (self, error))
    return FALSE;
  end_log (self);
  self->next_number = MAX (self->next_number, number);
  return TRUE;
}

guint64
satin_checkpoint_writer_get_next_number (const SatinCheckpointWriter *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->next_number;
}

guint64
satin_checkpoint_writer_get_bytes (const SatinCheckpointWriter *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_bytes + self->n_appended + self->buffer->len;
}

const GPtrArray *
checkpoint_writer_get_logs (const SatinCheckpointWriter *self)
{
  return self->logs;
}

void
checkpoint_writer_remove_logs (SatinCheckpointWriter *self)
{
  gboolean is_removed = TRUE;
  for (guint i = self->logs->len; i > 0 && is_removed; i--)
    {
      const SatinCheckpointLog *log = g_ptr_array_index (self->logs, i - 1);
      is_removed = self->storage->ops.remove (self->storage->handle, log->name, NULL);
    }
}

/* ---- records ---- */

/* Makes sure that there is a log with room for a record of this size. */
static gboolean
make_room (SatinCheckpointWriter *self, guint64 n_head, guint64 n_body, GError **error)
{
  guint64 n_record = checkpoint_frame_bytes (n_head, n_body);
  if (n_head > SATIN_CHECKPOINT_HEAD_MAX_BYTES || n_body > SATIN_CHECKPOINT_RESULT_MAX_BYTES
      || (!can_append (self) && self->n_log_head + n_record > SATIN_STORAGE_BLOCK_MAX))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "a result, or an object, of %" G_GUINT64_FORMAT " bytes, with %" G_GUINT64_FORMAT
                   " bytes that describe it, is more than %s takes",
                   n_body, n_head, can_append (self) ? "a checkpoint" : "this storage");
      return FALSE;
    }
  if (!can_append (self) && self->buffer->len + n_record > SATIN_STORAGE_BLOCK_MAX
      && !satin_checkpoint_writer_sync (self, error))
    return FALSE;
  return begin_log (self, error);
}

/* If the storage can append and the buffer is full, appends the buffer to the log. Call this
 * function after each addition to the buffer. */
static gboolean
settle (SatinCheckpointWriter *self, GError **error)
{
  self->is_synced = FALSE;
  return !can_append (self) || self->buffer->len < BUFFER_BYTES || flush (self, error);
}

gboolean
checkpoint_writer_begin (SatinCheckpointWriter *self, CheckpointKind kind, gconstpointer head,
                         guint64 n_body, SatinCheckpointPlace *ret_place, GError **error)
{
  const SatinRecord *record =
      kind == CHECKPOINT_OBJECT ? &SatinCheckpointObject_record : &SatinCheckpointStored_record;
  gsize n_head = count_encoded (record, head);
  if (!make_room (self, n_head, n_body, error))
    return FALSE;
  SatinCheckpointPlace place = { self->log, self->n_appended + self->buffer->len, (guint32)n_head,
                                 n_body };
  self->sum = checkpoint_frame_append (self->buffer, kind, record, head, n_body, self->log->seed);
  self->offset = place.offset;
  self->n_body = n_body;
  *ret_place = place;
  return settle (self, error);
}

gboolean
checkpoint_writer_add_piece (SatinCheckpointWriter *self, const guint8 *bytes, gsize n_bytes,
                             GError **error)
{
  self->sum = crc32c (self->sum, bytes, n_bytes);
  while (n_bytes > 0)
    {
      gsize n = can_append (self) ? MIN (n_bytes, BUFFER_BYTES) : n_bytes;
      g_byte_array_append (self->buffer, bytes, (guint)n);
      if (!settle (self, error))
        return FALSE;
      bytes += n;
      n_bytes -= n;
    }
  return TRUE;
}

gboolean
checkpoint_writer_end (SatinCheckpointWriter *self, gboolean is_good, GError **error)
{
  if (!is_good && self->offset >= self->n_appended)
    g_byte_array_set_size (self->buffer, (guint)(self->offset - self->n_appended));
  else if (self->n_body > 0)
    checkpoint_sum_append (self->buffer, is_good ? self->sum : ~self->sum);
  return settle (self, error);
}

gboolean
checkpoint_writer_add_covers (SatinCheckpointWriter *self, const SatinCheckpointCovers *covers,
                              GError **error)
{
  if (!make_room (self, count_encoded (&SatinCheckpointCovers_record, covers), 0, error))
    return FALSE;
  checkpoint_frame_append (self->buffer, CHECKPOINT_COVERS, &SatinCheckpointCovers_record, covers,
                           0, self->log->seed);
  return settle (self, error);
}

static gboolean
add (SatinCheckpointWriter *self, CheckpointKind kind, gconstpointer head, const guint8 *bytes,
     gsize n_bytes, SatinCheckpointPlace *ret_place, GError **error)
{
  SatinCheckpointPlace place;
  if (!checkpoint_writer_begin (self, kind, head, n_bytes, &place, error)
      || !checkpoint_writer_add_piece (self, bytes, n_bytes, error)
      || !checkpoint_writer_end (self, TRUE, error))
    return FALSE;
  *ret_place = place;
  return TRUE;
}

gboolean
satin_checkpoint_writer_add (SatinCheckpointWriter *self, const SatinCheckpointResult *result,
                             const guint8 *bytes, gsize n_bytes, SatinCheckpointPlace *ret_place,
                             GError **error)
{
  g_return_val_if_fail (result != NULL, FALSE);
  const SatinCheckpointStored stored = { .result = *result };
  return satin_checkpoint_writer_add_stored (self, &stored, bytes, n_bytes, ret_place, error);
}

gboolean
satin_checkpoint_writer_add_stored (SatinCheckpointWriter *self,
                                    const SatinCheckpointStored *stored, const guint8 *bytes,
                                    gsize n_bytes, SatinCheckpointPlace *ret_place, GError **error)
{
  g_return_val_if_fail (self != NULL && stored != NULL && ret_place != NULL, FALSE);
  g_return_val_if_fail (stored->result.n_key == SATIN_CHECKPOINT_ID_BYTES, FALSE);
  g_return_val_if_fail (bytes != NULL || n_bytes == 0, FALSE);
  return add (self, CHECKPOINT_RESULT, stored, bytes, n_bytes, ret_place, error);
}

gboolean
satin_checkpoint_writer_add_object (SatinCheckpointWriter *self,
                                    const SatinCheckpointObject *object, const guint8 *bytes,
                                    gsize n_bytes, SatinCheckpointPlace *ret_place, GError **error)
{
  g_return_val_if_fail (self != NULL && object != NULL && ret_place != NULL, FALSE);
  g_return_val_if_fail (bytes != NULL || n_bytes == 0, FALSE);
  return add (self, CHECKPOINT_OBJECT, object, bytes, n_bytes, ret_place, error);
}
