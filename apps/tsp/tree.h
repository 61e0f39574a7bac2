/* tree.h - computes lower bounds for the search: the shortest tree that could be the rest of a tour
 *
 * The rest of a tour is a path through the cities that are left, joined to both ends of the path so
 * far. Such a path is also a tree. So the shortest tree through the cities that are left, with one
 * more edge to each of the two ends, is at most as long as the rest of any tour. This tree is easy
 * to find.
 *
 * Each city has a penalty. The penalty is added to all edges of the city, and twice subtracted from
 * the total length. A tour has two edges at each city, so the length of the tour stays the same.
 * But a tree with many edges at one city gets longer. With good penalties the shortest tree is
 * nearly a path.
 *
 * All numbers are whole. So rounding never makes a bound too large, and the bounds are the same on
 * every machine.
 *
 * Threads: any; each Tree belongs to one thread. Source: Held and Karp, "The Traveling-Salesman
 * Problem and Minimum Spanning Trees: Part II", Mathematical Programming 1, 1971.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "partial.h"

G_BEGIN_DECLS

/* Penalties, and lengths with penalties, are in parts: 1/TREE_PARTS of a unit of distance. */
#define TREE_PARTS 1024

/**
 * Tree:
 * @inner: length of the tree without the two edges to the path, minus twice the penalties, in parts
 * @length: length of the path and this tree together, in parts; no tour with that path is shorter
 * @next: the city of the tree to which the path's end is joined
 * @last: the city of the tree to which the path's beginning is joined; not @next, if two cities or
 *   more are left
 * @parent: for each city that is left its parent in the tree; -1 for the root
 * @degree: for each city that is left the number of its edges, with the edges to the path
 */
typedef struct
{
  gint64 inner;
  gint64 length;
  gint32 next;
  gint32 last;
  gint32 parent[INSTANCE_MAX_CITIES];
  gint32 degree[INSTANCE_MAX_CITIES];
} Tree;

/**
 * tree_build:
 * @partial: has at least one city left
 * @penalties: (array): the penalty of each city, in parts
 *
 * Cost: O(cities left, squared).
 *
 * Returns: %FALSE when no tour in the searched direction (partial.h) begins with this path
 */
gboolean tree_build (Tree *self, const Partial *partial, const gint64 *penalties);

/**
 * tree_bound_step:
 * @next: a city that is left
 *
 * Returns: a lower bound, in parts, for all tours that continue with @next; %G_MAXINT64 when there
 *   is no such tour
 */
gint64 tree_bound_step (const Tree *self, const Partial *partial, const gint64 *penalties,
                        gint32 next);

/* Returns: how far the tree is from being a path: the sum of (number of edges - 2) squared over the
 * cities. If the sum is 0, the tree is the shortest rest of a tour. */
gint32 tree_count_faults (const Tree *self, const Partial *partial);

/* Writes the tour that consists of the path and of a tree without faults. @ret_tour: (out
 * caller-allocates): room for all cities */
void tree_to_tour (const Tree *self, const Partial *partial, gint32 *ret_tour);

G_END_DECLS
