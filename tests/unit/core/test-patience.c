/* test-patience.c - tests how long a worker searches for work before it sleeps
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/pool.h"

#define MAX_TRIES 1000

static gint64 time_us;

static gint64
now_us (void)
{
  return time_us;
}

static const SatinThreadOps ops = { .now_us = now_us, .max_tries = MAX_TRIES };
static SatinWorkers pool = { .ops = &ops };
static Worker worker = { .pool = &pool };

/* The worker gives up its turn, and gets it back after @turn_us. Returns: whether the worker
 * continues to search */
static gboolean
look_after (Patience *patience, gint64 turn_us)
{
  time_us += turn_us;
  return worker_is_patient (&worker, patience, 1);
}

static void
test_lasts_50_ms (void)
{
  Patience patience = { 0 };
  gint64 begin_us = time_us = 7 * G_USEC_PER_SEC;
  g_assert_true (worker_is_patient (&worker, &patience, 1));
  while (look_after (&patience, 10))
    g_assert_cmpint (time_us - begin_us, <, 50000);
  g_assert_cmpint (time_us - begin_us, ==, 50000);
}

static void
test_ends_when_others_need_the_core (void)
{
  Patience patience = { 0 };
  g_assert_true (worker_is_patient (&worker, &patience, 1));
  g_assert_true (look_after (&patience, 1000));
  g_assert_false (look_after (&patience, 1001));
}

static void
test_ended_stays_so (void)
{
  Patience patience = { 0 };
  g_assert_true (worker_is_patient (&worker, &patience, 1));
  g_assert_false (look_after (&patience, 2000));
  g_assert_false (look_after (&patience, 1));
}

static void
test_is_new_after_work (void)
{
  Patience patience = { 0 };
  time_us += 10 * G_USEC_PER_SEC;
  g_assert_true (worker_is_patient (&worker, &patience, 1));
}

static void
test_no_more_tries_than_the_threads_bear (void)
{
  Patience patience = { 0 };
  g_assert_true (worker_is_patient (&worker, &patience, MAX_TRIES - 1));
  g_assert_false (worker_is_patient (&worker, &patience, MAX_TRIES));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/patience/lasts-50-ms", test_lasts_50_ms);
  g_test_add_func ("/core/patience/ends-when-others-need-the-core",
                   test_ends_when_others_need_the_core);
  g_test_add_func ("/core/patience/ended-stays-so", test_ended_stays_so);
  g_test_add_func ("/core/patience/is-new-after-work", test_is_new_after_work);
  g_test_add_func ("/core/patience/no-more-tries-than-the-threads-bear",
                   test_no_more_tries_than_the_threads_bear);
  return g_test_run ();
}
