/* walk.h - counts the descendants of a semigroup, and can stop anywhere and divide there
 *
 * A walk goes depth first through the tree of semigroups. It can stop after any number of
 * semigroups, and list the *places* where it would continue. The places have no semigroups in
 * common, so each of them can be counted by a different job.
 *
 * Threads: one at a time for each walk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "semigroup.h"

G_BEGIN_DECLS

/* A place has at least this many generations below it, so that a job for it is worth its cost. */
#define WALK_PLACE_GENERATIONS 8

/**
 * WalkLevel:
 * @n_sums: in how many ways each number is the sum of two elements; only from the conductor on
 * @multiplicity: least element above 0
 * @generators: generators that are at least the conductor, in ascending order: each leads to a
 *   child
 * @n: number of generators
 * @next: index of the next child
 *
 * A semigroup on the path from the first semigroup to the current one.
 */
typedef struct
{
  Numbers n_sums;
  int multiplicity;
  guint8 generators[2 * SEMIGROUP_MAX_GENUS];
  int n;
  int next;
} WalkLevel;

/**
 * Walk:
 * @first: gaps of the semigroup where the walk began
 * @genus: semigroups of this genus are counted
 * @n_generations: number of generations below the semigroup where the walk began
 * @is_element: the elements of the last level's semigroup
 * @depth: index of the last level; -1 when the walk has ended
 * @n_counted: number of semigroups counted so far
 */
typedef struct
{
  Gaps first;
  int genus;
  int n_generations;
  Numbers is_element;
  int depth;
  gint64 n_counted;
  WalkLevel levels[SEMIGROUP_MAX_GENUS];
} Walk;

/**
 * walk_init:
 * @gaps: where to begin; they may come from another node
 * @genus: semigroups of this genus are counted
 * @error: %SATIN_ERROR_JOB when @gaps are not the gaps of a semigroup, or not from one to @genus
 *   gaps, or @genus is above %SEMIGROUP_MAX_GENUS
 *
 * Returns: %TRUE on success
 */
gboolean walk_init (Walk *self, const Gaps *gaps, int genus, GError **error);

/* Counts at least @n more semigroups, if there are as many. Returns: %TRUE when all are counted */
gboolean walk_run (Walk *self, gint64 n);

/**
 * walk_list_places:
 * @ret_n: (out): number of places
 *
 * Lists the places where the walk would continue, the places with the most generations below them
 * first.
 *
 * Returns: (transfer full) (array length=ret_n): free with g_free()
 */
Gaps *walk_list_places (const Walk *self, gsize *ret_n);

G_END_DECLS
