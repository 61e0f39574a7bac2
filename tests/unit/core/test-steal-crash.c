/* test-steal-crash.c - jobs that crash whoever runs them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "crash.h"
#include "steal-world.h"

#include <signal.h>

static StealWorld *world;
static WorldNode *victim;

static void
set_up (void)
{
  world = steal_world_new (5);
  victim = steal_world_node (world, 1);
  for (SatinNodeId id = 2; id <= 5; id++)
    steal_world_node (world, id)->is_passive = TRUE;
}

static void
tear_down (void)
{
  steal_world_free (world);
}

/* The next thief has the job, and ends by @signal_number; the owner has the job out again. */
static void
crash_thief (SatinNodeId id, int signal_number)
{
  WorldNode *thief = steal_world_node (world, id);
  thief->is_passive = FALSE;
  thief->victim = 1;
  thief->run_us = 1000000;
  steal_hungry (thief->steal);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_count_guests (thief->steal), ==, 1);
  fake_net_kill (world->net, id, signal_number);
  if (steal_world_job (world, 0)->n_failed == 0)
    g_queue_push_tail (&victim->public, GUINT_TO_POINTER (1));
}

static void
test_third_crash_fails_the_job (void)
{
  steal_world_add_jobs (world, 1, 1);
  crash_thief (2, SIGSEGV);
  crash_thief (3, SIGABRT);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 2);
  crash_thief (4, SIGBUS);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 2);
  g_assert_cmpuint (steal_world_job (world, 0)->n_failed, ==, 1);
  g_assert_cmpint (steal_world_job (world, 0)->code, ==, SATIN_ERROR_JOB);
}

static void
test_error_names_job_and_signal (void)
{
  steal_world_add_jobs (world, 1, 1);
  for (SatinNodeId id = 2; id <= 4; id++)
    crash_thief (id, SIGFPE);
  g_autofree char *words = g_strdup_printf ("job 0 crashed 3 nodes that ran it, the last by signal "
                                            "%d (arithmetic error)",
                                            SIGFPE);
  g_assert_true (g_str_has_prefix (steal_world_job (world, 0)->message, words));
}

static void
test_killed_thieves_do_not_count (void)
{
  steal_world_add_jobs (world, 1, 1);
  crash_thief (2, SIGKILL);
  crash_thief (3, SIGTERM);
  crash_thief (4, 0);
  crash_thief (5, SIGSEGV);
  g_assert_cmpuint (steal_world_job (world, 0)->n_crashes, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 4);
  g_assert_cmpuint (steal_world_job (world, 0)->n_failed, ==, 0);
}

static void
test_only_a_programs_own_signals_are_crashes (void)
{
  const int crashes[] = { SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE };
  guint n = 0;
  for (int i = 0; i < 128; i++)
    n += crash_name (i) != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (crashes); i++)
    g_assert_nonnull (crash_name (crashes[i]));
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (crashes));
}

static void
add (const char *claim, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/core/steal-crash/%s", claim);
  g_test_add_vtable (path, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("third-crash-fails-the-job", test_third_crash_fails_the_job);
  add ("error-names-job-and-signal", test_error_names_job_and_signal);
  add ("killed-thieves-do-not-count", test_killed_thieves_do_not_count);
  add ("only-a-programs-own-signals-are-crashes", test_only_a_programs_own_signals_are_crashes);
  return g_test_run ();
}
