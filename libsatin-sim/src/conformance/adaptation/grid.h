/* grid.h - clusters and nodes that come, go and change, and do what the adaptation decides
 *
 * A grid is an invented run. Its time is virtual: each step is a period of 30 seconds. Machines
 * that the adaptation asks for join one or two periods later. Nodes that the adaptation removes are
 * shown as leaving for one period; then they are gone. Ids have gaps, so that the suite notices an
 * adaptation that uses the index of a node as its id.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "subject.h"

#define GRID_MAX_CLUSTERS 64
#define GRID_PERIOD_US    ((gint64)30000000)

typedef struct
{
  char name[16];
  gdouble speed; /* of each machine, in any unit */
  guint n_machines;
  gdouble far;        /* the far overhead of the cluster's nodes */
  gboolean is_hidden; /* the census does not tell the speed of its offered machines */
} GridCluster;

typedef struct
{
  SatinCensusNode shown;
  guint n_left; /* periods until a leaving node is gone */
} GridNode;

/* A machine that was asked for. */
typedef struct
{
  guint cluster;
  guint n_left; /* periods until it joins */
} GridMachine;

typedef struct
{
  GRand *random; /* (owned) */
  guint n_clusters;
  GridCluster clusters[GRID_MAX_CLUSTERS];
  GArray *nodes;       /* (owned) of GridNode */
  GArray *awaited;     /* (owned) of GridMachine */
  gdouble parallelism; /* how many nodes of speed 1 the program can keep busy */
  SatinNodeId last_id;
  gint64 now_us;
  guint n_least;
  guint n_most;
  SatinCensusNode *shown_nodes;       /* (owned) */
  SatinCensusCluster *shown_clusters; /* (owned) */
  SatinCensus census;
} Grid;

/* Makes a grid of @n_clusters clusters and @n_nodes nodes. */
Grid *grid_new (guint32 seed, guint n_clusters, guint n_nodes);
void grid_free (Grid *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Grid, grid_free)

/* Lets a period pass: nodes join, leave or crash, and clusters and the parallelism may change.
 * Returns: the census at the end of the period; valid until the next period */
const SatinCensus *grid_pass (Grid *self);
/* Carries @decision out. */
void grid_obey (Grid *self, const SatinDecision *decision);
/* Lets a period pass, lets @subject decide, and carries the decision out. @text: (nullable): gets
 * the decision at its end, as a text */
void grid_step (Grid *self, Subject *subject, GString *text);
