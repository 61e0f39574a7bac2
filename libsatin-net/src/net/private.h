/* private.h - the inside of a node's membership
 *
 *             registered          leave          links closed          registry left
 *   JOINING ------------> MEMBER -------> CLOSING -----------> LEAVING ------------> CLOSED
 *      |                                                          ^                    ^
 *      +----------------------------------------------------------+--------------------+
 *
 *   open.c      made: transports, registry, listener
 *   net.c           asked, left, freed; the states
 *   listen-address.c   where to listen, what a scheme is
 *   registry.c  what the registry says
 *   view.c      the members as others see them
 *   peer.c      what waits for a peer, when it is dialed
 *   route.c     which way it is dialed
 *   lost-registry.c      how long it goes on without a registry
 *   waits.c     what it waits for
 *   peer-link.c      one link to a peer: its beginning, its frames, its end
 *   link-choice.c      which of two links between the same nodes stays
 *
 * A peer has a list of links, the oldest first. Only the first one's messages are
 * delivered, the others are paused until it is down; only the last one is sent on.
 * So messages stay in order when one link follows another. Mostly there is one.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/address.h>
#include <satin/net/net.h>

#include "link/frame.h"
#include "latency.h"
#include "route.h"

G_BEGIN_DECLS

/* A link that broke or did not open is tried again after this, then after twice as long ... */
#define NET_RETRY_MIN_US ((gint64)50000)
#define NET_RETRY_MAX_US ((gint64)2000000)
/* After so many failures a peer is asked to dial, by the registry and this word. Its payload is the
 * number of the one who asks, in decimal. */
#define NET_CALL_FAILURES 2
#define NET_SIGNAL_CALL   "call"
/* A node that nobody has ever dialed ends when it has failed to reach a peer for so long. */
#define NET_ASTRAY_US ((gint64)75000000)
/* How long the links, and then the registry, may take when this node leaves. */
#define NET_CLOSE_TIMEOUT_US ((gint64)2000000)
#define NET_LEAVE_TIMEOUT_US ((gint64)10000000)
/* When it has not even heard that this node is leaving: it is out of reach. */
#define NET_LEAVE_UNHEARD_US ((gint64)2000000)

typedef enum
{
  NET_JOINING, /* the registry has not answered; links that come in wait */
  NET_MEMBER,  /* in the run */
  NET_CLOSING, /* links are emptied and closed in good order, none is accepted */
  NET_LEAVING, /* no links; the registry is told */
  NET_CLOSED,  /* out; the transports close */
  NET_N_STATES,
} NetState;

typedef struct
{
  SatinChannel channel;
  guint64 number;  /* under which it was sent early, 0: it was not */
  GBytes *payload; /* (owned) */
} NetMessage;

typedef struct _NetLink NetLink;

typedef struct
{
  SatinNet *net; /* (borrowed) */
  SatinNodeId id;
  gboolean is_wan;
  GRefString *cluster;   /* (owned) interned: many nodes of a simulation know the same ones */
  GRefString *address;   /* (owned) interned */
  NetRoute *route;       /* (borrowed from the net) (nullable): its cluster has a gateway */
  NetTry attempt;        /* of @route */
  guint n_failures : 31; /* since a link was open; a node may have hundreds of these structures */
  guint has_complained : 1; /* that it cannot be dialed at all */
  gint64 failed_us;         /* when the first of these failures was */
  NetLink *links;           /* (borrowed from the net) (nullable) the oldest */
  GQueue waiting;           /* (owned NetMessage) for when the last link is open */
  gsize waiting_bytes;
  guint64 sent_number; /* of the last message that was sent early */
  gint64 heard_us;     /* when a link to it opened last */
  guint64 got_number;  /* of the last one that came early */
  NetLatency latency;
  gint64 pinged_us; /* when it was measured last */
  SatinTimerId retry_timer;
} NetPeer;

/* One link, from its connect or accept to its down. */
struct _NetLink
{
  SatinNet *net;
  SatinLink *link;
  NetPeer *peer; /* (borrowed) (nullable): none before it is accepted, or when the peer is gone */
  NetLink *next; /* (borrowed) (nullable) the peer's next younger one */
  gint64 parked_us;      /* since when somebody waits to be accepted */
  SatinNodeId parked_id; /* who, 0: nobody does */
  NetWay way;            /* of one that was dialed */
  guint has_dialed : 1;
  guint is_wan : 1;
  guint was_open : 1;
  guint is_dropped : 1; /* by us, its down is awaited */
  guint64 early_number; /* up to this number messages were sent on it before it was open */
  gsize early_bytes;    /* of these messages, and of the first that was too much */
  guint64 used;         /* when it was last used, in the net's count of uses */
};

typedef struct
{
  SatinPeersMessageFunc func; /* (nullable) */
  gpointer user_data;
} NetChannel;

typedef struct
{
  guint id;
  SatinPeersChangeFunc func;
  gpointer user_data;
} NetChange;

struct _SatinNet
{
  SatinPeers peers; /* first: what others see */
  SatinLoop *loop;  /* (borrowed) */
  SatinNetEvents events;
  gpointer user_data;
  NetState state;
  gboolean is_over;          /* the end was told */
  gboolean has_said_leaving; /* to the registry */
  gboolean is_ended;         /* the run is over: nothing that waits has a receiver */
  gboolean is_freed;         /* by its owner; it lives until its transports are closed */

  SatinProgram program;
  char *program_name;  /* (owned) */
  SatinSecret *secret; /* (owned) (nullable) */
  gboolean is_insecure;
  const SatinTransportOps *transport_ops; /* (nullable, static) */
  guint max_links;
  gsize max_queue_bytes; /* for one peer */
  SatinIdentity identity;
  GPtrArray *routes;  /* (owned NetRoute) of clusters with a gateway */
  GTree *transports;  /* (owned) scheme, or gateway, to (owned) SatinTransport */
  GPtrArray *ways;    /* (owned) of (owned) char: the only beginnings of addresses that it dials */
  guint n_transports; /* not closed yet */
  SatinListener *listener;

  SatinRegistryOps registry_ops;
  SatinParams *registry_params; /* (owned) (nullable) */
  gboolean is_registry_hub;     /* it speaks over links of its address's scheme */
  gpointer registry;            /* (nullable) the plugin's handle */

  SatinView view;
  GArray *rows;        /* (element-type SatinPeer): the view's peers */
  GPtrArray *members;  /* (owned NetPeer) at the same places */
  SatinNodeId highest; /* number heard of */
  char *cluster;       /* (owned) */
  NetChannel channels[SATIN_N_CHANNELS];
  GArray *changes; /* (element-type NetChange) */
  guint last_change_id;

  GPtrArray *links;    /* (owned NetLink) all of them */
  gboolean was_dialed; /* by a member: it is reached */
  guint n_parked;      /* of them */
  guint64 n_uses;
  guint64 n_messages;
  guint64 sent_bytes[2]; /* of links that are gone; [1] is wan */
  guint64 received_bytes[2];

  gint64 registry_timeout_us;
  gint64 lost_us;  /* since when the registry is out of reach, 0: it is not */
  gint64 probe_us; /* when the others were asked for a sign of life then, 0: not yet */
  SatinTimerId lost_timer;

  SatinTimerId deadline;
  SatinDoneFunc done; /* set once leaving */
  gpointer done_data;
};

/* net.c */
gboolean net_state_may (NetState from, NetState to);
void net_enter (SatinNet *self, NetState to);
/* In CLOSING: goes on when nothing is left to close. */
void net_check_closed (SatinNet *self);
/* Tells the end, once. @error (transfer none) (nullable) */
void net_over (SatinNet *self, const GError *error);
/* A peer says that this node was declared dead. */
void net_fenced (SatinNet *self, const GError *error);

/* open.c */
/* The transport for @uri, opened when it is the first of its scheme or through its gateway.
 * Returns: (transfer none) */
SatinTransport *net_transport (SatinNet *self, const char *uri, GError **error);

/* Whether the user named such a way for this node: its own, its hub's, or a gateway. */
gboolean net_may_dial (SatinNet *self, const char *uri, GError **error);

/* listen-address.c */
/* Returns: (transfer full) (nullable): the letters before the colon */
char *net_uri_scheme (const char *uri, GError **error);
/* How an address begins that says which transport dials it: "tcp:", or "ssh://gateway/" when it
 * leads through a gateway. Returns: (transfer full) (nullable) */
char *net_uri_way (const char *uri);
/* Where to listen when nobody said. Returns: (transfer full) (nullable) */
char *net_pick_listen_uri (SatinLoop *loop, const char *registry_uri, gint64 pid, GError **error);

/* registry.c */
extern const SatinRegistryEvents net_registry_events;
gboolean net_registry_introduce (SatinNet *self, SatinNodeId id);

/* lost-registry.c: the registry cannot be reached, and can be again or does not matter any more */
void net_lost_begin (SatinNet *self);
void net_lost_end (SatinNet *self);

/* view.c */
extern const SatinPeersOps net_peers_ops;
NetPeer *net_view_find (SatinNet *self, SatinNodeId id);
NetPeer *net_view_add (SatinNet *self, const SatinMember *member);
/* Takes it out and frees it, with what waits for it. */
void net_view_remove (SatinNet *self, NetPeer *peer);
void net_view_mark_leaving (SatinNet *self, const NetPeer *peer);
void net_view_measured (SatinNet *self, NetPeer *peer, gint64 round_trip_us);
void net_tell_change (SatinNet *self, SatinPeerChange change, SatinNodeId id);

/* peer.c */
NetPeer *net_peer_new (SatinNet *net, const SatinMember *member);
void net_peer_free (gpointer data);
gboolean net_peer_send (NetPeer *self, SatinChannel channel, GBytes *payload);
gsize net_peer_queued_bytes (NetPeer *self);
/* Dials when something waits and no link is there or to come. */
void net_peer_wake (NetPeer *self);
/* A hello is out on its last link: sends the first of what waits behind it, and keeps it. Later
 * ones too, until the link is open. */
void net_peer_send_early (NetPeer *self);
/* Whether the message under that number did not come before. */
gboolean net_peer_take_number (NetPeer *self, guint64 number);
/* Its last link is open: sends what waits. */
void net_peer_flush (NetPeer *self);
void net_peer_drop_waiting (NetPeer *self);
/* A link to it is down; @is_failure when it broke or never opened. */
void net_peer_link_down (NetPeer *self, gboolean is_failure);
/* Another member cannot reach this one, and says so in @payload (nullable): it is dialed. */
void net_peer_call (SatinNet *net, GBytes *payload);

/* peer-link.c */
gboolean net_link_dial (NetPeer *peer, GError **error);
void net_link_accept (SatinListener *listener, SatinLink *link, const SatinLinkFuncs **ret_funcs,
                      gpointer *ret_user_data, gpointer user_data);
/* The link that is sent on, or %NULL. */
NetLink *net_link_last (NetPeer *peer);
void net_link_send (NetLink *self, SatinChannel channel, GBytes *payload);
/* Its peer is no peer any more; what still comes on it is ignored. */
void net_link_forget (NetLink *self);
void net_link_drop (NetLink *self);
/* It is the last of its peer's from now on. */
void net_link_belong_to (NetLink *self, NetPeer *peer);

/* link-choice.c */
/* Whether the link of who says @hello may open. It may be told to wait: returns FALSE, no error. */
gboolean net_link_check (SatinLink *link, const SatinHello *hello, gpointer user_data,
                         GError **error);
/* It does not wait to be accepted any more. */
void net_link_unpark (NetLink *self);
/* Asks again about those that wait to be accepted. */
void net_link_judge_parked (SatinNet *net);
/* No member has that number: who waits under it is refused. */
void net_link_refuse_parked (SatinNet *net, SatinNodeId id);

G_END_DECLS
