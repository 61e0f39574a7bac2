/* puzzle.h - the 15-puzzle: fifteen tiles and a gap in a square of four by four
 *
 * A move pushes a tile beside the gap into the gap. In the goal, the gap comes first, and then the
 * tiles in order.
 *
 * Threads: any. Source: R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree
 * search", Artificial Intelligence 27, 1985.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

#define PUZZLE_WIDTH   4
#define PUZZLE_N_CELLS (PUZZLE_WIDTH * PUZZLE_WIDTH)

/* No position needs more moves. Source: A. Bruengger et al., "The parallel search bench ZRAM and
 * its applications", Annals of Operations Research 90, 1999. */
#define PUZZLE_MAX_MOVES 80

/* A direction into which the gap moves. The opposite of a direction is the direction ^ 1. */
typedef enum
{
  PUZZLE_LEFT,
  PUZZLE_RIGHT,
  PUZZLE_UP,
  PUZZLE_DOWN,
  PUZZLE_N_DIRECTIONS,
} PuzzleDirection;

/**
 * Position:
 * @tiles: the tile in each cell, four bits each, the first cell lowest; 0 is the gap
 * @gap: the cell with the gap
 * @distance: sum of the distances of all tiles to their goals, in rows and columns: no solution has
 *   fewer moves
 * @last: the #PuzzleDirection of the last move, or %PUZZLE_N_DIRECTIONS before the first one
 */
SATIN_RECORD (Position, (long, tiles), (int, gap), (int, distance), (int, last))

/**
 * position_parse:
 * @text: the tiles of all cells with commas, 0 for the gap; or "korf:N" for position N of Korf's
 *   list, if puzzle.c has it
 * @ret_position: (out caller-allocates): untouched on failure
 * @error: %SATIN_ERROR_INVALID when @text is no position, or a position without a solution
 *
 * Returns: %TRUE on success
 */
gboolean position_parse (const char *text, Position *ret_position, GError **error);

/* Checks a position that may come from another node. @error: %SATIN_ERROR_JOB when a tile is
 * missing, @gap or @distance is not that of the tiles, or @last is out of its range. Returns: %TRUE
 * when the position is valid */
gboolean position_check (const Position *self, GError **error);

/* Makes the position after a move of the gap. Returns: %FALSE when the gap cannot move there, or
 * the move would undo the last one */
gboolean position_move (const Position *self, PuzzleDirection direction, Position *ret_position);

/**
 * position_count:
 * @n_moves: number of moves
 * @n_nodes: (inout): number of positions that were searched so far
 *
 * Counts the solutions of a position that have @n_moves, by depth-first search.
 *
 * Returns: number of solutions
 */
gint64 position_count (const Position *self, int n_moves, gint64 *n_nodes);

G_END_DECLS
