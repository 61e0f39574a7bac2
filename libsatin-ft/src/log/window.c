/* window.c - a part of a log in memory, which is read as it is needed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "crc32c.h"

#include <string.h>

/* How much is read after a jump that is longer than the buffer. Such a jump skips a large result,
 * so only the next frame and head are needed. */
#define JUMP_READ_BYTES (2 * CHECKPOINT_TOP_MAX_BYTES)

void
checkpoint_window_init (CheckpointWindow *self, SatinStorage *storage,
                        const SatinCheckpointLog *log, guint64 size_bytes)
{
  /* If the storage cannot read from the middle, each read costs all bytes before it too. Then the
   * buffer is as large as a read may be. */
  gsize n_most =
      storage->can & SATIN_STORAGE_CAN_RANGE ? CHECKPOINT_READ_BYTES : SATIN_STORAGE_BLOCK_MAX;
  *self = (CheckpointWindow){ .storage = storage, .name = log->name, .size_bytes = size_bytes };
  self->n_buffer = (gsize)MIN (MAX (size_bytes, 1), n_most);
  self->buffer = g_malloc (self->n_buffer);
}

void
checkpoint_window_clear (CheckpointWindow *self)
{
  g_clear_pointer (&self->buffer, g_free);
}

/* Reads the bytes that follow those in the buffer. */
static gboolean
read_more (CheckpointWindow *self, gsize n_bytes, GError **error)
{
  guint64 end = self->offset + self->n_bytes;
  gsize n_read = 0;
  n_bytes = (gsize)MIN (n_bytes, self->size_bytes - end);
  if (!self->storage->ops.read (self->storage->handle, self->name, end,
                                self->buffer + self->n_bytes, n_bytes, &n_read, error))
    return FALSE;
  self->n_bytes += n_read;
  if (n_read < n_bytes)
    self->size_bytes = end + n_read;
  return TRUE;
}

/* Makes the window begin at @offset, and keeps the bytes that are still inside. Returns: how many
 * bytes to read */
static gsize
slide (CheckpointWindow *self, guint64 offset)
{
  guint64 end = self->offset + self->n_bytes;
  gboolean is_inside = offset >= self->offset && offset <= end;
  gsize n_kept = is_inside ? (gsize)(end - offset) : 0;
  gboolean is_jump = offset > end && offset - end > self->n_buffer;
  if (n_kept > 0)
    memmove (self->buffer, self->buffer + self->n_bytes - n_kept, n_kept);
  self->offset = offset;
  self->n_bytes = n_kept;
  return is_jump ? MIN (JUMP_READ_BYTES, self->n_buffer) : self->n_buffer - n_kept;
}

const guint8 *
checkpoint_window_get (CheckpointWindow *self, guint64 offset, gsize n_bytes, gsize *ret_n_bytes,
                       GError **error)
{
  g_assert (n_bytes <= CHECKPOINT_TOP_MAX_BYTES);
  offset = MIN (offset, self->size_bytes);
  guint64 wanted_end = MIN (offset + n_bytes, self->size_bytes);
  if (offset < self->offset || wanted_end > self->offset + self->n_bytes)
    {
      gsize n_read = slide (self, offset);
      if (!read_more (self, n_read, error))
        return NULL;
    }
  gsize skipped = (gsize)(offset - self->offset);
  *ret_n_bytes = self->n_bytes > skipped ? self->n_bytes - skipped : 0;
  return self->buffer + MIN (skipped, self->n_bytes);
}

/* Continues @sum over @n_bytes from @offset on. @ret_is_there: FALSE when the log ends before the
 * last of these bytes. Returns: FALSE with @error */
static gboolean
sum_window (CheckpointWindow *self, guint64 offset, guint64 n_bytes, guint32 *sum,
            gboolean *ret_is_there, GError **error)
{
  guint64 end = offset + n_bytes;
  while (offset < end)
    {
      gsize n = 0;
      const guint8 *bytes = checkpoint_window_get (self, offset, 1, &n, error);
      if (bytes == NULL)
        return FALSE;
      if (n == 0)
        break;
      n = (gsize)MIN (n, end - offset);
      *sum = crc32c (*sum, bytes, n);
      offset += n;
    }
  *ret_is_there = offset == end;
  return TRUE;
}

gboolean
checkpoint_window_check_body (CheckpointWindow *self, guint64 offset, const CheckpointFrame *frame,
                              gboolean *ret_is_right, GError **error)
{
  guint32 sum = frame->sum;
  gboolean is_there = TRUE;
  gsize n = 0;
  *ret_is_right = frame->n_body == 0;
  if (frame->n_body == 0)
    return TRUE;
  if (!sum_window (self, offset, frame->n_body, &sum, &is_there, error))
    return FALSE;
  const guint8 *bytes =
      checkpoint_window_get (self, offset + frame->n_body, CHECKPOINT_SUM_BYTES, &n, error);
  if (bytes == NULL)
    return FALSE;
  *ret_is_right = is_there && n >= CHECKPOINT_SUM_BYTES && checkpoint_sum_read (bytes) == sum;
  return TRUE;
}

/* Whether @head is the head of the record of @entry. */
static gboolean
is_head_of (const SatinCheckpointEntry *entry, const guint8 *head, gsize n_head,
            SatinCheckpointStored *ret_stored)
{
  SatinCheckpointStored stored;
  SatinCheckpointObject object;
  gboolean is_same;
  if (entry->object != NULL)
    {
      if (!satin_record_decode (&SatinCheckpointObject_record, head, n_head, &object, NULL))
        return FALSE;
      is_same = object.object == entry->object->object;
      satin_record_clear (&SatinCheckpointObject_record, &object);
      return is_same;
    }
  if (!checkpoint_decode_result (head, n_head, &stored))
    return FALSE;
  is_same = memcmp (stored.result.key, entry->key, sizeof entry->key) == 0;
  if (is_same && ret_stored != NULL)
    *ret_stored = stored;
  else
    satin_record_clear (&SatinCheckpointStored_record, &stored);
  return is_same;
}

gboolean
checkpoint_window_check_top (CheckpointWindow *self, const SatinCheckpointPlace *place,
                             const SatinCheckpointEntry *entry, guint32 *ret_sum,
                             SatinCheckpointStored *ret_stored, gboolean *ret_is_right,
                             GError **error)
{
  gsize n = 0, n_top = CHECKPOINT_FRAME_BYTES + place->n_head;
  CheckpointKind kind = entry->object != NULL ? CHECKPOINT_OBJECT : CHECKPOINT_RESULT;
  CheckpointFrame frame;
  const guint8 *top = checkpoint_window_get (self, place->offset, n_top, &n, error);
  if (top == NULL)
    return FALSE;
  *ret_is_right = FALSE;
  if (n < n_top || !checkpoint_frame_parse (top, &frame) || frame.kind != kind
      || frame.n_head != place->n_head || frame.n_body != place->n_result
      || !checkpoint_frame_is_right (&frame, top, place->log->seed))
    return TRUE;
  *ret_is_right = is_head_of (entry, top + CHECKPOINT_FRAME_BYTES, frame.n_head, ret_stored);
  *ret_sum = frame.sum;
  return TRUE;
}
