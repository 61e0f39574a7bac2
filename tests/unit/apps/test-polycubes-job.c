/* test-polycubes-job.c - jobs of polycubes refuse places and numbers that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "polycubes/polycubes.c"
#undef main

static void
test_wrong_arguments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  /* The first cell and the first of its neighbours are taken. Its second neighbour comes next. */
  const Place right = { 3, 0, 2 };
  Count count;
  g_assert_true (satin_run (workers, &count, polycubes, NULL, right, 7, 3, 10));

  ASSERT_REFUSED (workers, "number of cells", &count, polycubes, right, 23, 3, 10);
  ASSERT_REFUSED (workers, "number of cells", &count, polycubes, right, 0, 3, 10);
  ASSERT_REFUSED (workers, "number of dimensions", &count, polycubes, right, 7, 4, 10);
  /* With such a grain, a job would make no progress, and spawn the same job again. */
  ASSERT_REFUSED (workers, "grain", &count, polycubes, right, 7, 3, 0);
  ASSERT_REFUSED (workers, "next cell", &count, polycubes, ((Place){ 1, 0, G_MAXINT32 }), 7, 3, 10);
  ASSERT_REFUSED (workers, "next cell", &count, polycubes, ((Place){ 1, 0, -1 }), 7, 3, 10);
  /* The next cell is number 100, but the list of cells is shorter. */
  ASSERT_REFUSED (workers, "these cells", &count, polycubes, ((Place){ 1, 0, 100 }), 7, 3, 10);
  /* Either all 7 cells are taken already, or a cell that does not come before the next one is. */
  ASSERT_REFUSED (workers, "these cells", &count, polycubes, ((Place){ 0x7f, 0, 7 }), 7, 3, 10);
  ASSERT_REFUSED (workers, "these cells", &count, polycubes, ((Place){ 7, 0, 2 }), 7, 3, 10);
  ASSERT_REFUSED (workers, "these cells", &count, polycubes, ((Place){ 3, -1, 2 }), 7, 3, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-polycubes-job/wrong-arguments-are-refused",
                   test_wrong_arguments_are_refused);
  return g_test_run ();
}
