/* sky.h - the positions of all bodies in one iteration, as a shared object
 *
 * Only theta, the masses and the positions are sent to other nodes. Each node builds the tree from
 * them once, and the tree is the same everywhere. A sky never changes: each iteration makes a new
 * sky, whose name is the number of the iteration. All nodes compute the same bits, so the sky of an
 * iteration is the same, too, if another master computes it again.
 *
 * Threads: as for a state of satin/so/type.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

#include "tree.h"

#define SKY_VALUES_PER_POINT 4

/* clang-format off */
/* @values: the mass and three coordinates of each body, body after body */
SATIN_OBJECT_PACKED (sky, (double, theta), (array_double, values))
/* clang-format on */

/**
 * sky_state:
 * @points: (owned) (array length=n_points): in the order of the bodies
 * @tree: (owned)
 * @order: (owned) (array length=n_points): for each point of the tree the index of its body
 */
typedef struct
{
  double theta;
  Point *points;
  guint n_points;
  Tree tree;
  guint32 *order;
} sky_state;

/* Returns: (transfer full): the name of the sky of an iteration */
char *sky_name (gint iteration);

/* Returns: (transfer full) (array): the initial value of a sky: four doubles for each point */
double *sky_values (const Point *points, guint n_points);
