/* gravity.h - computes the forces on bodies, with and without a tree
 *
 * Bodies that are near each other in the tree form a group and share one walk through the tree. The
 * walk lists the masses that pull at all of them: points, and whole cells that are far from the box
 * around the group. A force is the sum over that list in its order. So it has the same bits on
 * every node, in every group, and from every tree that has what is necessary. Bodies at the same
 * place do not pull at each other.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tree.h"

/* The most points of a group. A leaf is one group, however many points it has. */
#define GRAVITY_GROUP_POINTS 32

/* The force on a mass of 1, and its potential energy, which is below 0. */
SATIN_RECORD (Force, (record, acceleration, Vector), (double, potential))

/**
 * gravity_of_run:
 * @tree: has everything that is necessary for @run
 * @run: its cells must not divide a group
 * @softening: length; a distance d counts as sqrt (d^2 + softening^2)
 * @ret_forces: (out caller-allocates): the forces on the points of @run, in their order
 *
 * Cost: about 2 ns for each mass in the list; with theta from 1 to 0.5 these are 500 to 2,000.
 */
void gravity_of_run (const Tree *tree, Run run, double softening, Force *ret_forces);

/* Like gravity_of_run(), without a tree: sums over all points. Computes the forces on @n of them
 * from @first on. */
void gravity_of_points (const Point *points, gsize n_points, guint first, guint n, double softening,
                        Force *ret_forces);
