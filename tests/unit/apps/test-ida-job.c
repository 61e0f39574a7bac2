/* test-ida-job.c - jobs of ida refuse positions and numbers that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "ida/ida.c"
#undef main

static void
test_wrong_arguments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  Position right, wrong;
  Count count;
  g_assert_true (position_parse ("korf:12", &right, NULL));
  g_assert_true (satin_run (workers, &count, solve, NULL, right, right.distance, 3));

  wrong = right;
  wrong.tiles ^= 1;
  ASSERT_REFUSED (workers, "lacks a tile", &count, solve, wrong, 45, 3);
  wrong = right;
  wrong.gap = -1;
  ASSERT_REFUSED (workers, "gap or the distance", &count, solve, wrong, 45, 3);
  wrong.gap = 16;
  ASSERT_REFUSED (workers, "gap or the distance", &count, solve, wrong, 45, 3);
  wrong = right;
  wrong.distance = G_MININT32;
  ASSERT_REFUSED (workers, "gap or the distance", &count, solve, wrong, 45, 3);
  wrong = right;
  wrong.last = -5;
  ASSERT_REFUSED (workers, "last move", &count, solve, wrong, 45, 3);
  /* So deep a search would overflow the stack. */
  ASSERT_REFUSED (workers, "number of moves", &count, solve, right, G_MAXINT32, 0);
  ASSERT_REFUSED (workers, "number of moves", &count, solve, right, -1, 3);
  ASSERT_REFUSED (workers, "number of levels", &count, solve, right, 45, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-ida-job/wrong-arguments-are-refused", test_wrong_arguments_are_refused);
  return g_test_run ();
}
