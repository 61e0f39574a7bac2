/* census.h - what the nodes of a run did in one period, and how efficient that was
 *
 * The functions here depend on their arguments only. Speeds are relative to the fastest node, which
 * has speed 1. A node of speed 0.4 counts like a fastest node that is idle for 60 % of the time.
 *
 *   efficiency = mean over the nodes of  speed * (1 - overhead)
 *
 * When the efficiency is below 0.5, adding nodes brings little. When it is far below 0.5, some
 * nodes or the links to them are bad.
 *
 * Threads: any. Source: 003 sec. 4.3.3 and 4.3.6. Differs: nodes that joined during the period, or
 * are leaving, are left out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/peers.h>

G_BEGIN_DECLS

/* As an argument: any cluster. As a result: no cluster. */
#define SATIN_ANY_CLUSTER G_MAXUINT

/**
 * SatinCensusNode:
 * @id: the node
 * @cluster: index of the node's cluster in @clusters of the census
 * @speed: in (0, 1], 1 for the fastest; 0 when unknown: then the mean of the known speeds counts
 * @overhead: the share of the period in which the node's workers were idle, for whatever reason, in
 *   [0, 1]
 * @far_overhead: the share of the period in which messages to or from other clusters were overdue,
 *   in [0, 1]; not above @overhead
 * @is_kept: the node must stay: it is the master, the user started it, or it has not reported
 *   figures yet
 * @is_new: the node's figures say little: it joined during the period, or has not reported for a
 *   while
 * @is_leaving: the node has announced that it will leave
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
  guint reserved[3]; /* room for new fields: nodes are in an array, so their size must not change */
} SatinCensusNode;

/**
 * SatinCensusCluster:
 * @name: (borrowed): the cluster's label; "" for nodes without a label
 * @n_offered: the number of machines that are available in the cluster now
 * @offered_speed: the speed of an offered machine, relative to the fastest node, so it may be above
 *   1; 0 when unknown
 * @reserved: zero
 *
 * What is known of one cluster.
 */
typedef struct
{
  const char *name;
  guint n_offered;
  gdouble offered_speed;
  gpointer reserved[2];
} SatinCensusCluster;

/**
 * SatinCensus:
 * @now_us: when the census was made
 * @n_nodes: the number of members of the run
 * @nodes: (array length=n_nodes): the members, by increasing id
 * @n_clusters: the number of clusters that have nodes or offer machines
 * @clusters: (array length=n_clusters): these clusters
 * @n_awaited: the number of requested machines whose nodes have not joined yet
 * @n_least: the least number of nodes that the run should have
 * @n_most: the largest number of nodes that the run should have
 * @unit: the absolute speed of the fastest node, whose relative speed is 1, in a unit that is the
 *   same for all censuses of a run; 0 when unknown
 *
 * The state of a run at the end of a period.
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

/* The weight of each reason to remove a node. See satin_census_rank(). */
typedef struct
{
  gdouble slow;    /* the weight of 1 / speed */
  gdouble far;     /* the weight of the far overhead */
  gdouble cluster; /* added for a node in the worst cluster */
} SatinBadnessWeights;

/* The default weights. */
#define SATIN_BADNESS_WEIGHTS                                                                      \
  {                                                                                                \
    .slow = 1, .far = 100, .cluster = 10                                                           \
  }

/* Whether the node's figures count: the node is neither new nor leaving. */
SATIN_API gboolean satin_census_counts (const SatinCensusNode *node);

/* The number of nodes that count. */
SATIN_API guint satin_census_count (const SatinCensus *self);

/* The node's speed; if that is unknown, the mean of the known speeds, or 1 when no speed is
 * known. */
SATIN_API gdouble satin_census_speed (const SatinCensus *self, const SatinCensusNode *node);

/* The work that the nodes that count do in unit time. A node of speed 1 that is never idle does
 * 1. */
SATIN_API gdouble satin_census_rate (const SatinCensus *self);

/* The efficiency of the run, as defined above, over the nodes that count. Returns: in [0, 1]; 0
 * when no node counts */
SATIN_API gdouble satin_census_efficiency (const SatinCensus *self);

/**
 * SatinClusterFigures:
 * @n_nodes: the number of nodes that count
 * @n_kept: the number of nodes that must stay, whether they count or not
 * @speed: the sum of the speeds of the nodes that count
 * @far_overhead: the mean of the far overheads of the nodes that count
 *
 * A summary of the nodes of one cluster.
 */
typedef struct
{
  guint n_nodes;
  guint n_kept;
  gdouble speed;
  gdouble far_overhead;
} SatinClusterFigures;

/* Summarizes the nodes of a cluster. @cluster: index of the cluster in the census */
SATIN_API void satin_census_cluster (const SatinCensus *self, guint cluster,
                                     SatinClusterFigures *ret_figures);

/* The number of clusters that have a node that counts. */
SATIN_API guint satin_census_count_clusters (const SatinCensus *self);

/**
 * satin_census_worst_cluster:
 *
 * Finds the cluster with the highest badness: slow / speed + far * far_overhead, where the speed is
 * relative to the fastest cluster. If several clusters have that badness, the first of them is
 * taken.
 *
 * Returns: the cluster's index; %SATIN_ANY_CLUSTER when fewer than two clusters have nodes that
 * count
 */
SATIN_API guint satin_census_worst_cluster (const SatinCensus *self,
                                            const SatinBadnessWeights *weights);

/**
 * satin_census_worst_removable:
 * @least_far: only clusters with a far overhead above this are considered; below 0: all clusters
 *
 * Like satin_census_worst_cluster(), but ignores clusters with a node that must stay. The cluster
 * that is found may not be at fault: a node that waits for messages is at one end of a slow link,
 * and the census does not show which end is at fault.
 *
 * Returns: the cluster's index; %SATIN_ANY_CLUSTER when there is none, or fewer than two clusters
 *   have nodes that count
 */
SATIN_API guint satin_census_worst_removable (const SatinCensus *self,
                                              const SatinBadnessWeights *weights,
                                              gdouble least_far);

/**
 * satin_census_rank:
 * @ret_places: (out) (array length=n_nodes of @self): the indices of the nodes that may be removed
 *   (they count and need not stay), the worst first
 *
 * Ranks nodes by their badness: slow / speed + far * far_overhead, plus the weight cluster for
 * nodes of the worst cluster. Of nodes with the same badness, the node that joined last comes
 * first.
 *
 * Returns: the number of indices
 */
SATIN_API guint satin_census_rank (const SatinCensus *self, const SatinBadnessWeights *weights,
                                   guint *ret_places);

G_END_DECLS
