/* bench-spawn.c - what a spawn and its sync cost, against a plain call
 *
 * The body is that of fib: a comparison and an addition, so that nearly all of
 * the time is that of making, keeping and syncing jobs. The best of several
 * rounds counts, because everything else on the machine only adds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include <satin/core.h>

#define DEPTH    30
#define N_ROUNDS 5

/* fib (30) makes this many calls but the first, each a job in the spawning forms. */
#define N_JOBS 2692536

SATIN_TASK (bench_fib, (long), (int, n))
{
  gint64 a, b;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, bench_fib, n - 1);
  SATIN_SPAWN (&b, bench_fib, n - 2);
  if (!SATIN_SYNC ())
    return 0;
  return a + b;
}

SATIN_TASK (bench_fib_typed, (long), (int, n))
{
  if (n < 2)
    return n;
  SATIN_SPAWN_TYPED (bench_fib_typed, n - 1);
  SATIN_SPAWN_TYPED (bench_fib_typed, n - 2);
  gint64 b = SATIN_SYNC_TYPED (bench_fib_typed);
  gint64 a = SATIN_SYNC_TYPED (bench_fib_typed);
  return a + b;
}

SATIN_INLET (add_result, (gint64, sum), (gint64, result), error) { *sum += *result; }

SATIN_TASK (bench_fib_inlet, (long), (int, n))
{
  gint64 a, b, sum = 0;
  if (n < 2)
    return n;
  SATIN_SPAWN_INLET (&a, add_result, &sum, bench_fib_inlet, n - 1);
  SATIN_SPAWN_INLET (&b, add_result, &sum, bench_fib_inlet, n - 2);
  if (!SATIN_SYNC ())
    return 0;
  return sum;
}

/* As the tasks, but a function that the compiler may not unfold. */
__attribute__ ((noinline)) static gint64
plain_fib (gint32 n)
{
  if (n < 2)
    return n;
  gint64 a = plain_fib (n - 1);
  __asm__ volatile("" : "+r"(a));
  gint64 b = plain_fib (n - 2);
  __asm__ volatile("" : "+r"(b));
  return a + b;
}

SATIN_TASK (bench_plain, (long), (int, n)) { return plain_fib (n); }

/* Returns: nanoseconds a call, the best of all rounds; 0 with @error set */
static double
time_task (SatinWorkers *workers, const SatinTask *task, GError **error)
{
  const struct
  {
    gint32 n;
  } args = { DEPTH };
  gint64 best_us = G_MAXINT64;
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      gint64 result;
      gint64 from_us = g_get_monotonic_time ();
      if (!satin_workers_run_task (workers, task, &args, &result, error))
        return 0;
      gint64 time_us = g_get_monotonic_time () - from_us;
      best_us = MIN (best_us, time_us);
    }
  return (double)best_us * 1000 / N_JOBS;
}

gboolean
bench_spawn (BenchReport *report, GError **error)
{
  const SatinWorkersOptions options = { .n_workers = 1 };
  g_autoptr (SatinWorkers) workers = satin_workers_new (&options, error);
  if (workers == NULL)
    return FALSE;
  double plain_ns = time_task (workers, &bench_plain_task, error);
  double general_ns = plain_ns > 0 ? time_task (workers, &bench_fib_task, error) : 0;
  double typed_ns = general_ns > 0 ? time_task (workers, &bench_fib_typed_task, error) : 0;
  double inlet_ns = typed_ns > 0 ? time_task (workers, &bench_fib_inlet_task, error) : 0;
  if (inlet_ns <= 0)
    return FALSE;
  bench_report_add (report, "spawn", "call", plain_ns, "ns");
  bench_report_add (report, "spawn", "general", general_ns, "ns");
  bench_report_add (report, "spawn", "general-to-call", general_ns / plain_ns, "times");
  bench_report_add (report, "spawn", "typed", typed_ns, "ns");
  bench_report_add (report, "spawn", "typed-to-call", typed_ns / plain_ns, "times");
  bench_report_add (report, "spawn", "inlet", inlet_ns, "ns");
  bench_report_add (report, "spawn", "inlet-above-general", inlet_ns - general_ns, "ns");
  return TRUE;
}
