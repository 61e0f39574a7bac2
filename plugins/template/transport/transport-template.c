/* transport-template.c - links between processes of one user on one machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link.h"

#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const SatinParam params[] = {
  { "shut-timeout", SATIN_PARAM_DURATION, "5s",
    "how long a link that closes waits for the other side without progress" },
  { "queue-limit", SATIN_PARAM_SIZE, "1M", "queued bytes of a link above which its user waits" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

typedef struct
{
  TemplateTransport *transport; /* (borrowed) */
  int fd;                       /* (owned) */
  char *path;                   /* (owned) */
  GSource *source;              /* (owned) */
  const SatinListenEvents *events;
  gpointer user_data;
} TemplateListener;

/* ---- listen ---- */

static void
template_unlisten (gpointer listener)
{
  TemplateListener *self = listener;
  g_queue_remove (&self->transport->listeners, self);
  g_source_destroy (self->source);
  g_source_unref (self->source);
  unlink (self->path);
  close (self->fd);
  g_free (self->path);
  g_free (self);
}

/* Accepts a link. Accepts only one in a turn of the loop, because the callback may free the
 * listener. */
static gboolean
on_connection (int listen_fd, GIOCondition condition, gpointer user_data)
{
  TemplateListener *self = user_data;
  g_autoptr (GError) error = NULL;
  int fd = accept4 (listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0)
    return G_SOURCE_CONTINUE;
  if (!socket_check_user (fd, &error))
    {
      g_warning ("a link to %s is refused: %s", self->path, error->message);
      close (fd);
      return G_SOURCE_CONTINUE;
    }
  TemplateLink *link = link_new (self->transport, fd);
  link->state = LINK_UP;
  self->events->accepted (self, link, &link->events, &link->user_data, self->user_data);
  link_start (link, link->state);
  return G_SOURCE_CONTINUE;
}

static gpointer
template_listen (gpointer transport, const char *uri, const SatinListenEvents *events,
                 gpointer user_data, char **ret_uri, GError **error)
{
  TemplateTransport *self = transport;
  int fd = socket_check_uri (uri, error) ? socket_listen (uri, error) : -1;
  if (fd < 0)
    return NULL;
  TemplateListener *listener = g_new0 (TemplateListener, 1);
  listener->transport = self;
  listener->fd = fd;
  listener->path = g_strdup (uri + strlen (SCHEME));
  listener->events = events;
  listener->user_data = user_data;
  listener->source = g_unix_fd_source_new (fd, G_IO_IN);
  g_source_set_callback (listener->source, G_SOURCE_FUNC (on_connection), listener, NULL);
  g_source_attach (listener->source, satin_loop_get_context (self->loop));
  g_queue_push_tail (&self->listeners, listener);
  *ret_uri = g_strdup (uri);
  return listener;
}

/* ---- connect ---- */

/* Connects to @uri. The event `up` or `down` reports the result, later on the loop. */
static gpointer
template_connect (gpointer transport, const char *uri, const SatinLinkEvents *events,
                  gpointer user_data, GError **error)
{
  GError *reason = NULL;
  if (!socket_check_uri (uri, error))
    return NULL;
  int fd = socket_connect (uri, &reason);
  gboolean is_right = fd >= 0 && socket_check_user (fd, &reason);
  TemplateLink *link = link_new (transport, fd);
  link->events = events;
  link->user_data = user_data;
  if (is_right)
    link_start (link, LINK_DIALED);
  else
    link_break (link, reason);
  return link;
}

/* ---- open and close ---- */

static gpointer
template_open (const SatinTransportContext *context, const SatinParams *given, GError **error)
{
  if (satin_loop_get_context (context->loop) == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "this loop cannot watch sockets");
      return NULL;
    }
  TemplateTransport *self = g_new0 (TemplateTransport, 1);
  self->loop = context->loop;
  self->shut_timeout_us = satin_params_get_duration_us (given, "shut-timeout");
  self->queue_limit_bytes = (gsize)satin_params_get_size_bytes (given, "queue-limit");
  return self;
}

void
transport_check_closed (TemplateTransport *self)
{
  if (!self->is_closing || self->links.length > 0)
    return;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_free (self);
  done (NULL, done_data);
}

static void
finish (gpointer user_data)
{
  TemplateTransport *self = user_data;
  self->is_closing = TRUE;
  transport_check_closed (self);
}

/* Closes the transport: drops all links. Each link sends the event `down` later. After the last of
 * them, and never inside this function, @done is called. */
static void
template_close (gpointer transport, SatinDoneFunc done, gpointer user_data)
{
  TemplateTransport *self = transport;
  self->done = done;
  self->done_data = user_data;
  while (self->listeners.length > 0)
    template_unlisten (g_queue_peek_head (&self->listeners));
  for (GList *at = self->links.head; at != NULL; at = at->next)
    link_drop (at->data);
  satin_loop_post (self->loop, finish, self);
}

/* ---- descriptor ---- */

static const SatinTransportOps ops = {
  .struct_size = sizeof (SatinTransportOps),
  .open = template_open,
  .close = template_close,
  .listen = template_listen,
  .unlisten = template_unlisten,
  .connect = template_connect,
  .send = link_send,
  .queued_bytes = link_queued_bytes,
  .pause = link_pause,
  .shut = link_shut,
  .drop = link_drop,
};

static const char *const schemes[] = { "template", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_TRANSPORT,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "template",
  .version = "0.1.0",
  .summary = "links between processes of one user on one machine",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
