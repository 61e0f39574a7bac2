/* tree.h - an octree of bodies, in arrays that can travel
 *
 * The cells lie in the order of a walk from the root. The first child of a cell is the next cell,
 * and everything below a cell is one run of cells and one run of points. So a tree from which some
 * parts were cut off consists of two arrays again, and a walk meets the remaining cells in the same
 * order.
 *
 * A cell may count as one mass if the distance from a box of targets to its centre of mass is large
 * enough. The centre lies within the bounds of the cell's points. The distance from any smaller box
 * inside that box is at least as large, also after rounding. So a cell that is far from a box is
 * far from each box inside it. And no cell is far from a box that contains one of its points.
 *
 * Threads: any; a tree does not change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/vector.h"

/* Cells with at most this many points are not divided. */
#define TREE_LEAF_POINTS 8
/* A tree has fewer levels than this. */
#define TREE_MAX_DEPTH 24
#define TREE_MAX_THETA 2.0

SATIN_RECORD (Point, (double, mass), (record, at, Vector))

/**
 * Cell:
 * @mass: the mass of all points below
 * @centre: the centre of that mass
 * @near_square: if the square of the distance is at most this, the cell must be opened
 * @next: index of the cell after everything that is below
 * @first: index of the first point below
 * @n_points: number of points below that are in this tree
 *
 * The cell is a leaf when @next is the next cell. A leaf without points is a cell whose lower part
 * was cut off because it is far away.
 */
SATIN_RECORD (Cell, (double, mass), (record, centre, Vector), (double, near_square), (int, next),
              (int, first), (int, n_points))

/* Free with satin_record_clear(). */
SATIN_RECORD (Tree, (array_record, cells, Cell), (array_record, points, Point))

/* The cells from @begin up to but not including @end, each with everything below it. Nothing of it
 * was cut off. */
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
 * @points: (array length=n_points): finite positions
 * @n_points: 1 or more
 * @theta: accuracy, 0 to %TREE_MAX_THETA. A cell may count as one mass from a distance of its size
 *   divided by this, plus the distance of its centre of mass from its middle; 0: never
 * @ret_tree: (out caller-allocates): its points are in the order of the leaves
 * @ret_order: (out) (transfer full) (array length=n_points): for each point of @ret_tree its index
 *   in @points
 *
 * Sorts the points along a curve through all cells of a fine grid. Points with the same first
 * digits form a cell. The same points always give the same tree.
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

/* Returns: index of the first point of a run */
static inline guint
tree_run_first (const Tree *tree, Run run)
{
  return (guint)tree->cells[run.begin].first;
}

/* Returns: number of points of a run */
guint tree_run_points (const Tree *tree, Run run);

/**
 * tree_split:
 * @grain: a part has this many points at most, unless it is a single cell
 * @ret_parts: (out caller-allocates) (array fixed-size=8)
 *
 * Divides a run of more than @grain points between its cells. If it has only one cell, divides the
 * cells below that one. A leaf is never divided.
 *
 * Returns: number of parts, which cover all points of @run in their order; 1 when the run cannot be
 *   divided
 */
guint tree_split (const Tree *tree, Run run, guint grain, Run *ret_parts);

/* Returns: the smallest box around the points. @n: 1 or more */
Box box_around (const Point *points, gsize n);

/* Whether @cell may count as one mass for all points in @box. */
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
 * @run: the cells on whose points the forces are wanted
 * @ret_tree: (out caller-allocates): the part of @tree that is necessary for these forces
 * @ret_run: (out): @run, as a run of @ret_tree
 *
 * Leaves out everything below cells that are far from all points of @run. The forces on these
 * points stay the same, to the last bit.
 *
 * Cost: O(cells and points in the new tree).
 */
void tree_cut (const Tree *tree, Run run, Tree *ret_tree, Run *ret_run);
