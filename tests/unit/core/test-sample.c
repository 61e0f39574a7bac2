/* test-sample.c - tests which jobs are kept as samples, to compare nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/measure.h>
#include "jobs-world.h"

#define MANY 40000 /* too many for a sample */

TASK_NOTHING ()

static Gate abroad = GATE_CLOSED;
static const gint64 zeros[MANY];

SATIN_TASK (count, (int), (int, n)) { return n; }

SATIN_TASK (sum, (long), (array_long, numbers)) { return n_numbers > 0 ? numbers[0] : 0; }

SATIN_TASK (shared, (int), (object, o)) { return 0; }

SATIN_TASK (guarded, (int), (int, n)) { return n; }

SATIN_GUARD (guarded, (int, n)) { return TRUE; }

/* Runs for two milliseconds if it runs on another node. */
SATIN_TASK (visit, (int), (int, n))
{
  gint64 begin_us = g_get_monotonic_time ();
  while (!satin_is_local () && g_get_monotonic_time () < begin_us + 2000)
    ;
  if (!satin_is_local ())
    gate_open (&abroad);
  return n;
}

SATIN_TASK (root, (int))
{
  gint32 result = 0;
  SATIN_SPAWN (&result, visit, 5);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return result;
}

static SatinWorkers *workers;

/* Notes that the job has run, and checks whether it became the sample. */
static void
note_job (const SatinTask *task, gconstpointer args, gint64 took_us, gboolean is_taken)
{
  g_autoptr (GBytes) before = satin_workers_get_sample (workers);
  pool_note_sample (workers, task, args, took_us);
  g_autoptr (GBytes) after = satin_workers_get_sample (workers);
  g_assert_cmpint (before != after, ==, is_taken);
}

#define NOTE(NAME, took_us, is_taken, ...)                                                         \
  note_job (&NAME##_task, SATIN_ARGS (NAME##_args, __VA_ARGS__), took_us, is_taken)

static void
test_best_is_kept (void)
{
  workers = make_workers (1, 0);
  NOTE (count, 20000, FALSE, 1); /* no sample is wanted yet */
  satin_workers_want_sample (workers);
  NOTE (count, 999, FALSE, 2);
  NOTE (count, 200001, FALSE, 3);
  NOTE (count, 200000, TRUE, 4);
  NOTE (count, 1000, FALSE, 5); /* 20 times too short is worse than 10 times too long */
  NOTE (count, 4000, TRUE, 6);
  NOTE (count, 90000, TRUE, 7);
  NOTE (count, 90000, FALSE, 8);
  NOTE (count, 21000, TRUE, 9);
  NOTE (count, 20000, TRUE, 10);
  satin_workers_free (workers);
}

static void
test_not_every_job (void)
{
  workers = make_workers (1, 0);
  satin_workers_want_sample (workers);
  NOTE (shared, 20000, FALSE, 7);
  NOTE (guarded, 20000, FALSE, 7);
  NOTE (sum, 20000, FALSE, zeros, MANY);
  NOTE (sum, 20000, TRUE, zeros, 100);
  satin_workers_free (workers);
}

static void
test_stolen_job (void)
{
  g_autoptr (GBytes) sample = NULL;
  world_begin (2, TRUE);
  satin_workers_want_sample (world_nodes[0].workers);
  satin_workers_want_sample (world_nodes[1].workers);
  for (guint i = 0; i < 100 && sample == NULL; i++) /* the job may run too long */
    {
      gint32 result = 0;
      gate_close (&abroad);
      g_assert_true (world_run (&root_task, NULL, &result, NULL));
      g_assert_cmpint (result, ==, 5);
      sample = satin_workers_get_sample (world_nodes[1].workers);
    }
  g_assert_nonnull (sample);
  g_assert_null (satin_workers_get_sample (world_nodes[0].workers)); /* it ran only its own jobs */
  world_end ();
}

static gint64 told_us;

static void
note_told (gint64 cpu_us, gpointer user_data)
{
  told_us = cpu_us;
}

/* A benchmark holds for the rest of the process, so this test is the last. */
static void
test_own_benchmark (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinLoop) loop = satin_loop_new_manual (1);
  workers = make_workers (1, 0);
  satin_workers_want_sample (workers);
  NOTE (count, 30000, TRUE, 6);
  SATIN_BENCHMARK (visit, 1);
  SATIN_BENCHMARK (count, 1);
  NOTE (count, 20000, FALSE, 7);
  g_autoptr (GBytes) sample = satin_workers_get_sample (workers);
  SatinMeasurement *measurement = satin_measure (workers, loop, sample, note_told, NULL, &error);
  g_assert_no_error (error);
  for (told_us = 0; told_us == 0; sched_yield ())
    satin_loop_advance (loop, 0);
  satin_measurement_free (measurement);
  satin_workers_free (workers);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sample/best-job-is-kept", test_best_is_kept);
  g_test_add_func ("/core/sample/not-every-job-is-one", test_not_every_job);
  g_test_add_func ("/core/sample/is-a-job-of-another-node", test_stolen_job);
  g_test_add_func ("/core/sample/own-benchmark-comes-first", test_own_benchmark);
  return g_test_run ();
}
