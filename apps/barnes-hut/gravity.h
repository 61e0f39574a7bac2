/* gravity.h - what pulls at bodies, and how much
 *
 * Bodies that are near each other in the tree share one walk, which lists
 * what pulls at all of them: points, and cells that are far from the box around
 * them. A force is the sum over that list in its order, so it does not
 * depend on who computes it, with which other bodies, or from how much of the
 * tree. Bodies at the same place do not pull at each other.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tree.h"

/* So many points share a walk at most, unless they have one key. */
#define GRAVITY_GROUP_POINTS 32

/* The force on a mass of 1, and its potential energy, which is below 0. */
SATIN_RECORD (Force, (record, acceleration, Vector), (double, potential))

/**
 * gravity_of_run:
 * @tree: all that is necessary for @run
 * @run: cells that hold no part of a group without the rest of it
 * @softening: length, added to distances as if at right angles
 * @ret_forces: (out caller-allocates): one for each point of @run, in their order
 *
 * Cost: about 2 ns for each of the 500 to 2,000 that pull at a point, with theta from 1 to 0.5.
 */
void gravity_of_run (const Tree *tree, Run run, double softening, Force *ret_forces);

/* The same without a tree, for @n of all points from @first on, by summing over all. */
void gravity_of_points (const Point *points, gsize n_points, guint first, guint n, double softening,
                        Force *ret_forces);
