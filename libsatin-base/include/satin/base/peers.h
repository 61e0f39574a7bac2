/* peers.h - the other nodes of a run, and messages to them
 *
 * Core, recovery, shared objects and adaptation see the world through this one
 * interface and never learn what carries it. A node's number is never given to
 * another node in the same run, also not to the same machine when it comes back:
 * it is the node's incarnation, so a message from a node that is not in the view is from the dead
 * or the not yet born.
 *
 * Messages from one node to another arrive in order and at most once, or not at
 * all when the receiver dies or a link breaks. Nothing is promised between
 * different pairs. A sender that needs an answer sets a timer.
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

/* Who a message is for inside a node. One owner per channel. */
typedef enum
{
  SATIN_CHANNEL_STEAL = 1,  /* stealing, in libsatin-core */
  SATIN_CHANNEL_RECOVERY,   /* orphans and lost jobs, in libsatin-ft */
  SATIN_CHANNEL_OBJECTS,    /* shared objects, in libsatin-so */
  SATIN_CHANNEL_ADAPT,      /* figures of nodes, in libsatin-adapt */
  SATIN_CHANNEL_RUN,        /* the run itself */
  SATIN_CHANNEL_CHECKPOINT, /* results for the checkpoint, in libsatin-ft */
  SATIN_N_CHANNELS,         /* their number, and 0 */
} SatinChannel;

/**
 * SatinPeer:
 * @id: its number
 * @cluster: (borrowed from the view): label of its cluster, "" when it has none
 * @latency_us: half the fastest round trip of the last minutes in which it was measured, which is
 *   done while messages are sent; 0 when none was yet
 * @is_leaving: it said that it will leave soon: it takes no more work
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
 * @number: grows with each change; equal on two nodes that know all means the same members
 * @self: this node's number
 * @cluster: (borrowed): this node's cluster
 * @master: the node that holds the root job, 0 while there is none
 * @term: counts the masters; what only a master may say comes from @master or names this number
 * @n_peers: members without this node
 * @peers: (array length=n_peers): the other members, by rising id
 * @is_partial: the run is so large that it has members which this node was not told of; those it
 *   knows include the master, and all who know it
 * @is_leaving: the registry told all that this node is leaving
 * @death_signal: while %SATIN_PEER_DIED is told, the signal that ended that peer's process, or
 * %SATIN_DEATH_OUT_OF_MEMORY; 0: none, or it is not known
 * @gone_cluster: (borrowed) (nullable): while %SATIN_PEER_LEFT or %SATIN_PEER_DIED is told, that
 * peer's cluster; it is not among @peers any more
 *
 * Who is in the run, as the registry declared it. Valid until the next change.
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

/* Among the signals that end a process: the kernel killed it because memory ran out. */
#define SATIN_DEATH_OUT_OF_MEMORY 127

/* What happened to the membership. */
typedef enum
{
  SATIN_PEER_JOINED,      /* it is in the view now */
  SATIN_PEER_LEFT,        /* it left in good order and has nothing of ours */
  SATIN_PEER_DIED,        /* declared dead: nothing of it will arrive any more */
  SATIN_PEER_LINK_BROKEN, /* it lives, but messages under way to or from it may be lost */
  SATIN_PEER_MASTER,      /* it is the master now, maybe this node itself */
  SATIN_PEER_LEAVING,     /* it will leave soon and takes no more work, maybe this node itself */
  SATIN_PEER_UNKNOWN,     /* the answer to satin_peers_meet(): it is not in the run any more */
} SatinPeerChange;

/* Begins the structure of whatever provides the interface. */
typedef struct _SatinPeers SatinPeers;

/* @payload is valid during the call; keep a reference to keep it. */
typedef void (*SatinPeersMessageFunc) (SatinNodeId from, GBytes *payload, gpointer user_data);
/* Runs after the view was changed. */
typedef void (*SatinPeersChangeFunc) (SatinPeerChange change, SatinNodeId id, gpointer user_data);

/**
 * SatinPeersOps:
 * @struct_size: sizeof (SatinPeersOps) where the implementation was built
 * @get_view: Returns: (transfer none): the members as of now, with this node's own number, also
 *   after it was declared dead; valid until the next change. Cost: O(1)
 * @send: queues a message to a member; @payload is not changed any more, and a reference is kept
 *   as long as it waits. It never blocks, and no function that was set is called inside it.
 * Returns: %FALSE, and nothing was queued, when @to is not in the view, or when too much waits for
 * it
 * @queued_bytes: Returns: what @send took for @to and no link has taken yet; 0 for who is no member
 * @set_message_func: @func gets the messages of @channel from now on, one at a time, from members
 *   only, and for no message after %SATIN_PEER_DIED of its sender was told; %NULL for none.
 *   Messages of a channel without function are dropped. One function for each channel
 * @add_change_func: @func hears of each change, after the view was changed; those that were added
 *   first hear first. Functions may add and remove functions, send, and look at the view
 *   meanwhile. Returns: a number that is not 0
 * @remove_change_func: the function with that number is not called again
 * @meet: (nullable): asks the registry for a member that a partial view does not show.
 *   %SATIN_PEER_JOINED or %SATIN_PEER_UNKNOWN follows, not inside the call. Returns: %FALSE when
 *   the view is not partial. %NULL: it never is
 *
 * What carries messages provides: libsatin-net in a run, the simulator's network elsewhere. Callers
 * use the functions below.
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
 * Queues a message; it travels when a link is up, which is opened on demand.
 *
 * Returns: %FALSE when @to is not in the view or as much waits for it already as may, 64 MiB or
 * what the part was given (an expected absence: the caller gives up or tries later)
 */
SATIN_API gboolean satin_peers_send (SatinPeers *self, SatinNodeId to, SatinChannel channel,
                                     GBytes *payload);

/* The largest message, bytes. */
#define SATIN_MESSAGE_MAX_BYTES ((gsize)64 << 20)

/* Bytes that wait to be sent to @to; a polite sender of much looks here first. */
SATIN_API gsize satin_peers_queued_bytes (SatinPeers *self, SatinNodeId to);

/* Takes the messages of @channel; a %NULL @func gives it up and drops them. */
SATIN_API void satin_peers_set_message_func (SatinPeers *self, SatinChannel channel,
                                             SatinPeersMessageFunc func, gpointer user_data);

/* Returns: an id, never 0, for satin_peers_remove_change_func() */
SATIN_API guint satin_peers_add_change_func (SatinPeers *self, SatinPeersChangeFunc func,
                                             gpointer user_data);
/* The function with that @id is not called any more. */
SATIN_API void satin_peers_remove_change_func (SatinPeers *self, guint id);

/**
 * satin_peers_meet:
 * @id: a node that is not in the view
 *
 * Asks for a member that this node was not told of, if the view is partial: then
 * %SATIN_PEER_JOINED or %SATIN_PEER_UNKNOWN follows, as soon as the registry can be reached.
 *
 * Returns: %FALSE when the view is not partial: who is not in it is gone
 */
SATIN_API gboolean satin_peers_meet (SatinPeers *self, SatinNodeId id);

/* The peer with that number in @view, or %NULL. Cost: O(log n_peers). */
SATIN_API const SatinPeer *satin_view_find (const SatinView *view, SatinNodeId id);

G_END_DECLS
