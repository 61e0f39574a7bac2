/* test-leave.c - tests when a leaving node may go
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "member/leave.h"
#include "steal-world.h"

#define SECOND ((gint64)1000000)
/* The time between two checks of a leaving node whether it may go. */
#define LOOK ((gint64)10000)

static StealWorld *world;
static WorldNode *leaver;
static Leave leave;
static guint n_gone;

static void
on_gone (gpointer user_data)
{
  n_gone++;
}

static void
set_up (void)
{
  world = steal_world_new (2);
  leaver = steal_world_node (world, 2);
  leaver->victim = 1;
  leaver->run_us = SECOND;
  n_gone = 0;
  leave = (Leave){ .loop = world->loop,
                   .peers = fake_net_get_peers (world->net, 2),
                   .steal = leaver->steal,
                   .gone = on_gone };
}

static void
tear_down (void)
{
  leave_cancel (&leave);
  steal_world_free (world);
}

/* Begins to leave. If @is_known, the registry has already told all nodes. */
static void
begin_to_leave (gint64 deadline_us, gboolean is_known)
{
  leave_begin (&leave, deadline_us);
  if (is_known)
    fake_net_say_leaving (world->net, 2);
}

static void
begin_a_job (void)
{
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (leaver->steal);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_count_imports (leaver->steal), ==, 1);
}

static void
test_who_has_nothing_is_gone_soon (void)
{
  begin_to_leave (60 * SECOND, TRUE);
  g_assert_cmpuint (n_gone, ==, 0);
  steal_world_advance (world, LOOK);
  g_assert_cmpuint (n_gone, ==, 1);
}

static void
test_gone_comes_once (void)
{
  begin_to_leave (SECOND, TRUE);
  steal_world_advance (world, 10 * SECOND);
  g_assert_cmpuint (n_gone, ==, 1);
}

static void
test_it_waits_for_the_registry (void)
{
  begin_to_leave (60 * SECOND, FALSE);
  steal_world_advance (world, SECOND);
  g_assert_cmpuint (n_gone, ==, 0);
  fake_net_say_leaving (world->net, 2);
  steal_world_advance (world, LOOK);
  g_assert_cmpuint (n_gone, ==, 1);
}

static void
test_it_does_not_wait_for_a_registry_out_of_reach (void)
{
  begin_to_leave (60 * SECOND, FALSE);
  steal_world_advance (world, 3 * SECOND + LOOK);
  g_assert_cmpuint (n_gone, ==, 1);
}

static void
test_it_waits_for_its_import (void)
{
  begin_a_job ();
  begin_to_leave (60 * SECOND, TRUE);
  steal_world_advance (world, SECOND / 2);
  g_assert_cmpuint (n_gone, ==, 0);
  steal_world_advance (world, SECOND);
  g_assert_cmpuint (n_gone, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
}

static void
test_it_waits_no_longer_than_its_deadline (void)
{
  begin_a_job ();
  begin_to_leave (SECOND / 4, TRUE);
  steal_world_advance (world, SECOND / 4 - LOOK);
  g_assert_cmpuint (n_gone, ==, 0);
  steal_world_advance (world, LOOK);
  g_assert_cmpuint (n_gone, ==, 1);
}

static void
test_earlier_deadline_counts (void)
{
  begin_a_job ();
  begin_to_leave (60 * SECOND, TRUE);
  leave_hurry (&leave, SECOND / 4);
  leave_hurry (&leave, 60 * SECOND);
  steal_world_advance (world, SECOND / 4 + LOOK);
  g_assert_cmpuint (n_gone, ==, 1);
}

static void
test_earlier_deadline_leaves_time_to_send (void)
{
  begin_to_leave (60 * SECOND, TRUE);
  leave_hurry (&leave, SECOND);
  g_assert_cmpint (leave.save_until_us, <, leave.until_us);
}

static void
test_who_stays_is_not_gone (void)
{
  begin_to_leave (SECOND, TRUE);
  leave_cancel (&leave);
  steal_world_advance (world, 10 * SECOND);
  g_assert_cmpuint (n_gone, ==, 0);
}

static void
count_wait (const SatinWait *wait, gpointer user_data)
{
  g_assert_cmpuint (wait->deadline, !=, 0);
  ++*(guint *)user_data;
}

static void
test_it_says_what_it_waits_for (void)
{
  guint n_waits = 0;
  leave_waits (&leave, count_wait, &n_waits);
  g_assert_cmpuint (n_waits, ==, 0);
  begin_to_leave (SECOND, TRUE);
  leave_waits (&leave, count_wait, &n_waits);
  g_assert_cmpuint (n_waits, ==, 1);
}

/* ---- the signal to leave ---- */

static gint64
read_time (gint64 deadline_us)
{
  const SatinLeave body = { deadline_us };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &body);
  return satin_leave_read_deadline_us (payload);
}

static void
test_word_bears_the_time (void)
{
  g_assert_cmpint (read_time (7 * SECOND), ==, 7 * SECOND);
}

static void
test_word_without_time_means_the_default (void)
{
  g_autoptr (GBytes) empty = g_bytes_new (NULL, 0);
  g_assert_cmpint (satin_leave_read_deadline_us (NULL), ==, SATIN_LEAVE_DEFAULT_US);
  g_assert_cmpint (satin_leave_read_deadline_us (empty), ==, SATIN_LEAVE_DEFAULT_US);
}

static void
test_time_is_bounded (void)
{
  g_assert_cmpint (read_time (-1), ==, 0);
  g_assert_cmpint (read_time (G_MAXINT64), ==, SATIN_LEAVE_MAX_US);
}

static void
test_time_that_cannot_be_read_means_the_default (void)
{
  g_autoptr (GBytes) garbage = g_bytes_new_static ("\xff\xff\xff", 3);
  g_test_expect_message ("satin-base", G_LOG_LEVEL_WARNING, "the time to leave cannot be read*");
  g_assert_cmpint (satin_leave_read_deadline_us (garbage), ==, SATIN_LEAVE_DEFAULT_US);
  g_test_assert_expected_messages ();
}

static void
add (const char *claim, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/core/leave/%s", claim);
  g_test_add_vtable (path, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("who-has-nothing-is-gone-soon", test_who_has_nothing_is_gone_soon);
  add ("gone-comes-once", test_gone_comes_once);
  add ("it-waits-for-the-registry", test_it_waits_for_the_registry);
  add ("it-does-not-wait-for-a-registry-out-of-reach",
       test_it_does_not_wait_for_a_registry_out_of_reach);
  add ("it-waits-for-its-import", test_it_waits_for_its_import);
  add ("it-waits-no-longer-than-its-deadline", test_it_waits_no_longer_than_its_deadline);
  add ("earlier-deadline-counts", test_earlier_deadline_counts);
  add ("earlier-deadline-leaves-time-to-send", test_earlier_deadline_leaves_time_to_send);
  add ("who-stays-is-not-gone", test_who_stays_is_not_gone);
  add ("it-says-what-it-waits-for", test_it_says_what_it_waits_for);
  add ("word/bears-the-time", test_word_bears_the_time);
  add ("word/without-time-means-the-default", test_word_without_time_means_the_default);
  add ("word/time-is-bounded", test_time_is_bounded);
  add ("word/time-that-cannot-be-read-means-the-default",
       test_time_that_cannot_be_read_means_the_default);
  return g_test_run ();
}
