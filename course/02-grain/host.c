/* host.c - asks a student's is_worth_jobs() about all positions that come up, and prints the
 * positions that this function wants to divide
 *
 *   host N SEED
 *
 * The grader gives this list to a program with table.c, which simulates a run with these answers.
 * So the list decides where the run makes jobs; it has no figure that a student could forge. The
 * board is walked twice, in two orders: if the answers differ, the function depends on more than
 * the position.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "queens.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_DIVIDED 30000

static long n_divided;
static guint64 digest;

/* Asks about a position and, if it is divided, about those below it. The digest does not depend on
 * the order of the walk. */
static void
walk (const Board *board, int row, guint32 columns, guint32 left, guint32 right, gboolean is_second)
{
  Position position = board_position (board, row, columns, left, right);
  if (row == board->n || !is_worth_jobs (&position))
    return;
  if (++n_divided > MOST_DIVIDED)
    {
      puts ("many");
      exit (0);
    }
  guint64 key = ((guint64)columns << 40) ^ ((guint64)position.left << 20) ^ position.right;
  digest += (key + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  if (!is_second)
    printf ("%x %x %x\n", columns, position.left, position.right);
  guint32 free = board_free (board, row, columns, left, right);
  while (free != 0)
    {
      guint32 queen = is_second ? 1u << (31 - __builtin_clz (free)) : free & -free;
      free &= ~queen;
      walk (board, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1, is_second);
    }
}

int
main (int argc, char **argv)
{
  const Board *board = board_get (atoi (argv[1]), atoi (argv[2]));
  walk (board, 0, 0, 0, 0, FALSE);
  guint64 first = digest;
  digest = n_divided = 0;
  walk (board, 0, 0, 0, 0, TRUE);
  puts (digest == first ? "end" : "differs");
  return 0;
}
