/* link.h - a link: a queue of bytes over a socket that keeps packets apart
 *
 *   DIALED ----> UP ----> SHUTTING ----> SHUT
 *      |         |           |            |
 *      +---------+-----------+------------+----> OVER
 *
 * A packet is up to PACKET_BYTES of data.
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
  LINK_DIALED,   /* connected, but up has not been reported */
  LINK_UP,       /* bytes go both ways */
  LINK_SHUTTING, /* sends the queue, then the end; throws away what arrives */
  LINK_SHUT,     /* everything is sent; waits until the other side ends the link, too */
  LINK_OVER,     /* the socket is closed; down has not been reported */
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
  int fd; /* (owned): -1 when OVER */
  const SatinLinkEvents *events;
  gpointer user_data;
  GSource *reading;   /* (owned) (nullable) */
  GSource *writing;   /* (owned) (nullable) */
  SatinTimerId timer; /* for reporting up or down, or the deadline of a shut */
  GError *error;      /* (owned) (nullable): why the link is OVER */
  GQueue queue;       /* (element-type GBytes) (owned) */
  gsize head_bytes;   /* how much of the first element of the queue is sent */
  gsize queued_bytes;
  gboolean is_paused;
  gboolean is_full; /* the queue exceeded its limit; report drained when it is short again */
} TemplateLink;

/* @fd: (transfer full): -1 if the link is OVER from the beginning */
TemplateLink *link_new (TemplateTransport *transport, int fd);
/* Lets the loop drive the link. The caller has set events and user data. */
void link_start (TemplateLink *self, LinkState state);
/* Closes the socket. The loop reports down later. @error: (transfer full) (nullable) */
void link_break (TemplateLink *self, GError *error);

/* Operations, as in SatinTransportOps. */
void link_send (gpointer link, GBytes *bytes);
gsize link_queued_bytes (gpointer link);
void link_pause (gpointer link, gboolean is_paused);
void link_shut (gpointer link);
void link_drop (gpointer link);

/* Ends the transport if it is closing and has no links left. */
void transport_check_closed (TemplateTransport *self);

G_END_DECLS
