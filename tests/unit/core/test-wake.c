/* test-wake.c - tests which of the sleeping workers is woken
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/pool.h"

#include <stdlib.h>

#define N_WORKERS 130

static SatinWorkers *pool;
static int woken; /* the worker that was woken last; -1: none */

static void
note_woken (int *word)
{
  for (int i = 0; i < N_WORKERS; i++)
    if (word == &pool->workers[i].park)
      woken = i;
}

static const SatinThreadOps ops = { .struct_size = sizeof ops, .wake = note_woken };

/* Makes workers without threads. @asleep: those that sleep, ended by -1 */
static void
set_up (const int *asleep)
{
  pool = g_new0 (SatinWorkers, 1);
  pool->n = N_WORKERS;
  pool->ops = &ops;
  pool->workers = aligned_alloc (128, sizeof (Worker) * N_WORKERS);
  pool->asleep = g_new0 (guint64, (N_WORKERS + 63) / 64);
  woken = -1;
  for (; *asleep >= 0; asleep++)
    {
      pool->asleep[*asleep / 64] |= (guint64)1 << *asleep % 64;
      pool->n_asleep++;
    }
}

static void
tear_down (void)
{
  free (pool->workers);
  g_free (pool->asleep);
  g_free (pool);
}

static void
test_one (void)
{
  set_up ((const int[]){ 70, 3, 129, -1 });
  pool_wake_one (pool);
  g_assert_cmpint (woken, ==, 3);
  pool_wake_one (pool);
  g_assert_cmpint (woken, ==, 70);
  g_assert_cmpint (pool->n_asleep, ==, 1);
  tear_down ();
}

static void
test_above (void)
{
  set_up ((const int[]){ 3, 64, 70, 129, -1 });
  pool_wake_above (pool, 64);
  g_assert_cmpint (woken, ==, 70);
  pool_wake_above (pool, 127);
  g_assert_cmpint (woken, ==, 129);
  pool_wake_above (pool, 63);
  g_assert_cmpint (woken, ==, 64);
  tear_down ();
}

/* No sleeper is above. If the first one were woken again, work that no worker can do would go round
 * for ever. */
static void
test_nobody_above (void)
{
  set_up ((const int[]){ 3, 64, -1 });
  pool_wake_above (pool, 64);
  pool_wake_above (pool, N_WORKERS - 1);
  g_assert_cmpint (woken, ==, -1);
  g_assert_cmpint (pool->n_asleep, ==, 2);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/wake/the-lowest-that-sleeps", test_one);
  g_test_add_func ("/core/wake/the-next-above-one-that-can-do-nothing", test_above);
  g_test_add_func ("/core/wake/nobody-above", test_nobody_above);
  return g_test_run ();
}
