/* stream.h - code that all transports over stream sockets share
 *
 * A plugin parses its addresses, makes its sockets and hands them over. All else is the same for
 * every kind of stream socket and is here: queues, flow control, the end of a link, limits before
 * authentication, and the close of the whole transport. A plugin that encrypts gives each link a
 * coder.
 *
 * Threads: the loop's thread for everything.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/transport.h>

G_BEGIN_DECLS

typedef struct _Stream Stream;                 /* an open transport */
typedef struct _StreamLink StreamLink;         /* one link of a transport */
typedef struct _StreamListener StreamListener; /* accepts links at one address */
typedef struct _StreamWatch StreamWatch;
typedef struct _StreamCoder StreamCoder;

/* Size of the buffer for input, which all links share. */
#define STREAM_BUFFER_BYTES ((gsize)64 << 10)

/* The most that a coder gets in one call: the payload of one TLS record. */
#define STREAM_RECORD_BYTES ((gsize)16 << 10)

/* Parameters that every stream transport has; stream_options_init() reads them. */
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
 * @is_readable: a read may succeed; the reader clears it when there is no more input
 * @is_writable: a write may succeed; when the socket refuses a write, the writer calls
 *   stream_watch_await_room()
 * @is_hung_up: the peer sends no more, or the socket failed: read until recv() reports it
 * @is_failed: the socket failed
 * @ready: called on the loop after one of these became true, or after stream_watch_queue()
 *
 * A socket, and what epoll has reported about it. Embed it as the first field of a struct.
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
/* Takes ownership of @fd, and closes it on failure. */
gboolean stream_watch_open (StreamWatch *self, int fd, GError **error);
/* Asks for a call of @ready when the socket can be written to, or when its connect is over. */
void stream_watch_await_room (StreamWatch *self);
/* Makes the loop call @ready in its next dispatch. */
void stream_watch_queue (StreamWatch *self);
/* Stops watching the socket without closing it. Returns: (transfer full): the socket */
int stream_watch_take_fd (StreamWatch *self);
/* Closes the socket, if there is one. @ready is not called again, unless the watch is queued
 * again. */
void stream_watch_close (StreamWatch *self);

/**
 * StreamCoderFuncs:
 * @shake: continues the handshake with the bytes received so far; sets *@ret_is_done when it is
 *   over
 * @input_room: returns how many bytes can be put at *@ret_room; 0 when @read must be called first
 * @input_filled: called when @n_bytes were put at the address that @input_room gave
 * @read: decodes into @into. Returns the number of bytes; 0 when it needs more input, or, with
 *   *@ret_is_end set, when the peer ended the stream in good order; -1 with @error
 * @write: encodes all of @bytes, at most %STREAM_RECORD_BYTES. %FALSE without @error: there is no
 *   room until output is sent. %FALSE with @error: the coder is broken
 * @output: returns how many encoded bytes wait at *@ret_bytes; 0 when there are none
 * @output_taken: called when @n_bytes of the output were sent
 * @close: adds to the output the notice that this side ends the stream in good order
 *
 * Encodes the bytes that users send, and decodes the bytes that the socket receives. It does no
 * input or output itself.
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
 * @peer_name: (nullable): names the peer of an accepted socket, for messages. Returns: (transfer
 *   full)
 * @check_peer: (nullable): looks at a connected socket before anything is read from it; %FALSE with
 *   an error refuses the peer
 * @coder_new: (nullable): makes the coder of a link; %NULL if links carry bytes unencoded
 * @check_first: (nullable): looks at the first bytes received on a link without coder; %FALSE with
 *   an error breaks the link. @ret_answer: (transfer full) (nullable): sent before the link breaks
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

/* Reads the parameters that STREAM_PARAMS declares, and zeroes all other fields. */
void stream_options_init (StreamOptions *self, const SatinParams *params);

/**
 * stream_new:
 * @options: copied. The stream owns its data and frees it with free_data, on failure too
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
 * @stopped: (nullable): called once with @data when the listener stops
 */
StreamListener *stream_listener_new (Stream *stream, int fd, const char *name,
                                     const SatinListenEvents *events, gpointer user_data,
                                     GDestroyNotify stopped, gpointer data, GError **error);

/**
 * stream_link_new:
 * @name: where it connects to, for messages
 *
 * Makes a link in state DIALING and starts its connect timeout. The dialer ends this state with
 * stream_link_connected() or stream_link_fail().
 */
StreamLink *stream_link_new (Stream *stream, const char *name, const SatinLinkEvents *events,
                             gpointer user_data);
/* Sets the dialer. @cancel is called with @dialer once, when the dialing ends for any reason. */
void stream_link_set_dialer (StreamLink *self, gpointer dialer, GDestroyNotify cancel);
/* @over is called with @data once, when the link breaks for any reason. */
void stream_link_set_over (StreamLink *self, gpointer data, GDestroyNotify over);
/* Ends the dialing with success. @fd: (transfer full): a connected socket, non-blocking */
void stream_link_connected (StreamLink *self, int fd);
/* Breaks the link, in any state. @error: (transfer full): passed to the event `down`, which follows
 * on the loop */
void stream_link_fail (StreamLink *self, GError *error);

/* Ready-made operations for a plugin's SatinTransportOps. */
void stream_close (gpointer transport, SatinDoneFunc done, gpointer user_data);
void stream_unlisten (gpointer listener);
void stream_send (gpointer link, GBytes *bytes);
gsize stream_queued_bytes (gpointer link);
void stream_pause (gpointer link, gboolean is_paused);
void stream_shut (gpointer link);
void stream_drop (gpointer link);

/* Sets the error for a system call on a socket that failed; @what comes before the cause. */
void stream_set_errno (GError **error, int socket_errno, const char *what);

G_END_DECLS
