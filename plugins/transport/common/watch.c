/* watch.c - one GSource for all sockets of a transport
 *
 * All sockets are in one edge-triggered epoll set, and the GMainContext polls only that set. So the
 * context's work does not grow with the number of links, and an unread socket, for example of a
 * paused link, does not keep the loop busy. When an edge has reported a socket as readable or
 * writable, the watch remembers that until a read or a write moves fewer bytes than it asked for.
 * Watches with work stand in a queue, and each gets one turn per dispatch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "watch.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#define MAX_EVENTS 64

typedef struct
{
  GSource source;
  Stream *stream; /* (borrowed) */
} WatchSource;

void
stream_watch_init (StreamWatch *self, Stream *stream, void (*ready) (StreamWatch *watch))
{
  *self = (StreamWatch){ .stream = stream, .ready = ready, .fd = -1 };
  self->node.data = self;
}

/* Adds or changes the socket in the epoll set. EPOLLOUT is requested only while a writer waits for
 * it: a unix socket would report it each time the peer has read. */
static gboolean
control (StreamWatch *self, int operation, int fd)
{
  struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.ptr = self };
  if (self->is_awaiting_room)
    event.events |= EPOLLOUT;
  return epoll_ctl (self->stream->epoll_fd, operation, fd, &event) == 0;
}

gboolean
stream_watch_open (StreamWatch *self, int fd, GError **error)
{
  self->is_awaiting_room = FALSE;
  if (!control (self, EPOLL_CTL_ADD, fd))
    {
      stream_set_errno (error, errno, "cannot watch a socket");
      close (fd);
      return FALSE;
    }
  self->fd = fd;
  self->is_readable = FALSE;
  self->is_writable = FALSE;
  self->is_hung_up = FALSE;
  self->is_failed = FALSE;
  return TRUE;
}

void
stream_watch_await_room (StreamWatch *self)
{
  self->is_writable = FALSE;
  if (self->is_awaiting_room || self->fd < 0)
    return;
  self->is_awaiting_room = TRUE;
  control (self, EPOLL_CTL_MOD, self->fd);
}

void
stream_watch_queue (StreamWatch *self)
{
  if (self->is_queued)
    return;
  self->is_queued = TRUE;
  g_queue_push_tail_link (&self->stream->ready, &self->node);
}

static void
leave_queue (StreamWatch *self)
{
  if (!self->is_queued)
    return;
  self->is_queued = FALSE;
  g_queue_unlink (&self->stream->ready, &self->node);
}

int
stream_watch_take_fd (StreamWatch *self)
{
  leave_queue (self);
  int fd = self->fd;
  self->fd = -1;
  if (fd >= 0)
    epoll_ctl (self->stream->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
  return fd;
}

void
stream_watch_close (StreamWatch *self)
{
  /* Remove the socket from the epoll set explicitly: close() does not do so while a child process
   * that is just being started still has the descriptor. */
  int fd = stream_watch_take_fd (self);
  if (fd >= 0)
    close (fd);
}

static gboolean
watch_source_prepare (GSource *source, int *timeout_ms)
{
  *timeout_ms = -1;
  return ((WatchSource *)source)->stream->ready.length > 0;
}

/* GLib dispatches by itself when the epoll descriptor has an event, so only the queue is
 * checked. */
static gboolean
watch_source_check (GSource *source)
{
  return ((WatchSource *)source)->stream->ready.length > 0;
}

static void
note_event (const struct epoll_event *event)
{
  StreamWatch *watch = event->data.ptr;
  if ((event->events & EPOLLERR) != 0)
    watch->is_failed = TRUE;
  if ((event->events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0)
    watch->is_hung_up = TRUE;
  if ((event->events & EPOLLIN) != 0 || watch->is_hung_up)
    watch->is_readable = TRUE;
  if ((event->events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0)
    {
      watch->is_writable = TRUE;
      if (watch->is_awaiting_room)
        {
          watch->is_awaiting_room = FALSE;
          control (watch, EPOLL_CTL_MOD, watch->fd);
        }
    }
  stream_watch_queue (watch);
}

static gboolean
watch_source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  Stream *stream = ((WatchSource *)source)->stream;
  g_return_val_if_fail (!stream->is_dispatching, G_SOURCE_CONTINUE);
  stream->is_dispatching = TRUE;
  struct epoll_event events[MAX_EVENTS];
  int n_events = epoll_wait (stream->epoll_fd, events, MAX_EVENTS, 0);
  for (int i = 0; i < n_events; i++)
    note_event (&events[i]);

  /* Each watch gets one turn; a watch that queues itself again waits for the next dispatch. A watch
   * that is closed before its turn leaves the queue, so the length is checked again. */
  for (guint n_turns = stream->ready.length; n_turns > 0 && stream->ready.length > 0; n_turns--)
    {
      StreamWatch *watch = g_queue_peek_head (&stream->ready);
      leave_queue (watch);
      watch->ready (watch);
    }
  stream->is_dispatching = FALSE;
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs watch_source_funcs = {
  .prepare = watch_source_prepare,
  .check = watch_source_check,
  .dispatch = watch_source_dispatch,
};

gboolean
watch_source_open (Stream *stream, GError **error)
{
  GMainContext *context = satin_loop_get_context (stream->loop);
  if (context == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "this transport watches sockets, which this kind of loop cannot do: use a loop "
                   "from satin_loop_new");
      return FALSE;
    }
  stream->epoll_fd = epoll_create1 (EPOLL_CLOEXEC);
  if (stream->epoll_fd < 0)
    {
      stream_set_errno (error, errno, "cannot make an epoll set");
      return FALSE;
    }
  stream->source = g_source_new (&watch_source_funcs, sizeof (WatchSource));
  ((WatchSource *)stream->source)->stream = stream;
  g_source_add_unix_fd (stream->source, stream->epoll_fd, G_IO_IN);
  /* Callbacks must not turn the loop, so recursion does not happen. But without this flag GLib
   * would take the descriptor out of the poll for each dispatch, and wake itself up twice: 5 us a
   * message. */
  g_source_set_can_recurse (stream->source, TRUE);
  g_source_set_static_name (stream->source, "satin sockets");
  g_source_attach (stream->source, context);
  return TRUE;
}

void
watch_source_close (Stream *stream)
{
  if (stream->source != NULL)
    {
      g_source_destroy (stream->source);
      g_source_unref (stream->source);
    }
  if (stream->epoll_fd >= 0)
    close (stream->epoll_fd);
}
