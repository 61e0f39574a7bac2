/* network.h - the inside of the transport "sim"
 *
 *   network.c    transports: what is open, listening and dialling
 *   link.c       operations on a link: send, pause, shut, drop
 *   link-end.c   the ends of links: how bytes travel and how an end goes down
 *   in-flight.c  queues of packets
 *   line.c       how long bytes travel: latencies, lines and uplinks
 *   fault.c      broken links, clogged and cut directions, crashed hosts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "world/private.h"

typedef struct _End End;

typedef struct
{
  SatinSimHost *host; /* (borrowed) */
  GPtrArray *ends;    /* (owned) of (borrowed) End */
  GPtrArray *ports;   /* (owned) of (borrowed) Port */
  gint64 shut_timeout_us;
  SatinDoneFunc done; /* (nullable) the callback of close, while the transport closes */
  gpointer done_data;
  SatinTimerId done_timer;
} SimTransport;

/* A listener: which transport accepts links at this number. */
typedef struct
{
  SimTransport *transport; /* (borrowed) */
  guint number;
  const SatinListenEvents *events; /* (borrowed) */
  gpointer user_data;
} Port;

typedef enum
{
  END_DIALING, /* connect was called; neither up nor down was called yet */
  END_UP,      /* bytes go both ways */
  END_SHUT,    /* nothing more is sent or received; down will follow */
  END_DOWN,    /* down was called */
} EndState;

/* Bytes that are on the way to an end of a link, or the message that the link has ended. */
typedef struct _Packet Packet;
struct _Packet
{
  Packet *next;  /* (owned) (nullable) the next packet */
  GBytes *bytes; /* (owned) (nullable) %NULL: the link has ended */
  SatinErrorCode reason;
  gboolean is_lost; /* the sender gave up while the packet was on its way; it is dropped on
                     * arrival */
};

/* A queue of packets, in the order of sending. */
typedef struct
{
  Packet *first; /* (owned) (nullable) */
  Packet *last;  /* (nullable) */
  gsize n_bytes; /* the sum over all packets */
} Packets;

/* One end of a link. It is freed when it is down and no call that has it as argument is pending. */
struct _End
{
  SimTransport *transport;       /* (borrowed) %NULL when down */
  SatinSimHost *host;            /* (borrowed) */
  End *other;                    /* (borrowed) (nullable) the opposite end */
  const SatinLinkEvents *events; /* (borrowed) */
  gpointer user_data;
  EndState state;
  SatinErrorCode reason; /* the reason for down; 0: ended in good order */
  guint number;          /* the port that was dialled */
  guint n_under_way;     /* pending calls that have this end as argument */
  SatinSimHost *callee;  /* (borrowed) (nullable) the host that is being dialled */
  gint64 arrives_us;     /* packets that are sent later do not arrive before this time */
  gsize waiting_bytes;   /* sent, but still waiting for the line */
  guint is_above : 1;    /* the queue exceeded its limit, and drained was not called since */
  guint is_paused : 1;
  guint is_unheard : 1;  /* will go down within a minute: what it sent is refused or lost */
  guint is_answered : 1; /* only while @far is set: host @far refuses what is sent; else nothing
                          * comes back */
  Packets coming;        /* (owned) packets on the way to this end, or waiting for the sender's
                          * line */
  Packets held;          /* (owned) packets that arrived while the reader was paused */
  GQueue going;          /* (owned) of gsize: the bytes of each send that waits for the line */
  SatinSimHost *far;     /* (borrowed) (nullable) set when the opposite end has forgotten the link:
                          * the host of that end */
  gsize untaken_bytes;   /* of a shut link: bytes that the opposite side had not taken at the last
                          * check */
  gint64 progress_us;    /* when @untaken_bytes last became smaller */
};

/* network.c */
void port_close (Port *self);
/* Makes the loop call @done soon, if the transport is closing and its last end has gone. */
void transport_finish_closing (SimTransport *self);

/* link.c: operations of the transport */
void link_send (gpointer link, GBytes *bytes);
gsize link_queued_bytes (gpointer link);
void link_pause (gpointer link, gboolean is_paused);
void link_shut (gpointer link);
void link_drop (gpointer link);
/* Tells the opposite end, after the latency, that this side has read something. @self must have an
 * opposite end. */
void link_tell_read (End *self);

/* link-end.c */
End *network_end_new (SimTransport *transport, EndState state);
void network_end_free (End *self);
/* Frees the end when it is down and no call that has it as argument is pending. */
void end_free_if_done (End *self);
/* Calls @func with the end as argument, on the end's host, at @at_us. */
void end_call_at (End *self, gint64 at_us, SatinLoopFunc func);
/* Sends a packet to the opposite end: @bytes (transfer full), or with %NULL the message that the
 * link has ended, for @reason. The packet arrives after all earlier packets. Returns: when the
 * packet leaves the sender's line */
gint64 end_send_packet (End *self, GBytes *bytes, SatinErrorCode reason);
/* Sends something to a host that has forgotten the link. The link will break: soon if the host
 * refuses, else after a minute. */
void end_send_in_vain (End *self);
/* Calls the end's callback received or down, for a packet that has arrived. @packet: (transfer
 * full) */
void end_take (End *self, Packet *packet);
/* How many bytes were sent and still wait for the line, or for a reader that paused. */
gsize end_get_queued_bytes (const End *self);
/* end_check_above() notes when the bytes that wait exceed a limit. After that, end_check_drained()
 * calls drained when fewer than half of the limit still wait. */
void end_check_above (End *self);
void end_check_drained (End *self);
/* Takes the end down, and calls down of its events: now, or at @at_us. */
void end_down (End *self, SatinErrorCode reason);
void end_down_at (End *self, gint64 at_us, SatinErrorCode reason);
/* Takes the end down now, because the opposite side takes nothing. Packets that are on their way
 * are lost; the opposite end is only notified that the link has ended. */
void end_give_up (End *self);

/* in-flight.c */
void packet_free (Packet *self);
/* @packet: (transfer full) */
void packets_push (Packets *self, Packet *packet);
/* Returns: (transfer full) (nullable): the first packet */
Packet *packets_pop (Packets *self);
void packets_clear (Packets *self);

/* line.c */
/* The latency of one packet in one direction, with random jitter. */
gint64 network_latency_us (SatinSim *sim, const SatinSimHost *a, const SatinSimHost *b);
/* Returns: when the line has sent @n_bytes from @from to @to, which are given to it at @begin_us */
gint64 network_send_time_us (SatinSimHost *from, const SatinSimHost *to, gsize n_bytes,
                             gint64 begin_us);

/* fault.c */
/* Returns: the time until which bytes from @from to @to are delayed; 0: they are not delayed. With
 * @is_cut, only cuts count */
gint64 network_clogged_until_us (SatinSimHost *from, const SatinSimHost *to, gboolean is_cut);
/* Returns: the time until which a cut, in either direction, keeps @a and @b from acknowledging each
 * other's bytes; 0: there is no cut */
gint64 network_cut_until_us (SatinSimHost *a, SatinSimHost *b);
