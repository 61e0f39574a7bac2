/* network.h - the inside of the transport "sim"
 *
 *   network.c        transports: what is open, who calls whom
 *   link.c   what the owner of a link does with it
 *   end.c    the ends of links: what they send and take, and how they go down
 *   in-flight.c what is under way
 *   line.c   how long it takes
 *   fault.c  what goes wrong with them
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
  SatinDoneFunc done; /* (nullable) closing */
  gpointer done_data;
  SatinTimerId done_timer;
} SimTransport;

/* Where links are accepted. */
typedef struct
{
  SimTransport *transport; /* (borrowed) (nullable) once it was closed */
  guint number;
  const SatinListenEvents *events; /* (borrowed) */
  gpointer user_data;
} Port;

typedef enum
{
  END_DIALING, /* asked for; nothing was said about it yet */
  END_UP,      /* bytes go both ways */
  END_SHUT,    /* nothing more is sent or received; down will follow */
  END_DOWN,    /* its owner heard down */
} EndState;

/* Bytes, or the end of the link, on the way to an end. */
typedef struct _Packet Packet;
struct _Packet
{
  Packet *next;  /* (owned) (nullable) the one behind it */
  GBytes *bytes; /* (owned) NULL: the end */
  SatinErrorCode reason;
  gboolean is_lost; /* who sent it gave up first */
};

/* What comes one after the other. */
typedef struct
{
  Packet *first; /* (owned) (nullable) */
  Packet *last;  /* (nullable) */
  gsize n_bytes; /* of all of them */
} Packets;

/* One end of a link. It is freed when it is down here and nothing is under way to it. */
struct _End
{
  SimTransport *transport;       /* (borrowed) NULL when down */
  SatinSimHost *host;            /* (borrowed) */
  End *other;                    /* (borrowed) (nullable) */
  const SatinLinkEvents *events; /* (borrowed) */
  gpointer user_data;
  EndState state;
  SatinErrorCode reason; /* of down, 0: in good order */
  guint number;          /* what was dialled */
  guint n_under_way;     /* calls that will come with this end */
  SatinSimHost *callee;  /* (borrowed) (nullable) where a call is under way to */
  gint64 arrives_us;     /* nothing that is sent from now on arrives before */
  gsize waiting_bytes;   /* sent and not yet on its way */
  guint is_above : 1;    /* more than the limit waited, drained was not said since */
  guint is_paused : 1;
  guint is_unheard : 1;  /* it will give up, as nothing comes back for too long */
  guint is_answered : 1; /* when the other side forgot it: what is sent is refused, else nothing
                            comes back */
  Packets coming;        /* (owned) under way to this end, or waiting for the sender's line */
  Packets held;          /* (owned) arrived while paused */
  GQueue going;          /* (owned) of gsize: waiting, the bytes of each send */
  SatinSimHost *far;   /* (borrowed) (nullable) where the other side was, which has forgotten it */
  gsize untaken_bytes; /* of a shut link, when last looked at */
  gint64 progress_us;  /* when they became fewer */
};

/* network.c */
void port_close (Port *self);
/* An end has gone; the transport's own end may be due. */
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
/* When it is down and nothing is under way to it. */
void end_free_if_done (End *self);
/* Calls @func with the end on its host, then. */
void end_call_at (End *self, gint64 at_us, SatinLoopFunc func);
/* Sends bytes (transfer full), or the end, to the other end; they arrive after all that was sent
 * before. Returns: when they are on their way */
gint64 end_send_packet (End *self, GBytes *bytes, SatinErrorCode reason);
/* Something goes to a side that has forgotten the link: it is refused, or nobody answers. */
void end_send_in_vain (End *self);
/* @packet: (transfer full): its owner gets what arrived. */
void end_take (End *self, Packet *packet);
/* What was sent and waits: for its line, or for a reader that paused. */
gsize end_get_queued_bytes (const End *self);
/* Notes that it is more than a link may have, and tells the owner when half of that is left. */
void end_check_above (End *self);
void end_check_drained (End *self);
/* Its owner hears down, now or then. */
void end_down (End *self, SatinErrorCode reason);
void end_down_at (End *self, gint64 at_us, SatinErrorCode reason);
/* It goes down now because the other side takes nothing; that one hears of it when it can, and gets
 * no more of what was sent. */
void end_give_up (End *self);

/* in-flight.c */
void packet_free (Packet *self);
/* @packet: (transfer full) */
void packets_push (Packets *self, Packet *packet);
/* Returns: (transfer full) (nullable): the first one */
Packet *packets_pop (Packets *self);
void packets_clear (Packets *self);

/* line.c */
/* One way, with chance. */
gint64 network_latency_us (SatinSim *sim, const SatinSimHost *a, const SatinSimHost *b);
/* Returns: when @n_bytes from @from are on their way to @to */
gint64 network_send_time_us (SatinSimHost *from, const SatinSimHost *to, gsize n_bytes);

/* fault.c */
/* Until when nothing goes from one host to the other, or not since the way was cut; 0: it goes. */
gint64 network_clogged_until_us (SatinSimHost *from, const SatinSimHost *to, gboolean is_cut);
/* Until when nothing that one sends is acknowledged by the other. */
gint64 network_cut_until_us (SatinSimHost *a, SatinSimHost *b);
