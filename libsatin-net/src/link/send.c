/* send.c - writes outgoing frames, or queues them until the link is open
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include "hello.h"

/* Hands @bytes to the transport. */
void
satin_link_write (SatinLink *self, GBytes *bytes)
{
  self->bytes_sent += g_bytes_get_size (bytes);
  self->transport->ops.send (self->handle, bytes);
}

void
satin_link_write_hello (SatinLink *self)
{
  g_autoptr (GBytes) hello = satin_hello_to_bytes (self->identity);
  g_autoptr (GBytes) frame = satin_frame_join (SATIN_FRAME_HELLO, 0, hello);

  self->has_greeted = TRUE;
  satin_link_write (self, frame);
  if (self->funcs->greeted != NULL)
    self->funcs->greeted (self, self->user_data);
}

/* The frame that closes a link in good order. The links of a transport share it: at the end of a
 * run, a node sends it on all of its links at once. */
static GBytes *
plain_goodbye (SatinTransport *transport)
{
  const SatinGoodbye goodbye = { .code = -1 };

  if (transport->goodbye == NULL)
    transport->goodbye =
        satin_frame_from_record (SATIN_FRAME_GOODBYE, 0, &SatinGoodbye_record, &goodbye);
  return transport->goodbye;
}

void
satin_link_write_goodbye (SatinLink *self, const GError *reason)
{
  SatinGoodbye goodbye = { 0 };
  g_autoptr (GBytes) frame = NULL;

  if (reason == NULL)
    {
      satin_link_write (self, plain_goodbye (self->transport));
      return;
    }
  goodbye.code = reason->domain == SATIN_ERROR ? reason->code : SATIN_ERROR_CLOSED;
  goodbye.message = reason->message;
  frame = satin_frame_from_record (SATIN_FRAME_GOODBYE, 0, &SatinGoodbye_record, &goodbye);
  satin_link_write (self, frame);
}

/* Writes the frames that waited for the link to open. */
void
satin_link_flush (SatinLink *self)
{
  GBytes *frame;

  self->waiting_bytes = 0;
  while ((frame = g_queue_pop_head (&self->waiting)) != NULL)
    {
      satin_link_write (self, frame);
      g_bytes_unref (frame);
    }
}

static void
queue_frame (SatinLink *self, GBytes *frame)
{
  if (self->state == LINK_OPEN)
    {
      satin_link_write (self, frame);
    }
  else
    {
      self->waiting_bytes += g_bytes_get_size (frame);
      g_queue_push_tail (&self->waiting, g_bytes_ref (frame));
    }
}

/* Whether frames can still be queued. A link that is going down drops them. */
static gboolean
may_queue (SatinLink *self)
{
  return self->state == LINK_OPEN || (self->state == LINK_GREETING && !self->is_leaving);
}

static void
note_full (SatinLink *self)
{
  if (!self->is_full && satin_link_queued_bytes (self) >= SATIN_LINK_QUEUE_MAX_BYTES)
    self->is_full = TRUE;
}

/**
 * satin_link_send:
 * @kind: %SATIN_FRAME_MESSAGE or %SATIN_FRAME_HUB
 * @channel: 1 to 255 for a message, else 0
 * @payload: (transfer none): at most %SATIN_FRAME_PAYLOAD_MAX_BYTES; a payload below
 *   %SATIN_FRAME_LARGE_BYTES is copied; the link keeps a reference to a larger one
 *
 * Queues a frame. Before the link is open, the frame waits. On a link that is closing or down, it
 * is dropped.
 */
void
satin_link_send (SatinLink *self, SatinFrameKind kind, guint channel, GBytes *payload)
{
  gsize n_bytes;

  g_return_if_fail (self != NULL && payload != NULL);
  g_return_if_fail (kind == SATIN_FRAME_MESSAGE || kind == SATIN_FRAME_HUB);
  g_return_if_fail ((kind == SATIN_FRAME_MESSAGE) == (channel != 0) && channel <= G_MAXUINT8);
  n_bytes = g_bytes_get_size (payload);
  g_return_if_fail (n_bytes <= SATIN_FRAME_PAYLOAD_MAX_BYTES);

  if (!may_queue (self))
    return;
  if (n_bytes < SATIN_FRAME_LARGE_BYTES)
    {
      g_autoptr (GBytes) frame = satin_frame_join (kind, channel, payload);

      queue_frame (self, frame);
    }
  else
    {
      guint8 head[SATIN_FRAME_HEAD_BYTES];
      g_autoptr (GBytes) head_bytes = NULL;

      satin_frame_write_head (head, kind, channel, n_bytes);
      head_bytes = g_bytes_new (head, sizeof head);
      queue_frame (self, head_bytes);
      queue_frame (self, payload);
    }
  note_full (self);
}

/**
 * satin_link_send_early:
 * @channel: 1 to 255
 * @number: the message's number
 * @payload: (transfer none): copied. The payloads that are sent before the link is open may have at
 *   most %SATIN_LINK_EARLY_MAX_BYTES together
 *
 * Sends a message, whether the link is open or not. Before this side's hello is sent, and on a link
 * that is closing or down, the message is dropped.
 */
void
satin_link_send_early (SatinLink *self, guint channel, guint64 number, GBytes *payload)
{
  guint8 head[SATIN_FRAME_HEAD_BYTES];
  guint64 number_le = GUINT64_TO_LE (number);
  GByteArray *bytes;
  g_autoptr (GBytes) frame = NULL;
  gsize n_bytes = 0;
  gconstpointer data;

  g_return_if_fail (self != NULL && payload != NULL);
  g_return_if_fail (channel != 0 && channel <= G_MAXUINT8);

  if (!may_queue (self) || !self->has_greeted)
    return;
  data = g_bytes_get_data (payload, &n_bytes);
  g_return_if_fail (n_bytes <= SATIN_LINK_EARLY_MAX_BYTES);
  satin_frame_write_head (head, SATIN_FRAME_EARLY, channel, sizeof number_le + n_bytes);
  bytes = g_byte_array_sized_new ((guint)(sizeof head + sizeof number_le + n_bytes));
  g_byte_array_append (bytes, head, sizeof head);
  g_byte_array_append (bytes, (const guint8 *)&number_le, sizeof number_le);
  g_byte_array_append (bytes, data, (guint)n_bytes);
  frame = g_byte_array_free_to_bytes (bytes);
  satin_link_write (self, frame);
  note_full (self);
}

/**
 * satin_link_send_record:
 * @data: (transfer none): a structure that @record describes
 *
 * Encodes a record at once, and queues it like satin_link_send().
 */
void
satin_link_send_record (SatinLink *self, SatinFrameKind kind, guint channel,
                        const SatinRecord *record, gconstpointer data)
{
  g_autoptr (GBytes) frame = NULL;

  g_return_if_fail (self != NULL && record != NULL && data != NULL);
  g_return_if_fail (kind == SATIN_FRAME_MESSAGE || kind == SATIN_FRAME_HUB);
  g_return_if_fail ((kind == SATIN_FRAME_MESSAGE) == (channel != 0) && channel <= G_MAXUINT8);

  if (!may_queue (self))
    return;
  frame = satin_frame_from_record (kind, channel, record, data);
  g_return_if_fail (g_bytes_get_size (frame)
                    <= SATIN_FRAME_HEAD_BYTES + SATIN_FRAME_PAYLOAD_MAX_BYTES);
  queue_frame (self, frame);
  note_full (self);
}

void
satin_link_ping (SatinLink *self)
{
  guint64 number;
  g_autoptr (GBytes) payload = NULL;
  g_autoptr (GBytes) frame = NULL;

  g_return_if_fail (self != NULL);

  if (self->state != LINK_OPEN)
    return;
  self->ping_number++;
  number = GUINT64_TO_LE (self->ping_number);
  payload = g_bytes_new (&number, sizeof number);
  frame = satin_frame_join (SATIN_FRAME_PING, 0, payload);
  self->has_pinged = TRUE;
  self->ping_sent_us = satin_loop_now_us (self->transport->loop);
  satin_link_write (self, frame);
}

gsize
satin_link_queued_bytes (SatinLink *self)
{
  g_return_val_if_fail (self != NULL, 0);

  if (!self->is_up || self->state == LINK_DOWN)
    return self->waiting_bytes;
  return self->waiting_bytes + self->transport->ops.queued_bytes (self->handle);
}
