/* replicas.h - the objects of one node and those of the others stay alike
 *
 * What is changed here is told to all that have a replica: to every node of this cluster, and to
 * one of each other cluster, which passes it on. A replica comes from the node that sent a job
 * which names it. Updates may be lost, so nodes compare now and then what they have, two at a time,
 * and fetch from each other what they lack: replicas agree in the end.
 *
 *   origin                   its cluster          a relay of another cluster     that cluster
 *     | UPDATES ----------------> |                        |                         |
 *     | UPDATES, to be passed on ------------------------> | UPDATES --------------> |
 *
 *   a node that lacks an object                         where its job came from
 *     | FETCH ----------------------------------------------> |
 *     | <--------------------------------------- STATE or NONE |
 *
 *   a node                                                any other
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

/* What keeps the replicas of one node alike with those of the others. */
typedef struct _SatinReplicas SatinReplicas;

/**
 * SatinReplicasOptions:
 * @window_us: how long updates wait for others to travel with in the own cluster, 0 or more
 * @far_window_us: likewise to other clusters; not less than @window_us
 * @digest_us: how often, on average, a node compares what it has with another, above 0
 * @max_bytes: updates beyond that many bytes go in a further message, above 0
 *
 * When replicas are compared and updates are sent.
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
 * @objects: borrowed; it has no other host
 * @options: copied
 *
 * Returns: (transfer full): free with satin_replicas_free()
 */
SATIN_API SatinReplicas *satin_replicas_new (SatinLoop *loop, SatinObjects *objects,
                                             const SatinReplicasOptions *options);
/* @self: (nullable). The objects are without a host then. */
SATIN_API void satin_replicas_free (SatinReplicas *self);

/* The other nodes, borrowed; %NULL when they are gone: what waits to be sent goes before. */
SATIN_API void satin_replicas_set_peers (SatinReplicas *self, SatinPeers *peers);

/* Attaches itself to who keeps objects of types that are checkpointed. The caller detaches it, with
 * the object store's own function, before it is freed, if the object store is still there. */
SATIN_API void satin_replicas_attach (SatinReplicas *self, SatinObjectStore *object_store);

/* "objects.updates", "objects.bytes-near", "objects.fetched", ...: docs/replicas.md has all. */
SATIN_API void satin_replicas_figures (SatinReplicas *self, SatinFigureFunc add,
                                       gpointer user_data);
/* What it waits for: objects that were asked for, updates that wait to be sent. */
SATIN_API void satin_replicas_waits (SatinReplicas *self, SatinWaitFunc add, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinReplicas, satin_replicas_free)

G_END_DECLS
