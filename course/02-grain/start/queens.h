/* queens.h - a board with blocked squares
 *
 * This file is given. The grader has its own copy, so it ignores your changes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "grain.h"

#define MAX_QUEENS 16

typedef struct
{
  int n;
  guint32 open[MAX_QUEENS]; /* for each row, a bit for each square that is not blocked */
} Board;

/* The board of a seed. A node that gets a job makes the board itself, so no job carries it. */
static inline const Board *
board_get (int n, int seed)
{
  static __thread Board board;
  static __thread int known_seed = -1;
  if (board.n == n && known_seed == seed)
    return &board;
  guint32 state = (guint32)seed;
  for (int row = 0; row < n; row++)
    {
      board.open[row] = (1u << n) - 1;
      for (int column = 0; seed != 0 && column < n; column++)
        {
          state = state * 1664525u + 1013904223u;
          if (state >> 28 == 0)
            board.open[row] &= ~(1u << column);
        }
    }
  board.n = n;
  known_seed = seed;
  return &board;
}

/* The squares of @row where a queen may stand, as bits. */
static inline guint32
board_free (const Board *board, int row, guint32 columns, guint32 left, guint32 right)
{
  return row == board->n ? 0 : board->open[row] & ~(columns | left | right);
}

static inline Position
board_position (const Board *board, int row, guint32 columns, guint32 left, guint32 right)
{
  guint32 all = (1u << board->n) - 1;
  return (Position){ .n = board->n,
                     .row = row,
                     .columns = columns,
                     .left = left & all,
                     .right = right & all,
                     .n_free = __builtin_popcount (board_free (board, row, columns, left, right)) };
}
