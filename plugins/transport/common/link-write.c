/* link-write.c - writes queued messages to the socket
 *
 * If nothing is queued, a message goes into the socket within the call that sends it, because a
 * steal waits for it. Other messages wait in the queue by reference, and many leave at a time. On
 * an encrypted link, which has a coder (stream.h), they are joined to full records. On other links
 * they leave as a vector.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream-private.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* The most messages in one system call. */
#define MAX_VECTOR 64

void
link_clear_queue (StreamLink *self)
{
  g_queue_clear_full (&self->queue, (GDestroyNotify)g_bytes_unref);
  self->head_offset = 0;
  self->queued_bytes = 0;
}

/* Breaks the link after a failed write. A link that is up or in its handshake first reads what the
 * peer has sent, because these bytes may explain why the peer went away. */
static void
write_failed (StreamLink *self, GError *error)
{
  if (self->state != LINK_UP && self->state != LINK_SHAKING)
    {
      link_break (self, error);
      return;
    }
  self->is_write_broken = TRUE;
  self->error = error;
  link_clear_queue (self);
  self->watch.is_readable = TRUE;
  stream_watch_queue (&self->watch);
}

/* Waits until the socket can be written to again, unless the link is broken. */
static void
await_room (StreamLink *self)
{
  if (self->state != LINK_BROKEN && !self->is_write_broken)
    stream_watch_await_room (&self->watch);
}

/* Returns: bytes sent, 0 when the socket takes no more for now or is broken */
static gsize
send_vector (StreamLink *self, struct iovec *vector, gsize n_vectors)
{
  struct msghdr message = { .msg_iov = vector, .msg_iovlen = n_vectors };
  gssize n_sent;
  do
    n_sent = sendmsg (self->watch.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (n_sent < 0 && errno == EINTR);
  if (n_sent >= 0)
    return (gsize)n_sent;
  if (errno == EAGAIN)
    stream_watch_await_room (&self->watch);
  else
    {
      GError *error = NULL;
      g_autofree char *what = g_strdup_printf ("cannot send to %s", self->name);
      stream_set_errno (&error, errno, what);
      write_failed (self, error);
    }
  return 0;
}

/* Removes @n_bytes from the head of the queue. */
static void
take_queued (StreamLink *self, gsize n_bytes)
{
  self->queued_bytes -= n_bytes;
  n_bytes += self->head_offset;
  while (n_bytes > 0)
    {
      gsize head_bytes = g_bytes_get_size (g_queue_peek_head (&self->queue));
      if (n_bytes < head_bytes)
        break;
      n_bytes -= head_bytes;
      g_bytes_unref (g_queue_pop_head (&self->queue));
    }
  self->head_offset = n_bytes;
}

static void
write_plain (StreamLink *self)
{
  while (self->queued_bytes > 0 && self->watch.is_writable)
    {
      struct iovec vector[MAX_VECTOR];
      gsize n_vectors = 0;
      gsize n_bytes = 0;
      gsize offset = self->head_offset;
      for (GList *each = self->queue.head; each != NULL && n_vectors < MAX_VECTOR;
           each = each->next)
        {
          gsize size_bytes;
          const guint8 *bytes = g_bytes_get_data (each->data, &size_bytes);
          vector[n_vectors++] = (struct iovec){ .iov_base = (void *)(bytes + offset),
                                                .iov_len = size_bytes - offset };
          n_bytes += size_bytes - offset;
          offset = 0;
        }
      gsize n_sent = send_vector (self, vector, n_vectors);
      if (n_sent > 0)
        take_queued (self, n_sent);
      if (n_sent < n_bytes)
        await_room (self);
    }
}

gboolean
link_flush_coder (StreamLink *self)
{
  const guint8 *bytes;
  gsize n_bytes;
  if (self->is_write_broken)
    return FALSE;
  while ((n_bytes = self->coder->funcs->output (self->coder, &bytes)) > 0)
    {
      if (!self->watch.is_writable)
        return FALSE;
      struct iovec vector = { .iov_base = (void *)bytes, .iov_len = n_bytes };
      gsize n_sent = send_vector (self, &vector, 1);
      if (self->state == LINK_BROKEN || self->is_write_broken)
        return FALSE;
      self->coder->funcs->output_taken (self->coder, n_sent);
      if (n_sent < n_bytes)
        await_room (self);
    }
  return TRUE;
}

/* Sets *@ret_bytes to the head of the queue, as one piece for the coder. Small messages are joined.
 * Returns: the length of the piece */
static gsize
peek_record (StreamLink *self, const guint8 **ret_bytes)
{
  gsize size_bytes;
  const guint8 *bytes = g_bytes_get_data (g_queue_peek_head (&self->queue), &size_bytes);
  size_bytes -= self->head_offset;
  *ret_bytes = bytes + self->head_offset;
  if (self->queue.length == 1 || size_bytes >= STREAM_RECORD_BYTES)
    return MIN (size_bytes, STREAM_RECORD_BYTES);

  guint8 *record = self->watch.stream->record;
  memcpy (record, *ret_bytes, size_bytes);
  *ret_bytes = record;
  gsize n_bytes = size_bytes;
  for (GList *each = self->queue.head->next; each != NULL && n_bytes < STREAM_RECORD_BYTES;
       each = each->next)
    {
      bytes = g_bytes_get_data (each->data, &size_bytes);
      size_bytes = MIN (size_bytes, STREAM_RECORD_BYTES - n_bytes);
      memcpy (record + n_bytes, bytes, size_bytes);
      n_bytes += size_bytes;
    }
  return n_bytes;
}

/* Returns: FALSE when the coder has no room or is broken */
static gboolean
encode_some (StreamLink *self, const guint8 *bytes, gsize n_bytes)
{
  GError *error = NULL;
  if (self->coder->funcs->write (self->coder, bytes, n_bytes, &error))
    return TRUE;
  if (error != NULL)
    write_failed (self, error);
  return FALSE;
}

/* Encodes messages of the queue while the coder has room. */
static void
encode_queue (StreamLink *self)
{
  while (self->queued_bytes > 0)
    {
      const guint8 *bytes;
      gsize n_bytes = peek_record (self, &bytes);
      if (!encode_some (self, bytes, n_bytes))
        return;
      take_queued (self, n_bytes);
    }
}

/* Encodes and sends until the queue is empty, the socket takes no more, or the coder refuses input
 * although it has no output to send. */
static void
write_coded (StreamLink *self)
{
  gboolean has_output = TRUE;
  while (has_output)
    {
      const guint8 *bytes;
      encode_queue (self);
      if (self->state == LINK_BROKEN)
        return;
      has_output = self->coder->funcs->output (self->coder, &bytes) > 0;
      if (!link_flush_coder (self) || self->queued_bytes == 0)
        return;
    }
}

/* Called when everything is sent: tells the peer that no more comes, and waits for the peer's end.
 */
static void
finish_writing (StreamLink *self)
{
  if (self->coder != NULL)
    {
      self->coder->funcs->close (self->coder);
      if (!link_flush_coder (self))
        return;
    }
  shutdown (self->watch.fd, SHUT_WR);
  link_enter (self, LINK_CLOSING);
}

void
link_write (StreamLink *self)
{
  if (self->is_write_broken)
    return;
  if (self->coder != NULL)
    write_coded (self);
  else
    write_plain (self);
  if (self->state == LINK_SHUTTING && stream_queued_bytes (self) == 0)
    finish_writing (self);
}

/* Writes as much of @bytes as the socket takes, without queueing. Returns: the bytes sent */
static gsize
write_at_once (StreamLink *self, GBytes *bytes)
{
  gsize size_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &size_bytes);
  if (self->queued_bytes > 0 || !self->watch.is_writable)
    return 0;
  struct iovec vector = { .iov_base = (void *)data, .iov_len = size_bytes };
  gsize n_sent = send_vector (self, &vector, 1);
  if (n_sent < size_bytes)
    await_room (self);
  return n_sent;
}

void
stream_send (gpointer link, GBytes *bytes)
{
  StreamLink *self = link;
  gsize size_bytes = g_bytes_get_size (bytes);
  if (size_bytes == 0 || self->state > LINK_UP || self->is_write_broken)
    return;
  gsize n_sent = 0;
  if (self->state == LINK_UP && self->coder == NULL)
    n_sent = write_at_once (self, bytes);
  if (n_sent == size_bytes || self->is_write_broken)
    return;
  if (self->queued_bytes == 0)
    self->head_offset = n_sent;
  g_queue_push_tail (&self->queue, g_bytes_ref (bytes));
  self->queued_bytes += size_bytes - n_sent;
  if (self->state == LINK_UP && self->coder != NULL)
    write_coded (self);
  if (stream_queued_bytes (self) >= self->watch.stream->options.queue_limit_bytes)
    self->is_high = TRUE;
}
