/* grid.h - nodes and clusters that a test changes, and what an adaptation decides for them
 *
 * A period is a second. What is asked for joins before the next one, what is removed is gone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt.h>

#define GRID_CLUSTERS 4
#define GRID_NODES    400

/**
 * Grid:
 * @speeds: of the machines of each cluster, the unit is free
 * @n_machines: of each cluster, in all
 * @n_nodes: of them in the run
 * @far_overhead: of each cluster's nodes
 * @parallelism: so many nodes of speed 1 are never idle; of more, the work is divided among them
 * @is_hidden: the speeds of machines that are not in the run are not known
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

/* A period passes: the adaptation decides, and so it is done. @n_asked, @n_removed say how many. */
void grid_step (Grid *self);
/* @n of them. Returns: how many nodes were asked for or removed */
guint grid_run (Grid *self, guint n);

guint grid_count (const Grid *self);
