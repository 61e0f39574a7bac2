/* queens.c - boards of N queens and how long one takes, without searching it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "queens.h"
#include "number.h"

#include <math.h>

/* How the weight follows from the free squares, see queens.h. */
#define POWER_A_ROW 1.82
#define POWER_BASE  (-16.3)
/* The scatter: a factor of e to the power of half of this, up and down, at most. */
#define SCATTER 0.8

static guint32
all_columns (int n)
{
  return ((guint32)1 << n) - 1;
}

guint32
queens_free (int n, const QueensBoard *board)
{
  return all_columns (n) & ~(board->columns | board->left | board->right);
}

QueensBoard
queens_set (int n, const QueensBoard *board, guint32 queen)
{
  return (QueensBoard){
    .columns = board->columns | queen,
    .left = all_columns (n) & ((board->left | queen) << 1),
    .right = (board->right | queen) >> 1,
  };
}

double
queens_weight (int n, const QueensBoard *board, gint64 seed)
{
  int n_rows = n - QUEENS_ROWS;
  int n_free = 0;
  QueensBoard row = *board;
  for (int i = 0; i < n_rows; i++)
    {
      n_free += __builtin_popcount (queens_free (n, &row));
      row.left <<= 1;
      row.right >>= 1;
    }
  guint64 number = number_mix ((guint64)board->columns << 32 | board->left);
  double chance = number_to_share (number_mix (number ^ board->right ^ (guint64)seed << 32));
  return pow ((double)MAX (n_free, 1) / (n_rows * n_rows), POWER_A_ROW * n + POWER_BASE)
         * exp (SCATTER * (chance - 0.5));
}

static double
total_below (int n, const QueensBoard *board, int n_rows, gint64 seed)
{
  if (n_rows == 0)
    return queens_weight (n, board, seed);
  double total = 0;
  for (guint32 free = queens_free (n, board); free != 0; free &= free - 1)
    {
      QueensBoard next = queens_set (n, board, free & -free);
      total += total_below (n, &next, n_rows - 1, seed);
    }
  return total;
}

double
queens_total (int n, gint64 seed)
{
  QueensBoard empty = { 0 };
  return total_below (n, &empty, QUEENS_ROWS, seed);
}
