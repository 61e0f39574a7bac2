/* test-shipping.c - tests whether jobs of a task are worth their way to another node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs/shipping.h"

#define MS      ((gint64)1000)
#define LARGE   ((gsize)1 << 20)
#define SECOND  (1000 * MS)
#define LONGEST (10 * SECOND)

static Shipping shipping;
static gint64 now_us;

static void
set_up (void)
{
  shipping = (Shipping){ 0 };
  now_us = 7 * SECOND;
}

/* Sends a job now, and notes it when it has come back. */
static void
ship (gint64 way_us, gint64 ran_us)
{
  Shipped job = {
    .n_bytes = LARGE, .sent_us = now_us, .arrived_us = now_us + way_us, .ran_us = ran_us
  };
  now_us += way_us + ran_us;
  shipping_note (&shipping, &job, now_us);
}

static gboolean
may_leave (void)
{
  return shipping_may_leave (&shipping, LARGE, now_us);
}

/* Returns: how long it takes until a job is tried again */
static gint64
wait_for_try (void)
{
  gint64 begin_us = now_us;
  while (!may_leave ())
    now_us += MS;
  return now_us - begin_us;
}

static void
test_unknown_jobs_leave (void)
{
  set_up ();
  g_assert_true (may_leave ());
}

static void
test_long_jobs_leave (void)
{
  set_up ();
  ship (5 * MS, 6 * MS);
  g_assert_true (may_leave ());
  g_assert_true (may_leave ());
}

static void
test_short_jobs_stay (void)
{
  set_up ();
  ship (5 * MS, 4 * MS);
  g_assert_false (may_leave ());
}

static void
test_smaller_jobs_leave (void)
{
  set_up ();
  ship (5 * MS, 1 * MS);
  g_assert_false (shipping_may_leave (&shipping, LARGE / 2, now_us));
  g_assert_true (shipping_may_leave (&shipping, LARGE / 2 - 1, now_us));
}

static void
test_one_is_tried (void)
{
  set_up ();
  ship (5 * MS, 1 * MS);
  g_assert_cmpint (wait_for_try (), ==, 16 * 5 * MS);
  g_assert_false (may_leave ());
}

static void
test_tries_become_rarer_up_to_a_bound (void)
{
  set_up ();
  ship (5 * MS, 1 * MS);
  gint64 pause_us = 16 * 5 * MS;
  for (guint i = 0; i < 12; i++)
    {
      g_assert_cmpint (wait_for_try (), ==, pause_us);
      ship (5 * MS, 1 * MS);
      pause_us = MIN (2 * pause_us, LONGEST);
    }
  g_assert_cmpint (pause_us, ==, LONGEST);
}

static void
test_a_lost_try_is_not_the_last (void)
{
  set_up ();
  ship (5 * MS, 1 * MS);
  wait_for_try ();
  g_assert_cmpint (wait_for_try (), ==, 16 * 5 * MS);
}

static void
test_jobs_that_were_under_way_are_no_tries (void)
{
  set_up ();
  Shipped other = { LARGE, now_us, now_us + 9 * MS, 1 * MS };
  ship (5 * MS, 1 * MS);
  shipping_note (&shipping, &other, now_us);
  g_assert_cmpint (wait_for_try (), ==, 16 * 5 * MS);
}

static void
test_a_long_try_frees_the_task (void)
{
  set_up ();
  ship (5 * MS, 1 * MS);
  wait_for_try ();
  ship (5 * MS, 20 * MS);
  g_assert_true (may_leave ());
  g_assert_true (may_leave ());
}

/* The mean counts: a few long jobs make up for many short ones. */
static void
test_one_short_job_pins_nothing (void)
{
  set_up ();
  ship (5 * MS, 40 * MS);
  ship (5 * MS, 0);
  g_assert_true (may_leave ());
  for (guint i = 0; i < 16; i++)
    ship (5 * MS, 0);
  g_assert_false (may_leave ());
}

/* Ten thieves share a link on which one job takes 5 ms, so the last job arrives after 50 ms. */
static void
test_a_link_that_is_shared_is_not_slow (void)
{
  set_up ();
  for (guint i = 1; i <= 10; i++)
    {
      Shipped job = { LARGE, now_us, now_us + i * 5 * MS, 20 * MS };
      shipping_note (&shipping, &job, job.arrived_us + job.ran_us);
    }
  g_assert_true (may_leave ());
}

static void
test_a_clock_that_disagrees_is_harmless (void)
{
  set_up ();
  ship (-5 * MS, -1 * MS);
  g_assert_true (may_leave ());
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/core/shipping/" name, func)
  ADD ("unknown-jobs-leave", test_unknown_jobs_leave);
  ADD ("long-jobs-leave", test_long_jobs_leave);
  ADD ("short-jobs-stay", test_short_jobs_stay);
  ADD ("smaller-jobs-leave", test_smaller_jobs_leave);
  ADD ("one-is-tried", test_one_is_tried);
  ADD ("tries-become-rarer-up-to-a-bound", test_tries_become_rarer_up_to_a_bound);
  ADD ("a-lost-try-is-not-the-last", test_a_lost_try_is_not_the_last);
  ADD ("jobs-that-were-under-way-are-no-tries", test_jobs_that_were_under_way_are_no_tries);
  ADD ("a-long-try-frees-the-task", test_a_long_try_frees_the_task);
  ADD ("one-short-job-pins-nothing", test_one_short_job_pins_nothing);
  ADD ("a-link-that-is-shared-is-not-slow", test_a_link_that_is_shared_is_not_slow);
  ADD ("a-clock-that-disagrees-is-harmless", test_a_clock_that_disagrees_is_harmless);
  return g_test_run ();
}
