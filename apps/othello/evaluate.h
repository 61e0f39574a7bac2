/* evaluate.h - estimates a position, and orders the moves
 *
 * Threads: any; all functions are pure.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "board.h"

G_BEGIN_DECLS

/* No side has more moves than this. A position from a file or another node need not be reachable in
 * a game, and may have 35 moves for example. */
#define MOVES_MAX BOARD_SQUARES

/* As long as the game has not ended, estimates are from -ESTIMATE_MAX to ESTIMATE_MAX discs. */
#define ESTIMATE_MAX 60

/**
 * Move:
 * @square: the square of the disc
 * @cost: a higher number means that the move is tried later
 * @after: the position after the move
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
 * Estimates the final score from corners, the squares beside them, the number of moves, and the
 * empty squares beside discs. If the game has ended, the estimate is the score itself.
 *
 * Returns: the estimate, as the difference in discs for the side to move
 */
int evaluate (const Board *board);

/**
 * moves_order:
 * @squares: the moves, from board_moves()
 * @first: a square to try before all others, -1 for none
 * @ret_moves: (out caller-allocates): room for as many moves as @squares has
 *
 * Makes the moves and sorts them by cost. Moves that leave the other side few moves, above all few
 * corners, cost little and come first. Moves of equal cost are in the order of their squares.
 *
 * Returns: the number of moves
 */
int moves_order (const Board *board, guint64 squares, int first, Move *ret_moves);

G_END_DECLS
