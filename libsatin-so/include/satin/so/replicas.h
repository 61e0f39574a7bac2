/* replicas.h - a replicator: keeps the shared objects of this node and of other nodes equal
 *
 * An update goes from its node to every node of the same cluster. It also goes to one node of each
 * other cluster, the *relay*, which passes it on to its cluster. In a run so large that views are
 * partial, each node also passes new updates on to a few nodes of its cluster. A node that gets a
 * job with an object that it lacks fetches the replica, first from the node that sent the job.
 * Updates may be lost. So now and then two nodes compare digests of their objects, and each fetches
 * what it lacks. In the end replicas agree. Objects of types @is_in_place are not compared.
 *
 *   origin                   its cluster          a relay of another cluster     that cluster
 *     | UPDATES ----------------> |                        |                         |
 *     | UPDATES, to be passed on ------------------------> | UPDATES --------------> |
 *
 *   a node that lacks an object                         where its job came from
 *     | FETCH ----------------------------------------------> |
 *     | <--------------------------------------- STATE or NONE |
 *
 *   a node                              another of its cluster, or relay to relay
 *     | DIGEST: what is here ------------------------------> |  FETCH, if it has less
 *     | <------------------- DIGEST, the answer: what differs |
 *
 * Threads: the loop's thread.
 * Source: 003 sec. 5.
 * Differs: digests, so that no update is lost for good; relays, so that an update travels to each
 * other cluster once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/base/node.h>
#include <satin/base/peers.h>
#include <satin/base/run.h>
#include <satin/so/objects.h>

G_BEGIN_DECLS

/* The most bytes of updates, or of a packed state, in one message. */
#define SATIN_REPLICAS_MESSAGE_MAX_BYTES (SATIN_MESSAGE_MAX_BYTES - (gsize)4096)

/* The replicator of one node. */
typedef struct _SatinReplicas SatinReplicas;

/**
 * SatinReplicasOptions:
 * @window_us: how long an update to nodes of this node's cluster may wait, so that several updates
 *   travel together, 0 or more; in a stream of updates, up to twice as long
 * @far_window_us: how long an update to other clusters may wait, not less than @window_us; in a
 *   stream of updates, up to @window_us longer
 * @digest_us: the average time after which a node compares its objects with another node's, above 0
 * @max_bytes: the size of a message: updates that exceed it go into another message, above 0, at
 *   most %SATIN_REPLICAS_MESSAGE_MAX_BYTES
 *
 * When a node sends updates and compares replicas.
 */
typedef struct
{
  gint64 window_us;
  gint64 far_window_us;
  gint64 digest_us;
  gsize max_bytes;
} SatinReplicasOptions;

/**
 * satin_replicas_new:
 * @loop: borrowed
 * @objects: borrowed; the store must have no other replicator
 * @options: copied
 *
 * Returns: (transfer full): free with satin_replicas_free()
 */
SATIN_API SatinReplicas *satin_replicas_new (SatinLoop *loop, SatinObjects *objects,
                                             const SatinReplicasOptions *options);
/* Frees the replicator. The store then has no replicator. @self: (nullable) */
SATIN_API void satin_replicas_free (SatinReplicas *self);

/* Sets the peers (borrowed) through which other nodes are reached, or %NULL when they are gone.
 * Updates that wait are first sent through the former peers. */
SATIN_API void satin_replicas_set_peers (SatinReplicas *self, SatinPeers *peers);

/* Sets the run (borrowed) to which the replicator reports that this node has found a better value
 * of a shared minimum or maximum (SATIN_EVENT_BOUND of satin/base/run.h). The run outlives the
 * replicator. */
SATIN_API void satin_replicas_set_run (SatinReplicas *self, SatinRun *run);

/* Attaches the replicator to the interface that keeps checkpointed objects. If @object_store is
 * still there when the caller frees the replicator, the caller first detaches the replicator, by a
 * call of attach with %NULL. */
SATIN_API void satin_replicas_attach (SatinReplicas *self, SatinObjectStore *object_store);

/* Reports figures: "objects.updates", "objects.bytes-near", "objects.fetched", ...:
 * docs/replicas.md lists all. */
SATIN_API void satin_replicas_figures (SatinReplicas *self, SatinFigureFunc add,
                                       gpointer user_data);
/* Reports what the replicator waits for: requested objects, updates to be sent. */
SATIN_API void satin_replicas_waits (SatinReplicas *self, SatinWaitFunc add, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinReplicas, satin_replicas_free)

G_END_DECLS
