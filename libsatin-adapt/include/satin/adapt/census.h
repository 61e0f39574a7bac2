/* census.h - what a run's nodes did in one period, and how well that is
 *
 * Pure functions of what they are shown. Speeds are relative to the fastest node, which has 1; a
 * slow node counts like a fast one that is idle for the rest of the time.
 *
 *   efficiency = mean over the nodes of  speed * (1 - overhead)
 *
 * Adding nodes brings little once it is below 0.5, and nodes, or the links to them, are bad where
 * it is far below that.
 *
 * Threads: any. Source: 003 sec. 4.3.3 and 4.3.6. Differs: nodes that joined during the period, or
 * are leaving, are left out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/peers.h>

G_BEGIN_DECLS

/* No cluster in particular. */
#define SATIN_ANY_CLUSTER G_MAXUINT

/**
 * SatinCensusNode:
 * @id: the node
 * @cluster: its place among the clusters of the census
 * @speed: in (0, 1], 1 for the fastest; 0 when it is not known, which counts as the mean of the
 * others
 * @overhead: share of the period that its workers were idle or waited for messages, in [0, 1]
 * @far_overhead: share that messages to or from other clusters took, in [0, 1]
 * @is_kept: it must stay: the master, or one that the user put there himself
 * @is_new: it joined during the period, so its figures say little
 * @is_leaving: it said that it will leave
 * @reserved: zero
 *
 * What one node did in a period.
 */
typedef struct
{
  SatinNodeId id;
  guint cluster;
  gdouble speed;
  gdouble overhead;
  gdouble far_overhead;
  guint is_kept : 1;
  guint is_new : 1;
  guint is_leaving : 1;
  guint reserved[3]; /* nodes lie in an array, so they cannot grow */
} SatinCensusNode;

/**
 * SatinCensusCluster:
 * @name: (borrowed): its label, "" for nodes without one
 * @n_offered: machines that could be had there now
 * @offered_speed: of such a machine, relative to the fastest node, so it may be above 1; 0 when
 * unknown
 * @bandwidth: bytes a second that a link between it and other clusters was seen to carry, 0 when
 * unknown
 * @reserved: zero
 *
 * What is known of one cluster.
 */
typedef struct
{
  const char *name;
  guint n_offered;
  gdouble offered_speed;
  gdouble bandwidth;
  gpointer reserved[2];
} SatinCensusCluster;

/**
 * SatinCensus:
 * @now_us: when it was made
 * @n_nodes: members of the run
 * @nodes: (array length=n_nodes): by rising id
 * @n_clusters: those that have nodes or offer machines
 * @clusters: (array length=n_clusters)
 * @n_awaited: machines that were asked for and whose nodes have not joined yet
 * @n_least: the run is to have so many nodes at least
 * @n_most: and at most
 * @unit: what speed 1 is, in a unit that is the same for all censuses of a run; 0 when unknown
 *
 * What a run looked like at the end of a period.
 */
typedef struct
{
  gint64 now_us;
  guint n_nodes;
  const SatinCensusNode *nodes;
  guint n_clusters;
  const SatinCensusCluster *clusters;
  guint n_awaited;
  guint n_least;
  guint n_most;
  gdouble unit;
} SatinCensus;

/* How much each reason to remove a node weighs. */
typedef struct
{
  gdouble slow;    /* of 1 / speed */
  gdouble far;     /* of the share that messages between clusters took */
  gdouble cluster; /* of being in the worst cluster */
} SatinBadnessWeights;

/* The weights that Satin uses when nobody says others. */
#define SATIN_BADNESS_WEIGHTS                                                                      \
  {                                                                                                \
    .slow = 1, .far = 100, .cluster = 10                                                           \
  }

/* Whether its figures count: it is neither new nor leaving. */
SATIN_API gboolean satin_census_counts (const SatinCensusNode *node);

/* How many do. */
SATIN_API guint satin_census_count (const SatinCensus *self);

/* The node's speed, or where that is unknown the mean of those known, or 1. */
SATIN_API gdouble satin_census_speed (const SatinCensus *self, const SatinCensusNode *node);

/* Work done in unit time, a fastest node that is never idle being 1. */
SATIN_API gdouble satin_census_rate (const SatinCensus *self);

/* Returns: in [0, 1]; 0 when no node counts */
SATIN_API gdouble satin_census_efficiency (const SatinCensus *self);

/**
 * SatinClusterFigures:
 * @n_nodes: that count
 * @n_kept: of all, also of those that do not count
 * @speed: sum of their speeds
 * @far_overhead: mean
 *
 * The nodes of one cluster, summed up.
 */
typedef struct
{
  guint n_nodes;
  guint n_kept;
  gdouble speed;
  gdouble far_overhead;
} SatinClusterFigures;

/* Sums up the nodes of @cluster, its place among the clusters of the census. */
SATIN_API void satin_census_cluster (const SatinCensus *self, guint cluster,
                                     SatinClusterFigures *ret_figures);

/* How many clusters have a node that counts. */
SATIN_API guint satin_census_count_clusters (const SatinCensus *self);

/**
 * satin_census_worst_cluster:
 *
 * The one with the highest badness, slow / speed + far * far_overhead, where a cluster's speed is
 * relative to the fastest cluster; of equals the first.
 *
 * Returns: its place, %SATIN_ANY_CLUSTER when fewer than two clusters have nodes that count
 */
SATIN_API guint satin_census_worst_cluster (const SatinCensus *self,
                                            const SatinBadnessWeights *weights);

/**
 * satin_census_worst_removable:
 * @least_far: only those whose messages to others take more than this share of their time;
 * below 0: all
 *
 * Likewise, of those without a node that is kept: who waits for messages is at one end of the slow
 * link, and which of the two it belongs to does not show.
 *
 * Returns: its place, %SATIN_ANY_CLUSTER when there is none, or fewer than two clusters have nodes
 * that count
 */
SATIN_API guint satin_census_worst_removable (const SatinCensus *self,
                                              const SatinBadnessWeights *weights,
                                              gdouble least_far);

/**
 * satin_census_rank:
 * @ret_places: (out) (array length=n_nodes of @self): places of nodes that may be removed, the
 * worst first: those that count and are not kept
 *
 * By slow / speed + far * far_overhead + cluster if it is in the worst cluster; of equals the one
 * that joined last comes first.
 *
 * Returns: how many there are
 */
SATIN_API guint satin_census_rank (const SatinCensus *self, const SatinBadnessWeights *weights,
                                   guint *ret_places);

G_END_DECLS
