/* frame.c - writes frames as bytes, and finds the frames in received bytes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "frame.h"

#include <string.h>

void
satin_frame_write_head (guint8 *head, SatinFrameKind kind, guint channel, gsize payload_bytes)
{
  guint32 length = GUINT32_TO_LE ((guint32)(payload_bytes + 2));

  memcpy (head, &length, sizeof length);
  head[4] = (guint8)kind;
  head[5] = (guint8)channel;
}

GBytes *
satin_frame_join (SatinFrameKind kind, guint channel, GBytes *payload)
{
  gsize n_bytes = 0;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint8 *frame = g_malloc (SATIN_FRAME_HEAD_BYTES + n_bytes);

  satin_frame_write_head (frame, kind, channel, n_bytes);
  if (n_bytes > 0)
    memcpy (frame + SATIN_FRAME_HEAD_BYTES, bytes, n_bytes);
  return g_bytes_new_take (frame, SATIN_FRAME_HEAD_BYTES + n_bytes);
}

GBytes *
satin_frame_from_record (SatinFrameKind kind, guint channel, const SatinRecord *record,
                         gconstpointer data)
{
  GByteArray *frame = g_byte_array_sized_new (256);

  g_byte_array_set_size (frame, SATIN_FRAME_HEAD_BYTES);
  satin_record_encode (record, data, frame);
  satin_frame_write_head (frame->data, kind, channel, frame->len - SATIN_FRAME_HEAD_BYTES);
  return g_byte_array_free_to_bytes (frame);
}

static gboolean
check_greeting (SatinFrameReader *self, GError **error)
{
  const guint8 *head = self->head;

  if (head[4] != SATIN_FRAME_HELLO && head[4] != SATIN_FRAME_GOODBYE
      && !(self->may_be_early && head[4] == SATIN_FRAME_EARLY && head[5] != 0))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "not a Satin peer: it begins with the bytes %02x %02x %02x %02x %02x %02x",
                   head[0], head[1], head[2], head[3], head[4], head[5]);
      return FALSE;
    }
  if (self->payload_bytes > SATIN_HANDSHAKE_MAX_BYTES - SATIN_FRAME_HEAD_BYTES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "a hello of %" G_GUINT32_FORMAT " bytes is above the limit of %" G_GSIZE_FORMAT,
                   self->payload_bytes, SATIN_HANDSHAKE_MAX_BYTES);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_head (SatinFrameReader *self, GError **error)
{
  const guint8 *head = self->head;
  guint32 length;

  memcpy (&length, head, sizeof length);
  length = GUINT32_FROM_LE (length);
  self->payload_bytes = MAX (length, 2) - 2;
  if (self->is_greeting)
    return check_greeting (self, error);
  if (length < 2 || head[4] < SATIN_FRAME_HELLO || head[4] > SATIN_FRAME_EARLY
      || (head[4] == SATIN_FRAME_MESSAGE || head[4] == SATIN_FRAME_EARLY) != (head[5] != 0))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "no frame has length %" G_GUINT32_FORMAT ", kind %u and channel %u", length,
                   head[4], head[5]);
      return FALSE;
    }
  if (self->payload_bytes > SATIN_FRAME_PAYLOAD_MAX_BYTES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "a frame of %" G_GUINT32_FORMAT " bytes is above the limit of %" G_GSIZE_FORMAT,
                   self->payload_bytes, SATIN_FRAME_PAYLOAD_MAX_BYTES);
      return FALSE;
    }
  return TRUE;
}

/* Takes the missing bytes of the payload from @bytes. Returns: (transfer full) (nullable): the
 * payload, or %NULL while it is incomplete */
static GBytes *
read_payload (SatinFrameReader *self, const guint8 *bytes, gsize n_bytes, gsize *ret_n_used)
{
  if (self->payload == NULL && n_bytes >= self->payload_bytes)
    {
      *ret_n_used = self->payload_bytes;
      return g_bytes_new (bytes, self->payload_bytes);
    }
  if (self->payload == NULL)
    self->payload = g_byte_array_new ();
  *ret_n_used = MIN (n_bytes, self->payload_bytes - self->payload->len);
  g_byte_array_append (self->payload, bytes, (guint)*ret_n_used);
  if (self->payload->len < self->payload_bytes)
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&self->payload));
}

SatinFrameReadResult
satin_frame_reader_read (SatinFrameReader *self, const guint8 *bytes, gsize n_bytes,
                         gsize *ret_n_used, SatinFrame *ret_frame, GError **error)
{
  gsize n_missing = SATIN_FRAME_HEAD_BYTES - self->n_head;
  gsize n_head = 0;
  gsize n_payload = 0;
  GBytes *payload;

  if (n_missing > 0)
    {
      n_head = MIN (n_bytes, n_missing);
      memcpy (self->head + self->n_head, bytes, n_head);
      self->n_head += n_head;
      *ret_n_used = n_head;
      if (self->n_head < SATIN_FRAME_HEAD_BYTES)
        return SATIN_FRAME_READ_MORE;
      if (!check_head (self, error))
        return SATIN_FRAME_READ_FAILED;
    }
  payload = read_payload (self, bytes + n_head, n_bytes - n_head, &n_payload);
  *ret_n_used = n_head + n_payload;
  if (payload == NULL)
    return SATIN_FRAME_READ_MORE;
  ret_frame->kind = self->head[4];
  ret_frame->channel = self->head[5];
  ret_frame->payload = payload;
  self->n_head = 0;
  return SATIN_FRAME_READ_FRAME;
}

gboolean
satin_frame_reader_is_inside (const SatinFrameReader *self)
{
  return self->n_head > 0;
}

void
satin_frame_reader_clear (SatinFrameReader *self)
{
  g_clear_pointer (&self->payload, g_byte_array_unref);
  self->n_head = 0;
}
