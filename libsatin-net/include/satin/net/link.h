/* link.h - one link: a transport's stream, cut into frames, after both hellos
 *
 *          connect / accept          both have accepted           close
 *   (none) ----------------> GREETING ----------------> OPEN ----------------> CLOSING
 *                               |                        |                       |
 *                               +------------------------+-----------------------+--> DOWN
 *
 * A link that is refused, or closed before it opens, goes from GREETING to CLOSING.
 *
 * The side that connected sends its hello first. The other side checks it and answers with its own
 * hello. After that, the first frame other than an early message opens the link on the answering
 * side. So when a link is open on either side, both sides have accepted it.
 *
 * Early messages may follow each hello at once. The receiver keeps them until it has accepted the
 * hello. The transport authenticates both sides before the hello, so early messages only reach a
 * process that may read them.
 *
 * Only events of the transport, timers and calls of the owner drive the state machine. A frame
 * above the limit, a wrong hello, a hello later than 5 s or garbage takes the link down with an
 * error that names the cause. Nothing that a peer sends can do more harm than that.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>
#include <satin/net/wire.h>

G_BEGIN_DECLS

/* An open transport plugin. */
typedef struct _SatinTransport SatinTransport;
/* Accepts links at one address. */
typedef struct _SatinListener SatinListener;
/* One link to another process. */
typedef struct _SatinLink SatinLink;

/**
 * SatinIdentity:
 *
 * The identity that this side sends in its hello. Links borrow it, so it outlives them. An
 * all-zero @run means that this side has not joined a run: the hello's run is empty, and this side
 * accepts every run.
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
 * @check: (nullable): judges the other side's hello, whose protocol, format, program and run are
 *   right already. %FALSE with an error refuses the link; the other side receives the error. %FALSE
 *   without an error defers the decision: @check is called again after satin_link_pause() with
 *   %FALSE. A link without a decision goes down at the handshake deadline
 * @open: (nullable): both sides have accepted each other
 * @frame: a frame of kind MESSAGE, HUB or EARLY came; @payload is valid during the call
 * @drained: (nullable): the queue had reached its limit and is now below half of it
 * @measured: (nullable): a pong came; @round_trip_us is the time between the last ping and this
 *   pong, not the fastest time so far
 * @greeted: (nullable): this side has sent its hello. Messages that this function gives to
 *   satin_link_send_early() follow right behind the hello
 * @down: the link is over; it is gone after this call. @error is %NULL after either side closed it
 *   in good order. A refusal by the other side has that side's code and message, with a prefix
 *
 * The functions that a link calls.
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

/* Loads the transport for the scheme of @uri, and opens it. */
SATIN_API SatinTransport *
satin_transport_new (const char *uri, const SatinTransportContext *context, GError **error);
/* Like satin_transport_new(), with parameters for the plugin, "key=value,..."; %NULL for none. */
SATIN_API SatinTransport *satin_transport_new_with_params (const char *uri, const char *params,
                                                           const SatinTransportContext *context,
                                                           GError **error);
/* Like satin_transport_new(), but uses @ops instead of a plugin (tests, simulation). @ops are
 * copied. */
SATIN_API SatinTransport *satin_transport_new_with_ops (const SatinTransportOps *ops,
                                                        const SatinTransportContext *context,
                                                        GError **error);
/* Drops all links and listeners. @self is gone when @done runs, once, on the loop. @done:
 * (nullable) */
SATIN_API void satin_transport_close (SatinTransport *self, SatinDoneFunc done, gpointer user_data);

/* A link has come in. The callee sets the link's functions and their user data. When it sets none,
 * the link is dropped. */
typedef void (*SatinAcceptFunc) (SatinListener *listener, SatinLink *link,
                                 const SatinLinkFuncs **ret_funcs, gpointer *ret_user_data,
                                 gpointer user_data);

/**
 * satin_transport_listen:
 * @identity: borrowed; read anew for each link, so it may change when the node has joined
 * @accept: runs for each link that comes in, before its hello, and sets its functions
 *
 * Accepts links at @uri.
 *
 * Returns: (transfer full): stop it with satin_listener_stop(); or %NULL with @error set
 */
SATIN_API SatinListener *satin_transport_listen (SatinTransport *self, const char *uri,
                                                 const SatinIdentity *identity,
                                                 SatinAcceptFunc accept, gpointer user_data,
                                                 GError **error);
/* The address where other nodes reach the listener; borrowed from it. */
SATIN_API const char *satin_listener_get_uri (SatinListener *self);
/* Stops accepting links, and frees the listener. Links that it has accepted stay. */
SATIN_API void satin_listener_stop (SatinListener *self);

/* Begins a link. Within the handshake deadline the link opens, or begins to go down. Returns:
 * (nullable): %NULL with @error set when the transport cannot understand @uri */
SATIN_API SatinLink *satin_transport_connect (SatinTransport *self, const char *uri,
                                              const SatinIdentity *identity,
                                              const SatinLinkFuncs *funcs, gpointer user_data,
                                              GError **error);

/* Queues a frame of kind MESSAGE or HUB. Before the link is open, the frame waits. Large payloads
 * are not copied. */
SATIN_API void satin_link_send (SatinLink *self, SatinFrameKind kind, guint channel,
                                GBytes *payload);
/* Sends a message with its number, once this side's hello is out; before that the message is
 * dropped. If the link goes down without having opened on this side, the message may have arrived
 * or not. */
SATIN_API void satin_link_send_early (SatinLink *self, guint channel, guint64 number,
                                      GBytes *payload);
/* Encodes a record and queues it like satin_link_send(). */
SATIN_API void satin_link_send_record (SatinLink *self, SatinFrameKind kind, guint channel,
                                       const SatinRecord *record, gconstpointer data);
/* Sends a ping when the link is open. The pong updates satin_link_get_round_trip_us(). */
SATIN_API void satin_link_ping (SatinLink *self);
/* The fastest round trip so far, in microseconds; 0 before the first pong. Every link pings once
 * when it opens. */
SATIN_API gint64 satin_link_get_round_trip_us (SatinLink *self);
/* When the last bytes came, on the loop's clock. Before the first bytes: when the link was made. */
SATIN_API gint64 satin_link_get_last_heard_us (SatinLink *self);
/* How many bytes wait to be sent. */
SATIN_API gsize satin_link_queued_bytes (SatinLink *self);
/* How many bytes the link has given to the transport so far. Some of them may wait there to be
 * sent. */
SATIN_API guint64 satin_link_get_bytes_sent (SatinLink *self);
/* How many bytes the link has received so far. */
SATIN_API guint64 satin_link_get_bytes_received (SatinLink *self);
/* The other side's hello. Returns: (nullable): %NULL before a valid hello has come; it is there
 * when @check of #SatinLinkFuncs runs */
SATIN_API const SatinHello *satin_link_get_hello (SatinLink *self);
/* Whether the link is in the state OPEN: both sides have accepted each other, and neither has
 * closed it. */
SATIN_API gboolean satin_link_is_open (SatinLink *self);
/* With %TRUE, stops delivering frames until a call with %FALSE, so that the sender has to wait.
 * Before the link is open, a pause holds the other side's hello back. */
SATIN_API void satin_link_pause (SatinLink *self, gboolean is_paused);
/* Sends what is queued and a goodbye, then down follows. Without a @reason, frames that the other
 * side sent before its own goodbye are still delivered, and down has no error unless the other side
 * does not close in time. With a @reason, nothing more is delivered, and down has that error on
 * both sides. @reason: (nullable) */
SATIN_API void satin_link_close (SatinLink *self, const GError *reason);
/* Breaks the link at once; down follows on the loop with %SATIN_ERROR_CANCELLED. */
SATIN_API void satin_link_drop (SatinLink *self);

/* The most bytes of early messages that a side may send before the link is open. The other side
 * keeps them until it has judged the hello. */
#define SATIN_LINK_EARLY_MAX_BYTES ((gsize)16 << 10)
/* The bytes of the number in front of the message, in a frame of kind EARLY. */
#define SATIN_LINK_NUMBER_BYTES ((gsize)8)

/* While this much or more waits to be sent, the link sends no pongs: the waiting bytes show just as
 * well that this side lives. So a peer cannot make the queue grow by pinging. */
#define SATIN_LINK_ANSWER_MAX_BYTES ((gsize)256 << 10)

/* The queue limit of a link, in bytes. A link whose queue has reached this limit calls drained when
 * less than half of the limit waits. */
#define SATIN_LINK_QUEUE_MAX_BYTES ((gsize)64 << 20)

G_END_DECLS
