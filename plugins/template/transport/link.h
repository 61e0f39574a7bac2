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
  LINK_DIALED,   /* up is not told yet */
  LINK_UP,       /* bytes go both ways */
  LINK_SHUTTING, /* what is queued is sent, then the end; what comes is thrown away */
  LINK_SHUT,     /* all is sent: the other side reads to the end and ends too */
  LINK_OVER,     /* the socket is closed, down is not told yet */
} LinkState;

/* An open transport. */
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
  SatinTimerId timer; /* up, down, or the deadline of a shut */
  GError *error;      /* (owned) (nullable): why it is OVER */
  GQueue queue;       /* (element-type GBytes) (owned) */
  gsize head_bytes;   /* of the first, how much is sent */
  gsize queued_bytes;
  gboolean is_paused;
  gboolean is_full; /* drained is owed */
} TemplateLink;

/* @fd: (transfer full): or -1 when the link is OVER from the beginning. */
TemplateLink *link_new (TemplateTransport *transport, int fd);
/* Goes on by itself from here; events and user data are set. */
void link_start (TemplateLink *self, LinkState state);
/* Closes the socket; down is told later. @error: (transfer full) (nullable) */
void link_break (TemplateLink *self, GError *error);

/* As in SatinTransportOps. */
void link_send (gpointer link, GBytes *bytes);
gsize link_queued_bytes (gpointer link);
void link_pause (gpointer link, gboolean is_paused);
void link_shut (gpointer link);
void link_drop (gpointer link);

/* All links are gone and the transport is closing: its end. */
void transport_check_closed (TemplateTransport *self);

G_END_DECLS
