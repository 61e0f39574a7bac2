/* test-spawn.c - tests spawn, sync and call: numbers, orders, depths and both forms
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

TASK_NOTHING ()

SATIN_RECORD (Sum, (long, value))

SATIN_TASK (fib, (long), (int, n))
{
  gint64 a, b;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, fib, n - 1);
  SATIN_SPAWN (&b, fib, n - 2);
  SATIN_SYNC ();
  return a + b;
}

SATIN_TASK (typed_fib, (long), (int, n))
{
  if (n < 2)
    return n;
  SATIN_SPAWN_TYPED (typed_fib, n - 1);
  gint64 b = SATIN_CALL (typed_fib, n - 2);
  return b + SATIN_SYNC_TYPED (typed_fib);
}

/* Mixes a general job, typed jobs and a call. Its children do so, too, unless their @n is below
 * 3. */
SATIN_TASK (mixed_fib, (long), (int, n))
{
  gint64 a = 0, b, c;
  if (n < 3)
    return n > 0;
  SATIN_SPAWN (&a, mixed_fib, n - 2);
  SATIN_SPAWN_TYPED (mixed_fib, n - 3);
  SATIN_SPAWN_TYPED (mixed_fib, n - 3);
  b = SATIN_SYNC_TYPED (mixed_fib);
  c = SATIN_CALL (mixed_fib, n - 2);
  b += SATIN_SYNC_TYPED (mixed_fib);
  SATIN_SYNC ();
  return a + c + b / 2;
}

SATIN_TASK (twice, (long), (int, n)) { return 2 * (gint64)n; }

SATIN_TASK (add, (record, Sum), (int, a), (int, b)) { return (Sum){ a + b }; }

SATIN_TASK (count, (void), (int, n)) {}

SATIN_INLET (heard, (gint64, sum), (gint64, result), error) { *sum += *result; }

/* Spawns children of several tasks, with and without inlets and results, in one frame. The sync
 * knows only the task of the last one. */
SATIN_TASK (many_tasks, (long), (int, n))
{
  gint64 results[2] = { 0 }, sum = 0, fibs[4] = { 0 };
  Sum added[2] = { { 0 } };
  SATIN_SPAWN (&results[0], twice, n);
  for (gint32 i = 0; i < 4; i++)
    if (i % 2 == 0)
      SATIN_SPAWN (&fibs[i], fib, n);
    else
      SATIN_SPAWN_INLET (&fibs[i], heard, &sum, fib, n + i);
  SATIN_SPAWN (&added[0], add, n, 1);
  SATIN_SPAWN (NULL, count, n);
  SATIN_SPAWN (&added[1], add, n, 2);
  SATIN_SPAWN (&results[1], twice, n + 1);
  SATIN_SYNC_OR_RETURN (0);
  return results[0] + results[1] + sum + fibs[0] + fibs[2] + added[0].value + added[1].value;
}

static gint64
plain_fib (gint32 n)
{
  gint64 a = 0, b = 1;
  for (; n > 0; n--)
    {
      gint64 sum = a + b;
      a = b;
      b = sum;
    }
  return a;
}

static gint64
run_fib (guint n_workers, gconstpointer which)
{
  g_autoptr (SatinWorkers) workers = make_workers (n_workers, 0);
  gint64 result = -1;
  fib_args args = { .n = 24 };
  g_assert_true (satin_workers_run_task (workers, which, &args, &result, NULL));
  return result;
}

static void
test_fib (gconstpointer n_workers)
{
  g_assert_cmpint (run_fib (GPOINTER_TO_UINT (n_workers), &fib_task), ==, plain_fib (24));
}

static void
test_typed_fib (gconstpointer n_workers)
{
  g_assert_cmpint (run_fib (GPOINTER_TO_UINT (n_workers), &typed_fib_task), ==, plain_fib (24));
}

static void
test_mixed_fib (gconstpointer n_workers)
{
  g_assert_cmpint (run_fib (GPOINTER_TO_UINT (n_workers), &mixed_fib_task), ==, plain_fib (24));
}

SATIN_TASK (one, (int)) { return 1; }

/* Spawns @n children before it syncs. */
SATIN_TASK (spawn_many, (long), (int, n))
{
  g_autofree gint32 *ones = g_new0 (gint32, n);
  for (gint32 i = 0; i < n; i++)
    SATIN_SPAWN (&ones[i], one);
  SATIN_SYNC ();
  gint64 sum = 0;
  for (gint32 i = 0; i < n; i++)
    sum += ones[i];
  return sum;
}

static void
test_spawn_many (gconstpointer number)
{
  for (guint n_workers = 1; n_workers <= 4; n_workers += 3)
    {
      g_autoptr (SatinWorkers) workers = make_workers (n_workers, 0);
      gint64 sum = -1;
      g_assert_true (satin_run (workers, &sum, spawn_many, NULL, GPOINTER_TO_INT (number)));
      g_assert_cmpint (sum, ==, GPOINTER_TO_INT (number));
    }
}

SATIN_TASK (typed_many, (long), (int, n))
{
  gint64 sum = 0;
  for (gint32 i = 0; i < n; i++)
    SATIN_SPAWN_TYPED (one);
  for (gint32 i = 0; i < n; i++)
    sum += SATIN_SYNC_TYPED (one);
  return sum;
}

static void
test_typed_many (gconstpointer number)
{
  for (guint n_workers = 1; n_workers <= 4; n_workers += 3)
    {
      g_autoptr (SatinWorkers) workers = make_workers (n_workers, 0);
      gint64 sum = -1;
      g_assert_true (satin_run (workers, &sum, typed_many, NULL, GPOINTER_TO_INT (number)));
      g_assert_cmpint (sum, ==, GPOINTER_TO_INT (number));
    }
}

/* Newest first: the typed form returns the results in the reverse order of spawning. */
SATIN_TASK (itself, (int), (int, n)) { return n; }

SATIN_TASK (typed_order, (boolean), (int, n))
{
  gboolean is_right = TRUE;
  for (gint32 i = 0; i < n; i++)
    SATIN_SPAWN_TYPED (itself, i);
  for (gint32 i = n; i-- > 0;)
    is_right &= SATIN_SYNC_TYPED (itself) == i;
  return is_right;
}

static void
test_typed_order (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (4, 0);
  gboolean is_right = FALSE;
  g_assert_true (satin_run (workers, &is_right, typed_order, NULL, 10000));
  g_assert_true (is_right);
}

/* The jobs of a round depend on the results of the round before. */
SATIN_TASK (sync_often, (long), (int, n_rounds))
{
  gint64 sum = 0;
  for (gint32 round = 0; round < n_rounds; round++)
    {
      gint64 a, b;
      SATIN_SYNC ();
      SATIN_SPAWN (&a, fib, 5);
      SATIN_SPAWN (&b, fib, sum % 2 + 3);
      SATIN_SYNC ();
      sum += a + b;
    }
  return sum;
}

static void
test_many_tasks (void)
{
  for (guint n_workers = 1; n_workers <= 4; n_workers++)
    {
      g_autoptr (SatinWorkers) workers = make_workers (n_workers, 0);
      gint64 result;
      for (gint32 n = 0; n < 16; n++)
        {
          g_assert_true (satin_run (workers, &result, many_tasks, NULL, n));
          g_assert_cmpint (result, ==,
                           4 * n + 2 + plain_fib (n + 1) + plain_fib (n + 3) + 2 * plain_fib (n)
                               + 2 * n + 3);
        }
    }
}

static void
test_sync_often (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (4, 0);
  gint64 sum = -1;
  g_assert_true (satin_run (workers, &sum, sync_often, NULL, 1001));
  /* The first round adds 5 + 2, so the sum is odd. Each later round adds 5 + 3. */
  g_assert_cmpint (sum, ==, 7 + 1000 * 8);
}

/* The frame of a called task lies above the caller's spawned jobs. */
SATIN_TASK (call_between, (long), (int, n))
{
  gint64 a, b;
  SATIN_SPAWN (&a, fib, n);
  gint64 c = SATIN_CALL (fib, n + 1);
  SATIN_SPAWN (&b, fib, n);
  gint64 d = SATIN_CALL (fib, n + 1);
  SATIN_SYNC ();
  return a == b && c == d ? a + c : -1;
}

static void
test_call_between (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (4, 0);
  gint64 sum = -1;
  g_assert_true (satin_run (workers, &sum, call_between, NULL, 15));
  g_assert_cmpint (sum, ==, plain_fib (17));
}

/* A chain of @n + 1 frames. */
SATIN_TASK (deep, (long), (int, n))
{
  gint64 below = 0;
  if (n > 0)
    SATIN_SPAWN (&below, deep, n - 1);
  SATIN_SYNC ();
  return below + 1;
}

SATIN_TASK (typed_deep, (long), (int, n))
{
  if (n == 0)
    return 1;
  SATIN_SPAWN_TYPED (typed_deep, n - 1);
  return SATIN_SYNC_TYPED (typed_deep) + 1;
}

static void
test_deep (gconstpointer which)
{
  if (IS_THREAD_SANITIZED)
    {
      g_test_skip ("ThreadSanitizer keeps 65536 calls at most");
      return;
    }
  for (guint n_workers = 1; n_workers <= 4; n_workers += 3)
    {
      g_autoptr (SatinWorkers) workers = make_workers (n_workers, 0);
      gint64 depth = 0;
      deep_args args = { .n = 100000 };
      g_assert_true (satin_workers_run_task (workers, which, &args, &depth, NULL));
      g_assert_cmpint (depth, ==, 100001);
    }
}

SATIN_TASK (local, (boolean)) { return satin_is_local (); }

SATIN_TASK (all_local, (boolean))
{
  gboolean is_local = satin_is_local (), is_child_local;
  SATIN_SPAWN (&is_child_local, local);
  SATIN_SYNC ();
  return is_local && is_child_local && SATIN_CALL (local);
}

static void
test_all_local (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 0);
  gboolean is_local = FALSE;
  g_assert_true (satin_run (workers, &is_local, all_local, NULL));
  g_assert_true (is_local);
}

static void
add_for_workers (const char *claim, GTestDataFunc func)
{
  for (guint n = 1; n <= 8; n *= 2)
    {
      g_autofree char *path = g_strdup_printf ("/core/spawn/%s-with-%u-workers", claim, n);
      g_test_add_data_func (path, GUINT_TO_POINTER (n), func);
    }
}

static void
add_many (const char *claim, GTestDataFunc func)
{
  static const int numbers[] = { 0, 1, 1000000 };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *path = g_strdup_printf ("/core/spawn/%s-%d", claim, numbers[i]);
      g_test_add_data_func (path, GINT_TO_POINTER (numbers[i]), func);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_for_workers ("fib-is-right", test_fib);
  add_for_workers ("typed-fib-is-right", test_typed_fib);
  add_for_workers ("mixed-fib-is-right", test_mixed_fib);
  add_many ("frame-spawns", test_spawn_many);
  add_many ("frame-spawns-typed", test_typed_many);
  g_test_add_func ("/core/spawn/typed-results-come-newest-first", test_typed_order);
  g_test_add_func ("/core/spawn/frame-has-children-of-many-tasks", test_many_tasks);
  g_test_add_func ("/core/spawn/frame-syncs-any-number-of-times", test_sync_often);
  g_test_add_func ("/core/spawn/call-between-spawn-and-sync", test_call_between);
  g_test_add_data_func ("/core/spawn/recursion-of-100000-levels", &deep_task, test_deep);
  g_test_add_data_func ("/core/spawn/typed-recursion-of-100000-levels", &typed_deep_task,
                        test_deep);
  g_test_add_func ("/core/spawn/job-of-this-process-is-local", test_all_local);
  return g_test_run ();
}
