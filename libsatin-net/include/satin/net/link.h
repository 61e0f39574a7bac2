/* link.h - one link: a transport's stream, cut into frames, after both hellos
 *
 *          connect / accept          both have accepted           close
 *   (none) ----------------> GREETING ----------------> OPEN ----------------> CLOSING
 *                               |                        |                       |
 *                               +------------------------+-----------------------+--> DOWN
 *
 * The side that connected says its hello first, the other answers with its own when it has found
 * that one right, and the first frame after that opens the answering side: what is open on either
 * side was accepted by both.
 *
 * Early messages may follow each hello at once. The other side puts them away until it has found
 * the hello right. The transport has proven both sides to each other before the hello, so what is
 * sent early is told to nobody who would not hear it later.
 *
 * The state machine is fed by the transport and by time only. A frame above the
 * cap, a wrong hello, a hello later than 5 s or garbage take the link down with an
 * error that names the cause; nothing a peer sends can do more.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>
#include <satin/net/wire.h>

G_BEGIN_DECLS

/* A transport plugin that was opened. */
typedef struct _SatinTransport SatinTransport;
/* What accepts links at one address. */
typedef struct _SatinListener SatinListener;
/* One link to another process. */
typedef struct _SatinLink SatinLink;

/**
 * SatinIdentity:
 *
 * What this side says in its hello. Strings are borrowed and outlive the links.
 * An all-zero @run means "not joined": it is sent empty, and every run is accepted.
 */
typedef struct
{
  SatinRole role;
  guint8 run[16];
  const SatinProgram *program; /* (nullable) */
  SatinNodeId node;
} SatinIdentity;

/**
 * SatinLinkFuncs:
 * @check: (nullable): judges the other side's hello after protocol, format, program and run were
 *   found right; %FALSE with an error refuses it (the other side is told the error). %FALSE without
 *   an error: not now; it is asked again when satin_link_pause() is called with %FALSE, and at the
 *   handshake deadline the link goes down
 * @open: (nullable): both sides have accepted each other
 * @frame: a frame of kind MESSAGE, HUB or EARLY; @payload is valid during the call
 * @drained: (nullable): less than half the queue limit waits again
 * @measured: (nullable): a pong came; @round_trip_us is its own, not the fastest
 * @greeted: (nullable): this side's hello is out; what satin_link_send_early() is given here goes
 *   right behind it
 * @down: the link is over and gone after this call; @error is %NULL after a close in good order by
 *   either side. A refusal by the other side arrives with its own code and message, prefixed
 *
 * What a link tells its user.
 */
typedef struct
{
  gboolean (*check) (SatinLink *link, const SatinHello *hello, gpointer user_data, GError **error);
  void (*open) (SatinLink *link, gpointer user_data);
  void (*frame) (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload,
                 gpointer user_data);
  void (*drained) (SatinLink *link, gpointer user_data);
  void (*down) (SatinLink *link, const GError *error, gpointer user_data);
  void (*measured) (SatinLink *link, gint64 round_trip_us, gpointer user_data);
  void (*greeted) (SatinLink *link, gpointer user_data);
} SatinLinkFuncs;

/* A transport, loaded by the scheme of @uri. */
SATIN_API SatinTransport *
satin_transport_new (const char *uri, const SatinTransportContext *context, GError **error);
/* As satin_transport_new(), with parameters of the plugin, "key=value,..."; %NULL for none. */
SATIN_API SatinTransport *satin_transport_new_with_params (const char *uri, const char *params,
                                                           const SatinTransportContext *context,
                                                           GError **error);
/* As satin_transport_new(), with operations given directly (tests, simulation); @ops static. */
SATIN_API SatinTransport *satin_transport_new_with_ops (const SatinTransportOps *ops,
                                                        const SatinTransportContext *context,
                                                        GError **error);
/* Drops all links and listeners. @self is gone when @done is called, once, on the loop. */
SATIN_API void satin_transport_close (SatinTransport *self, SatinDoneFunc done, gpointer user_data);

/* A link has come in: sets what it tells of itself, and to whom. */
typedef void (*SatinAcceptFunc) (SatinListener *listener, SatinLink *link,
                                 const SatinLinkFuncs **ret_funcs, gpointer *ret_user_data,
                                 gpointer user_data);

/**
 * satin_transport_listen:
 * @identity: borrowed; read anew for each link, so it may change when the node has joined
 * @accept: called for each link that came in, before its hello, to learn its functions
 *
 * Returns: (transfer full): stop with satin_listener_stop()
 */
SATIN_API SatinListener *satin_transport_listen (SatinTransport *self, const char *uri,
                                                 const SatinIdentity *identity,
                                                 SatinAcceptFunc accept, gpointer user_data,
                                                 GError **error);
/* Where others reach it; borrowed from the listener. */
SATIN_API const char *satin_listener_get_uri (SatinListener *self);
/* Accepts no more links, and frees the listener. Links that it has accepted live on. */
SATIN_API void satin_listener_stop (SatinListener *self);

/* Begins a link; its open or down follows within the handshake deadline. */
SATIN_API SatinLink *satin_transport_connect (SatinTransport *self, const char *uri,
                                              const SatinIdentity *identity,
                                              const SatinLinkFuncs *funcs, gpointer user_data,
                                              GError **error);

/* Queues a frame. Before the link is open it waits for that. Payloads are not copied when large. */
SATIN_API void satin_link_send (SatinLink *self, SatinFrameKind kind, guint channel,
                                GBytes *payload);
/* Sends a message with its number, once this side's hello is out. When the link goes down without
 * having opened on this side, the message may have arrived and may have not. */
SATIN_API void satin_link_send_early (SatinLink *self, guint channel, guint64 number,
                                      GBytes *payload);
/* Encodes a record and queues it. */
SATIN_API void satin_link_send_record (SatinLink *self, SatinFrameKind kind, guint channel,
                                       const SatinRecord *record, gconstpointer data);
/* Sends a ping; satin_link_get_round_trip_us() knows when its pong is back. */
SATIN_API void satin_link_ping (SatinLink *self);
/* The fastest round trip seen, microseconds, 0 before the first pong. Every link pings once when it
 * opens. */
SATIN_API gint64 satin_link_get_round_trip_us (SatinLink *self);
/* When the last bytes came, on the loop's clock. */
SATIN_API gint64 satin_link_get_last_heard_us (SatinLink *self);
/* How many bytes wait to be sent. */
SATIN_API gsize satin_link_queued_bytes (SatinLink *self);
/* How many bytes were sent over it so far. */
SATIN_API guint64 satin_link_get_bytes_sent (SatinLink *self);
/* How many bytes have come over it so far. */
SATIN_API guint64 satin_link_get_bytes_received (SatinLink *self);
/* The other side's hello, or %NULL before the link is open. */
SATIN_API const SatinHello *satin_link_get_hello (SatinLink *self);
/* Whether both sides have accepted each other, and neither has closed it. */
SATIN_API gboolean satin_link_is_open (SatinLink *self);
/* Stops delivering frames until called with %FALSE (backpressure up to the sender). Before the link
 * is open it holds the other side's hello back. */
SATIN_API void satin_link_pause (SatinLink *self, gboolean is_paused);
/* Sends what is queued and a goodbye (with @reason when not %NULL), then down. Without a @reason
 * frames that the other side had sent before its own goodbye are still delivered, and down has no
 * error; with one nothing is delivered any more, and the down of both sides has it. */
SATIN_API void satin_link_close (SatinLink *self, const GError *reason);
/* Breaks it at once; down follows on the loop with %SATIN_ERROR_CANCELLED. */
SATIN_API void satin_link_drop (SatinLink *self);

/* So much is sent early at most: the other side keeps it until it has judged the hello. */
#define SATIN_LINK_EARLY_MAX_BYTES ((gsize)16 << 10)
/* Before the number's end a frame of kind EARLY has no message. */
#define SATIN_LINK_NUMBER_BYTES ((gsize)8)

/* While more than this waits to be sent, answers that only say that this side lives are left out:
 * the bytes that wait say the same. So nobody makes the queue grow by asking. */
#define SATIN_LINK_ANSWER_MAX_BYTES ((gsize)256 << 10)

/* Queue limit per link, bytes. */
#define SATIN_LINK_QUEUE_MAX_BYTES ((gsize)64 << 20)

G_END_DECLS
