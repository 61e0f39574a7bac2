/* link.c - the life of one link
 *
 * Operations only queue, mark and write. All events are sent from link_ready(), which is the link's
 * turn on the loop. A link that breaks closes its socket at once. It sends the event `down` in its
 * next turn, or at the end of the current turn, and is freed then.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream-private.h"

#include <errno.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static void link_ready (StreamWatch *watch);

static StreamLink *
link_new (Stream *stream, char *name, LinkState state)
{
  StreamLink *self = g_new0 (StreamLink, 1);
  stream_watch_init (&self->watch, stream, link_ready);
  self->state = state;
  self->name = name;
  self->node.data = self;
  self->pending_node.data = self;
  g_queue_init (&self->queue);
  g_queue_push_tail_link (&stream->links, &self->node);
  return self;
}

static void
link_free (StreamLink *self)
{
  Stream *stream = self->watch.stream;
  stream_watch_close (&self->watch);
  g_queue_unlink (&stream->links, &self->node);
  g_clear_error (&self->error);
  g_free (self->name);
  g_free (self);
  stream_check_closed (stream);
}

static void
deadline_passed (gpointer user_data)
{
  StreamLink *self = user_data;
  self->timer = 0;
  link_break (self, g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s %s", self->name,
                                 self->state == LINK_DIALING ? "does not answer"
                                                             : "does not finish the handshake"));
}

static void
set_deadline (StreamLink *self, gint64 delay_us)
{
  self->timer = satin_loop_timer_add (self->watch.stream->loop, delay_us, deadline_passed, self);
}

/* Returns: the bytes that the user sent and the peer has not acknowledged. They include the
 * kernel's queue: a socket can take megabytes at once and then nothing for a long time */
static guint64
get_remaining_bytes (StreamLink *self)
{
  int n_kernel_bytes = 0;
  if (ioctl (self->watch.fd, SIOCOUTQ, &n_kernel_bytes) < 0)
    n_kernel_bytes = 0;
  return stream_queued_bytes (self) + (guint64)n_kernel_bytes;
}

static void shut_deadline_passed (gpointer user_data);

static void
set_shut_deadline (StreamLink *self)
{
  self->n_remaining_bytes = get_remaining_bytes (self);
  self->timer =
      satin_loop_timer_add (self->watch.stream->loop, self->watch.stream->options.shut_timeout_us,
                            shut_deadline_passed, self);
}

/* Sets a new deadline if bytes have arrived at the peer since the last deadline was set; else
 * breaks the link. If all bytes have arrived and only the peer's own end is missing, the link ends
 * without an error. */
static void
shut_deadline_passed (gpointer user_data)
{
  StreamLink *self = user_data;
  self->timer = 0;
  guint64 n_remaining_bytes = get_remaining_bytes (self);
  if (n_remaining_bytes == 0 && self->state == LINK_CLOSING)
    link_break (self, NULL);
  else if (n_remaining_bytes < self->n_remaining_bytes)
    set_shut_deadline (self);
  else
    link_break (self, g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                                   "%s does not take what was sent to it", self->name));
}

static void
enter_broken (StreamLink *self)
{
  if (self->over != NULL)
    self->over (self->over_data);
  if (self->listener != NULL)
    listener_settle (self->listener, self, FALSE);
  stream_watch_close (&self->watch);
  link_clear_queue (self);
  if (self->coder != NULL)
    self->coder->funcs->free (self->coder);
  self->coder = NULL;
  stream_watch_queue (&self->watch);
}

/* Calls the dialer's cancel function when the state DIALING ends, whether it succeeded or not. */
static void
end_dialing (StreamLink *self)
{
  gpointer dialer = g_steal_pointer (&self->dialer);
  if (dialer != NULL)
    self->cancel_dialer (dialer);
}

void
link_enter (StreamLink *self, LinkState to)
{
  g_debug ("%s: %s to %s", self->name, link_state_name (self->state), link_state_name (to));
  g_assert (link_state_may (self->state, to));
  self->state = to;
  end_dialing (self);
  satin_loop_timer_cancel (self->watch.stream->loop, &self->timer);
  switch (to)
    {
    case LINK_SHAKING:
      set_deadline (self, SATIN_HANDSHAKE_TIMEOUT_US);
      break;
    case LINK_SHUTTING:
    case LINK_CLOSING:
      set_shut_deadline (self);
      break;
    case LINK_BROKEN:
      enter_broken (self);
      break;
    case LINK_DIALING:
    case LINK_UP:
    case LINK_N_STATES:
      break;
    }
}

void
link_break (StreamLink *self, GError *error)
{
  if (self->state == LINK_BROKEN)
    {
      g_clear_error (&error);
      return;
    }
  g_clear_error (&self->error);
  self->error = error;
  link_enter (self, LINK_BROKEN);
}

void
link_break_errno (StreamLink *self, int socket_errno)
{
  GError *error = NULL;
  g_autofree char *what = g_strdup_printf ("lost %s", self->name);
  stream_set_errno (&error, socket_errno, what);
  link_break (self, error);
}

/* Both sides are authenticated: reports the link to its user. */
static void
go_up (StreamLink *self)
{
  link_enter (self, LINK_UP);
  if (self->listener == NULL)
    {
      self->events->up (self, self->user_data);
      return;
    }
  listener_settle (self->listener, self, TRUE);
  if (self->events == NULL)
    link_break (self, NULL);
}

/* The handshake cannot succeed: sends the coder's reason to the peer and breaks the link. */
static void
refuse (StreamLink *self, GError *error)
{
  link_flush_coder (self);
  link_discard_input (self);
  g_prefix_error (&error, "%s: ", self->name);
  link_break (self, error);
}

static void
shake (StreamLink *self)
{
  gboolean is_done = FALSE;
  gboolean has_more = TRUE;
  while (has_more && !is_done)
    {
      GError *error = NULL;
      if (!self->coder->funcs->shake (self->coder, &is_done, &error))
        {
          refuse (self, error);
          return;
        }
      link_flush_coder (self);
      has_more = !is_done && link_fill_coder (self);
    }
  if (self->state == LINK_SHAKING && self->is_write_broken)
    link_break (self, g_steal_pointer (&self->error));
  if (self->state == LINK_SHAKING && is_done)
    go_up (self);
}

/* Begins the handshake on a connected socket. */
static void
begin (StreamLink *self, int fd)
{
  const StreamOptions *options = &self->watch.stream->options;
  g_autoptr (GError) error = NULL;
  link_enter (self, LINK_SHAKING);
  self->since_us = satin_loop_now_us (self->watch.stream->loop);
  if (!stream_watch_open (&self->watch, fd, &error)
      || (options->check_peer != NULL && !options->check_peer (options->data, fd, &error)))
    {
      link_break (self, g_steal_pointer (&error));
      return;
    }
  if (options->coder_new != NULL)
    {
      self->coder = options->coder_new (options->data, self->is_accepting, &error);
      if (self->coder == NULL)
        {
          link_break (self, g_steal_pointer (&error));
          return;
        }
    }
  self->watch.is_writable = TRUE;
  stream_watch_queue (&self->watch);
}

StreamLink *
link_new_accepted (StreamListener *listener, int fd)
{
  Stream *stream = listener->watch.stream;
  g_autofree char *peer =
      stream->options.peer_name != NULL ? stream->options.peer_name (fd) : g_strdup ("somebody");
  StreamLink *self =
      link_new (stream, g_strdup_printf ("%s at %s", peer, listener->name), LINK_DIALING);
  self->is_accepting = TRUE;
  self->listener = listener;
  g_queue_push_tail_link (&listener->pending, &self->pending_node);
  begin (self, fd);
  return self;
}

StreamLink *
stream_link_new (Stream *stream, const char *name, const SatinLinkEvents *events,
                 gpointer user_data)
{
  g_return_val_if_fail (!stream->is_closing, NULL);
  StreamLink *self = link_new (stream, g_strdup (name), LINK_DIALING);
  self->events = events;
  self->user_data = user_data;
  set_deadline (self, stream->options.connect_timeout_us);
  return self;
}

void
stream_link_set_dialer (StreamLink *self, gpointer dialer, GDestroyNotify cancel)
{
  g_assert (self->state == LINK_DIALING);
  self->dialer = dialer;
  self->cancel_dialer = cancel;
}

void
stream_link_set_over (StreamLink *self, gpointer data, GDestroyNotify over)
{
  self->over_data = data;
  self->over = over;
}

void
stream_link_connected (StreamLink *self, int fd)
{
  begin (self, fd);
}

void
stream_link_fail (StreamLink *self, GError *error)
{
  link_break (self, error);
}

/* Sends the event `down` to the link's user, and frees the link. */
static void
tell_down (StreamLink *self)
{
  if (self->events != NULL)
    self->events->down (self, self->error, self->user_data);
  else if (self->error != NULL)
    g_info ("%s", self->error->message);
  link_free (self);
}

/* Breaks a link whose socket failed. A paused link does not read, so it would not notice the
 * failure otherwise. */
static void
check_failed (StreamLink *self)
{
  int socket_errno = 0;
  socklen_t length = sizeof socket_errno;
  getsockopt (self->watch.fd, SOL_SOCKET, SO_ERROR, &socket_errno, &length);
  link_break_errno (self, socket_errno != 0 ? socket_errno : ECONNRESET);
}

static void
turn_up (StreamLink *self)
{
  link_read (self);
  if (self->state == LINK_UP && self->is_paused && self->watch.is_failed)
    check_failed (self);
  if (self->state == LINK_UP && self->is_write_broken
      && (self->is_paused || !self->watch.is_readable))
    link_break (self, g_steal_pointer (&self->error));
  if (self->state != LINK_UP)
    return;
  link_write (self);
  if (self->is_high
      && stream_queued_bytes (self) < self->watch.stream->options.queue_limit_bytes / 2)
    {
      self->is_high = FALSE;
      self->events->drained (self, self->user_data);
    }
}

static void
link_ready (StreamWatch *watch)
{
  StreamLink *self = (StreamLink *)watch;
  if (self->state == LINK_SHAKING && self->coder == NULL)
    go_up (self);
  else if (self->state == LINK_SHAKING)
    shake (self);
  if (self->state == LINK_UP)
    turn_up (self);
  if (self->state == LINK_SHUTTING)
    link_write (self);
  if (self->state == LINK_SHUTTING || self->state == LINK_CLOSING)
    link_read (self);
  if (self->state == LINK_BROKEN)
    tell_down (self);
}

gsize
stream_queued_bytes (gpointer link)
{
  StreamLink *self = link;
  const guint8 *bytes;
  gsize n_coded = self->coder != NULL ? self->coder->funcs->output (self->coder, &bytes) : 0;
  return self->queued_bytes + n_coded;
}

void
stream_pause (gpointer link, gboolean is_paused)
{
  StreamLink *self = link;
  if (self->is_paused == is_paused)
    return;
  self->is_paused = is_paused;
  /* The edge-triggered epoll set does not report again the input that arrived during the pause. */
  if (!is_paused)
    stream_watch_queue (&self->watch);
}

void
stream_shut (gpointer link)
{
  StreamLink *self = link;
  if (self->state == LINK_DIALING || self->state == LINK_SHAKING)
    stream_drop (self);
  if (self->state != LINK_UP)
    return;
  if (self->is_write_broken)
    {
      link_break (self, g_steal_pointer (&self->error));
      return;
    }
  link_enter (self, LINK_SHUTTING);
  stream_watch_queue (&self->watch);
}

/* Breaks the link at once. TCP drops unsent bytes and resets the connection, so the peer sees a
 * break. A unix socket resets only if it has unread input. */
void
stream_drop (gpointer link)
{
  StreamLink *self = link;
  struct linger none = { .l_onoff = 1 };
  if (self->watch.fd >= 0)
    setsockopt (self->watch.fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  link_break (self, g_error_new (SATIN_ERROR, SATIN_ERROR_CANCELLED, "the link to %s was dropped",
                                 self->name));
}
