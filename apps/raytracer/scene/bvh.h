/* bvh.h - a tree of boxes over the primitives of a scene
 *
 * The nodes lie in one array, in the order of a walk from the root. So the first child of a node is
 * the next node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "primitive.h"

/* The longest path from the root, for any primitives. */
#define BVH_MAX_DEPTH 64

/**
 * BvhNode:
 * @box: holds everything below
 * @first: in a leaf the index of its first primitive; in an inner node the index of its second
 *   child
 * @n_primitives: number of primitives of a leaf; 0 in an inner node
 * @axis: 0, 1 or 2: the axis of the split; the first child has the lower coordinates
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
 * @primitives: (array length=n_primitives): sorted into the order of the leaves
 * @n_primitives: may be 0, which gives no nodes
 *
 * Splits where the surface area heuristic expects the fewest tests. The same primitives always give
 * the same tree.
 *
 * Cost: O(n log n) time, 96 bytes a primitive while it runs.
 *
 * Returns: (transfer full) (element-type BvhNode): the nodes
 */
GArray *bvh_build (Primitive *primitives, guint n_primitives);
