/* tunnel.c - one channel of a session, and the socket that it is joined to
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tunnel.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_BYTES ((gsize)TUNNEL_PACKET_BYTES)

/* How long the unsent bytes of a closed link are still sent on. */
#define GONE_US ((gint64)5000000)

Tunnel *
tunnel_new (LIBSSH2_CHANNEL *channel, int fd)
{
  Tunnel *self = g_new0 (Tunnel, 1);
  self->channel = channel;
  self->fd = fd;
  self->there.bytes = g_malloc (BUFFER_BYTES);
  self->back.bytes = g_malloc (BUFFER_BYTES);
  return self;
}

void
tunnel_free (Tunnel *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->there.bytes);
  g_free (self->back.bytes);
  g_free (self);
}

static void
filled (TunnelBuffer *self, gssize n_bytes)
{
  self->offset = 0;
  self->n_bytes = (gsize)n_bytes;
}

static void
taken (TunnelBuffer *self, gssize n_bytes)
{
  self->offset += (gsize)n_bytes;
  self->n_bytes -= (gsize)n_bytes;
}

/* ---- the link ---- */

short
tunnel_get_events (const Tunnel *self)
{
  short events = 0;
  if (self->there.n_bytes == 0 && !self->has_end)
    events |= POLLIN;
  if (self->back.n_bytes > 0)
    events |= POLLOUT;
  return events;
}

/* Called when the link has closed its socket. Bytes that the link sent are still sent on, for
 * GONE_US at most; bytes for the link are thrown away. */
static void
link_gone (Tunnel *self, gint64 now_us)
{
  if (!self->is_gone)
    self->give_up_us = now_us + GONE_US;
  self->is_gone = TRUE;
  self->back.n_bytes = 0;
}

static void
take_from_link (Tunnel *self)
{
  gssize n;
  if (self->there.n_bytes > 0 || self->has_end)
    return;
  do
    n = recv (self->fd, self->there.bytes, BUFFER_BYTES, MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
  if (n > 0)
    filled (&self->there, n);
  else
    self->has_end = n == 0 || errno != EAGAIN;
}

static void
give_to_link (Tunnel *self, gint64 now_us)
{
  gssize n = 1;
  while (n > 0 && self->back.n_bytes > 0)
    {
      do
        n = send (self->fd, self->back.bytes + self->back.offset, self->back.n_bytes,
                  MSG_NOSIGNAL | MSG_DONTWAIT);
      while (n < 0 && errno == EINTR);
      if (n > 0)
        taken (&self->back, n);
      else if (errno != EAGAIN)
        link_gone (self, now_us);
    }
}

void
tunnel_serve_link (Tunnel *self, short revents, gint64 now_us)
{
  if (!self->is_gone)
    give_to_link (self, now_us);
  take_from_link (self);
  if (!self->is_gone && !self->has_ended && self->back.n_bytes == 0
      && libssh2_channel_eof (self->channel) == 1)
    {
      shutdown (self->fd, SHUT_WR);
      self->has_ended = TRUE;
    }
  if ((revents & (POLLHUP | POLLERR)) != 0)
    link_gone (self, now_us);
}

/* ---- the channel ---- */

static gssize
step_write (Tunnel *self)
{
  gssize n = libssh2_channel_write (self->channel, (char *)self->there.bytes + self->there.offset,
                                    self->there.n_bytes);
  if (n > 0)
    taken (&self->there, n);
  return n;
}

static gssize
step_read (Tunnel *self)
{
  gssize n = libssh2_channel_read (self->channel, (char *)self->back.bytes, BUFFER_BYTES);
  if (n > 0)
    filled (&self->back, n);
  return n;
}

static gssize
step_end (Tunnel *self)
{
  int status = libssh2_channel_send_eof (self->channel);
  self->has_told_end = status == 0;
  return status;
}

gssize
tunnel_step_close (Tunnel *self)
{
  int status = libssh2_channel_free (self->channel);
  if (status != LIBSSH2_ERROR_EAGAIN)
    self->channel = NULL;
  return status;
}

static gboolean
has_arrived (const Tunnel *self)
{
  unsigned long n_waiting = 0;
  libssh2_channel_window_read_ex (self->channel, &n_waiting, NULL);
  return n_waiting > 0;
}

/* Whether the gateway's window has room for more bytes. */
static gboolean
has_window (const Tunnel *self)
{
  return libssh2_channel_window_write (self->channel) > 0;
}

TunnelStep
tunnel_next_step (const Tunnel *self, gint64 now_us)
{
  gboolean has_sent = self->there.n_bytes == 0 && self->has_end;
  if (self->is_gone && (has_sent || now_us >= self->give_up_us))
    return tunnel_step_close;
  if (self->there.n_bytes > 0 && has_window (self))
    return step_write;
  if (has_sent && !self->has_told_end)
    return step_end;
  return self->back.n_bytes == 0 && has_arrived (self) ? step_read : NULL;
}
