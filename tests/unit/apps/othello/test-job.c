/* test-job.c - jobs of othello refuse positions and questions that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../wrong-job.h"

#include "othello/othello.c"
#undef main

static const SearchHow how = { .grain = -1, .n_elders = 1 };

/* Runs a job about the initial position. */
static void
assert_refused (SatinWorkers *workers, const char *reason, SatinObject table, int depth, int beta,
                SearchHow search)
{
  const Board *board = &board_start;
  Answer answer;
  ASSERT_REFUSED (workers, reason, &answer, othello, table, (gint64)board->mine,
                  (gint64)board->theirs, depth, beta, FALSE, search);
}

static void
test_wrong_questions_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  Answer answer;
  g_assert_true (satin_run (workers, &answer, othello, NULL, 0, (gint64)board_start.mine,
                            (gint64)board_start.theirs, 4, 0, FALSE, how));
  g_assert_cmpint (ABS (answer.bound), <=, BOARD_SQUARES);

  /* With such a depth, a job would search all games to their end. */
  assert_refused (workers, "depth", 0, -1, 0, how);
  assert_refused (workers, "depth", 0, 61, 0, how);
  assert_refused (workers, "score", 0, 4, -64, how);
  assert_refused (workers, "score", 0, 4, 65, how);
  assert_refused (workers, "score", 0, 4, G_MININT32, how);
  assert_refused (workers, "not here", 77, 4, 0, how);
}

static void
test_wrong_hows_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  assert_refused (workers, "grain", 0, 4, 0, (SearchHow){ .grain = G_MAXINT32, .n_elders = 1 });
  assert_refused (workers, "size of the table", 0, 4, 0,
                  (SearchHow){ .grain = -1, .table_mib = -1, .n_elders = 1 });
  assert_refused (workers, "size of the table", 0, 4, 0,
                  (SearchHow){ .grain = -1, .table_mib = G_MAXINT32, .n_elders = 1 });
  assert_refused (workers, "elders", 0, 4, 0, (SearchHow){ .grain = -1, .n_elders = G_MININT32 });
}

/* Squares with two discs make more moves than a job has room for: here 48. */
static void
test_two_discs_on_a_square_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  const gint64 blocks = 0x0066660000666600;
  Answer answer;
  Solution solution;
  ASSERT_REFUSED (workers, "two discs", &answer, othello, 0, blocks, blocks, 20, 0, FALSE, how);
  ASSERT_REFUSED (workers, "two discs", &solution, othello_solve, 0, blocks, blocks, 20, FALSE,
                  how);
}

static void
test_wrong_depths_to_solve_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  const Board *board = &board_start;
  Solution solution;
  g_assert_true (satin_run (workers, &solution, othello_solve, NULL, 0, (gint64)board->mine,
                            (gint64)board->theirs, 3, TRUE, how));
  ASSERT_REFUSED (workers, "depth", &solution, othello_solve, 0, (gint64)board->mine,
                  (gint64)board->theirs, -1, TRUE, how);
  ASSERT_REFUSED (workers, "not here", &solution, othello_solve, 77, (gint64)board->mine,
                  (gint64)board->theirs, 3, TRUE, how);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-othello-job/" path, function)
  CASE ("wrong-questions-are-refused", test_wrong_questions_are_refused);
  CASE ("wrong-hows-are-refused", test_wrong_hows_are_refused);
  CASE ("two-discs-on-a-square-are-refused", test_two_discs_on_a_square_are_refused);
  CASE ("wrong-depths-to-solve-are-refused", test_wrong_depths_to_solve_are_refused);
  return g_test_run ();
}
