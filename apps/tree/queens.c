/* queens.c - the shape "queens": boards of N queens, and how long each takes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "queens.h"

#include <satin/base/random.h>

#include <math.h>

#include "shape.h"

/* The exponent of the estimate in queens.h is POWER_A_ROW * N + POWER_BASE. */
#define POWER_A_ROW 1.82
#define POWER_BASE  (-16.3)
/* Each estimate is multiplied by a random factor between exp (-SCATTER / 2) and exp (SCATTER / 2).
 */
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
  guint64 number = satin_random_mix ((guint64)board->columns << 32 | board->left);
  double chance =
      satin_random_share (satin_random_mix (number ^ board->right ^ (guint64)seed << 32));
  return pow ((double)MAX (n_free, 1) / (n_rows * n_rows), POWER_A_ROW * n + POWER_BASE)
         * exp (SCATTER * (chance - 0.5));
}

/* ---- as a shape ---- */

static QueensBoard
board_of (const Piece *piece)
{
  return (QueensBoard){ (guint32)piece->x, (guint32)piece->y, (guint32)piece->number };
}

static void
begin (const Tree *tree, Piece *ret_root)
{
}

static guint
divide (const Tree *tree, const Piece *piece, Piece *ret_children)
{
  const QueensBoard board = board_of (piece);
  guint n_children = 0;
  if (piece->level == QUEENS_ROWS)
    return 0;
  for (guint32 free = queens_free (tree->size, &board); free != 0; free &= free - 1)
    {
      QueensBoard next = queens_set (tree->size, &board, free & -free);
      ret_children[n_children++] = (Piece){ .level = piece->level + 1,
                                            .x = (gint32)next.columns,
                                            .y = (gint32)next.left,
                                            .number = next.right };
    }
  return n_children;
}

static double
weigh (const Tree *tree, const Piece *leaf)
{
  const QueensBoard board = board_of (leaf);
  gboolean is_dead_end = leaf->level < QUEENS_ROWS;
  return is_dead_end ? 0 : queens_weight (tree->size, &board, tree->seed);
}

static gboolean
is_piece (const Tree *tree G_GNUC_UNUSED, const Piece *piece)
{
  return piece->level >= 0 && piece->level <= QUEENS_ROWS;
}

const Shape queens_shape = {
  .name = "queens",
  .what = "N",
  .min = QUEENS_MIN,
  .max = QUEENS_MAX,
  .begin = begin,
  .divide = divide,
  .weigh = weigh,
  .is_piece = is_piece,
};
