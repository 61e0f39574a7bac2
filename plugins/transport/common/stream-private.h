/* stream-private.h - the structures behind stream.h
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "link-state.h"
#include "stream.h"

/* How long a listener pauses when the system has no free descriptor or when too many links wait for
 * their handshake. */
#define LISTENER_REST_US ((gint64)100000)

struct _Stream
{
  SatinLoop *loop; /* (borrowed) */
  StreamOptions options;
  GSource *source; /* (owned): polls @epoll_fd in the loop's context */
  int epoll_fd;
  GQueue ready;     /* of StreamWatch, linked by their nodes */
  GQueue links;     /* of StreamLink, linked by their nodes */
  GQueue listeners; /* of StreamListener, linked by their nodes */
  guint8 *buffer;   /* (owned): STREAM_BUFFER_BYTES, for input */
  guint8 *record;   /* (owned): STREAM_RECORD_BYTES, to join small messages */
  gboolean is_dispatching;
  gboolean is_closing;
  SatinDoneFunc closed; /* called with @closed_data when the transport is closed */
  gpointer closed_data;
};

struct _StreamListener
{
  StreamWatch watch;
  GList node; /* in stream->listeners */
  char *name; /* (owned) */
  const SatinListenEvents *events;
  gpointer user_data;
  GDestroyNotify stopped; /* (nullable) */
  gpointer stopped_data;
  GQueue pending;           /* of StreamLink in LINK_SHAKING, oldest first */
  SatinTimerId rest;        /* while it runs, nothing is accepted */
  gboolean is_short_of_fds; /* a warning about this was given */
};

struct _StreamLink
{
  StreamWatch watch;
  GList node; /* in stream->links */
  LinkState state;
  char *name;                    /* (owned): the peer, for messages */
  const SatinLinkEvents *events; /* %NULL while the link has no user */
  gpointer user_data;
  StreamListener *listener; /* (borrowed) (nullable): set until this link is accepted or breaks */
  GList pending_node;       /* in listener->pending */
  gint64 since_us;          /* when the handshake began */
  gpointer dialer;          /* (nullable): set while dialing */
  GDestroyNotify cancel_dialer;
  gpointer over_data;
  GDestroyNotify over;  /* (nullable): called with @over_data when the link breaks */
  StreamCoder *coder;   /* (owned) (nullable) */
  SatinTimerId timer;   /* deadline of the current state */
  gsize n_shaken_bytes; /* received before authentication */
  GQueue queue;         /* of (owned) GBytes */
  gsize head_offset;    /* bytes of the first message that are already sent */
  gsize queued_bytes;
  guint64 n_remaining_bytes; /* not acknowledged by the peer when the shut deadline was set */
  gboolean is_accepting;     /* the peer dialed */
  gboolean is_high;          /* the queue reached its limit; the event `drained` was not sent yet */
  gboolean is_paused;
  gboolean has_received;    /* check_first() has run */
  gboolean is_write_broken; /* writing failed with @error; reported after all input is read */
  GError *error;            /* (owned) (nullable): passed to the event `down` */
};

/* link.c */
StreamLink *link_new_accepted (StreamListener *listener, int fd);
void link_enter (StreamLink *self, LinkState to);
/* Breaks the link. @error: (transfer full) (nullable): passed to the event `down` */
void link_break (StreamLink *self, GError *error);
/* Breaks the link because a system call on its socket failed. */
void link_break_errno (StreamLink *self, int socket_errno);

/* link-read.c: reads at most as much as one turn allows. */
void link_read (StreamLink *self);
/* Receives once, into the coder. Returns: TRUE when the coder got new input */
gboolean link_fill_coder (StreamLink *self);
/* Throws unread input away, as much as one turn allows. Closing a socket with unread input resets
 * the connection, and the peer may lose the last bytes that were sent to it. */
void link_discard_input (StreamLink *self);

/* link-write.c: writes until nothing is queued, or the socket takes no more. */
void link_write (StreamLink *self);
void link_clear_queue (StreamLink *self);
/* Sends only the bytes that the coder has already encoded. Returns: TRUE when all of them are sent
 */
gboolean link_flush_coder (StreamLink *self);

/* listen.c: takes @link off the list of pending links, because it is up or gone. If it is up, sends
 * the event `accepted`. */
void listener_settle (StreamListener *self, StreamLink *link, gboolean is_up);

/* stream.c: called when a link or a listener is gone; finishes the close after the last of them. */
void stream_check_closed (Stream *self);
