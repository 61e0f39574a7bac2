/* transport.h - what a transport plugin provides: authenticated streams of bytes
 *
 * A transport connects addresses ("tcp://host:port", "unix:/path"). What is
 * written on a link arrives in order and unchanged, or the link breaks. The host
 * cuts the stream into frames itself; a transport never looks into it.
 *
 * A transport between hosts authenticates both sides with the cluster secret and
 * encrypts (TLS 1.3, external PSK with (EC)DHE). It does so before it reports a link as up.
 *
 * The rules of every link: first, exactly once, up or down. After up: received
 * and drained any number of times. Last, exactly once, down; nothing after it, and
 * then the link is gone (the transport frees it after the callback). No callback
 * runs inside an operation; they run on the loop.
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
 * @up: the link is authenticated and can be written
 * @received: bytes came, valid during the call
 * @drained: the transport's queue went below half its limit after it was above
 * @down: the link is over. %NULL @error: the stream ended, after all that arrived was delivered.
 *   With encryption, the other side has then shut the link. Without it, a link that was dropped and
 *   a process that was killed may look the same: to tell them apart, say goodbye inside the stream.
 *   %SATIN_ERROR_CANCELLED: this side dropped it. Else why: %SATIN_ERROR_UNREACHABLE,
 *   %SATIN_ERROR_TIMEOUT, %SATIN_ERROR_SECRET, %SATIN_ERROR_CLOSED, %SATIN_ERROR_FORMAT,
 *   %SATIN_ERROR_IO
 *
 * What a transport tells of a link.
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
 * @accepted: a link came up from outside (authenticated already, so no up event follows).
 *   The callee fills in whom to tell of its further events
 *
 * What a transport tells of a listener.
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
 * @secret: (nullable): borrowed, outlives the transport; %NULL when none was given
 * @is_insecure: the user asked for links without authentication
 *
 * What a transport is opened with. A transport between hosts refuses to open
 * (with %SATIN_ERROR_SECRET) without @secret unless @is_insecure.
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
 * @open: a handle, or %NULL with an error
 * @close: drops all links and listeners (each link hears down) and then calls @done once; the
 *   handle is gone then
 * @listen: accepts links at @uri; "tcp://host:0" picks a port. @ret_uri: (transfer full): where
 *   others reach it. %SATIN_ERROR_ADDRESS_IN_USE, naming the address and the cure
 * @unlisten: stops accepting, at once; links already accepted live on
 * @connect: begins a link; %NULL with an error only when @uri cannot be understood
 * @send: queues bytes, takes a reference. Never blocks, never fails: a broken link hears down
 * @queued_bytes: how much waits
 * @pause: stops (or goes on) reading, so that the other side has to wait
 * @shut: closes in good order: sends what is queued, then down (%NULL); %SATIN_ERROR_TIMEOUT when
 *   the other side does not take it. Nothing is received any more. Before up it is like @drop
 * @drop: breaks the link at once; down (%SATIN_ERROR_CANCELLED) follows on the loop. If bytes that
 *   the other side sent were not received, its down is %SATIN_ERROR_CLOSED, even while it is paused
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

/* What each transport must have; the host looks when it loads the plugin. */
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

/* Before a link is authenticated: how much it may send, how long it may take, how many may try. */
#define SATIN_HANDSHAKE_MAX_BYTES   ((gsize)64 << 10)
#define SATIN_HANDSHAKE_TIMEOUT_US  ((gint64)5000000)
#define SATIN_HANDSHAKE_MAX_PENDING 256

G_END_DECLS
