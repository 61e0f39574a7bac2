/* test-workers.c - tests making, feeding and freeing workers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include <string.h>

TASK_NOTHING ()

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

static void
test_default_number_is_that_of_the_processors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinWorkers) workers = satin_workers_new (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (satin_workers_get_n (workers), ==, satin_count_processors ());
}

static void
check_refused (SatinWorkersOptions options, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_workers_new (&options, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, text));
}

static void
test_options_out_of_range (void)
{
  check_refused (
      (SatinWorkersOptions){ .struct_size = sizeof (SatinWorkersOptions), .n_workers = 1025 },
      "1025 workers");
  check_refused (
      (SatinWorkersOptions){ .struct_size = sizeof (SatinWorkersOptions), .stack_bytes = 65535 },
      "65535 bytes");
  check_refused (
      (SatinWorkersOptions){ .struct_size = sizeof (SatinWorkersOptions), .deque_slots = 63 },
      "63 jobs");
  check_refused ((SatinWorkersOptions){ .n_workers = 1 }, "struct_size");
  check_refused ((SatinWorkersOptions){ .struct_size = sizeof (SatinWorkersOptions),
                                        .deque_slots = ((gsize)1 << 30) + 1 },
                 "1073741825 jobs");
}

static void
test_smallest_options_work (void)
{
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = 1,
                                  .stack_bytes = 65536,
                                  .deque_slots = 64 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinWorkers) workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  gint64 result;
  g_assert_true (satin_run (workers, &result, fib, &error, 10));
  g_assert_cmpint (result, ==, 55);
}

static void
test_impossible_stack (void)
{
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = 2,
                                  .stack_bytes = (gsize)1 << 50 };
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_workers_new (&options, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "SATIN_STACK"));
}

static void
test_more_workers_than_bits_in_a_word (void)
{
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = 130,
                                  .stack_bytes = 1 << 20,
                                  .deque_slots = 4096 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinWorkers) workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
  gint64 result;
  g_assert_true (satin_run (workers, &result, fib, NULL, 20));
  g_assert_cmpint (result, ==, 6765);
}

static void
test_free_of_nothing (void)
{
  satin_workers_free (NULL);
}

static void
test_free_without_work (void)
{
  for (guint i = 0; i < 50; i++)
    satin_workers_free (make_workers (4, 0));
}

/* ---- the environment ---- */

static void
unset_all (void)
{
  g_unsetenv ("SATIN_WORKERS");
  g_unsetenv ("SATIN_STACK");
  g_unsetenv ("SATIN_DEQUE");
}

static void
test_environment_unset (void)
{
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions), .n_workers = 9 };
  unset_all ();
  g_assert_true (satin_workers_options_from_environment (&options, NULL));
  g_assert_cmpuint (options.n_workers, ==, 0);
  g_assert_cmpuint (options.stack_bytes, ==, 0);
  g_assert_cmpuint (options.deque_slots, ==, 0);
}

static void
test_environment_set (void)
{
  SatinWorkersOptions options;
  g_autoptr (GError) error = NULL;
  unset_all ();
  g_setenv ("SATIN_WORKERS", "3", TRUE);
  g_setenv ("SATIN_STACK", "16M", TRUE);
  g_setenv ("SATIN_DEQUE", "1000", TRUE);
  g_assert_true (satin_workers_options_from_environment (&options, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (options.n_workers, ==, 3);
  g_assert_cmpuint (options.stack_bytes, ==, 16 << 20);
  g_assert_cmpuint (options.deque_slots, ==, 1000);
  unset_all ();
}

static void
test_environment_wrong (void)
{
  static const char *const wrong[][2] = {
    { "SATIN_WORKERS", "" },     { "SATIN_WORKERS", "-1" },         { "SATIN_WORKERS", "two" },
    { "SATIN_WORKERS", "1025" }, { "SATIN_WORKERS", "4294967297" }, { "SATIN_STACK", "1K" },
    { "SATIN_STACK", "-1M" },    { "SATIN_STACK", "much" },         { "SATIN_DEQUE", "-64" },
    { "SATIN_DEQUE", "63" },     { "SATIN_DEQUE", "1073741825" },   { "SATIN_DEQUE", "1e6" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions), .n_workers = 9 };
      g_autoptr (GError) error = NULL;
      unset_all ();
      g_setenv (wrong[i][0], wrong[i][1], TRUE);
      g_test_message ("%s=%s", wrong[i][0], wrong[i][1]);
      g_assert_false (satin_workers_options_from_environment (&options, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, wrong[i][0]));
      g_assert_cmpuint (options.n_workers, ==, 9);
    }
  unset_all ();
}

/* ---- several at once ---- */

static gpointer
run_often (gpointer workers)
{
  for (guint i = 0; i < 100; i++)
    {
      gint64 result = -1;
      g_assert_true (satin_run (workers, &result, fib, NULL, 12));
      g_assert_cmpint (result, ==, 144);
    }
  return NULL;
}

static void
test_run_from_many_threads (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (3, 0);
  pthread_t threads[8];
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpint (pthread_create (&threads[i], NULL, run_often, workers), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    pthread_join (threads[i], NULL);
}

static void
test_many_pools (void)
{
  SatinWorkers *pools[8];
  pthread_t threads[8];
  for (guint i = 0; i < G_N_ELEMENTS (pools); i++)
    {
      pools[i] = make_workers (1 + i % 3, 0);
      g_assert_cmpint (pthread_create (&threads[i], NULL, run_often, pools[i]), ==, 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (pools); i++)
    {
      pthread_join (threads[i], NULL);
      satin_workers_free (pools[i]);
    }
}

/* A job that runs a job of another pool, and waits for it. */
static SatinWorkers *other;

SATIN_TASK (run_elsewhere, (long))
{
  gint64 result = -1;
  satin_run (other, &result, fib, NULL, 15);
  return result;
}

static void
test_pool_inside_pool (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2, 0);
  gint64 result = -1;
  other = make_workers (2, 0);
  g_assert_true (satin_run (workers, &result, run_elsewhere, NULL));
  g_assert_cmpint (result, ==, 610);
  satin_workers_free (other);
}

/* ---- figures ---- */

static void
keep_figure (const char *name, gint64 value, gpointer user_data)
{
  g_hash_table_insert (user_data, g_strdup (name), GSIZE_TO_POINTER ((gsize)value));
}

static GHashTable *
figures (SatinWorkers *workers)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  satin_workers_figures (workers, keep_figure, table);
  return table;
}

static gint64
figure (GHashTable *table, const char *name)
{
  g_assert_true (g_hash_table_contains (table, name));
  return GPOINTER_TO_SIZE (g_hash_table_lookup (table, name));
}

static void
test_figures_count_jobs (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2, 0);
  g_assert_true (satin_run (workers, NULL, nothing, NULL));
  gint64 result;
  g_assert_true (satin_run (workers, &result, fib, NULL, 10));
  g_autoptr (GHashTable) table = figures (workers);
  /* fib (n) makes 2 fib (n + 1) - 2 children. There were two root jobs, too. */
  g_assert_cmpint (figure (table, "jobs"), ==, 2 + 2 * 89 - 2);
  g_assert_cmpint (figure (table, "workers"), ==, 2);
}

static void
test_figures_count_jobs_run_at_once (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 64);
  gint64 result;
  g_assert_true (satin_run (workers, &result, fib, NULL, 100 % 80));
  g_autoptr (GHashTable) table = figures (workers);
  g_assert_cmpint (figure (table, "jobs"), ==, 1 + 2 * 10946 - 2);
}

static Gate begun = GATE_CLOSED;

SATIN_TASK (begin, (void)) { gate_open (&begun); }

SATIN_TASK (be_stolen_from, (void))
{
  SATIN_SPAWN (NULL, begin);
  SPAWN_UNTIL (gate_is_open (&begun))
  SATIN_SYNC ();
}

static void
test_figures_count_steals (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2, 0);
  gate_close (&begun);
  g_assert_true (satin_run (workers, NULL, be_stolen_from, NULL));
  g_autoptr (GHashTable) table = figures (workers);
  g_assert_cmpint (figure (table, "steals.local"), >=, 1);
  g_assert_cmpint (figure (table, "steals.local-tried"), >=, figure (table, "steals.local"));
}

static void
test_figures_add_up_to_the_time (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (2, 0);
  gint64 begin_us = g_get_monotonic_time ();
  gint64 result;
  g_assert_true (satin_run (workers, &result, fib, NULL, 20));
  g_autoptr (GHashTable) before = figures (workers);
  gint64 lived_us = g_get_monotonic_time () - begin_us;
  gint64 sum_us = figure (before, "idle-us") + figure (before, "busy-us");
  g_assert_cmpint (figure (before, "idle-us"), >=, 0);
  g_assert_cmpint (figure (before, "busy-us"), >=, 0);
  /* The workers began to live a little earlier. */
  g_assert_cmpint (sum_us, >=, 2 * lived_us - 2000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/workers/" claim, func)
  ADD ("are-as-many-as-processors-by-default", test_default_number_is_that_of_the_processors);
  ADD ("options-out-of-range-are-refused", test_options_out_of_range);
  ADD ("smallest-options-work", test_smallest_options_work);
  ADD ("stack-that-the-system-refuses-is-an-error", test_impossible_stack);
  ADD ("may-be-more-than-64", test_more_workers_than_bits_in_a_word);
  ADD ("none-can-be-freed", test_free_of_nothing);
  ADD ("without-work-can-be-freed", test_free_without_work);
  ADD ("environment-unset-gives-defaults", test_environment_unset);
  ADD ("environment-gives-options", test_environment_set);
  ADD ("environment-out-of-range-is-refused-by-name", test_environment_wrong);
  ADD ("run-jobs-for-many-threads", test_run_from_many_threads);
  ADD ("of-many-pools-run-at-once", test_many_pools);
  ADD ("of-one-pool-wait-for-another", test_pool_inside_pool);
  ADD ("figures-count-jobs", test_figures_count_jobs);
  ADD ("figures-count-jobs-run-at-their-spawn", test_figures_count_jobs_run_at_once);
  ADD ("figures-count-steals", test_figures_count_steals);
  ADD ("figures-of-time-add-up", test_figures_add_up_to_the_time);
  return g_test_run ();
}
