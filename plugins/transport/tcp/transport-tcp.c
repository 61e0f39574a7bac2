/* transport-tcp.c - links between machines, over TCP with TLS 1.3
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bind.h"
#include "dial.h"
#include "foreign.h"
#include "stream.h"
#include "tls.h"

#include <errno.h>

/* The plugin's own data, kept in StreamOptions. */
typedef struct
{
  Tls *tls;        /* (owned) (nullable): %NULL for links without a secret */
  char *advertise; /* (owned) (nullable) */
  gint64 keepalive_us;
} Tcp;

static void
tcp_free (gpointer user_data)
{
  Tcp *self = user_data;
  tls_free (self->tls);
  g_free (self->advertise);
  g_free (self);
}

static StreamCoder *
coder_new (gpointer data, gboolean is_accepting, GError **error)
{
  return tls_coder_new (((Tcp *)data)->tls, is_accepting, error);
}

static char *
peer_name (int fd)
{
  struct sockaddr_storage address = { 0 };
  socklen_t length = sizeof address;
  if (getpeername (fd, (struct sockaddr *)&address, &length) < 0)
    return g_strdup ("somebody");
  return tcp_address_format_short ((struct sockaddr *)&address);
}

static gpointer
tcp_open (const SatinTransportContext *context, const SatinParams *params, GError **error)
{
  if (context->secret == NULL && !context->is_insecure)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                   "links between machines need a cluster secret: give a secret file, or ask for "
                   "insecure links in so many words");
      return NULL;
    }
  Tls *tls = NULL;
  if (context->secret != NULL && (tls = tls_new (context->secret, error)) == NULL)
    return NULL;
  const char *advertise = satin_params_get_string (params, "advertise");
  Tcp *self = g_new0 (Tcp, 1);
  self->tls = tls;
  self->advertise = *advertise != '\0' ? g_strdup (advertise) : NULL;
  self->keepalive_us = satin_params_get_duration_us (params, "keepalive");
  StreamOptions options;
  stream_options_init (&options, params);
  options.peer_name = peer_name;
  if (tls != NULL)
    options.coder_new = coder_new;
  else
    options.check_first = tcp_check_first;
  options.data = self;
  options.free_data = tcp_free;
  return stream_new (context, &options, error);
}

static gpointer
tcp_listen (gpointer transport, const char *uri, const SatinListenEvents *events,
            gpointer user_data, char **ret_uri, GError **error)
{
  const Tcp *self = stream_get_data (transport);
  g_autofree char *host = NULL;
  g_autofree char *reach_uri = NULL;
  guint16 port;
  if (!tcp_address_parse (uri, &host, &port, error))
    return NULL;
  int fd = tcp_bind (host, port, self->advertise, self->keepalive_us, &reach_uri, error);
  if (fd < 0)
    return NULL;
  StreamListener *listener =
      stream_listener_new (transport, fd, reach_uri, events, user_data, NULL, NULL, error);
  if (listener != NULL)
    *ret_uri = g_steal_pointer (&reach_uri);
  return listener;
}

static gpointer
tcp_connect (gpointer transport, const char *uri, const SatinLinkEvents *events, gpointer user_data,
             GError **error)
{
  const Tcp *self = stream_get_data (transport);
  g_autofree char *host = NULL;
  guint16 port;
  if (!tcp_address_parse (uri, &host, &port, error))
    return NULL;
  if (port == 0 || g_str_equal (host, "*"))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s is an address to listen at: to connect, name a host and a port", uri);
      return NULL;
    }
  StreamLink *link = stream_link_new (transport, uri, events, user_data);
  if (link != NULL)
    tcp_dial (transport, link, host, port, self->keepalive_us);
  return link;
}

static const SatinTransportOps ops = {
  .struct_size = sizeof (SatinTransportOps),
  .open = tcp_open,
  .close = stream_close,
  .listen = tcp_listen,
  .unlisten = stream_unlisten,
  .connect = tcp_connect,
  .send = stream_send,
  .queued_bytes = stream_queued_bytes,
  .pause = stream_pause,
  .shut = stream_shut,
  .drop = stream_drop,
};

static const SatinParam params[] = {
  STREAM_PARAMS,
  { "keepalive", SATIN_PARAM_DURATION, "30s",
    "silence after which a machine is probed; a dead one is noticed in twice that; 0 for never" },
  { "advertise", SATIN_PARAM_STRING, "",
    "host that others reach this one under, when it listens behind a translated address" },
  { NULL },
};

static const char *const schemes[] = { "tcp", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_TRANSPORT,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "tcp",
  .version = "0.1.0",
  .summary = "links between machines, over TCP with TLS 1.3 and the cluster secret",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
