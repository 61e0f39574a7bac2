/* stream.c - opens and closes a stream transport as a whole
 *
 * Closing stops every listener and breaks every link. Each of them is freed in its own turn on the
 * loop. When the last one is gone, the transport is freed in a posted call, because callers up the
 * stack may still use the transport.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream-private.h"

#include "watch.h"

#include <errno.h>

void
stream_set_errno (GError **error, int socket_errno, const char *what)
{
  SatinErrorCode code = SATIN_ERROR_IO;
  switch (socket_errno)
    {
    case ECONNRESET:
    case EPIPE:
    case ENOTCONN:
    case ECONNABORTED:
      code = SATIN_ERROR_CLOSED;
      break;
    case ECONNREFUSED:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case EHOSTDOWN:
    case ENETDOWN:
    case EADDRNOTAVAIL:
    case ENOENT:
      code = SATIN_ERROR_UNREACHABLE;
      break;
    case ETIMEDOUT:
      code = SATIN_ERROR_TIMEOUT;
      break;
    case EADDRINUSE:
      code = SATIN_ERROR_ADDRESS_IN_USE;
      break;
    default:
      break;
    }
  g_set_error (error, SATIN_ERROR, code, "%s: %s", what, g_strerror (socket_errno));
}

void
stream_options_init (StreamOptions *self, const SatinParams *params)
{
  *self = (StreamOptions){
    .connect_timeout_us = satin_params_get_duration_us (params, "connect-timeout"),
    .shut_timeout_us = satin_params_get_duration_us (params, "shut-timeout"),
    .queue_limit_bytes = satin_params_get_size_bytes (params, "queue-limit"),
  };
}

static void
stream_free (Stream *self)
{
  watch_source_close (self);
  if (self->options.free_data != NULL)
    self->options.free_data (self->options.data);
  g_free (self->buffer);
  g_free (self->record);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Stream, stream_free)

Stream *
stream_new (const SatinTransportContext *context, const StreamOptions *options, GError **error)
{
  g_autoptr (Stream) self = g_new0 (Stream, 1);
  self->loop = context->loop;
  self->options = *options;
  self->epoll_fd = -1;
  g_queue_init (&self->ready);
  g_queue_init (&self->links);
  g_queue_init (&self->listeners);
  if (!watch_source_open (self, error))
    return NULL;
  self->buffer = g_malloc (STREAM_BUFFER_BYTES);
  self->record = g_malloc (STREAM_RECORD_BYTES);
  return g_steal_pointer (&self);
}

SatinLoop *
stream_get_loop (Stream *self)
{
  return self->loop;
}

gpointer
stream_get_data (Stream *self)
{
  return self->options.data;
}

static void
finish_close (gpointer user_data)
{
  Stream *self = user_data;
  SatinDoneFunc closed = self->closed;
  gpointer closed_data = self->closed_data;
  stream_free (self);
  closed (NULL, closed_data);
}

void
stream_check_closed (Stream *self)
{
  if (self->is_closing && self->links.length == 0 && self->listeners.length == 0)
    satin_loop_post (self->loop, finish_close, self);
}

void
stream_close (gpointer transport, SatinDoneFunc done, gpointer user_data)
{
  Stream *self = transport;
  g_return_if_fail (self != NULL && !self->is_closing);
  self->is_closing = TRUE;
  self->closed = done;
  self->closed_data = user_data;
  for (GList *each = self->listeners.head; each != NULL; each = each->next)
    stream_unlisten (each->data);
  for (GList *each = self->links.head; each != NULL; each = each->next)
    stream_drop (each->data);
  stream_check_closed (self);
}
