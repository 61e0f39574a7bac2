/* link.h - a link: sends a queue of bytes over a socket, in packets
 *
 *   DIALED ----> UP ----> SHUTTING ----> SHUT
 *      |         |           |            |
 *      +---------+-----------+------------+----> OVER
 *
 * A packet is up to PACKET_BYTES of data, which arrive together.
 *
 * Threads: the loop's thread. Callbacks run in sources and timers of the loop only.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "socket.h"

G_BEGIN_DECLS

typedef enum
{
  LINK_DIALED,   /* connected, but the event `up` was not sent yet */
  LINK_UP,       /* bytes go both ways */
  LINK_SHUTTING, /* sends the queue and then the end of the stream; drops what arrives */
  LINK_SHUT,     /* everything is sent; waits until the other side ends the link, too */
  LINK_OVER,     /* the socket is closed, but the event `down` was not sent yet */
} LinkState;

/* One open transport. */
typedef struct
{
  SatinLoop *loop; /* (borrowed) */
  gint64 shut_timeout_us;
  gsize queue_limit_bytes;
  GQueue links;     /* (element-type TemplateLink) */
  GQueue listeners; /* (element-type TemplateListener) */
  gboolean is_closing;
  SatinDoneFunc done;
  gpointer done_data;
} TemplateTransport;

typedef struct
{
  TemplateTransport *transport; /* (borrowed) */
  LinkState state;
  int fd; /* (owned): the socket; -1 when OVER */
  const SatinLinkEvents *events;
  gpointer user_data;
  GSource *reading;   /* (owned) (nullable) */
  GSource *writing;   /* (owned) (nullable) */
  SatinTimerId timer; /* sends the event `up` or `down`, or is the deadline of a shut */
  GError *error;      /* (owned) (nullable): why the link is OVER */
  GQueue queue;       /* (element-type GBytes) (owned) */
  gsize head_bytes;   /* how many bytes of the first element of the queue were sent */
  gsize queued_bytes;
  gboolean is_paused;
  gboolean is_full; /* the queue has exceeded its limit; the event `drained` is sent when the queue
                     * is below half of the limit */
} TemplateLink;

/* Makes a link. @fd: (transfer full): its socket; -1 if the connection has failed */
TemplateLink *link_new (TemplateTransport *transport, int fd);
/* Puts the link into @state and makes the loop watch it. The caller must have set @events and
 * @user_data. */
void link_start (TemplateLink *self, LinkState state);
/* Ends the link: closes the socket at once, and sends the event `down` later, on the loop. @error:
 * (transfer full) (nullable): the reason; %NULL when the stream has ended */
void link_break (TemplateLink *self, GError *error);

/* Operations, as in SatinTransportOps. */
void link_send (gpointer link, GBytes *bytes);
gsize link_queued_bytes (gpointer link);
void link_pause (gpointer link, gboolean is_paused);
void link_shut (gpointer link);
void link_drop (gpointer link);

/* Frees the transport and reports that it is closed, if it is closing and has no links left. */
void transport_check_closed (TemplateTransport *self);

G_END_DECLS
