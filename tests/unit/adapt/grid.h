/* grid.h - nodes and clusters that a test changes, for tests of what an adaptation decides
 *
 * A period is a second. Before the next period, machines that the adaptation asks for have joined,
 * and nodes that it removes are gone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt.h>

#define GRID_CLUSTERS 4
#define GRID_NODES    400

/**
 * Grid:
 * @speeds: speed of each cluster's machines, in any unit
 * @n_machines: number of each cluster's machines
 * @n_nodes: how many of them are in the run
 * @far_overhead: far overhead of each cluster's nodes
 * @parallelism: how many nodes of speed 1 are never idle; more nodes share the work of these nodes
 * @is_hidden: the adaptation does not know the speeds of machines that are not in the run
 */
typedef struct
{
  SatinAdaptation *adaptation;
  gdouble speeds[GRID_CLUSTERS];
  guint n_machines[GRID_CLUSTERS];
  guint n_nodes[GRID_CLUSTERS];
  gdouble far_overhead[GRID_CLUSTERS];
  gdouble parallelism;
  gboolean is_hidden;
  guint n_least;
  guint n_most;
  gint64 now_us;
  guint n_asked;
  guint n_removed;
} Grid;

void grid_set_up (Grid *self, gconstpointer adaptation);
void grid_tear_down (Grid *self, gconstpointer adaptation);

/* Lets a period pass: the adaptation decides, and the grid changes accordingly. Sets @n_asked and
 * @n_removed. */
void grid_step (Grid *self);
/* Lets @n periods pass. Returns: how many nodes were asked for or removed */
guint grid_run (Grid *self, guint n);

guint grid_count (const Grid *self);
