/* replicas.h - keeps the objects of one node and those of the others alike
 *
 * An update goes from its node to every node of the same cluster, and to one node of each other
 * cluster, the relay, which passes it on there. In a run so large that nodes know only some others,
 * nodes pass updates on. A replica comes from the node that sent a job which names the object.
 * Updates may be lost. So now and then two nodes compare their objects, and each fetches what it
 * lacks. In the end replicas agree. Types in place are not compared.
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
 * Differs: digests, so that no update is lost for good; relays, so that a cluster's uplink carries
 * each update once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/base/node.h>
#include <satin/base/peers.h>
#include <satin/so/objects.h>

G_BEGIN_DECLS

/* The replicator of one node. */
typedef struct _SatinReplicas SatinReplicas;

/**
 * SatinReplicasOptions:
 * @window_us: how long an update to nodes of the own cluster may wait, so that several travel
 *   together, 0 or more
 * @far_window_us: the same for other clusters; not less than @window_us
 * @digest_us: how often, on average, a node compares its objects with those of another, above 0
 * @max_bytes: the size of updates beyond which another message is used, above 0
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
 * @objects: borrowed; has no other host
 * @options: copied
 *
 * Returns: (transfer full): free with satin_replicas_free()
 */
SATIN_API SatinReplicas *satin_replicas_new (SatinLoop *loop, SatinObjects *objects,
                                             const SatinReplicasOptions *options);
/* Frees the replicator; the objects have no host then. @self: (nullable) */
SATIN_API void satin_replicas_free (SatinReplicas *self);

/* Sets the other nodes (borrowed), or %NULL when they are gone. Updates that wait are sent to the
 * old ones first. */
SATIN_API void satin_replicas_set_peers (SatinReplicas *self, SatinPeers *peers);

/* Attaches the replicator to the store of checkpointed objects. If the store is still there, the
 * caller detaches the replicator with the store's own function before it frees it. */
SATIN_API void satin_replicas_attach (SatinReplicas *self, SatinObjectStore *object_store);

/* Reports figures: "objects.updates", "objects.bytes-near", "objects.fetched", ...:
 * docs/replicas.md lists all. */
SATIN_API void satin_replicas_figures (SatinReplicas *self, SatinFigureFunc add,
                                       gpointer user_data);
/* Reports what the replicator waits for: requested objects, updates to be sent. */
SATIN_API void satin_replicas_waits (SatinReplicas *self, SatinWaitFunc add, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinReplicas, satin_replicas_free)

G_END_DECLS
