/* queens.c - counts the ways to set N queens on a board with blocked squares
 *
 *   queens N [SEED]
 *
 * Given. Each square of the board is blocked with a chance of 1 in 16, which follows from the seed.
 * Seed 0, the default, blocks none. In the simulation the spawn of a job takes 50 us (--spawn-ns
 * 50000), and each position that is looked at takes 1 us.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "queens.h"

#include <satin/core.h>
#include <stdlib.h>

#define POSITION_NS 1000

/* Counts the ways in which the rest of the board can be filled, and adds to *@n_positions how many
 * positions it has looked at. */
static gint64
search (const Board *board, int row, guint32 columns, guint32 left, guint32 right,
        gint64 *n_positions)
{
  gint64 total = 0;
  ++*n_positions;
  if (row == board->n)
    return 1;
  for (guint32 free = board_free (board, row, columns, left, right); free != 0; free &= free - 1)
    {
      guint32 queen = free & -free;
      total += search (board, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1,
                       n_positions);
    }
  return total;
}

SATIN_TASK (queens, (long), (int, n), (int, seed), (int, row), (int, columns), (int, left),
            (int, right))
{
  const Board *board = board_get (n, seed);
  Position position = board_position (board, row, columns, left, right);
  if (row == n || !is_worth_jobs (&position))
    {
      gint64 n_positions = 0, total = search (board, row, columns, left, right, &n_positions);
      satin_charge (n_positions * POSITION_NS);
      return total;
    }
  satin_charge (POSITION_NS);
  gint64 counts[MAX_QUEENS], total = 0;
  guint n_counts = 0;
  for (guint32 free = board_free (board, row, columns, left, right); free != 0; free &= free - 1)
    {
      guint32 queen = free & -free;
      SATIN_SPAWN (&counts[n_counts++], queens, n, seed, row + 1, columns | queen,
                   (left | queen) << 1, (right | queen) >> 1);
    }
  SATIN_SYNC_OR_RETURN (0);
  for (guint i = 0; i < n_counts; i++)
    total += counts[i];
  return total;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  int n = n_argv > 1 ? atoi (argv[1]) : 0, seed = n_argv > 2 ? atoi (argv[2]) : 0;
  if (n < 4 || n > MAX_QUEENS)
    return g_printerr ("usage: queens N [SEED], N from 4 to %d\n", MAX_QUEENS), 2;
  gint64 total;
  SATIN_SPAWN (&total, queens, n, seed, 0, 0, 0, 0);
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%" G_GINT64_FORMAT "\n", total);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
