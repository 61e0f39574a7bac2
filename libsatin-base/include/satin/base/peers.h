/* peers.h - the other nodes of a run, and messages to them
 *
 * Core, recovery, shared objects and adaptation see the other nodes only through this interface.
 * They never learn what carries the messages. A node's number is never given to another node of the
 * same run, not even to the same machine when it comes back. So the number is the node's
 * incarnation: a message from a node that is not in the view comes from a node that is gone, or
 * that this node does not know yet.
 *
 * Messages from one node to another arrive in order and at most once. They are lost when the
 * receiver dies or a link breaks. Nothing is promised between different pairs of nodes. A sender
 * that needs an answer sets a timer.
 *
 * Threads: the loop's thread for everything.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* A node's number in a run; from 1 upwards, 0 is no node. */
typedef guint32 SatinNodeId;

/* Which library of a node a message is for. Each channel has one owner. */
typedef enum
{
  SATIN_CHANNEL_STEAL = 1,  /* stealing, in libsatin-core */
  SATIN_CHANNEL_RECOVERY,   /* orphans and lost jobs, in libsatin-ft */
  SATIN_CHANNEL_OBJECTS,    /* shared objects, in libsatin-so */
  SATIN_CHANNEL_ADAPT,      /* figures of nodes, in libsatin-adapt */
  SATIN_CHANNEL_RUN,        /* the end of the run, in the part "net" */
  SATIN_CHANNEL_CHECKPOINT, /* results for the checkpoint, in libsatin-ft */
  SATIN_N_CHANNELS,         /* one above the last channel */
} SatinChannel;

/**
 * SatinPeer:
 * @id: its number
 * @cluster: (borrowed from the view): label of its cluster, "" when it has none
 * @latency_us: half the fastest round trip among the last measurement and those of at most four
 *   minutes before it; 0 before the first measurement. Links are measured while messages are sent
 * @is_leaving: it said that it will leave soon, and takes no more work
 *
 * One other member of the run.
 */
typedef struct
{
  SatinNodeId id;
  const char *cluster;
  gint64 latency_us;
  gboolean is_leaving;
} SatinPeer;

/**
 * SatinView:
 * @number: never decreases, and grows with each change unless the view is partial. Two nodes that
 *   know all members and have the same number have the same members
 * @self: this node's number
 * @cluster: (borrowed): this node's cluster
 * @master: the node that holds the root job, 0 while there is none
 * @term: counts the masters. It shows whether a message of a master is from the present master, an
 *   earlier one, or one that this node does not know yet
 * @n_peers: number of members without this node
 * @peers: (array length=n_peers): the other members, by rising id
 * @is_partial: the run is so large that this node does not know all members. The members that it
 *   knows include the master, and all members that know this node
 * @is_leaving: the registry told all members that this node is leaving
 * @death_signal: valid while %SATIN_PEER_DIED is reported: the signal that ended that peer's
 *   process, or %SATIN_DEATH_OUT_OF_MEMORY; 0 when there was none or it is not known
 * @gone_cluster: (borrowed) (nullable): valid while %SATIN_PEER_LEFT or %SATIN_PEER_DIED is
 *   reported: the cluster of that peer, which is not among @peers any more
 *
 * The members of the run, as the registry declared them. Valid until the next change.
 */
typedef struct
{
  guint64 number;
  SatinNodeId self;
  const char *cluster;
  SatinNodeId master;
  guint64 term;
  guint n_peers;
  const SatinPeer *peers;
  gboolean is_partial;
  gboolean is_leaving;
  int death_signal;
  const char *gone_cluster;
} SatinView;

/* Takes the place of a signal's number when the kernel killed a process because memory ran out. */
#define SATIN_DEATH_OUT_OF_MEMORY 127

/* The changes that can happen to a member. */
typedef enum
{
  SATIN_PEER_JOINED,      /* it is in the view now */
  SATIN_PEER_LEFT,        /* it left in good order and has no job of this node */
  SATIN_PEER_DIED,        /* it was declared dead: none of its messages arrives any more */
  SATIN_PEER_LINK_BROKEN, /* it lives, but messages under way to or from it may be lost */
  SATIN_PEER_MASTER,      /* it is the master now; may be this node */
  SATIN_PEER_LEAVING,     /* it will leave soon and takes no more work; may be this node */
  SATIN_PEER_UNKNOWN,     /* answer to satin_peers_meet(): it is not in the run any more */
} SatinPeerChange;

/* The first field of whatever provides the interface. */
typedef struct _SatinPeers SatinPeers;

/* Receives a message. @payload is valid during the call; take a reference to keep it. */
typedef void (*SatinPeersMessageFunc) (SatinNodeId from, GBytes *payload, gpointer user_data);
/* Runs after @change has happened to node @id. */
typedef void (*SatinPeersChangeFunc) (SatinPeerChange change, SatinNodeId id, gpointer user_data);

/**
 * SatinPeersOps:
 * @struct_size: sizeof (SatinPeersOps) where the provider was built
 * @get_view: the members as of now. It has this node's number also after this node was declared
 *   dead. Returns: (transfer none): valid until the next change. Cost: O(1)
 * @send: queues a message to a member and keeps a reference to @payload, which nobody changes any
 *   more. It never blocks and calls no function that was set here. Returns: %FALSE, and nothing is
 *   queued, when @to is not in the view, when this node is no member any more, or when too much
 *   waits for @to
 * @queued_bytes: Returns: how many bytes wait for @to, with the heads of messages; 0 when @to is no
 *   member
 * @set_message_func: from now on @func receives the messages of @channel, one at a time. They come
 *   from members only, and none comes after %SATIN_PEER_DIED of its sender was reported. %NULL
 *   removes the function; messages of a channel without function are dropped. A channel has one
 *   function
 * @add_change_func: @func hears of each change, after the view has changed. Functions run in the
 *   order in which they were added. Inside, they may add and remove functions, send, and read the
 *   view. Returns: an id, never 0
 * @remove_change_func: the function with that id is not called again
 * @meet: (nullable): asks the registry for a member that a partial view does not show.
 *   %SATIN_PEER_JOINED or %SATIN_PEER_UNKNOWN follows, not inside the call. Returns: as
 *   satin_peers_meet(). %NULL: the view is never partial
 *
 * The operations of a provider: libsatin-net in a run and in a simulated world, a double in unit
 * tests. Callers use the functions below.
 *
 * Threads: the loop's thread.
 */
typedef struct
{
  gsize struct_size;
  const SatinView *(*get_view) (SatinPeers *peers);
  gboolean (*send) (SatinPeers *peers, SatinNodeId to, SatinChannel channel, GBytes *payload);
  gsize (*queued_bytes) (SatinPeers *peers, SatinNodeId to);
  void (*set_message_func) (SatinPeers *peers, SatinChannel channel, SatinPeersMessageFunc func,
                            gpointer user_data);
  guint (*add_change_func) (SatinPeers *peers, SatinPeersChangeFunc func, gpointer user_data);
  void (*remove_change_func) (SatinPeers *peers, guint id);
  gboolean (*meet) (SatinPeers *peers, SatinNodeId id);
} SatinPeersOps;

struct _SatinPeers
{
  const SatinPeersOps *ops; /* (borrowed, static) */
};

/* The members of the run as of now; valid until the next change. Cost: O(1). */
SATIN_API const SatinView *satin_peers_get_view (SatinPeers *self);

/**
 * satin_peers_send:
 * @to: a member of the view, not this node
 * @payload: (transfer none): at most %SATIN_MESSAGE_MAX_BYTES
 *
 * Queues a message. It is sent as soon as there is a link, which is opened on demand.
 *
 * Returns: %FALSE when @to is not in the view, when this node is no member any more, or when the
 *   queue for @to is full: 64 MiB, or the limit that the part "net" was given. This is an expected
 *   absence: the caller gives up or tries later
 */
SATIN_API gboolean satin_peers_send (SatinPeers *self, SatinNodeId to, SatinChannel channel,
                                     GBytes *payload);

/* The largest message, bytes. */
#define SATIN_MESSAGE_MAX_BYTES ((gsize)64 << 20)

/* How many bytes wait to be sent to @to. A sender of much data asks this first. */
SATIN_API gsize satin_peers_queued_bytes (SatinPeers *self, SatinNodeId to);

/* Sets the function that receives the messages of @channel. With %NULL they are dropped. */
SATIN_API void satin_peers_set_message_func (SatinPeers *self, SatinChannel channel,
                                             SatinPeersMessageFunc func, gpointer user_data);

/* Adds a function that hears of changes. Returns: an id, never 0, for
 * satin_peers_remove_change_func() */
SATIN_API guint satin_peers_add_change_func (SatinPeers *self, SatinPeersChangeFunc func,
                                             gpointer user_data);
/* The function with that @id is not called any more. Unknown ids are ignored. */
SATIN_API void satin_peers_remove_change_func (SatinPeers *self, guint id);

/**
 * satin_peers_meet:
 * @id: a node that is not in the view
 *
 * Asks for a member that this node does not know yet. If the view is partial, %SATIN_PEER_JOINED or
 * %SATIN_PEER_UNKNOWN follows as soon as the registry can be reached.
 *
 * Returns: %FALSE when the view is not partial, so that @id is gone; when @id is in the view or is
 *   this node; or when the registry cannot be asked any more
 */
SATIN_API gboolean satin_peers_meet (SatinPeers *self, SatinNodeId id);

/* The peer with that number in @view, or %NULL. Cost: O(log n_peers). */
SATIN_API const SatinPeer *satin_view_find (const SatinView *view, SatinNodeId id);

G_END_DECLS
