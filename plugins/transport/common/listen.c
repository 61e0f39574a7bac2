/* listen.c - accepts links, and limits how many wait for their authentication
 *
 * A listener neither spins nor collects too many unauthenticated links. It pauses and leaves new
 * connections in the kernel's queue if the system has no free descriptor, or if
 * SATIN_HANDSHAKE_MAX_PENDING links wait for their handshake and none of them is stale.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream-private.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

/* If the limit is reached, a link whose handshake takes longer than this is broken to make room. */
#define STALE_US ((gint64)1000000)

/* The most connections accepted in one turn. */
#define MAX_ACCEPTS 64

static void
rest_over (gpointer user_data)
{
  StreamListener *self = user_data;
  self->rest = 0;
  stream_watch_queue (&self->watch);
}

static void
rest (StreamListener *self)
{
  self->rest = satin_loop_timer_add (self->watch.stream->loop, LISTENER_REST_US, rest_over, self);
}

/* Whether one more link may wait for its handshake. At the limit, breaks the oldest waiting link to
 * make room, if it is stale. */
static gboolean
has_room (StreamListener *self)
{
  if (self->pending.length < SATIN_HANDSHAKE_MAX_PENDING)
    return TRUE;
  StreamLink *oldest = g_queue_peek_head (&self->pending);
  if (satin_loop_now_us (self->watch.stream->loop) - oldest->since_us < STALE_US)
    return FALSE;
  link_break (oldest, g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                                   "%s took too long while many others waited", oldest->name));
  return TRUE;
}

static void
note_accept_error (StreamListener *self, int accept_errno)
{
  gboolean is_short = accept_errno == EMFILE || accept_errno == ENFILE || accept_errno == ENOBUFS
                      || accept_errno == ENOMEM;
  if (is_short && !self->is_short_of_fds)
    g_warning ("%s cannot accept links for now: %s (raise the limit with ulimit -n)", self->name,
               g_strerror (accept_errno));
  self->is_short_of_fds |= is_short;
  rest (self);
}

/* Returns: FALSE when no connection can be accepted for now */
static gboolean
accept_one (StreamListener *self)
{
  if (!has_room (self))
    {
      rest (self);
      return FALSE;
    }
  int fd = accept4 (self->watch.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd >= 0)
    {
      self->is_short_of_fds = FALSE;
      link_new_accepted (self, fd);
      return TRUE;
    }
  if (errno == EINTR || errno == ECONNABORTED)
    return TRUE;
  if (errno == EAGAIN)
    self->watch.is_readable = FALSE;
  else
    note_accept_error (self, errno);
  return FALSE;
}

static void
listener_free (StreamListener *self)
{
  Stream *stream = self->watch.stream;
  g_queue_unlink (&stream->listeners, &self->node);
  g_free (self->name);
  g_free (self);
  stream_check_closed (stream);
}

static void
listener_ready (StreamWatch *watch)
{
  StreamListener *self = (StreamListener *)watch;
  if (watch->fd < 0)
    {
      listener_free (self);
      return;
    }
  if (self->rest != 0)
    return;
  for (guint n = 0; n < MAX_ACCEPTS; n++)
    if (watch->fd < 0 || !accept_one (self))
      return;
  stream_watch_queue (watch);
}

StreamListener *
stream_listener_new (Stream *stream, int fd, const char *name, const SatinListenEvents *events,
                     gpointer user_data, GDestroyNotify stopped, gpointer data, GError **error)
{
  StreamListener *self = g_new0 (StreamListener, 1);
  stream_watch_init (&self->watch, stream, listener_ready);
  if (!stream_watch_open (&self->watch, fd, error))
    {
      g_free (self);
      return NULL;
    }
  self->name = g_strdup (name);
  self->events = events;
  self->user_data = user_data;
  self->stopped = stopped;
  self->stopped_data = data;
  g_queue_init (&self->pending);
  self->node.data = self;
  g_queue_push_tail_link (&stream->listeners, &self->node);
  g_debug ("listening at %s", name);
  return self;
}

void
listener_settle (StreamListener *self, StreamLink *link, gboolean is_up)
{
  g_queue_unlink (&self->pending, &link->pending_node);
  link->listener = NULL;
  if (is_up)
    self->events->accepted (self, link, &link->events, &link->user_data, self->user_data);
}

void
stream_unlisten (gpointer listener)
{
  StreamListener *self = listener;
  g_return_if_fail (self != NULL);
  if (self->watch.fd < 0)
    return;
  stream_watch_close (&self->watch);
  satin_loop_timer_cancel (self->watch.stream->loop, &self->rest);
  if (self->stopped != NULL)
    self->stopped (self->stopped_data);
  while (self->pending.length > 0)
    link_break (
        g_queue_peek_head (&self->pending),
        g_error_new (SATIN_ERROR, SATIN_ERROR_CANCELLED, "%s stopped listening", self->name));
  /* The listener is freed in its next turn on the loop, because this call may come from one of its
   * own callbacks. */
  stream_watch_queue (&self->watch);
}
