/* stream.h - what the transports over stream sockets share
 *
 * A plugin parses its addresses, makes its sockets and hands them over; the rest
 * (queues, flow, the end of a link, limits before authentication, the close of
 * the whole transport) is the same for every kind of stream socket and is here.
 * A plugin that encrypts gives a coder for each link.
 *
 * Threads: the loop's thread for everything.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>

G_BEGIN_DECLS

typedef struct _Stream Stream;                 /* an open transport */
typedef struct _StreamLink StreamLink;         /* a link of it */
typedef struct _StreamListener StreamListener; /* where it accepts links */
typedef struct _StreamWatch StreamWatch;
typedef struct _StreamCoder StreamCoder;

/* One room for everything that is received at once. */
#define STREAM_BUFFER_BYTES ((gsize)64 << 10)

/* The most that goes through a coder at once: what one TLS record holds. */
#define STREAM_RECORD_BYTES ((gsize)16 << 10)

/* Parameters every stream transport has; stream_options_init() reads them. */
/* clang-format off */
#define STREAM_PARAMS STREAM_PARAMS_WITH ("5s")
#define STREAM_PARAMS_WITH(connect_timeout)                                                        \
  { "connect-timeout", SATIN_PARAM_DURATION, connect_timeout,                                      \
    "how long to try to reach an address" },                                                       \
  { "shut-timeout", SATIN_PARAM_DURATION, "5s",                                                    \
    "how long a link that closes waits for the other side without progress" },                     \
  { "queue-limit", SATIN_PARAM_SIZE, "1M", "queued bytes of a link above which its user waits" }
/* clang-format on */

/**
 * StreamWatch:
 * @fd: (owned): the socket, non-blocking, or -1
 * @is_readable: reading may give something; cleared by the reader that found nothing
 * @is_writable: writing may be possible; the writer that is refused calls stream_watch_await_room()
 * @is_hung_up: the other side will send no more or the socket failed: read until it says so
 * @is_failed: the socket failed
 * @ready: called on the loop when one of these became true or after stream_watch_queue()
 *
 * A socket and what is known about it. Embedded as the first field.
 */
struct _StreamWatch
{
  Stream *stream; /* (borrowed) */
  void (*ready) (StreamWatch *watch);
  int fd;
  gboolean is_readable;
  gboolean is_writable;
  gboolean is_hung_up;
  gboolean is_failed;
  gboolean is_awaiting_room;
  gboolean is_queued; /* @node is in the stream's queue of ready watches */
  GList node;
};

void stream_watch_init (StreamWatch *self, Stream *stream, void (*ready) (StreamWatch *watch));
/* Takes @fd over, on failure too (closes it). */
gboolean stream_watch_open (StreamWatch *self, int fd, GError **error);
/* Writing was refused, or a connection is being made: tells when that is over. */
void stream_watch_await_room (StreamWatch *self);
/* Has @ready called soon. */
void stream_watch_queue (StreamWatch *self);
/* Gives the socket up without closing it. Returns: (transfer full): the socket */
int stream_watch_take_fd (StreamWatch *self);
/* Closes the socket if there is one; @ready is not called any more. */
void stream_watch_close (StreamWatch *self);

/**
 * StreamCoderFuncs:
 * @shake: goes on with the handshake with what was received so far; *@ret_is_done once it is over
 * @input_room: where received bytes go; 0 when there is no room before something is read
 * @input_filled: @n_bytes were put there
 * @read: decoded bytes. 0: nothing without more input; *@ret_is_end: the other side said it is
 *   done. -1: @error is set
 * @write: encodes all of @bytes, at most %STREAM_RECORD_BYTES. %FALSE without @error: no room
 * before output is sent; with @error: broken
 * @output: bytes to send, 0 when there are none
 * @output_taken: @n_bytes of them were sent
 * @close: puts the sign of an end in good order into the output
 *
 * Turns what users send into what goes over the socket and back, without any
 * input or output of its own.
 */
typedef struct
{
  gboolean (*shake) (StreamCoder *coder, gboolean *ret_is_done, GError **error);
  gsize (*input_room) (StreamCoder *coder, guint8 **ret_room);
  void (*input_filled) (StreamCoder *coder, gsize n_bytes);
  gssize (*read) (StreamCoder *coder, guint8 *into, gsize size_bytes, gboolean *ret_is_end,
                  GError **error);
  gboolean (*write) (StreamCoder *coder, const guint8 *bytes, gsize n_bytes, GError **error);
  gsize (*output) (StreamCoder *coder, const guint8 **ret_bytes);
  void (*output_taken) (StreamCoder *coder, gsize n_bytes);
  void (*close) (StreamCoder *coder);
  void (*free) (StreamCoder *coder);
} StreamCoderFuncs;

struct _StreamCoder
{
  const StreamCoderFuncs *funcs; /* (borrowed, static) */
};

/**
 * StreamOptions:
 * @peer_name: (nullable): who is at the other end of an accepted socket, for messages. Returns:
 *   (transfer full)
 * @check_peer: (nullable): looks at a connected socket before anything is read from it; %FALSE
 *   with an error refuses the other side
 * @coder_new: (nullable): the coder of a link; %NULL for links that carry bytes as they are
 * @check_first: (nullable): looks at the first bytes received on a link without coder; %FALSE with
 *   an error breaks it. @ret_answer: (transfer full) (nullable): sent before the end
 * @data: (owned by the stream): the plugin's own, freed by @free_data
 */
typedef struct
{
  gint64 connect_timeout_us;
  gint64 shut_timeout_us;
  gsize queue_limit_bytes;
  char *(*peer_name) (int fd);
  gboolean (*check_peer) (gpointer data, int fd, GError **error);
  StreamCoder *(*coder_new) (gpointer data, gboolean is_accepting, GError **error);
  gboolean (*check_first) (gpointer data, gboolean is_accepting, const guint8 *bytes, gsize n_bytes,
                           GBytes **ret_answer, GError **error);
  gpointer data;
  GDestroyNotify free_data;
} StreamOptions;

/* Fills in what STREAM_PARAMS declares and zeroes the rest. */
void stream_options_init (StreamOptions *self, const SatinParams *params);

/**
 * stream_new:
 * @options: copied; its data is taken over, on failure too
 * @error: %SATIN_ERROR_INVALID when the loop has no GMainContext, %SATIN_ERROR_IO
 *
 * Returns: (transfer full): closed with stream_close()
 */
Stream *stream_new (const SatinTransportContext *context, const StreamOptions *options,
                    GError **error);
SatinLoop *stream_get_loop (Stream *self);
gpointer stream_get_data (Stream *self);

/**
 * stream_listener_new:
 * @fd: (transfer full): a listening socket, non-blocking, closed on failure too
 * @name: where it listens, for messages
 * @stopped: (nullable): called once with @data when it stops to listen
 */
StreamListener *stream_listener_new (Stream *stream, int fd, const char *name,
                                     const SatinListenEvents *events, gpointer user_data,
                                     GDestroyNotify stopped, gpointer data, GError **error);

/**
 * stream_link_new:
 * @name: where it connects to, for messages
 *
 * A link that is being dialed; its connect timeout runs. End the dialing with
 * stream_link_connected() or stream_link_fail().
 */
StreamLink *stream_link_new (Stream *stream, const char *name, const SatinLinkEvents *events,
                             gpointer user_data);
/* What dials: @cancel is called with @dialer once, when the dialing ended for whatever reason. */
void stream_link_set_dialer (StreamLink *self, gpointer dialer, GDestroyNotify cancel);
/* @over is called with @data once, when the link is over for whatever reason. */
void stream_link_set_over (StreamLink *self, gpointer data, GDestroyNotify over);
/* @fd: (transfer full): connected, non-blocking. */
void stream_link_connected (StreamLink *self, int fd);
/* At any time. @error: (transfer full): why it cannot be reached, or is over; down follows on the
 * loop. */
void stream_link_fail (StreamLink *self, GError *error);

/* Operations of a transport as they stand in SatinTransportOps. */
void stream_close (gpointer transport, SatinDoneFunc done, gpointer user_data);
void stream_unlisten (gpointer listener);
void stream_send (gpointer link, GBytes *bytes);
gsize stream_queued_bytes (gpointer link);
void stream_pause (gpointer link, gboolean is_paused);
void stream_shut (gpointer link);
void stream_drop (gpointer link);

/* An error for a failed system call on a socket; @what is put in front of the cause. */
void stream_set_errno (GError **error, int socket_errno, const char *what);

G_END_DECLS
