/* link.c - a link: sends a queue of bytes over a socket, in packets
 *
 * Operations only change the queue and the state. Sources of the loop read, write and run the
 * callbacks. A callback may call any operation, so the code checks the state again after each
 * callback.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link.h"

#include <errno.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PACKET_BYTES ((gsize)32 << 10)

/* How many packets a link sends or receives at most in one turn of the loop, so that other links
 * get their turn. */
#define TURN_PACKETS 16

static void link_watch (TemplateLink *self);

TemplateLink *
link_new (TemplateTransport *transport, int fd)
{
  TemplateLink *self = g_new0 (TemplateLink, 1);
  self->transport = transport;
  self->fd = fd;
  g_queue_push_tail (&transport->links, self);
  return self;
}

static void
link_free (TemplateLink *self)
{
  g_queue_remove (&self->transport->links, self);
  g_clear_error (&self->error);
  g_free (self);
}

static void
set_timer (TemplateLink *self, gint64 delay_us, SatinLoopFunc func)
{
  satin_loop_timer_cancel (self->transport->loop, &self->timer);
  self->timer = satin_loop_timer_add (self->transport->loop, delay_us, func, self);
}

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_source_unref (g_steal_pointer (source));
}

/* ---- up and down ---- */

static void
tell_down (gpointer user_data)
{
  TemplateLink *self = user_data;
  TemplateTransport *transport = self->transport;
  self->timer = 0;
  self->events->down (self, self->error, self->user_data);
  link_free (self);
  transport_check_closed (transport);
}

void
link_break (TemplateLink *self, GError *error)
{
  if (self->state == LINK_OVER)
    {
      g_clear_error (&error);
      return;
    }
  self->state = LINK_OVER;
  self->error = error;
  link_watch (self);
  g_queue_clear_full (&self->queue, (GDestroyNotify)g_bytes_unref);
  self->queued_bytes = 0;
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  set_timer (self, 0, tell_down);
}

static void
break_errno (TemplateLink *self, const char *what)
{
  GError *error = NULL;
  gboolean is_closed = errno == EPIPE || errno == ECONNRESET;
  if (is_closed)
    g_set_error_literal (&error, SATIN_ERROR, SATIN_ERROR_CLOSED,
                         "the other side broke the link off");
  else
    socket_set_error (&error, SATIN_ERROR_IO, what, "a link");
  link_break (self, error);
}

static void
tell_up (gpointer user_data)
{
  TemplateLink *self = user_data;
  self->timer = 0;
  self->state = LINK_UP;
  link_watch (self);
  self->events->up (self, self->user_data);
}

void
link_start (TemplateLink *self, LinkState state)
{
  if (self->state == LINK_OVER)
    return;
  self->state = state;
  if (state == LINK_DIALED)
    set_timer (self, 0, tell_up);
  link_watch (self);
}

/* ---- reading ---- */

/* Reads one packet. Returns: whether to try to read another */
static gboolean
read_packet (TemplateLink *self)
{
  guint8 packet[PACKET_BYTES];
  gssize n = recv (self->fd, packet, sizeof packet, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return FALSE;
  if (n < 0)
    break_errno (self, "cannot read from");
  else if (n == 0)
    link_break (self, NULL);
  else if (self->state == LINK_UP)
    self->events->received (self, packet, (gsize)n, self->user_data);
  return self->state != LINK_OVER;
}

/* Called when the other side of a paused link has hung up. If no packet is left to read, ends the
 * link. Else stops watching until the link is resumed, because the loop would call this function
 * again and again. */
static gboolean
look_at_end (TemplateLink *self)
{
  guint8 byte;
  gssize n = recv (self->fd, &byte, 1, MSG_PEEK);
  if (n < 0)
    break_errno (self, "cannot read from");
  else if (n == 0)
    link_break (self, NULL);
  else
    clear_source (&self->reading);
  return G_SOURCE_REMOVE;
}

static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  TemplateLink *self = user_data;
  if (self->is_paused && self->state == LINK_UP)
    return look_at_end (self);
  for (guint n_packets = 0; n_packets < TURN_PACKETS; n_packets++)
    if (!read_packet (self) || (self->is_paused && self->state == LINK_UP))
      break;
  return G_SOURCE_CONTINUE;
}

/* ---- writing ---- */

static void
shut_deadline (gpointer user_data)
{
  TemplateLink *self = user_data;
  self->timer = 0;
  link_break (self, g_error_new_literal (SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                                         "the other side does not take what was sent to it"));
}

/* Returns: whether the socket took the packet */
static gboolean
write_packet (TemplateLink *self, const guint8 *bytes, gsize n_bytes)
{
  if (send (self->fd, bytes, n_bytes, MSG_NOSIGNAL) < 0)
    {
      if (errno != EAGAIN && errno != EINTR)
        break_errno (self, "cannot write to");
      return FALSE;
    }
  if (self->state >= LINK_SHUTTING)
    set_timer (self, self->transport->shut_timeout_us, shut_deadline);
  return TRUE;
}

/* Sends a packet from the head of the queue. Returns: whether a packet was sent */
static gboolean
write_head (TemplateLink *self)
{
  GBytes *head = g_queue_peek_head (&self->queue);
  gsize n_all = 0;
  const guint8 *bytes = head != NULL ? g_bytes_get_data (head, &n_all) : NULL;
  gsize n = MIN (n_all - self->head_bytes, PACKET_BYTES);
  if (head == NULL || !write_packet (self, bytes + self->head_bytes, n))
    return FALSE;
  self->head_bytes += n;
  self->queued_bytes -= n;
  if (self->head_bytes < n_all)
    return TRUE;
  self->head_bytes = 0;
  g_bytes_unref (g_queue_pop_head (&self->queue));
  return TRUE;
}

static gboolean
on_writable (int fd, GIOCondition condition, gpointer user_data)
{
  TemplateLink *self = user_data;
  guint n_packets = 0;
  while (n_packets++ < TURN_PACKETS && write_head (self))
    ;
  if (self->state == LINK_OVER)
    return G_SOURCE_REMOVE;
  if (self->state == LINK_SHUTTING && self->queue.length == 0)
    {
      shutdown (self->fd, SHUT_WR);
      self->state = LINK_SHUT;
    }
  link_watch (self);
  if (self->is_full && self->queued_bytes < self->transport->queue_limit_bytes / 2)
    {
      self->is_full = FALSE;
      if (self->state == LINK_UP)
        self->events->drained (self, self->user_data);
    }
  return G_SOURCE_CONTINUE;
}

/* ---- what the loop watches ---- */

static void
watch (TemplateLink *self, GSource **source, GIOCondition condition, GUnixFDSourceFunc func)
{
  clear_source (source);
  *source = g_unix_fd_source_new (self->fd, condition);
  g_source_set_callback (*source, G_SOURCE_FUNC (func), self, NULL);
  g_source_attach (*source, satin_loop_get_context (self->transport->loop));
}

/* Makes the loop watch the socket as the state, the queue and the pause demand; called after each
 * change of these. On a paused link only the end is watched. */
static void
link_watch (TemplateLink *self)
{
  gboolean is_live = self->state >= LINK_UP && self->state < LINK_OVER;
  gboolean has_work = self->queue.length > 0 || self->state == LINK_SHUTTING;
  if (!is_live)
    clear_source (&self->reading);
  else if (self->reading == NULL)
    watch (self, &self->reading, self->is_paused && self->state == LINK_UP ? 0 : G_IO_IN,
           on_readable);
  if (!is_live || !has_work || self->state == LINK_SHUT)
    clear_source (&self->writing);
  else if (self->writing == NULL)
    watch (self, &self->writing, G_IO_OUT, on_writable);
}

/* ---- operations ---- */

void
link_send (gpointer link, GBytes *bytes)
{
  TemplateLink *self = link;
  if (self->state > LINK_UP || g_bytes_get_size (bytes) == 0)
    return;
  g_queue_push_tail (&self->queue, g_bytes_ref (bytes));
  self->queued_bytes += g_bytes_get_size (bytes);
  if (self->queued_bytes > self->transport->queue_limit_bytes)
    self->is_full = TRUE;
  link_watch (self);
}

gsize
link_queued_bytes (gpointer link)
{
  return ((TemplateLink *)link)->queued_bytes;
}

void
link_pause (gpointer link, gboolean is_paused)
{
  TemplateLink *self = link;
  if (self->is_paused == is_paused)
    return;
  self->is_paused = is_paused;
  clear_source (&self->reading);
  link_watch (self);
}

void
link_shut (gpointer link)
{
  TemplateLink *self = link;
  if (self->state == LINK_DIALED)
    link_drop (self);
  if (self->state != LINK_UP)
    return;
  self->state = LINK_SHUTTING;
  set_timer (self, self->transport->shut_timeout_us, shut_deadline);
  clear_source (&self->reading);
  link_watch (self);
}

void
link_drop (gpointer link)
{
  link_break (link,
              g_error_new_literal (SATIN_ERROR, SATIN_ERROR_CANCELLED, "the link was dropped"));
}
