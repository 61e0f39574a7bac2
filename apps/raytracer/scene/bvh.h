/* bvh.h - a tree of boxes over the primitives of a scene
 *
 * The nodes lie in one array: after each node come all nodes below its first child, and then all
 * nodes below its second child. So the first child of a node is the next node of the array.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "primitive.h"

/* No node is deeper than this, whatever the primitives are. */
#define BVH_MAX_DEPTH 64

/**
 * BvhNode:
 * @box: encloses all primitives below the node
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
 * @primitives: (inout) (array length=n_primitives): the function sorts them into the order of the
 *   leaves
 * @n_primitives: may be 0: then the tree has no nodes
 *
 * Splits each set of primitives where the surface area heuristic (bvh.c) expects the fewest tests.
 * The same primitives always give the same tree.
 *
 * Cost: O(n log n) time; 168 bytes for each primitive while the function runs.
 *
 * Returns: (transfer full) (element-type BvhNode): the nodes
 */
GArray *bvh_build (Primitive *primitives, guint n_primitives);
