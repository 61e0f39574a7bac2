/* private.h - the state of a node's membership, and the functions that its sources share
 *
 *             registered          leave          links closed          registry left
 *   JOINING ------------> MEMBER -------> CLOSING -----------> LEAVING ------------> CLOSED
 *      |                                                          ^                    ^
 *      +----------------------------------------------------------+--------------------+
 *
 * satin_net_free() takes each state to CLOSED.
 *
 *   open.c            begins the membership: transports, registry, listener
 *   net.c             the states, calls to the registry, leaving and freeing
 *   listen-address.c  picks the address to listen at, takes addresses apart
 *   registry.c        events of the registry
 *   view.c            the members, as the other parts of the node see them
 *   peer.c            messages that wait for a peer, and when to dial it
 *   route.c           which way to dial a peer
 *   lost-registry.c   how long the node runs without a registry
 *   inspect-waits.c   reports what the node waits for
 *   peer-link.c       one link to a peer, from its start to its down
 *   link-choice.c     which of two links between the same nodes stays
 *
 * Mostly a peer has one link. When a new link takes the place of a dropped one, the peer has both
 * for a short time, in a list with the oldest first. The dropped link delivers nothing more, and
 * only waits for its down callback. Messages are sent on the last link only. While the peer's link
 * is open or closing, a new incoming link waits ("is parked") until that link is down. So messages
 * stay in order.
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

/* A peer whose link broke or did not open is dialed again after NET_RETRY_MIN_US, then after twice
 * as long, and so on, but at most after NET_RETRY_MAX_US. */
#define NET_RETRY_MIN_US ((gint64)50000)
#define NET_RETRY_MAX_US ((gint64)2000000)
/* After this many failed attempts to dial a peer, the node asks the peer to dial instead: it sends
 * the signal %NET_SIGNAL_CALL through the registry. The payload is the number of the asking node,
 * in decimal. */
#define NET_CALL_FAILURES 2
#define NET_SIGNAL_CALL   "call"
/* A node that no other node has ever dialed, and that is not the master, ends after it has failed
 * to reach a peer for this time. */
#define NET_ASTRAY_US ((gint64)75000000)
/* When this node leaves: how long its links may take to close, and then the registry to answer. A
 * registry that is out of reach gets the shorter time. */
#define NET_CLOSE_TIMEOUT_US ((gint64)2000000)
#define NET_LEAVE_TIMEOUT_US ((gint64)10000000)
/* How long the registry may take to answer if it has not even confirmed that this node is leaving,
 * because then it is probably out of reach. */
#define NET_LEAVE_UNHEARD_US ((gint64)2000000)

typedef enum
{
  NET_JOINING, /* the registry has not answered yet; incoming links wait */
  NET_MEMBER,  /* the node is in the run */
  NET_CLOSING, /* links send what is queued and close in good order; no link is accepted */
  NET_LEAVING, /* there are no links; the registry is asked to let this node leave */
  NET_CLOSED,  /* the node is out of the run; the transports close */
  NET_N_STATES,
} NetState;

typedef struct
{
  SatinChannel channel;
  guint64 number;  /* the number under which it was sent early; 0: it was not sent early */
  GBytes *payload; /* (owned) */
} NetMessage;

typedef struct _NetLink NetLink;

typedef struct
{
  SatinNet *net; /* (borrowed) */
  SatinNodeId id;
  gboolean is_wan;
  GRefString *cluster;   /* (owned) interned: many nodes of a simulation know the same clusters */
  GRefString *address;   /* (owned) interned */
  NetRoute *route;       /* (borrowed from the net) (nullable): set if the cluster has a gateway */
  NetTry attempt;        /* the way on which to dial next, if there is a @route */
  guint n_failures : 31; /* failures in a row, while messages wait; few bits, to save memory */
  guint has_complained : 1; /* a warning said that the peer cannot be dialed */
  gint64 failed_us;         /* when the first of these failures happened */
  NetLink *links;           /* (borrowed from the net) (nullable): all links to the peer, oldest
                             * first */
  GQueue waiting;           /* (owned NetMessage): messages that wait for an open link */
  gsize waiting_bytes;
  guint64 sent_number; /* number of the last message that was sent early; its upper half is @id */
  gint64 heard_us;     /* when it was last heard on a link that is gone */
  guint64 got_number;  /* number of the last early message that was received */
  NetLatency latency;
  gint64 pinged_us; /* when it was last pinged, to measure its latency */
  SatinTimerId retry_timer;
} NetPeer;

/* One link to a peer, from its connect or accept to its down. */
struct _NetLink
{
  SatinNet *net;
  SatinLink *link;
  NetPeer *peer; /* (borrowed) (nullable): %NULL before it is accepted, or when the peer is gone */
  NetLink *next; /* (borrowed) (nullable): the peer's next younger link */
  gint64 parked_us;      /* since when this incoming link waits to be accepted */
  SatinNodeId parked_id; /* the node that dialed this waiting link; 0: the link does not wait */
  NetWay way;            /* the way that was dialed */
  guint has_dialed : 1;  /* this node dialed */
  guint is_wan : 1;
  guint was_open : 1;
  guint is_dropped : 1; /* this node dropped it, and down has not come yet */
  guint64 early_number; /* number of the last message that was sent early on this link */
  gsize early_bytes;    /* bytes of those messages, and of messages that did not fit */
  guint64 used;         /* @n_uses of the net when the link was last used */
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
  SatinPeers peers; /* the interface for the other parts; must be the first field */
  SatinLoop *loop;  /* (borrowed) */
  SatinNetEvents events;
  gpointer user_data;
  NetState state;
  gboolean is_over;          /* @over of the events has run */
  gboolean has_said_leaving; /* the registry was told that this node will leave */
  gboolean is_ended;         /* the run is over: no node needs the messages that still wait */
  gboolean is_freed;         /* the owner has freed this structure, which lives until its transports
                              * are closed */

  SatinProgram program;
  char *program_name;  /* (owned) */
  SatinSecret *secret; /* (owned) (nullable) */
  gboolean is_insecure;
  const SatinTransportOps *transport_ops; /* (nullable, static) */
  guint max_links;
  gsize max_queue_bytes; /* for one peer */
  SatinIdentity identity;
  GPtrArray *routes;  /* (owned NetRoute): one for each cluster with a gateway */
  GTree *transports;  /* (owned) from a scheme or gateway to its (owned) SatinTransport */
  GPtrArray *ways;    /* (owned) of (owned) char: net_uri_way() of all addresses that this node may
                       * dial */
  guint n_transports; /* transports that are not closed yet */
  SatinListener *listener;

  SatinRegistryOps registry_ops;
  SatinParams *registry_params; /* (owned) (nullable) */
  gboolean is_registry_hub;     /* the registry uses links, over the transport of its address */
  gpointer registry;            /* (nullable) the plugin's handle */

  SatinView view;
  GArray *rows;        /* (element-type SatinPeer): the view's peers */
  GPtrArray *members;  /* (owned NetPeer): the same peers at the same indexes */
  SatinNodeId highest; /* the highest node number that this node has heard of */
  char *cluster;       /* (owned) */
  NetChannel channels[SATIN_N_CHANNELS];
  GArray *changes; /* (element-type NetChange) */
  guint last_change_id;

  GPtrArray *links;    /* (owned NetLink) all links */
  gboolean was_dialed; /* another node has dialed this node, so this node's address is right */
  guint n_parked;      /* links that wait to be accepted */
  guint64 n_uses;      /* counts the uses of all links, to find the least recently used one */
  guint64 n_messages;
  guint64 sent_bytes[2]; /* on links that are gone: [0] in this cluster, [1] to other clusters */
  guint64 received_bytes[2];

  gint64 registry_timeout_us;
  gint64 lost_us;  /* since when the registry is out of reach, 0: it is not */
  gint64 probe_us; /* when the members were last asked for a sign of life, 0: not since @lost_us */
  SatinTimerId lost_timer;

  SatinTimerId deadline; /* of the states CLOSING and LEAVING */
  SatinDoneFunc done;    /* set when this node leaves */
  gpointer done_data;
};

/* net.c */
gboolean net_state_may (NetState from, NetState to);
void net_enter (SatinNet *self, NetState to);
/* In CLOSING: enters LEAVING when no link is left and no message waits. */
void net_check_closed (SatinNet *self);
/* Reports the event @over to the owner, once. @error (transfer none) (nullable) */
void net_over (SatinNet *self, const GError *error);
/* Gives up the membership because of @error: a peer said that this node was declared dead, or this
 * node cannot be reached. */
void net_fenced (SatinNet *self, const GError *error);

/* open.c */
/* Finds the transport for @uri, or opens it at the first use of its scheme or gateway. Returns:
 * (transfer none) */
SatinTransport *net_transport (SatinNet *self, const char *uri, GError **error);

/* Whether this node may dial @uri: the address must have the same net_uri_way() as the node's own
 * address, its hub's address, or a gateway. */
gboolean net_may_dial (SatinNet *self, const char *uri, GError **error);

/* listen-address.c */
/* Returns: (transfer full) (nullable): the letters before the colon */
char *net_uri_scheme (const char *uri, GError **error);
/* The beginning of an address, which says how to dial it: "tcp:", or "ssh://gateway/" when the
 * address leads through a gateway. Returns: (transfer full) (nullable): %NULL for no address */
char *net_uri_way (const char *uri);
/* The address to listen at when the user named none. Returns: (transfer full) (nullable): %NULL
 * with @error set */
char *net_pick_listen_uri (SatinLoop *loop, const char *registry_uri, gint64 pid, GError **error);

/* registry.c */
extern const SatinRegistryEvents net_registry_events;
gboolean net_registry_introduce (SatinNet *self, SatinNodeId id);

/* lost-registry.c */
/* Notes that the registry has gone out of reach, and starts the registry timeout. */
void net_lost_begin (SatinNet *self);
/* Stops the registry timeout: the registry can be reached again, or is not needed any more. */
void net_lost_end (SatinNet *self);

/* view.c */
extern const SatinPeersOps net_peers_ops;
NetPeer *net_view_find (SatinNet *self, SatinNodeId id);
NetPeer *net_view_add (SatinNet *self, const SatinMember *member);
/* Removes and frees @peer, with the messages that wait for it. */
void net_view_remove (SatinNet *self, NetPeer *peer);
void net_view_mark_leaving (SatinNet *self, const NetPeer *peer);
void net_view_measured (SatinNet *self, NetPeer *peer, gint64 round_trip_us);
void net_tell_change (SatinNet *self, SatinPeerChange change, SatinNodeId id);

/* peer.c */
NetPeer *net_peer_new (SatinNet *net, const SatinMember *member);
void net_peer_free (gpointer data);
gboolean net_peer_send (NetPeer *self, SatinChannel channel, GBytes *payload);
gsize net_peer_queued_bytes (NetPeer *self);
/* Dials the peer if messages wait and there is no link and no retry timer. */
void net_peer_wake (NetPeer *self);
/* Sends waiting messages as early messages on the last link, as many as fit, and keeps them until
 * the link is open. Call it after this side's hello, and for each new message that comes before the
 * link is open. */
void net_peer_send_early (NetPeer *self);
/* Notes the number of an early message. Returns: %TRUE when the message is for this node and has
 * not come before */
gboolean net_peer_take_number (NetPeer *self, guint64 number);
/* Sends the waiting messages. The last link must be open. */
void net_peer_flush (NetPeer *self);
void net_peer_drop_waiting (NetPeer *self);
/* Handles the end of a link to the peer: dials again if messages wait, after a pause if
 * @is_failure. @is_failure: the link broke or never opened */
void net_peer_link_down (NetPeer *self, gboolean is_failure);
/* Handles %NET_SIGNAL_CALL: dials the node whose number is in @payload (nullable), because that
 * node cannot reach this one. */
void net_peer_call (SatinNet *net, GBytes *payload);

/* peer-link.c */
gboolean net_link_dial (NetPeer *peer, GError **error);
void net_link_accept (SatinListener *listener, SatinLink *link, const SatinLinkFuncs **ret_funcs,
                      gpointer *ret_user_data, gpointer user_data);
/* Finds the youngest link of @peer, on which messages are sent. Returns: (transfer none)
 * (nullable) */
NetLink *net_link_last (NetPeer *peer);
void net_link_send (NetLink *self, SatinChannel channel, GBytes *payload);
/* When the peer was last heard on this link; 0 if the link never opened. */
gint64 net_link_heard_us (const NetLink *self);
/* Takes the link out of its peer's list. Frames that still arrive on it are ignored. */
void net_link_forget (NetLink *self);
void net_link_drop (NetLink *self);
/* Appends the link to the list of @peer. */
void net_link_belong_to (NetLink *self, NetPeer *peer);

/* link-choice.c */
/* Decides about the link of the sender of @hello. Returns: %TRUE to accept it; %FALSE with an error
 * to refuse it; %FALSE without an error to let it wait */
gboolean net_link_check (SatinLink *link, const SatinHello *hello, gpointer user_data,
                         GError **error);
/* Notes that the link does not wait to be accepted any more. */
void net_link_unpark (NetLink *self);
/* Decides again about all links that wait to be accepted. */
void net_link_judge_parked (SatinNet *net);
/* Refuses the waiting links of node @id, because no member has this number. */
void net_link_refuse_parked (SatinNet *net, SatinNodeId id);

G_END_DECLS
