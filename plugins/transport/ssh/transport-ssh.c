/* transport-ssh.c - links to nodes behind a gateway, through an SSH login on it
 *
 * The node at the far end listens with the transport "tcp". So a link runs the same TLS with the
 * cluster secret inside its channel that a tcp link runs on its socket, and the gateway cannot read
 * what the nodes say. (Insecure links have no secret and no TLS.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bind.h"
#include "dial.h"
#include "foreign.h"
#include "ssh-server.h"
#include "tls.h"

#include <errno.h>
#include <sys/socket.h>

typedef struct
{
  Stream *stream;        /* (owned): %NULL once it is closed */
  Tls *tls;              /* (owned) (nullable): %NULL for links without a secret */
  Dials *dials;          /* (owned) */
  gboolean is_line_open; /* the transport closes, and some sessions have not ended yet */
  SatinDoneFunc closed;
  gpointer closed_data;
} Ssh;

static StreamCoder *
coder_new (gpointer data, gboolean is_accepting, GError **error)
{
  return tls_coder_new (((Ssh *)data)->tls, is_accepting, error);
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

/* ---- opening and closing ---- */

static void
ssh_free (Ssh *self)
{
  tls_free (self->tls);
  dials_free (self->dials);
  g_free (self);
}

static gpointer
ssh_open (const SatinTransportContext *context, const SatinParams *params, GError **error)
{
  if (context->secret == NULL && !context->is_insecure)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                   "links between machines need a cluster secret, also through ssh: give a secret "
                   "file, or ask for insecure links in so many words");
      return NULL;
    }
  Tls *tls = NULL;
  if (context->secret != NULL && (tls = tls_new (context->secret, error)) == NULL)
    return NULL;
  Ssh *self = g_new0 (Ssh, 1);
  self->tls = tls;
  self->dials = dials_new (params);
  StreamOptions options;
  stream_options_init (&options, params);
  options.peer_name = peer_name;
  options.data = self;
  if (tls != NULL)
    options.coder_new = coder_new;
  else
    options.check_first = tcp_check_first;
  self->stream = stream_new (context, &options, error);
  if (self->stream != NULL)
    return self;
  ssh_free (self);
  return NULL;
}

static void
check_closed (Ssh *self)
{
  SatinDoneFunc closed = self->closed;
  gpointer closed_data = self->closed_data;
  if (self->stream != NULL || self->is_line_open)
    return;
  ssh_free (self);
  closed (NULL, closed_data);
}

static void
on_stream_closed (const GError *error, gpointer user_data)
{
  Ssh *self = user_data;
  self->stream = NULL;
  check_closed (self);
}

static void
on_dials_stopped (gpointer user_data)
{
  Ssh *self = user_data;
  self->is_line_open = FALSE;
  check_closed (self);
}

static void
ssh_close (gpointer transport, SatinDoneFunc done, gpointer user_data)
{
  Ssh *self = transport;
  self->closed = done;
  self->closed_data = user_data;
  self->is_line_open = TRUE;
  dials_stop (self->dials, on_dials_stopped, self);
  stream_close (self->stream, on_stream_closed, self);
}

/* ---- links ---- */

/* Listens at a TCP port of this machine, which is behind a gateway. *@ret_uri leads through the
 * gateway. */
static gpointer
ssh_listen (gpointer transport, const char *uri, const SatinListenEvents *events,
            gpointer user_data, char **ret_uri, GError **error)
{
  const Ssh *self = transport;
  g_autoptr (Target) target = target_parse (uri, error);
  g_autofree char *reach_uri = NULL;
  if (target == NULL)
    return NULL;
  int fd = tcp_bind (target->host, target->port, NULL, 0, &reach_uri, error);
  if (fd < 0)
    {
      g_prefix_error (error, "%s: ", uri);
      return NULL;
    }
  g_autofree char *through = target_join (uri, reach_uri);
  StreamListener *listener =
      stream_listener_new (self->stream, fd, through, events, user_data, NULL, NULL, error);
  if (listener != NULL)
    *ret_uri = g_steal_pointer (&through);
  return listener;
}

static gpointer
ssh_connect (gpointer transport, const char *uri, const SatinLinkEvents *events, gpointer user_data,
             GError **error)
{
  const Ssh *self = transport;
  g_autoptr (Target) target = target_parse (uri, error);
  if (target == NULL)
    return NULL;
  if (target->port == 0 || g_str_equal (target->host, "*"))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s is an address to listen at: to connect, name a host and a port", uri);
      return NULL;
    }
  StreamLink *link = stream_link_new (self->stream, uri, events, user_data);
  if (link != NULL)
    dials_begin (self->dials, self->stream, link, g_steal_pointer (&target));
  return link;
}

static const SatinTransportOps ops = {
  .struct_size = sizeof (SatinTransportOps),
  .open = ssh_open,
  .close = ssh_close,
  .listen = ssh_listen,
  .unlisten = stream_unlisten,
  .connect = ssh_connect,
  .send = stream_send,
  .queued_bytes = stream_queued_bytes,
  .pause = stream_pause,
  .shut = stream_shut,
  .drop = stream_drop,
};

static const SatinParam params[] = {
  STREAM_PARAMS_WITH ("15s"),
  SSH_PARAMS,
  { "linger", SATIN_PARAM_DURATION, "30s", "how long a session without links is kept" },
  { NULL },
};

static const char *const schemes[] = { "ssh", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_TRANSPORT,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "ssh",
  .version = "0.1.0",
  .summary = "links to nodes behind a gateway, through an ssh login on it",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
