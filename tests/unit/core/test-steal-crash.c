/* test-steal-crash.c - tests jobs that crash the nodes that run them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tasks/crash.h"
#include "steal-world.h"

#include <signal.h>
#include <string.h>

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

/* Node @id takes the job and is killed by @signal_number. If the job has not failed after that, its
 * owner puts it out again. */
static void
crash_thief (SatinNodeId id, int signal_number)
{
  WorldNode *thief = steal_world_node (world, id);
  thief->is_passive = FALSE;
  thief->victim = 1;
  thief->run_us = 1000000;
  steal_hungry (thief->steal);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_count_imports (thief->steal), ==, 1);
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
  g_assert_cmpuint (steal_world_job (world, 0)->n_crashes, ==, 0);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 3);
  g_assert_cmpuint (steal_world_job (world, 0)->n_failed, ==, 0);
}

/* ---- suspects ---- */

/* Node @to takes the job of node @from that lies at @path. Returns: how many crashes of the job
 * node @to knows of */
static guint
export_at (SatinNodeId from, const char *path, SatinNodeId to)
{
  WorldNode *thief = steal_world_node (world, to);
  steal_world_node (world, from)->path = path;
  thief->is_passive = FALSE;
  thief->victim = from;
  thief->run_us = 1000000;
  steal_hungry (thief->steal);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_count_imports (thief->steal), ==, 1);
  return steal_count_crashes_of_import (thief->steal, thief->steal->imports.all.head->data);
}

static void
test_count_goes_along (void)
{
  steal_world_add_jobs (world, 1, 1);
  victim->path = "\1";
  crash_thief (2, SIGSEGV);
  g_assert_cmpuint (export_at (1, "\1", 3), ==, 1);
}

static void
test_parts_go_on_from_the_count (void)
{
  steal_world_add_jobs (world, 1, 1);
  victim->path = "\1";
  crash_thief (2, SIGSEGV);
  g_assert_cmpuint (export_at (1, "\1\2", 3), ==, 1);
}

static void
test_others_do_not (void)
{
  steal_world_add_jobs (world, 1, 1);
  victim->path = "\1\2";
  crash_thief (2, SIGSEGV);
  g_assert_cmpuint (export_at (1, "\1\1", 3), ==, 0);
}

static void
test_third_crash_of_parts_fails_the_part (void)
{
  steal_world_add_jobs (world, 1, 1);
  victim->path = "\1";
  crash_thief (2, SIGSEGV);
  victim->path = "\1\2";
  crash_thief (3, SIGSEGV);
  g_assert_cmpuint (steal_world_job (world, 0)->n_failed, ==, 0);
  steal_world_add_jobs (world, 1, 1);
  g_queue_clear (&victim->public);
  g_queue_push_tail (&victim->public, GUINT_TO_POINTER (2));
  victim->path = "\1\2\1";
  export_at (1, "\1\2\1", 4);
  fake_net_kill (world->net, 4, SIGSEGV);
  g_assert_cmpuint (steal_world_job (world, 1)->n_crashes, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_failed, ==, 1);
}

/* Node 2 has a job of node 1, and node 3 has a child of that job. Node 3 is killed. Returns: how
 * many crashes of the job node 1 knows of after that */
static guint
crash_below (int signal_number)
{
  g_autoptr (GBytes) path = g_bytes_new_static ("\1", 1);
  steal_world_add_jobs (world, 1, 1);
  export_at (1, "\1", 2);
  WorldNode *middle = steal_world_node (world, 2);
  middle->under = ((const Import *)middle->steal->imports.all.head->data)->import_id;
  steal_world_add_jobs (world, 2, 1);
  export_at (2, "\3", 3);
  fake_net_kill (world->net, 3, signal_number);
  steal_world_advance (world, 300);
  return steal_count_crashes (victim->steal, 0, path);
}

static void
test_owner_hears_of_crashes_below (void)
{
  g_assert_cmpuint (crash_below (SIGSEGV), ==, 1);
}

static void
test_owner_hears_of_crashes_only (void)
{
  g_assert_cmpuint (crash_below (SIGKILL), ==, 0);
}

static void
say_crashes (SatinNodeId from, gint32 index, gint64 generation, gint32 n_crashes)
{
  StealRunning running = { index, generation, n_crashes };
  g_autoptr (GBytes) message = steal_message (STEAL_RUNNING, &StealRunning_record, &running);
  fake_net_inject (world->net, from, 1, message);
  steal_world_advance (world, 300);
}

static void
test_nonsense_suspects_nobody (void)
{
  g_autoptr (GBytes) path = g_bytes_new_static ("\1", 1);
  steal_world_add_jobs (world, 1, 1);
  export_at (1, "\1", 2);
  say_crashes (2, 0, 1, -1);
  say_crashes (2, 0, 2, 1);
  say_crashes (3, 0, 1, 1);
  say_crashes (2, G_MAXINT32, 1, 1);
  g_assert_cmpuint (steal_count_crashes (victim->steal, 0, path), ==, 0);
  say_crashes (2, 0, 1, G_MAXINT32);
  g_assert_cmpuint (steal_count_crashes (victim->steal, 0, path), ==, MAX_CRASHES);
}

/* ---- last words of a node that crashes ---- */

/* Node @id has a job of node 1. Its last words blame a job of node @owner. */
static void
say_last_words (SatinNodeId id, gint64 owner, const char *job)
{
  const WorldNode *thief = steal_world_node (world, id);
  const Import *import = thief->steal->imports.all.head->data;
  const SatinCrash crash = { .node = id,
                             .signal_number = SIGSEGV,
                             .owner = owner,
                             .index = import->name.index,
                             .generation = import->name.generation,
                             .job = job };
  for (SatinNodeId to = 1; to <= 5; to++)
    if (steal_world_node (world, to)->steal != NULL)
      steal_note_crash (steal_world_node (world, to)->steal, &crash);
}

static void
crash_with_words (SatinNodeId id, gint64 owner, int signal_number)
{
  victim->path = "\1";
  export_at (1, "\1", id);
  say_last_words (id, owner, "task bad ()");
  fake_net_kill (world->net, id, signal_number);
  if (steal_world_job (world, 0)->n_failed == 0)
    g_queue_push_tail (&victim->public, GUINT_TO_POINTER (1));
}

static void
test_neighbour_is_not_counted (void)
{
  steal_world_add_jobs (world, 1, 1);
  crash_with_words (2, 4, SIGSEGV);
  g_assert_cmpuint (steal_world_job (world, 0)->n_crashes, ==, 0);
}

static void
test_culprit_is_counted (void)
{
  steal_world_add_jobs (world, 1, 1);
  crash_with_words (2, 1, 0);
  g_assert_cmpuint (steal_world_job (world, 0)->n_crashes, ==, 1);
}

static void
test_sent_signal_counts_nobody (void)
{
  steal_world_add_jobs (world, 1, 1);
  crash_with_words (2, SATIN_CRASH_NOBODY, SIGSEGV);
  g_assert_cmpuint (steal_world_job (world, 0)->n_crashes, ==, 0);
}

static void
test_same_job_counts_wherever_it_crashed (void)
{
  steal_world_add_jobs (world, 1, 1);
  crash_with_words (2, 4, SIGSEGV);
  crash_with_words (3, 5, SIGSEGV);
  g_assert_cmpuint (steal_world_job (world, 0)->n_failed, ==, 0);
  crash_with_words (4, 1, SIGSEGV);
  g_assert_cmpuint (steal_world_job (world, 0)->n_failed, ==, 1);
  g_assert_nonnull (strstr (steal_world_job (world, 0)->message,
                            "task bad (), a part of job 0, crashed 3 nodes"));
}

static void
test_root_is_to_blame_for_its_own_only (void)
{
  StealCrash crash;
  steal_world_add_jobs (world, 1, 1);
  crash_with_words (2, 0, 0);
  crash_with_words (3, 1, SIGSEGV);
  g_assert_true (steal_find_crash_of_root (victim->steal, 2, 0, &crash));
  g_assert_cmpstr (crash.job, ==, "task bad ()");
  g_assert_cmpint (crash.signal_number, ==, SIGSEGV);
  g_assert_false (steal_find_crash_of_root (victim->steal, 3, SIGSEGV, &crash));
}

/* ---- few nodes ---- */

static void
test_last_node_does_not_try_it (void)
{
  for (SatinNodeId id = 3; id <= 5; id++)
    fake_net_kill (world->net, id, SIGKILL);
  steal_world_add_jobs (world, 1, 1);
  crash_thief (2, SIGSEGV);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 0);
  g_assert_cmpuint (steal_world_job (world, 0)->n_failed, ==, 1);
}

static void
test_last_node_takes_what_a_killed_one_had (void)
{
  for (SatinNodeId id = 3; id <= 5; id++)
    fake_net_kill (world->net, id, SIGKILL);
  steal_world_add_jobs (world, 1, 1);
  crash_thief (2, SIGKILL);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
}

static void
test_only_a_programs_own_signals_are_crashes (void)
{
  const int crashes[] = {
    SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SATIN_DEATH_OUT_OF_MEMORY
  };
  guint n = 0;
  for (int i = 0; i < 128; i++)
    n += satin_crash_name (i) != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (crashes); i++)
    g_assert_nonnull (satin_crash_name (crashes[i]));
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
  add ("suspect/count-goes-along-with-the-job", test_count_goes_along);
  add ("suspect/parts-go-on-from-the-count", test_parts_go_on_from_the_count);
  add ("suspect/others-do-not", test_others_do_not);
  add ("suspect/third-crash-of-parts-fails-the-part", test_third_crash_of_parts_fails_the_part);
  add ("suspect/owner-hears-of-crashes-below", test_owner_hears_of_crashes_below);
  add ("suspect/owner-hears-of-crashes-only", test_owner_hears_of_crashes_only);
  add ("words/neighbour-of-the-culprit-is-not-counted", test_neighbour_is_not_counted);
  add ("words/culprit-is-counted-without-a-known-signal", test_culprit_is_counted);
  add ("words/signal-that-was-sent-counts-nobody", test_sent_signal_counts_nobody);
  add ("words/same-job-counts-wherever-it-crashed", test_same_job_counts_wherever_it_crashed);
  add ("words/root-is-to-blame-for-its-own-only", test_root_is_to_blame_for_its_own_only);
  add ("few/last-node-does-not-try-it", test_last_node_does_not_try_it);
  add ("few/last-node-takes-what-a-killed-one-had", test_last_node_takes_what_a_killed_one_had);
  add ("suspect/nonsense-suspects-nobody", test_nonsense_suspects_nobody);
  return g_test_run ();
}
