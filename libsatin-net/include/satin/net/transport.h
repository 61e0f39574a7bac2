/* transport.h - what a transport plugin provides: authenticated streams of bytes
 *
 * A transport connects addresses ("tcp://host:port", "unix:/path"). Bytes that are written to a
 * link arrive in order and unchanged, or the link breaks. The host cuts the stream into frames; a
 * transport never looks into it.
 *
 * A transport between hosts authenticates both sides with the cluster secret and encrypts the
 * stream (TLS 1.3, external PSK with (EC)DHE). It does so before it reports a link as up.
 *
 * Every link follows these rules. The first event is up or down. After up, received and drained
 * come any number of times. The last event is down, and it comes exactly once. The transport frees
 * the link after that callback. Callbacks run on the loop, never inside an operation.
 *
 * Threads: the loop's thread (SATIN_THREAD_LOOP).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/secret.h>

G_BEGIN_DECLS

/**
 * SatinLinkEvents:
 * @up: the link is authenticated and can be written to
 * @received: bytes arrived; they are valid during the call
 * @drained: the transport's queue was above its limit and is now below half of it
 * @down: the link is over. @error is %NULL when the stream ended and everything that arrived was
 *   delivered. On an encrypted link this means that the other side shut the link. Without
 *   encryption, a dropped link and a killed process may look the same; a goodbye inside the stream
 *   tells them apart. @error is %SATIN_ERROR_CANCELLED when this side dropped the link. Else it is
 *   the cause, such as %SATIN_ERROR_UNREACHABLE, %SATIN_ERROR_TIMEOUT, %SATIN_ERROR_SECRET,
 *   %SATIN_ERROR_CLOSED, %SATIN_ERROR_FORMAT, %SATIN_ERROR_LIMIT or %SATIN_ERROR_IO
 *
 * The events that a transport reports for a link.
 */
typedef struct
{
  gsize struct_size;
  void (*up) (gpointer link, gpointer user_data);
  void (*received) (gpointer link, const guint8 *bytes, gsize n_bytes, gpointer user_data);
  void (*drained) (gpointer link, gpointer user_data);
  void (*down) (gpointer link, const GError *error, gpointer user_data);
} SatinLinkEvents;

/**
 * SatinListenEvents:
 * @accepted: a link came in. It is authenticated already, so no up event follows. The callee sets
 *   the functions and the user data for the link's further events
 *
 * The events that a transport reports for a listener.
 */
typedef struct
{
  gsize struct_size;
  void (*accepted) (gpointer listener, gpointer link, const SatinLinkEvents **ret_events,
                    gpointer *ret_user_data, gpointer user_data);
} SatinListenEvents;

/**
 * SatinTransportContext:
 * @loop: borrowed, outlives the transport
 * @secret: (nullable): borrowed, outlives the transport; %NULL when the user gave none
 * @is_insecure: the user asked for links without authentication
 *
 * The surroundings of a transport. A transport between hosts refuses to open (with
 * %SATIN_ERROR_SECRET) when it has no @secret, unless @is_insecure is set.
 */
typedef struct
{
  gsize struct_size;
  SatinLoop *loop;
  const SatinSecret *secret;
  gboolean is_insecure;
} SatinTransportContext;

/**
 * SatinTransportOps:
 * @open: returns a handle, or %NULL with an error
 * @close: drops all links and listeners. Each link reports down. Then @done runs once, and the
 *   transport's handle is gone
 * @listen: accepts links at @uri; "tcp://host:0" picks a port. @ret_uri: (transfer full): the
 *   address that other nodes use. If the address is in use, fails with
 *   %SATIN_ERROR_ADDRESS_IN_USE, whose message names the address and says what to do
 * @unlisten: stops accepting at once; links that were accepted stay
 * @connect: begins a link. Returns %NULL with an error only when it cannot understand @uri
 * @send: queues bytes and takes a reference. It never blocks and never fails: a broken link reports
 *   down
 * @queued_bytes: returns how many bytes wait to be sent
 * @pause: stops or resumes reading, so that the other side has to wait
 * @shut: closes in good order: sends what is queued, then reports down with %NULL, or with
 *   %SATIN_ERROR_TIMEOUT when the other side does not take the bytes. Nothing is received any more.
 *   Before up it does the same as @drop
 * @drop: breaks the link at once; down (%SATIN_ERROR_CANCELLED) follows on the loop. If bytes that
 *   the other side had sent were not received here, the down of the other side has the error
 *   %SATIN_ERROR_CLOSED, even while the other side is paused
 *
 * The operations of a plugin of kind "transport".
 */
typedef struct
{
  gsize struct_size;
  gpointer (*open) (const SatinTransportContext *context, const SatinParams *params,
                    GError **error);
  void (*close) (gpointer transport, SatinDoneFunc done, gpointer user_data);
  gpointer (*listen) (gpointer transport, const char *uri, const SatinListenEvents *events,
                      gpointer user_data, char **ret_uri, GError **error);
  void (*unlisten) (gpointer listener);
  gpointer (*connect) (gpointer transport, const char *uri, const SatinLinkEvents *events,
                       gpointer user_data, GError **error);
  void (*send) (gpointer link, GBytes *bytes);
  gsize (*queued_bytes) (gpointer link);
  void (*pause) (gpointer link, gboolean is_paused);
  void (*shut) (gpointer link);
  void (*drop) (gpointer link);
} SatinTransportOps;

/* The operations that a transport must have. The host checks them when it loads the plugin. */
static const SatinRequired satin_transport_required[] = {
  SATIN_REQUIRED (SatinTransportOps, open),
  SATIN_REQUIRED (SatinTransportOps, close),
  SATIN_REQUIRED (SatinTransportOps, listen),
  SATIN_REQUIRED (SatinTransportOps, unlisten),
  SATIN_REQUIRED (SatinTransportOps, connect),
  SATIN_REQUIRED (SatinTransportOps, send),
  SATIN_REQUIRED (SatinTransportOps, queued_bytes),
  SATIN_REQUIRED (SatinTransportOps, pause),
  SATIN_REQUIRED (SatinTransportOps, shut),
  SATIN_REQUIRED (SatinTransportOps, drop),
  { NULL, 0 }
};

/* Limits before a link is authenticated: the bytes that it may send, the time that it may take, and
 * the number of links that may be in this state at once. */
#define SATIN_HANDSHAKE_MAX_BYTES   ((gsize)64 << 10)
#define SATIN_HANDSHAKE_TIMEOUT_US  ((gint64)5000000)
#define SATIN_HANDSHAKE_MAX_PENDING 256

G_END_DECLS
