/* tree.h - an octree of bodies, in arrays that can be arguments of a job
 *
 * The cells lie in the order of a walk from the root: after each cell come all cells below it. So
 * the first child of a cell is the next cell, and all cells and all points below a cell lie side by
 * side. When parts of a tree are cut off, the rest is again two arrays, and a walk meets the
 * remaining cells in the same order.
 *
 * A cell may count as one mass for all bodies in a box if the cell is far from the box: if the
 * distance from the box to the cell's centre of mass is large enough. That distance can only grow
 * when the box becomes smaller, also after rounding. So a cell that is far from a box is far from
 * each box inside it. With a theta of at most 2 / sqrt (3), no cell is far from a box that contains
 * one of the cell's points.
 *
 * Threads: any; a tree does not change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/vector.h"

/* Cells with at most this many points are not divided. */
#define TREE_LEAF_POINTS 8
/* tree_check() refuses a tree with more levels. A tree of tree_build() has at most 22 levels. */
#define TREE_MAX_DEPTH 24
/* The most children of a cell, and the most cells of a run, not counting cells below its cells. */
#define TREE_MAX_CHILDREN 8
/* With more than 2 / sqrt (3) a cell could count as far from a point that lies in it. */
#define TREE_MAX_THETA 1.15

SATIN_RECORD (Point, (double, mass), (record, at, Vector))

/**
 * Cell:
 * @mass: the mass of all points below
 * @centre: the centre of that mass
 * @near_square: the cell is far from a box if the square of the distance from the box to @centre is
 *   above this
 * @next: index of the next cell that is not below this cell
 * @first: index of the first point below
 * @n_points: number of points below that are in this tree
 *
 * The cell is a leaf when @next is the index after its own. A leaf without points is a far cell:
 * tree_cut() has cut off everything below it.
 */
SATIN_RECORD (Cell, (double, mass), (record, centre, Vector), (double, near_square), (int, next),
              (int, first), (int, n_points))

/* Free with satin_record_clear(). */
SATIN_RECORD (Tree, (array_record, cells, Cell), (array_record, points, Point))

/* Neighbouring cells of a tree with everything below them: the cells from @begin up to but not
 * including @end. Nothing below them was cut off. */
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
 * @theta: accuracy, 0 to %TREE_MAX_THETA. A cell is far from a box if its centre of mass is farther
 *   from the box than its longest side divided by @theta, plus the distance of its centre of mass
 *   from its middle; 0: no cell is far
 * @ret_tree: (out caller-allocates): its points are in the order of the leaves
 * @ret_order: (out) (transfer full) (array length=n_points): for each point of @ret_tree its index
 *   in @points
 *
 * Numbers the fields of a fine grid, so that the number of a field has an octal digit for each
 * level of the tree. Sorts the points by these numbers. Points whose numbers begin with the same
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

/* Returns: the index of the first point of a run */
static inline guint
tree_run_first (const Tree *tree, Run run)
{
  return (guint)tree->cells[run.begin].first;
}

/* Returns: the number of points of a run */
guint tree_run_points (const Tree *tree, Run run);

/**
 * tree_split:
 * @grain: a part has this many points at most, unless it is a single cell
 * @ret_parts: (out caller-allocates) (array fixed-size=TREE_MAX_CHILDREN)
 *
 * Divides a run of more than @grain points into runs of fewer cells. If the run is one cell,
 * divides the children of that cell. A leaf is never divided.
 *
 * Returns: the number of parts, which together have all points of @run, in the same order; 1 when
 *   the run cannot be divided
 */
guint tree_split (const Tree *tree, Run run, guint grain, Run *ret_parts);

/**
 * tree_check:
 * @tree: any arrays, maybe of a damaged node
 * @error: %SATIN_ERROR_JOB when the arrays are no tree
 *
 * Checks what walks over the tree rely on: the cells nest and are not too deep, and divide the
 * points among them in their order. Cost: O(cells), about 2 ns a cell.
 */
gboolean tree_check (const Tree *tree, GError **error);

/**
 * tree_check_run:
 * @tree: a tree that tree_check() accepts
 * @begin: any number
 * @end: any number
 * @error: %SATIN_ERROR_JOB when the cells are not a run, or cells below them were cut off
 *
 * Cost: O(cells of the run).
 */
gboolean tree_check_run (const Tree *tree, gint32 begin, gint32 end, GError **error);

/* Returns: the smallest box around the points. @n: 1 or more */
Box box_around (const Point *points, gsize n);

/* Whether @cell is far from @box, so that it may count as one mass for all points in @box. */
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
 * Leaves out everything below cells that are far from the box around the points of @run. The forces
 * on these points stay the same, to the last bit.
 *
 * Cost: O(cells and points in the new tree).
 */
void tree_cut (const Tree *tree, Run run, Tree *ret_tree, Run *ret_run);
