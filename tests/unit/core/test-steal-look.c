/* test-steal-look.c - tests how to find the job of another node from which a job descends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-pair.h"

/* The import id of the first job that the thief gets. */
#define FIRST 1

/* Exports a job to the thief. Returns: its name */
static SatinJobRef
export_first (void)
{
  SatinJobRef ref;
  steal_pair_export (1);
  g_assert_true (steal_find_ref (thief->steal, FIRST, &ref));
  return ref;
}

static void
test_job_has_the_name_that_its_owner_gave (void)
{
  SatinJobRef ref = export_first ();
  g_assert_cmpuint (ref.owner, ==, 1);
  g_assert_true (steal_wants (victim->steal, 2, &ref));
}

static void
test_job_that_ended_is_not_found (void)
{
  SatinJobRef ref;
  steal_pair_export (1);
  thief->is_passive = TRUE;
  steal_world_advance (world, 2000);
  g_assert_false (steal_find_ref (thief->steal, FIRST, &ref));
}

static void
test_unknown_job_is_not_found (void)
{
  SatinJobRef ref;
  steal_pair_export (1);
  g_assert_false (steal_find_ref (thief->steal, FIRST + 1, &ref));
}

static void
test_job_descends_from_the_one_that_it_was_taken_from (void)
{
  victim->under = 17;
  SatinJobRef ref = export_first ();
  g_assert_cmpuint (steal_get_under (victim->steal, 2, &ref), ==, 17);
}

static void
test_job_that_is_not_exported_descends_from_none (void)
{
  victim->under = 17;
  SatinJobRef ref = export_first ();
  ref.generation++;
  g_assert_cmpuint (steal_get_under (victim->steal, 2, &ref), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  steal_pair_add ("steal-look", "a-job-has-the-name-that-its-owner-gave",
                  test_job_has_the_name_that_its_owner_gave);
  steal_pair_add ("steal-look", "a-job-that-ended-is-not-found", test_job_that_ended_is_not_found);
  steal_pair_add ("steal-look", "an-unknown-job-is-not-found", test_unknown_job_is_not_found);
  steal_pair_add ("steal-look", "a-job-descends-from-the-one-that-it-was-taken-from",
                  test_job_descends_from_the_one_that_it_was_taken_from);
  steal_pair_add ("steal-look", "a-job-that-is-not-exported-descends-from-none",
                  test_job_that_is_not_exported_descends_from_none);
  return g_test_run ();
}
