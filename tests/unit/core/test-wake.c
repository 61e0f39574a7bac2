/* test-wake.c - tests which of the sleeping workers is woken, and for what
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/pool.h"

#include <stdlib.h>
#include <string.h>

#define N_WORKERS 130
#define N_WORDS   ((N_WORKERS + 63) / 64)

static SatinWorkers *pool;
static int woken;                   /* the worker that was woken last; -1: none */
static void (*while_asleep) (void); /* what happens while a worker sleeps */

static void
note_woken (int *word)
{
  *word = 1;
  for (int i = 0; i < N_WORKERS; i++)
    if (word == &pool->workers[i].park)
      woken = i;
}

static void
wait_for_wake (int *word, gint64 timeout_us)
{
  while_asleep ();
}

static const SatinThreadOps ops = {
  .struct_size = sizeof ops,
  .wake = note_woken,
  .wait = wait_for_wake,
};

/* Makes workers without threads. @asleep: those that sleep, ended by -1 */
static void
set_up (const int *asleep)
{
  pool = g_new0 (SatinWorkers, 1);
  pool->n = N_WORKERS;
  pool->ops = &ops;
  pool->workers = aligned_alloc (128, sizeof (Worker) * N_WORKERS);
  memset (pool->workers, 0, sizeof (Worker) * N_WORKERS);
  for (guint i = 0; i < N_WORKERS; i++)
    {
      pool->workers[i].pool = pool;
      pool->workers[i].index = i;
    }
  pool->asleep = g_new0 (guint64, 2 * N_WORDS);
  pool->parked = pool->asleep + N_WORDS;
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

/* Calls worker_sleep() for worker 5, which waits for a job that another worker has. @has_room:
 * whether its stack has room for another job */
static void
sleep_in_a_sync (gboolean has_room, void (*func) (void))
{
  char here;
  SatinSlot slot = { .state = (guintptr)&pool->workers[6] };
  Worker *worker = &pool->workers[5];
  worker->stack_bytes = 1 << 20;
  worker->stack_low = &here - (has_room ? 1 << 20 : 1 << 10);
  while_asleep = func;
  worker_sleep (worker, &slot.state);
  g_assert_cmpint (pool->n_asleep, ==, 0);
}

static void
offer_work_in_vain (void)
{
  g_assert_cmpint (pool->n_asleep, ==, 0);
  pool_wake_one (pool);
  g_assert_cmpint (woken, ==, -1);
  pool_wake_worker (pool, 5);
  g_assert_cmpint (woken, ==, 5);
}

/* The worker could not run what others have, so it asks for nothing. If it did, two such workers
 * would wake each other without end. The end of its own job wakes it. */
static void
test_no_room (void)
{
  set_up ((const int[]){ -1 });
  sleep_in_a_sync (FALSE, offer_work_in_vain);
  g_assert_cmpint (woken, ==, 5);
  for (guint i = 0; i < N_WORKERS; i++)
    g_assert_cmpint (pool->workers[i].want, ==, 0);
  tear_down ();
}

static void
offer_work (void)
{
  pool_wake_one (pool);
  g_assert_cmpint (woken, ==, 5);
  woken = -1;
  pool_wake_worker (pool, 5); /* it is awake by now */
  g_assert_cmpint (woken, ==, -1);
}

static void
test_room (void)
{
  set_up ((const int[]){ -1 });
  sleep_in_a_sync (TRUE, offer_work);
  for (guint i = 0; i < N_WORKERS; i++)
    g_assert_cmpint (pool->workers[i].want, ==, i == 5 ? 0 : WANT_WORK);
  tear_down ();
}

static void
let_time_pass (void)
{
}

/* A worker whose sleep was over by itself is not woken any more. */
static void
test_sleep_over (void)
{
  for (int has_room = FALSE; has_room <= TRUE; has_room++)
    {
      set_up ((const int[]){ -1 });
      sleep_in_a_sync (has_room, let_time_pass);
      pool_wake_worker (pool, 5);
      g_assert_cmpint (woken, ==, -1);
      tear_down ();
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/wake/the-lowest-that-sleeps", test_one);
  g_test_add_func ("/core/wake/no-room-for-work", test_no_room);
  g_test_add_func ("/core/wake/room-for-work", test_room);
  g_test_add_func ("/core/wake/sleep-is-over", test_sleep_over);
  return g_test_run ();
}
