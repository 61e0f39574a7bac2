/* growth.h - counts polycubes that grow from a part, and can stop anywhere and divide there
 *
 * A polycube is a set of cells of the cubic grid that hang together by faces. Two polycubes are
 * different unless a move along the axes makes them equal. In two dimensions a polycube is a
 * polyomino.
 *
 * A growth has a list of cells. It decides for one cell after the other whether the cell belongs to
 * the polycube. When a cell is taken, its neighbours that are not in the list yet are added at the
 * end of the list. The first cell is the lowest of the polycube: no cell before it in the order of
 * the coordinates can be taken. So the decisions and the polycube follow from each other, and no
 * polycube is counted twice.
 *
 * A growth can stop after any number of polycubes, and list the *places* where it would continue.
 * The places have no polycubes in common, so each of them can be counted by a different job.
 *
 * Threads: one at a time for each growth. Source: D. H. Redelmeier, "Counting polyominoes: yet
 * another attack", Discrete Mathematics 36, 1981.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

/* With two more cells, the number of polycubes would not fit into 63 bits. */
#define GROWTH_MAX_CELLS 22

/* A polycube of N cells has at most 4 N + 2 neighbours. */
#define GROWTH_MAX_LIST (GROWTH_MAX_CELLS + 4 * GROWTH_MAX_CELLS + 2)

/* Grid of the largest polycubes: see growth.c. */
#define GROWTH_MAX_WIDTH (2 * GROWTH_MAX_CELLS + 1)
#define GROWTH_MAX_GRID  (GROWTH_MAX_WIDTH * GROWTH_MAX_WIDTH * (GROWTH_MAX_CELLS + 2))

/* A place lacks at least this many cells, so that a job for it is worth its cost. */
#define GROWTH_PLACE_CELLS 5

/**
 * Place:
 * @low: bit i: cell i of the list was taken
 * @high: the same for the cells from 64 on
 * @next: index of the cell that is decided next
 *
 * A place where a growth begins or continues.
 */
SATIN_RECORD (Place, (long, low), (long, high), (int, next))

/* Where a growth begins that counts all polycubes. */
#define PLACE_OF_ALL ((Place){ 0 })

/**
 * GrowthLevel:
 * @next: index of the cell that is decided next
 * @end: number of cells in the list
 *
 * A polycube that is not complete. The next cell that it takes may be each cell of the list from
 * @next up to but not including @end.
 */
typedef struct
{
  int next;
  int end;
} GrowthLevel;

/**
 * Growth:
 * @first: where the growth began
 * @n_cells: number of cells of the polycubes that are counted
 * @n_first: number of cells that were taken where the growth began
 * @n_steps: number of neighbours of a cell
 * @steps: the differences between the index of a cell and those of its neighbours
 * @n_counted: number of polycubes counted so far
 * @depth: index of the last level; -1 when all are counted. Each level has one cell more than
 *   the level before it
 * @list: indices of cells in the grid
 * @is_known: for each cell of the grid: 1 if it is in the list, or never can be, else 0
 */
typedef struct
{
  Place first;
  int n_cells;
  int n_first;
  int n_steps;
  int steps[6];
  gint64 n_counted;
  int depth;
  GrowthLevel levels[GROWTH_MAX_CELLS];
  int list[GROWTH_MAX_LIST];
  guint8 is_known[GROWTH_MAX_GRID];
} Growth;

/**
 * growth_init:
 * @place: where to begin; it may come from another node
 * @n_cells: from 1 to %GROWTH_MAX_CELLS
 * @n_dimensions: 2 or 3
 * @error: %SATIN_ERROR_JOB when a number is out of its range, or no growth has such a place
 *
 * Returns: %TRUE on success
 */
gboolean growth_init (Growth *self, const Place *place, int n_cells, int n_dimensions,
                      GError **error);

/* Counts at least @n more polycubes, if there are as many. Returns: %TRUE when all are counted */
gboolean growth_run (Growth *self, gint64 n);

/**
 * growth_list_places:
 * @ret_places: (out caller-allocates): room for %GROWTH_MAX_CELLS places
 *
 * Lists the places where the growth would continue, the places with the fewest cells first.
 *
 * Returns: number of places
 */
int growth_list_places (const Growth *self, Place *ret_places);

G_END_DECLS
