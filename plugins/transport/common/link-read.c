/* link-read.c - reads from the socket and passes the bytes on
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream-private.h"

#include <errno.h>
#include <sys/socket.h>

/* The most rounds of STREAM_BUFFER_BYTES in one turn, so that one link does not hold up others. */
#define MAX_ROUNDS 4

static gboolean
is_reading (StreamLink *self)
{
  switch (self->state)
    {
    case LINK_UP:
      return !self->is_paused;
    case LINK_SHAKING:
    case LINK_SHUTTING:
    case LINK_CLOSING:
      return TRUE;
    case LINK_DIALING:
    case LINK_BROKEN:
    case LINK_N_STATES:
      break;
    }
  return FALSE;
}

/* Ends a link whose peer sends no more. @is_clean: the peer's coder ended the stream in good order,
 * or the link has no coder */
static void
ended (StreamLink *self, gboolean is_clean)
{
  if (self->state == LINK_SHAKING)
    link_break (self, g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED,
                                   "%s closed the link during the handshake: it has no room, or "
                                   "is not of this kind",
                                   self->name));
  else if (self->is_write_broken && !is_clean)
    link_break (self, g_steal_pointer (&self->error));
  else if (is_clean || self->state == LINK_CLOSING)
    link_break (self, NULL);
  else
    link_break (self, g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED,
                                   "%s broke off without a close in good order", self->name));
}

/* Returns: bytes received; 0 when there are none now, or the link ended */
static gsize
receive (StreamLink *self, guint8 *into, gsize size_bytes)
{
  gssize n_bytes;
  do
    n_bytes = recv (self->watch.fd, into, size_bytes, MSG_DONTWAIT);
  while (n_bytes < 0 && errno == EINTR);
  if (n_bytes > 0)
    {
      /* A short read means that the socket is empty, unless the end of the stream follows. */
      if ((gsize)n_bytes < size_bytes && !self->watch.is_hung_up)
        self->watch.is_readable = FALSE;
      return (gsize)n_bytes;
    }
  self->watch.is_readable = FALSE;
  if (n_bytes == 0)
    ended (self, self->coder == NULL);
  else if (errno != EAGAIN)
    link_break_errno (self, errno);
  return 0;
}

/* Lets the plugin check the first bytes of a link before the link's user sees them. */
static gboolean
check_first (StreamLink *self, const guint8 *bytes, gsize n_bytes)
{
  const StreamOptions *options = &self->watch.stream->options;
  if (self->has_received || options->check_first == NULL)
    return TRUE;
  self->has_received = TRUE;
  g_autoptr (GBytes) answer = NULL;
  GError *error = NULL;
  if (options->check_first (options->data, self->is_accepting, bytes, n_bytes, &answer, &error))
    return TRUE;
  if (answer != NULL)
    send (self->watch.fd, g_bytes_get_data (answer, NULL), g_bytes_get_size (answer),
          MSG_NOSIGNAL | MSG_DONTWAIT);
  link_discard_input (self);
  g_prefix_error (&error, "%s: ", self->name);
  link_break (self, error);
  return FALSE;
}

static void
deliver (StreamLink *self, const guint8 *bytes, gsize n_bytes)
{
  if (self->state == LINK_UP)
    self->events->received (self, bytes, n_bytes, self->user_data);
}

static void
read_plain (StreamLink *self)
{
  guint8 *buffer = self->watch.stream->buffer;
  for (guint round = 0; round < MAX_ROUNDS && is_reading (self) && self->watch.is_readable; round++)
    {
      gsize n_bytes = receive (self, buffer, STREAM_BUFFER_BYTES);
      if (n_bytes > 0 && check_first (self, buffer, n_bytes))
        deliver (self, buffer, n_bytes);
    }
}

/* Returns: how many bytes the peer may still send before it is authenticated; if there are none
 * left, breaks the link and returns 0. A peer may send data right after its handshake, so reaching
 * the limit is an error only after the handshake has seen those bytes */
static gsize
get_allowance (StreamLink *self)
{
  if (self->n_shaken_bytes < SATIN_HANDSHAKE_MAX_BYTES)
    return SATIN_HANDSHAKE_MAX_BYTES - self->n_shaken_bytes;
  link_break (self,
              g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                           "%s sent %" G_GSIZE_FORMAT " bytes and was not authenticated by them",
                           self->name, SATIN_HANDSHAKE_MAX_BYTES));
  return 0;
}

gboolean
link_fill_coder (StreamLink *self)
{
  guint8 *room;
  gsize size_bytes = self->coder->funcs->input_room (self->coder, &room);
  if (!self->watch.is_readable || size_bytes == 0)
    return FALSE;
  if (self->state == LINK_SHAKING)
    size_bytes = MIN (size_bytes, get_allowance (self));
  gsize n_bytes = size_bytes > 0 ? receive (self, room, size_bytes) : 0;
  if (n_bytes == 0)
    return FALSE;
  self->coder->funcs->input_filled (self->coder, n_bytes);
  self->n_shaken_bytes += self->state == LINK_SHAKING ? n_bytes : 0;
  return TRUE;
}

/* Passes decoded bytes to the user, up to one buffer. Returns: TRUE when there may be more */
static gboolean
read_decoded (StreamLink *self)
{
  guint8 *buffer = self->watch.stream->buffer;
  GError *error = NULL;
  gboolean is_end = FALSE;
  gsize n_bytes = 0;
  gssize n = 1;
  while (n > 0 && STREAM_BUFFER_BYTES - n_bytes >= STREAM_RECORD_BYTES)
    {
      n = self->coder->funcs->read (self->coder, buffer + n_bytes, STREAM_BUFFER_BYTES - n_bytes,
                                    &is_end, &error);
      if (n > 0)
        n_bytes += (gsize)n;
    }
  if (n_bytes > 0)
    deliver (self, buffer, n_bytes);
  if (self->state == LINK_BROKEN)
    {
      g_clear_error (&error);
      return FALSE;
    }
  if (n < 0)
    {
      link_flush_coder (self);
      g_prefix_error (&error, "%s: ", self->name);
      link_break (self, error);
    }
  else if (is_end)
    {
      self->coder->funcs->close (self->coder);
      link_flush_coder (self);
      ended (self, TRUE);
    }
  return n > 0;
}

static void
read_coded (StreamLink *self)
{
  gboolean has_more = TRUE;
  for (guint round = 0; has_more && round < MAX_ROUNDS && is_reading (self); round++)
    has_more = read_decoded (self) || (is_reading (self) && link_fill_coder (self));
  if (has_more && is_reading (self))
    stream_watch_queue (&self->watch);
  /* Reading may have made the coder produce an answer of its own. */
  if (self->state != LINK_BROKEN)
    link_flush_coder (self);
}

void
link_discard_input (StreamLink *self)
{
  for (guint round = 0; round < MAX_ROUNDS; round++)
    if (recv (self->watch.fd, self->watch.stream->buffer, STREAM_BUFFER_BYTES, MSG_DONTWAIT) <= 0)
      return;
}

void
link_read (StreamLink *self)
{
  if (self->coder != NULL)
    read_coded (self);
  else
    read_plain (self);
  if (is_reading (self) && self->watch.is_readable)
    stream_watch_queue (&self->watch);
}
