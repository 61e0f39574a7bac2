/* stream-private.h - the structures behind stream.h
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "link-state.h"
#include "stream.h"

/* How long a listener rests when the system has no descriptor left or too many strangers knock. */
#define LISTENER_REST_US ((gint64)100000)

struct _Stream
{
  SatinLoop *loop; /* (borrowed) */
  StreamOptions options;
  GSource *source; /* (owned): polls @epoll_fd in the loop's context */
  int epoll_fd;
  GQueue ready;     /* of StreamWatch, through their nodes */
  GQueue links;     /* of StreamLink, through their nodes */
  GQueue listeners; /* of StreamListener, through their nodes */
  guint8 *buffer;   /* (owned): STREAM_BUFFER_BYTES for what is received */
  guint8 *record;   /* (owned): STREAM_RECORD_BYTES to join small messages in */
  gboolean is_dispatching;
  gboolean is_closing;
  SatinDoneFunc closed; /* called with @closed_data at the end */
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
  GQueue pending;           /* of StreamLink in LINK_SHAKING, oldest first, through their nodes */
  SatinTimerId rest;        /* no accept before it runs */
  gboolean is_short_of_fds; /* told so once */
};

struct _StreamLink
{
  StreamWatch watch;
  GList node; /* in stream->links */
  LinkState state;
  char *name;                    /* (owned): the other side, for messages */
  const SatinLinkEvents *events; /* %NULL while nobody knows the link */
  gpointer user_data;
  StreamListener *listener; /* (borrowed) while it waits there to be accepted */
  GList pending_node;       /* in listener->pending */
  gint64 since_us;          /* when the handshake began */
  gpointer dialer;          /* (nullable) while dialing */
  GDestroyNotify cancel_dialer;
  gpointer over_data;
  GDestroyNotify over;  /* (nullable): called with @over_data when it breaks */
  StreamCoder *coder;   /* (owned) (nullable) */
  SatinTimerId timer;   /* deadline of the state */
  gsize n_shaken_bytes; /* received before authentication */
  GQueue queue;         /* of (owned) GBytes */
  gsize head_offset;    /* bytes of the first one that are sent already */
  gsize queued_bytes;
  guint64 n_remaining_bytes; /* when the shut deadline was set */
  gboolean is_accepting;     /* the other side dialed */
  gboolean is_high;          /* the queue was above its limit */
  gboolean is_paused;
  gboolean has_received;    /* the first bytes were checked */
  gboolean is_write_broken; /* with @error: told after what is there has been read */
  GError *error;            /* (owned) (nullable): what down says */
};

/* link.c */
StreamLink *link_new_accepted (StreamListener *listener, int fd);
void link_enter (StreamLink *self, LinkState to);
/* Ends it; @error: (transfer full) (nullable): what down says. */
void link_break (StreamLink *self, GError *error);
/* Ends it because a call on its socket failed. */
void link_break_errno (StreamLink *self, int socket_errno);

/* link-read.c: as much as fits one turn. */
void link_read (StreamLink *self);
/* Receives once. Returns: TRUE when the coder has more to work on */
gboolean link_fill_coder (StreamLink *self);
/* A socket that is closed while something is unread resets the connection, and the reset may
 * overtake what was said last. */
void link_discard_input (StreamLink *self);

/* link-write.c: as much as the socket takes. */
void link_write (StreamLink *self);
void link_clear_queue (StreamLink *self);
/* The coder's output only. Returns: TRUE when all of it is sent */
gboolean link_flush_coder (StreamLink *self);

/* listen.c: a link that waited is up or gone. */
void listener_settle (StreamListener *self, StreamLink *link, gboolean is_up);

/* stream.c: after a link or a listener is gone. */
void stream_check_closed (Stream *self);
