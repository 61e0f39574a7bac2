/* test-queens.c - tests the boards of N queens from which a tree of jobs is made
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tree/queens.h"

#include <math.h>

/* Figures of all boards with queens in a number of rows. With %QUEENS_ROWS rows, these boards are
 * leaves of the tree of jobs. */
typedef struct
{
  gint64 n;
  double sum;
  double squares;
  double largest;
} Leaves;

static void
collect (int n, const QueensBoard *board, int n_rows, Leaves *leaves)
{
  if (n_rows == 0)
    {
      double weight = queens_weight (n, board, 1);
      leaves->n++;
      leaves->sum += weight;
      leaves->squares += weight * weight;
      leaves->largest = MAX (leaves->largest, weight);
      return;
    }
  for (guint32 free = queens_free (n, board); free != 0; free &= free - 1)
    {
      QueensBoard next = queens_set (n, board, free & -free);
      collect (n, &next, n_rows - 1, leaves);
    }
}

static Leaves
collect_all (int n, int n_rows)
{
  const QueensBoard empty = { 0 };
  Leaves leaves = { 0 };
  collect (n, &empty, n_rows, &leaves);
  return leaves;
}

/* Two queens can stand in the first two of 10 rows in 72 ways. */
static void
test_queens_do_not_attack_each_other (void)
{
  g_assert_cmpint (collect_all (10, 1).n, ==, 10);
  g_assert_cmpint (collect_all (10, 2).n, ==, 72);
}

/* The real numbers were counted by a search. */
static void
test_boards_are_as_many_as_the_real_ones (void)
{
  g_assert_cmpint (collect_all (12, QUEENS_ROWS).n, ==, 16852);
  g_assert_cmpint (collect_all (14, QUEENS_ROWS).n, ==, 54068);
}

/* The positions below each board were counted by a search. @deviation and @largest are multiples of
 * the mean. */
static void
test_boards_differ_as_the_real_ones (void)
{
  static const struct
  {
    int n;
    double deviation;
    double largest;
  } real[] = { { 12, 0.51, 4.8 }, { 13, 0.49, 4.3 }, { 14, 0.47, 3.6 }, { 15, 0.45, 3.4 } };

  for (guint i = 0; i < G_N_ELEMENTS (real); i++)
    {
      Leaves leaves = collect_all (real[i].n, QUEENS_ROWS);
      double mean = leaves.sum / (double)leaves.n;
      double deviation = sqrt (leaves.squares / (double)leaves.n - mean * mean) / mean;
      g_assert_cmpfloat (fabs (deviation - real[i].deviation), <, 0.06);
      g_assert_cmpfloat (fabs (leaves.largest / mean - real[i].largest), <, 1.2);
    }
}

static void
test_seed_changes_the_weights (void)
{
  const QueensBoard board = { 0x15, 0x2a, 0x15 };
  g_assert_cmpfloat (queens_weight (12, &board, 1), !=, queens_weight (12, &board, 2));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/apps/queens/queens-do-not-attack-each-other",
                   test_queens_do_not_attack_each_other);
  g_test_add_func ("/apps/queens/boards-are-as-many-as-the-real-ones",
                   test_boards_are_as_many_as_the_real_ones);
  g_test_add_func ("/apps/queens/boards-differ-as-the-real-ones",
                   test_boards_differ_as_the_real_ones);
  g_test_add_func ("/apps/queens/seed-changes-the-weights", test_seed_changes_the_weights);
  return g_test_run ();
}
