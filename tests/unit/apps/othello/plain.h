/* plain.h - simple and slow Othello functions, with which tests compare the fast ones
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "othello/evaluate.h"
#include "othello/position.h"

/* Returns: the discs that a disc on @square turns, found by walking from it in all directions */
static inline guint64
plain_flips (const Board *board, int square)
{
  guint64 flips = 0;
  for (int direction = 0; direction < 9; direction++)
    {
      int right = direction % 3 - 1, down = direction / 3 - 1;
      int file = square % 8 + right, rank = square / 8 + down;
      guint64 row = 0;
      if (right == 0 && down == 0)
        continue;
      for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += right, rank += down)
        {
          guint64 bit = (guint64)1 << (rank * 8 + file);
          if ((board->mine & bit) != 0)
            flips |= row;
          if ((board->theirs & bit) == 0)
            break;
          row |= bit;
        }
    }
  return flips;
}

/* Returns: all squares where a disc turns other discs */
static inline guint64
plain_moves (const Board *board)
{
  guint64 moves = 0;
  for (guint64 empty = board_empty (board); empty != 0; empty &= empty - 1)
    if (plain_flips (board, board_first (empty)) != 0)
      moves |= empty & -empty;
  return moves;
}

/* Returns: the value at @depth, found by trying all moves. board_moves() is tested in
 * test-board.c. */
static inline int
plain_value (const Board *board, int depth)
{
  Board passed = board_passed (board);
  guint64 moves = board_moves (board);
  int best = -BOARD_SQUARES;
  if (moves == 0 && board_moves (&passed) == 0)
    return board_final_score (board);
  if (depth == 0)
    return evaluate (board);
  if (moves == 0)
    return -plain_value (&passed, depth);
  for (; moves != 0; moves &= moves - 1)
    {
      int square = board_first (moves);
      Board after = board_after (board, square, board_flips (board, square));
      int value = -plain_value (&after, depth - 1);
      best = MAX (best, value);
    }
  return best;
}
