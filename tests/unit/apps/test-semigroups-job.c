/* test-semigroups-job.c - jobs of semigroups refuse gaps and numbers that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "semigroups/semigroups.c"
#undef main

static void
test_wrong_arguments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  Count count;
  g_assert_true (satin_run (workers, &count, semigroups, NULL, GAPS_OF_FIRST, 12, 10));

  ASSERT_REFUSED (workers, "genus", &count, semigroups, GAPS_OF_FIRST, 65, 10);
  ASSERT_REFUSED (workers, "genus", &count, semigroups, GAPS_OF_FIRST, 0, 10);
  /* With such a grain, a job would make no progress, and spawn the same job again. */
  ASSERT_REFUSED (workers, "grain", &count, semigroups, GAPS_OF_FIRST, 12, -1);
  ASSERT_REFUSED (workers, "number of gaps", &count, semigroups, ((Gaps){ 0 }), 12, 10);
  ASSERT_REFUSED (workers, "number of gaps", &count, semigroups, ((Gaps){ -1, -1 }), 64, 10);
  ASSERT_REFUSED (workers, "number of gaps", &count, semigroups, ((Gaps){ 14, 0 }), 2, 10);
  /* 0 is an element; and if 2 is no gap, 4 is none. */
  ASSERT_REFUSED (workers, "is a gap", &count, semigroups, ((Gaps){ 3, 0 }), 12, 10);
  ASSERT_REFUSED (workers, "is a gap", &count, semigroups, ((Gaps){ 18, 0 }), 12, 10);
  ASSERT_REFUSED (workers, "is a gap", &count, semigroups, ((Gaps){ 2, G_MININT64 }), 12, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-semigroups-job/wrong-arguments-are-refused",
                   test_wrong_arguments_are_refused);
  return g_test_run ();
}
