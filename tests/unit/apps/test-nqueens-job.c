/* test-nqueens-job.c - jobs of nqueens refuse boards that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "nqueens/nqueens.c"
#undef main

static void
test_wrong_boards_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  gint64 n;
  g_assert_true (satin_run (workers, &n, nqueens, NULL, 0xff, 0, 0, 0, 3));
  g_assert_cmpint (n, ==, 92);

  /* A job has room for the results of 30 columns. */
  ASSERT_REFUSED (workers, "columns", &n, nqueens, -1, 0, 0, 0, 1);
  ASSERT_REFUSED (workers, "columns", &n, nqueens, G_MAXINT32, 0, 0, 0, 1);
  ASSERT_REFUSED (workers, "columns", &n, nqueens, 0, 1, 0, 0, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-nqueens-job/wrong-boards-are-refused", test_wrong_boards_are_refused);
  return g_test_run ();
}
