/* tree.h - the shortest tree that could be the rest of a tour
 *
 * The rest of a tour is a path through the cities that are left, joined to both
 * ends of what there is of the tour. A path is a tree; the shortest spanning tree
 * with an edge to each of the two ends is found at once, and is no longer than the rest.
 *
 * A penalty is added to all edges of a city and taken away twice again: a tour
 * passes each city once, so it is as long as before, but a tree with many
 * edges at one city gets longer. Good penalties bring it close to being a path.
 *
 * All is computed in whole numbers: a bound is never too large by a rounding error, and the same
 * on every machine.
 *
 * Threads: any, each with its own. Source: Held and Karp, "The Traveling-Salesman Problem and
 * Minimum Spanning Trees: Part II", Mathematical Programming 1, 1971.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "partial.h"

G_BEGIN_DECLS

/* Penalties and lengths with penalties are in parts of a unit of distance. */
#define TREE_PARTS 1024

/**
 * Tree:
 * @inner: of the tree without its two outer edges, less twice the penalties, in parts
 * @length: of the closed tour that is the path and this tree, in parts; no tour with that path is
 *   shorter
 * @next: the city that the path's end is joined to
 * @last: the city that the path's beginning is joined to; another one if two are left
 * @parent: for each city that is left the one that it is joined to; -1 for one of them
 * @degree: how many edges a city that is left has, outer ones too
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
 * @partial: at least one city is left
 * @penalties: (array): for each city, in parts
 *
 * Cost: O(cities left, squared).
 *
 * Returns: %FALSE when no tour that counts begins with this path
 */
gboolean tree_build (Tree *self, const Partial *partial, const gint64 *penalties);

/**
 * tree_bound_step:
 * @next: a city that is left
 *
 * Returns: a length, in parts, that no tour is shorter than which goes on to @next; %G_MAXINT64
 *   when there is no such tour
 */
gint64 tree_bound_step (const Tree *self, const Partial *partial, const gint64 *penalties,
                        gint32 next);

/* How far the tree is from being a path: the sum of squares of what each city has too many or too
 * few. At 0 there is no shorter rest of a tour. */
gint32 tree_count_faults (const Tree *self, const Partial *partial);

/* Writes the cities of a tree without faults behind those of the path. @ret_tour: (out
 * caller-allocates): all cities */
void tree_to_tour (const Tree *self, const Partial *partial, gint32 *ret_tour);

G_END_DECLS
