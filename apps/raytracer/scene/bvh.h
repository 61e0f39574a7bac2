/* bvh.h - a tree of boxes over the primitives of a scene
 *
 * The nodes lie in one array in the order of a walk from the root, so that a
 * node's first child is the node after it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "primitive.h"

/* No path from the root is longer, whatever the primitives. */
#define BVH_MAX_DEPTH 64

/**
 * BvhNode:
 * @box: holds all that is below
 * @first: of a leaf: its first primitive; else the second child
 * @n_primitives: of a leaf: how many; 0 for an inner node
 * @axis: 0, 1 or 2; the first child's side has the lower coordinates
 */
typedef struct
{
  Box box;
  guint32 first;
  guint16 n_primitives;
  guint16 axis;
} BvhNode;

/**
 * bvh_build:
 * @primitives: (array length=n_primitives): brought into the order of the leaves
 * @n_primitives: may be 0, which gives no nodes
 *
 * Splits where the surface area heuristic expects the fewest tests. The same
 * primitives give the same tree.
 *
 * Cost: O(n log n) time, 96 bytes a primitive while it runs.
 *
 * Returns: (transfer full) (element-type BvhNode): the nodes
 */
GArray *bvh_build (Primitive *primitives, guint n_primitives);
