/* transport-unix.c - links between processes of one user on one machine
 *
 * The kernel authenticates the peers: the socket file has mode 0600, and each side asks the kernel
 * for the user of the peer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bind.h"
#include "dial.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static gboolean
check_peer (gpointer data, int fd, GError **error)
{
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
    {
      stream_set_errno (error, errno, "cannot learn whose process the other side is");
      return FALSE;
    }
  if (peer.uid == geteuid ())
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
               "the other side (process %d) belongs to user %u, this one to user %u: run both as "
               "one user, or use tcp with a secret",
               (int)peer.pid, (guint)peer.uid, (guint)geteuid ());
  return FALSE;
}

static char *
peer_name (int fd)
{
  struct ucred peer = { 0 };
  socklen_t length = sizeof peer;
  getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &length);
  return g_strdup_printf ("process %d", (int)peer.pid);
}

static gpointer
unix_open (const SatinTransportContext *context, const SatinParams *params, GError **error)
{
  StreamOptions options;
  stream_options_init (&options, params);
  options.check_peer = check_peer;
  options.peer_name = peer_name;
  return stream_new (context, &options, error);
}

static gpointer
unix_listen (gpointer transport, const char *uri, const SatinListenEvents *events,
             gpointer user_data, char **ret_uri, GError **error)
{
  struct sockaddr_un address;
  if (!unix_address_parse (uri, &address, error))
    return NULL;
  UnixFile *file = NULL;
  int fd = unix_bind (&address, &file, error);
  if (fd < 0)
    return NULL;
  StreamListener *listener = stream_listener_new (transport, fd, uri, events, user_data,
                                                  (GDestroyNotify)unix_file_remove, file, error);
  if (listener == NULL)
    unix_file_remove (file);
  else
    *ret_uri = g_strdup (uri);
  return listener;
}

static gpointer
unix_connect (gpointer transport, const char *uri, const SatinLinkEvents *events,
              gpointer user_data, GError **error)
{
  struct sockaddr_un address;
  if (!unix_address_parse (uri, &address, error))
    return NULL;
  StreamLink *link = stream_link_new (transport, uri, events, user_data);
  if (link != NULL)
    unix_dial (transport, link, &address);
  return link;
}

static const SatinTransportOps ops = {
  .struct_size = sizeof (SatinTransportOps),
  .open = unix_open,
  .close = stream_close,
  .listen = unix_listen,
  .unlisten = stream_unlisten,
  .connect = unix_connect,
  .send = stream_send,
  .queued_bytes = stream_queued_bytes,
  .pause = stream_pause,
  .shut = stream_shut,
  .drop = stream_drop,
};

static const SatinParam params[] = { STREAM_PARAMS, { NULL } };

static const char *const schemes[] = { "unix", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_TRANSPORT,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "unix",
  .version = "0.1.0",
  .summary = "links between processes of one user on one machine, through unix sockets",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
