/* network.h - the inside of the transport "sim"
 *
 *   network.c    transports: what is open, listening and dialling
 *   link.c       operations on a link: send, pause, shut, drop
 *   end.c        the ends of links: how bytes travel and how an end goes down
 *   in-flight.c  queues of packets
 *   line.c       how long bytes take
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

/* A listener. */
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

/* Bytes, or the end of the link, on the way to an end. */
typedef struct _Packet Packet;
struct _Packet
{
  Packet *next;  /* (owned) (nullable) the next packet */
  GBytes *bytes; /* (owned) %NULL: the end of the link */
  SatinErrorCode reason;
  gboolean is_lost; /* its sender gave up before it arrived; it is dropped on arrival */
};

/* A queue of packets, in the order of sending. */
typedef struct
{
  Packet *first; /* (owned) (nullable) */
  Packet *last;  /* (nullable) */
  gsize n_bytes; /* the sum over all packets */
} Packets;

/* One end of a link. It is freed when it is down and no call with it is pending. */
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
  guint is_unheard : 1;  /* will go down soon: what it sent gets no acknowledgement */
  guint is_answered : 1; /* when the opposite side has forgotten the link (@far): it refuses what is
                          * sent; else nothing comes back */
  Packets coming;        /* (owned) on the way to this end, or waiting for the sender's line */
  Packets held;          /* (owned) arrived while paused */
  GQueue going;          /* (owned) of gsize: the bytes of each send that waits for the line */
  SatinSimHost *far;     /* (borrowed) (nullable) host of the opposite end, which forgot the link */
  gsize untaken_bytes;   /* of a shut link: not taken by the opposite side at the last check */
  gint64 progress_us;    /* when @untaken_bytes last became smaller */
};

/* network.c */
void port_close (Port *self);
/* Calls the callback of close if the transport is closing and its last end has gone. */
void transport_finish_closing (SimTransport *self);

/* link.c: operations of the transport */
void link_send (gpointer link, GBytes *bytes);
gsize link_queued_bytes (gpointer link);
void link_pause (gpointer link, gboolean is_paused);
void link_shut (gpointer link);
void link_drop (gpointer link);

/* end.c */
End *network_end_new (SimTransport *transport, EndState state);
void network_end_free (End *self);
/* Frees the end when it is down and no call with it is pending. */
void end_free_if_done (End *self);
/* Calls @func with the end on its host at @at_us. */
void end_call_at (End *self, gint64 at_us, SatinLoopFunc func);
/* Sends bytes (transfer full), or the end of the link, to the opposite end. They arrive after all
 * that was sent before. Returns: when they leave the sender's line */
gint64 end_send_packet (End *self, GBytes *bytes, SatinErrorCode reason);
/* Sends something to a side that has forgotten the link: it is refused, or nothing comes back. */
void end_send_in_vain (End *self);
/* Passes a packet that has arrived to the owner of the end. @packet: (transfer full) */
void end_take (End *self, Packet *packet);
/* Bytes that were sent and still wait: for the line, or for a reader that paused. */
gsize end_get_queued_bytes (const End *self);
/* Notes when the queue exceeds its limit, and calls drained when it has shrunk to half of it. */
void end_check_above (End *self);
void end_check_drained (End *self);
/* Calls down, now or at @at_us. */
void end_down (End *self, SatinErrorCode reason);
void end_down_at (End *self, gint64 at_us, SatinErrorCode reason);
/* Goes down now because the opposite side takes nothing. The opposite end receives nothing more of
 * what was sent, only the end of the link. */
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
/* Returns: when the line has sent @n_bytes from @from to @to */
gint64 network_send_time_us (SatinSimHost *from, const SatinSimHost *to, gsize n_bytes);

/* fault.c */
/* Until when bytes from @from to @to are delayed; with @is_cut only cuts count. 0: they are not. */
gint64 network_clogged_until_us (SatinSimHost *from, const SatinSimHost *to, gboolean is_cut);
/* Until when a cut in either direction keeps @a and @b from acknowledging each other's bytes. */
gint64 network_cut_until_us (SatinSimHost *a, SatinSimHost *b);
