/* evaluate.h - what a position looks worth, and which moves to try first
 *
 * Threads: any; all functions are pure.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "board.h"

G_BEGIN_DECLS

/* No side has more moves than this. */
#define MOVES_MAX 34

/* Estimates are between -ESTIMATE_MAX and ESTIMATE_MAX discs. */
#define ESTIMATE_MAX 60

/**
 * Move:
 * @square: where the disc goes
 * @cost: what tells against trying it early
 * @after: the position after it
 */
typedef struct
{
  int square;
  int cost;
  Board after;
} Move;

/**
 * evaluate:
 * @board: any position
 *
 * Estimates the score of a game that goes on from here by corners, the squares beside them, moves,
 * and empty squares beside discs; the score itself when the game is over.
 *
 * Returns: discs for the side to move
 */
int evaluate (const Board *board);

/**
 * moves_order:
 * @squares: from board_moves()
 * @first: a square to try before all others, -1 for none
 * @ret_moves: (out caller-allocates): %MOVES_MAX
 *
 * Makes the moves and sorts them: those that leave the other side few moves, above all in corners,
 * come first; equal ones by square.
 *
 * Returns: how many there are
 */
int moves_order (const Board *board, guint64 squares, int first, Move *ret_moves);

G_END_DECLS
