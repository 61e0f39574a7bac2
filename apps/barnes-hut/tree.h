/* tree.h - an octree of bodies, in arrays that travel
 *
 * Cells lie in the order of a walk from the root: the first child of a cell is
 * the next one, and what is below a cell is a run of cells and a run of
 * points. So a part of the tree that is cut off somewhere is two arrays again,
 * and a walk meets what is left in the same order.
 *
 * Whether a cell may be taken for one mass is a matter of the distance from a box
 * of targets to its centre of mass, which lies within the bounds of its points. From any part of
 * that box the distance is no less, also when rounded. A cell that is far from a box is far from
 * each box in it, and none is ever far from a box that it has a point in.
 *
 * Threads: any; a tree does not change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/vector.h"

/* Cells with so few points are not divided. */
#define TREE_LEAF_POINTS 8
/* The levels of a tree are fewer. */
#define TREE_MAX_DEPTH 24
#define TREE_MAX_THETA 2.0

SATIN_RECORD (Point, (double, mass), (record, at, Vector))

/**
 * Cell:
 * @mass: of all that is below
 * @centre: of that mass
 * @near_square: up to this square of a distance it has to be opened
 * @next: the cell that comes after all that is below
 * @first: the points below that are in this tree
 * @n_points: how many those are
 *
 * It is a leaf when @next is the next cell: one with points, or, with none, what was cut
 * off for it is far away.
 */
SATIN_RECORD (Cell, (double, mass), (record, centre, Vector), (double, near_square), (int, next),
              (int, first), (int, n_points))

/* Free with satin_record_clear(). */
SATIN_RECORD (Tree, (array_record, cells, Cell), (array_record, points, Point))

/* Cells from @begin to before @end, each with all that is below it, nothing of which was cut. */
typedef struct
{
  guint begin, end;
} Run;

typedef struct
{
  Vector low, high;
} Box;

/**
 * tree_build:
 * @points: (array length=n_points): at finite places
 * @n_points: 1 or more
 * @theta: 0 to %TREE_MAX_THETA: a cell may be taken for one mass from further away than its size
 *   divided by this and, beyond that, as far as its centre of mass is from its middle; 0: never
 * @ret_tree: (out caller-allocates): the points are in the order of their leaves
 * @ret_order: (out) (transfer full) (array length=n_points): which of @points each of them is
 *
 * Sorts the points along a curve through all the cells of a fine grid, and makes cells of those
 * with the same first digits. The same points give the same tree.
 *
 * Cost: O(n_points), about 0.2 us a point.
 */
void tree_build (const Point *points, guint n_points, double theta, Tree *ret_tree,
                 guint32 **ret_order);

/* All cells of @tree. */
static inline Run
tree_all (const Tree *tree)
{
  return (Run){ 0, (guint)tree->n_cells };
}

static inline gboolean
tree_is_leaf (const Tree *tree, guint cell)
{
  return (guint)tree->cells[cell].next == cell + 1;
}

/* The first point of a run. */
static inline guint
tree_run_first (const Tree *tree, Run run)
{
  return (guint)tree->cells[run.begin].first;
}

/* How many points a run has. */
guint tree_run_points (const Tree *tree, Run run);

/**
 * tree_split:
 * @grain: parts have so many points at most, unless they are one cell
 * @ret_parts: (out caller-allocates) (array fixed-size=8)
 *
 * Divides a run of more than @grain points among its cells or, when it has one only, the cells
 * below that. What is below a leaf is not divided.
 *
 * Returns: the number of parts, which cover all points of @run in their order; 1 when it cannot be
 *   divided
 */
guint tree_split (const Tree *tree, Run run, guint grain, Run *ret_parts);

/* The least box around points; @n is 1 or more. */
Box box_around (const Point *points, gsize n);

/* Whether what is in @box may take @cell for one mass. */
static inline gboolean
cell_is_far (const Cell *cell, const Box *box)
{
  Vector below = vector_subtract (box->low, cell->centre);
  Vector above = vector_subtract (cell->centre, box->high);
  Vector distance = vector_high (vector_high (below, above), vector (0, 0, 0));
  return vector_dot (distance, distance) > cell->near_square;
}

/**
 * tree_cut:
 * @run: what forces are wanted of
 * @ret_tree: (out caller-allocates): the tree that is necessary for that
 * @ret_run: (out): @run in it
 *
 * Leaves out what is below cells that are far from all of @run. The forces on it are the same,
 * to the last bit.
 *
 * Cost: O(cells and points in the new tree).
 */
void tree_cut (const Tree *tree, Run run, Tree *ret_tree, Run *ret_run);
