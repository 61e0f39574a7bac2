/* cluster.h - points of a star cluster, and trees of them, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "plummer.h"
#include "tree.h"

/* Returns: (transfer full): the masses and places of @bodies */
static inline Point *
points_of (const GArray *bodies)
{
  Point *points = g_new (Point, bodies->len);
  for (guint i = 0; i < bodies->len; i++)
    {
      const Body *body = &g_array_index (bodies, Body, i);
      points[i] = (Point){ body->mass, body->at };
    }
  return points;
}

/* Returns: (transfer full): the @n points of a random star cluster */
static inline Point *
cluster_points (guint n)
{
  g_autoptr (GArray) bodies = plummer_make (n, (guint64)g_test_rand_int ());
  return points_of (bodies);
}

/* Returns: the tree of @points; free it with satin_record_clear() */
static inline Tree
tree_of (const Point *points, guint n, double theta)
{
  Tree tree;
  g_autofree guint32 *order = NULL;
  tree_build (points, n, theta, &tree, &order);
  return tree;
}
