/* sky.h - where all bodies are in one iteration, as a shared object
 *
 * Only masses and places travel; the tree is built of them on each node, once, and is the same
 * everywhere. Nobody changes a sky: the next iteration has another one, and its name is made of
 * what is in it. So a job that runs again, maybe for another root, finds the sky that it means or
 * none.
 *
 * Threads: as a state of satin/so/type.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

#include "tree.h"

#define SKY_VALUES_PER_POINT 4

/* clang-format off */
/* @values: of each body its mass and three coordinates. */
SATIN_OBJECT_PACKED (sky, (double, theta), (array_double, values))
/* clang-format on */

/**
 * sky_state:
 * @points: (owned) (array length=n_points): in the order of the bodies
 * @tree: (owned)
 * @order: (owned) (array length=n_points): which body each point of the tree is
 */
typedef struct
{
  double theta;
  Point *points;
  guint n_points;
  Tree tree;
  guint32 *order;
} sky_state;

/* Of a sky with these places: the same for the same. Returns: (transfer full) */
char *sky_name (double theta, const Point *points, guint n_points);

/* What a sky begins with. Returns: (transfer full) (array): four doubles for each point */
double *sky_values (const Point *points, guint n_points);
