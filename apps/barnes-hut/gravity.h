/* gravity.h - computes the forces on bodies, with and without a tree
 *
 * The points of one small cell of the tree form a group, and share one walk through the tree. The
 * walk lists the masses that pull at the group: single points, and whole cells that are far from
 * the box around the group. A force is the sum over that list, in the order of the list. The groups
 * and lists do not depend on how the work is divided into jobs. So a force has the same bits on
 * every node, in every job, and from every tree that contains what is necessary. Bodies at the same
 * place do not pull at each other.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tree.h"

/* The most points of a group that is not a leaf. A leaf is one group, however many points it has.
 */
#define GRAVITY_GROUP_POINTS 32

/* The force on a mass of 1, and the potential energy of that mass, which is below 0. */
SATIN_RECORD (Force, (record, acceleration, Vector), (double, potential))

/**
 * gravity_of_run:
 * @tree: has everything that is necessary for @run
 * @run: its cells must not divide a group
 * @softening: length; a distance d counts as sqrt (d^2 + softening^2)
 * @ret_forces: (out caller-allocates): the forces on the points of @run, in their order
 *
 * Cost: for each point, about 2 ns for each mass in the list of its group. A list has 500 masses
 * with theta 1, and 2,000 with theta 0.5.
 */
void gravity_of_run (const Tree *tree, Run run, double softening, Force *ret_forces);

/* Computes the forces on the @n points from @first on without a tree, as sums over all @points. */
void gravity_of_points (const Point *points, gsize n_points, guint first, guint n, double softening,
                        Force *ret_forces);
