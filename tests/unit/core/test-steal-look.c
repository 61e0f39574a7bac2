/* test-steal-look.c - from which job of another node one descends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

/* What the thief calls the first job that it gets. */
#define FIRST 1

static StealWorld *world;
static WorldNode *victim, *thief;

/* The thief has a job. */
static void
set_up (void)
{
  world = steal_world_new (2);
  victim = steal_world_node (world, 1);
  thief = steal_world_node (world, 2);
  thief->victim = 1;
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (thief->steal);
  steal_world_advance (world, 300);
}

static void
tear_down (void)
{
  steal_world_free (world);
}

static SatinLoan
find_first (void)
{
  SatinLoan loan;
  g_assert_true (steal_find_loan (thief->steal, FIRST, &loan));
  return loan;
}

static void
test_job_has_the_name_that_its_owner_gave (void)
{
  SatinLoan loan = find_first ();
  g_assert_cmpuint (loan.owner, ==, 1);
  g_assert_true (steal_wants (victim->steal, 2, &loan));
}

static void
test_job_that_ended_is_not_found (void)
{
  SatinLoan loan;
  thief->is_passive = TRUE;
  steal_world_advance (world, 2000);
  g_assert_false (steal_find_loan (thief->steal, FIRST, &loan));
}

static void
test_unknown_job_is_not_found (void)
{
  SatinLoan loan;
  g_assert_false (steal_find_loan (thief->steal, FIRST + 1, &loan));
}

static void
test_job_descends_from_the_one_that_it_was_taken_from (void)
{
  SatinLoan loan = find_first ();
  g_assert_cmpuint (steal_get_under (victim->steal, 2, &loan), ==, 0);
  g_array_index (victim->steal->lent, Lent, loan.index).under = 17;
  g_assert_cmpuint (steal_get_under (victim->steal, 2, &loan), ==, 17);
}

static void
test_job_that_is_not_lent_descends_from_none (void)
{
  SatinLoan loan = find_first ();
  g_array_index (victim->steal->lent, Lent, loan.index).under = 17;
  loan.generation++;
  g_assert_cmpuint (steal_get_under (victim->steal, 2, &loan), ==, 0);
}

static void
add (const char *claim, void (*func) (void))
{
  g_autofree char *path = g_strconcat ("/core/steal-look/", claim, NULL);
  g_test_add_vtable (path, 0, NULL, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("a-job-has-the-name-that-its-owner-gave", test_job_has_the_name_that_its_owner_gave);
  add ("a-job-that-ended-is-not-found", test_job_that_ended_is_not_found);
  add ("an-unknown-job-is-not-found", test_unknown_job_is_not_found);
  add ("a-job-descends-from-the-one-that-it-was-taken-from",
       test_job_descends_from_the_one_that_it_was_taken_from);
  add ("a-job-that-is-not-lent-descends-from-none", test_job_that_is_not_lent_descends_from_none);
  return g_test_run ();
}
