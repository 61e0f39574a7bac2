/* peer.c - `satin bench-peer URI`: the side that echoes when links.c measures a link
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "peer.h"
#include "bench.h"
#include "node-environment.h"
#include "runs/session.h"

/* The state of the link. */
typedef struct
{
  gboolean is_down;
  GError *error; /* (owned) (nullable) */
} Peer;

static void
on_frame (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload, gpointer user_data)
{
  if (channel == BENCH_CHANNEL_ECHO)
    satin_link_send (link, kind, channel, payload);
  if (channel != BENCH_CHANNEL_USAGE)
    return;
  gint64 used_ns = bench_processor_ns ();
  g_autoptr (GBytes) answer = g_bytes_new (&used_ns, sizeof used_ns);
  satin_link_send (link, kind, channel, answer);
}

static void
on_down (SatinLink *link, const GError *error, gpointer user_data)
{
  Peer *self = user_data;
  self->error = error != NULL ? g_error_copy (error) : NULL;
  self->is_down = TRUE;
}

gboolean
bench_peer_main (int argc, char **argv, int *ret_status, GError **error)
{
  static const SatinIdentity identity = { .role = SATIN_ROLE_TOOL };
  static const SatinLinkFuncs funcs = { .frame = on_frame, .down = on_down };
  if (argc != 2)
    return command_refuse (error, "bench", "bench-peer is started by satin bench links");
  const char *uri = argv[1];
  SatinSecret *secret = NULL;
  if (!g_str_has_prefix (uri, "unix:")
      && (secret = satin_secret_read_fd (NODE_SECRET_FD, error)) == NULL)
    return FALSE;
  g_autoptr (Session) session = session_open (uri, secret, FALSE, error);
  if (session == NULL)
    return FALSE;
  Peer peer = { 0 };
  if (satin_transport_connect (session->transport, uri, &identity, &funcs, &peer, error) == NULL)
    return FALSE;
  session_run_until (&peer.is_down);
  *ret_status = 0;
  if (peer.error == NULL)
    return TRUE;
  g_propagate_error (error, peer.error);
  return FALSE;
}
