/* test-measure.c - tests samples of jobs, and measurements, which run them
 *
 * Processor time comes from a clock of the test, except in the case about the clocks of threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/measure.h>
#include "core-test.h"

#include "workers/pool.h"
#include "tasks/task.h"

#include <signal.h>
#include <string.h>

#define STEP_US ((gint64)700)

static Gate begun = GATE_CLOSED;
static SatinLoop *loop;
static SatinWorkers *workers;
static int n_nodes; /* atomic: runs of count */

/* Each reading of the clock takes STEP_US. */
static gint64
step_cpu_us (gboolean is_all)
{
  static int n;
  return SATIN_ADD (&n, 1) * STEP_US;
}

/* ---- tasks ---- */

TASK_NOTHING ()

SATIN_TASK (count, (long), (int, depth))
{
  gint64 a = 0, b = 0;
  SATIN_ADD (&n_nodes, 1);
  if (depth <= 0)
    return 1;
  SATIN_SPAWN (&a, count, depth - 1);
  SATIN_SPAWN (&b, count, depth - 1);
  SATIN_SYNC ();
  return a + b;
}

/* The arguments do not fit into a slot. The text and the numbers lie elsewhere. */
SATIN_TASK (greet, (string), (string, name), (array_long, numbers), (double, x), (double, y),
            (double, z))
{
  return g_strdup_printf ("%s %g", name, x + y + z + (double)n_numbers);
}

SATIN_TASK (fail, (int))
{
  return satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "no")), 0;
}

/* Runs until it is aborted. */
SATIN_TASK (endless, (void))
{
  gate_open (&begun);
  while (!satin_is_aborted ())
    {
      SATIN_SPAWN (NULL, nothing);
      SATIN_SYNC ();
    }
}

SATIN_TASK (shared, (int), (object, o)) { return 0; }

/* ---- measuring ---- */

typedef struct
{
  guint n_told;
  gint64 cpu_us;
} Told;

static void
tell (gint64 cpu_us, gpointer user_data)
{
  Told *self = user_data;
  self->n_told++;
  self->cpu_us = cpu_us;
}

static void
await (const Told *told)
{
  while (told->n_told == 0)
    {
      sched_yield ();
      satin_loop_advance (loop, 0);
    }
}

/* Returns: (transfer full): the sample of a job of @task */
static GBytes *
sample_of (const SatinTask *task, gconstpointer args)
{
  g_autoptr (SatinWorkers) others = make_workers (1, 0);
  satin_workers_want_sample (others);
  pool_note_sample (others, task, args, 20000);
  return satin_workers_get_sample (others);
}

#define SAMPLE_OF(NAME, ...) sample_of (&NAME##_task, SATIN_ARGS (NAME##_args, __VA_ARGS__))

static void
assert_measures (GBytes *sample, gint64 cpu_us)
{
  Told told = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_nonnull (sample);
  SatinMeasurement *measurement = satin_measure (workers, loop, sample, tell, &told, &error);
  g_assert_no_error (error);
  await (&told);
  satin_measurement_free (measurement);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (told.n_told, ==, 1);
  g_assert_cmpint (told.cpu_us, ==, cpu_us);
}

static void
test_whole_job (void)
{
  g_autoptr (GBytes) sample = SAMPLE_OF (count, 4);
  n_nodes = 0;
  assert_measures (sample, STEP_US);
  g_assert_cmpint (n_nodes, ==, 31);
}

static void
test_large_arguments (void)
{
  static const gint64 numbers[] = { 1, 2, 3 };
  g_autoptr (GBytes) sample = SAMPLE_OF (greet, "name", numbers, 3, 1, 2, 3);
  assert_measures (sample, STEP_US);
}

static void
test_failing (void)
{
  g_autoptr (GBytes) sample = sample_of (&fail_task, &(fail_args){});
  assert_measures (sample, 0);
}

/* Measures with the clock of the worker's thread, and then without that clock. */
static void
test_clocks (void)
{
  SatinThreadOps ops = satin_thread_ops;
  g_autoptr (GBytes) sample = SAMPLE_OF (count, 12);
  for (guint i = 0; i < 2; i++)
    {
      const SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                            .n_workers = 1,
                                            .thread_ops = &ops };
      g_autoptr (SatinWorkers) others = satin_workers_new (&options, NULL);
      Told told = { 0 };
      SatinMeasurement *measurement = satin_measure (others, loop, sample, tell, &told, NULL);
      await (&told);
      g_assert_cmpint (told.cpu_us, >=, 1);
      satin_measurement_free (measurement);
      ops.cpu_us = NULL;
    }
}

/* The worker of a measurement leaves the signal alone if the program's workers must. */
static void
test_signal (void)
{
  const SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                        .n_workers = 1,
                                        .flags = SATIN_WORKERS_KEEP_SEGV };
  g_autoptr (GBytes) sample = SAMPLE_OF (count, 4);
  struct sigaction before, after;
  sigaction (SIGSEGV, &(struct sigaction){ .sa_handler = SIG_DFL }, &before);
  g_autoptr (SatinWorkers) others = satin_workers_new (&options, NULL);
  Told told = { 0 };
  SatinMeasurement *measurement = satin_measure (others, loop, sample, tell, &told, NULL);
  await (&told);
  satin_measurement_free (measurement);
  sigaction (SIGSEGV, &before, &after);
  g_assert_true (after.sa_handler == SIG_DFL);
}

/* ---- freed ---- */

static void
test_freed_while_it_runs (void)
{
  Told told = { 0 };
  g_autoptr (GBytes) sample = sample_of (&endless_task, &(endless_args){});
  gate_close (&begun);
  SatinMeasurement *measurement = satin_measure (workers, loop, sample, tell, &told, NULL);
  gate_wait (&begun);
  satin_measurement_free (measurement);
  satin_loop_advance (loop, 0);
  g_assert_cmpuint (told.n_told, ==, 0);
}

/* A measurement may be freed before it begins, while it runs, or when it has ended and is not
 * reported yet. */
static void
test_freed_at_any_time (void)
{
  Told told = { 0 };
  g_autoptr (GBytes) sample = SAMPLE_OF (count, 3);
  for (guint i = 0; i < 60; i++)
    {
      SatinMeasurement *measurement = satin_measure (workers, loop, sample, tell, &told, NULL);
      for (guint j = 0; j < i % 12; j++)
        sched_yield ();
      satin_measurement_free (measurement);
      satin_loop_advance (loop, 0);
    }
  g_assert_cmpuint (told.n_told, ==, 0);
}

static void
free_inside (gint64 cpu_us, gpointer user_data)
{
  SatinMeasurement **measurement = user_data;
  g_clear_pointer (measurement, satin_measurement_free);
}

static void
test_freed_when_told (void)
{
  g_autoptr (GBytes) sample = SAMPLE_OF (count, 3);
  SatinMeasurement *measurement = NULL;
  measurement = satin_measure (workers, loop, sample, free_inside, &measurement, NULL);
  while (measurement != NULL)
    satin_loop_advance (loop, 0);
  satin_measurement_free (NULL);
}

/* ---- bytes from outside ---- */

static void
assert_refused (const guint8 *bytes, gsize n_bytes)
{
  g_autofree guint8 *copy = g_memdup2 (bytes, n_bytes); /* exact size, for sanitizers */
  g_autoptr (GBytes) sample = g_bytes_new_static (copy, n_bytes);
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_measure (workers, loop, sample, tell, NULL, &error));
  g_assert_nonnull (error);
}

SATIN_RECORD (RawSample, (string, task), (bytes, args))

static void
assert_text_refused (const char *task, gsize n_args)
{
  g_autofree guint8 *zeros = g_malloc0 (n_args + 1);
  const RawSample raw = { task, zeros, n_args };
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&RawSample_record, &raw);
  assert_refused (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
test_cut_off (void)
{
  g_autoptr (GBytes) sample = SAMPLE_OF (count, 4);
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (sample, &n_bytes);
  for (gsize n = 0; n < n_bytes; n++)
    assert_refused (bytes, n);
  g_autofree guint8 *longer = g_malloc0 (n_bytes + 1);
  memcpy (longer, bytes, n_bytes);
  assert_refused (longer, n_bytes + 1);
}

/* Each damaged sample is refused, or is the sample of another job. */
static void
test_damaged (void)
{
  static const gint64 numbers[] = { 1, 2, 3 };
  g_autoptr (GBytes) sample = SAMPLE_OF (greet, "name", numbers, 3, 1, 2, 3);
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (sample, &n_bytes);
  guint n_refused = 0;
  for (gsize bit = 0; bit < 8 * n_bytes; bit++)
    {
      guint8 *copy = g_memdup2 (bytes, n_bytes);
      copy[bit / 8] ^= (guint8)(1 << bit % 8);
      g_autoptr (GBytes) damaged = g_bytes_new_take (copy, n_bytes);
      g_autoptr (GError) error = NULL;
      SatinMeasurement *measurement = satin_measure (workers, loop, damaged, tell, NULL, &error);
      g_assert_true ((measurement == NULL) == (error != NULL));
      n_refused += measurement == NULL;
      satin_measurement_free (measurement);
      satin_loop_advance (loop, 0);
    }
  g_assert_cmpuint (n_refused, >, 8 * strlen ("greet") - 1);
}

static void
test_no_job_of_this_program (void)
{
  assert_text_refused ("elsewhere", 0);
  assert_text_refused ("", 0);
  assert_text_refused ("count", 0);   /* without its argument */
  assert_text_refused ("count", 2);   /* with too many bytes */
  assert_text_refused ("shared", 1);  /* its argument is an object, which other nodes may lack */
  assert_text_refused ("greet", 300); /* only a part of its arguments */
  assert_text_refused ("greet", 2 * SATIN_SAMPLE_MAX_BYTES);
}

static void
set_up (void)
{
  static SatinThreadOps ops;
  const SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                        .n_workers = 1,
                                        .thread_ops = &ops };
  g_autoptr (GError) error = NULL;
  ops = satin_thread_ops;
  ops.cpu_us = step_cpu_us;
  loop = satin_loop_new_manual (1);
  workers = satin_workers_new (&options, &error);
  g_assert_no_error (error);
}

static void
run_case (gconstpointer test)
{
  set_up ();
  ((void (*) (void))test) ();
  satin_workers_free (workers);
  satin_loop_free (loop);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (void);
  } cases[] = {
    { "/core/measure/runs-the-whole-job", test_whole_job },
    { "/core/measure/arguments-may-be-large", test_large_arguments },
    { "/core/measure/failing-sample-tells-nothing", test_failing },
    { "/core/measure/clock-of-the-thread-or-of-all", test_clocks },
    { "/core/measure/handles-no-signal-that-the-program-keeps", test_signal },
    { "/core/measure/freed-while-it-runs", test_freed_while_it_runs },
    { "/core/measure/freed-at-any-time", test_freed_at_any_time },
    { "/core/measure/freed-when-told", test_freed_when_told },
    { "/core/measure/sample-that-is-cut-off-is-refused", test_cut_off },
    { "/core/measure/damaged-sample-breaks-nothing", test_damaged },
    { "/core/measure/job-of-another-program-is-refused", test_no_job_of_this_program },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, (gconstpointer)cases[i].test, run_case);
  return g_test_run ();
}
