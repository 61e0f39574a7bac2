/* spawn.c - measures the cost of a spawn with its sync, against a plain call
 *
 * The tasks compute fib: a comparison and an addition. So nearly all of the time goes into making,
 * keeping and syncing jobs. The best of several rounds counts, because other load on the machine
 * can only make a round slower.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include <satin/core.h>

#define DEPTH    30
#define N_ROUNDS 12

/* The number of calls of fib (30), without the first. In all forms except the plain call, each of
 * these calls is a job. */
#define N_JOBS 2692536

SATIN_TASK (bench_fib, (long), (int, n))
{
  gint64 a, b;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, bench_fib, n - 1);
  SATIN_SPAWN (&b, bench_fib, n - 2);
  SATIN_SYNC_OR_RETURN (0);
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

/* Adds a result as an inlet does: in memory, and in a function of its own. */
__attribute__ ((noinline)) static void
add (gint64 *sum, const gint64 *result)
{
  *sum += *result;
  __asm__ volatile("" : : : "memory");
}

SATIN_TASK (bench_fib_adding, (long), (int, n))
{
  gint64 a, b, sum = 0;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, bench_fib_adding, n - 1);
  SATIN_SPAWN (&b, bench_fib_adding, n - 2);
  SATIN_SYNC_OR_RETURN (0);
  add (&sum, &a);
  add (&sum, &b);
  return sum;
}

SATIN_INLET (add_result, (gint64, sum), (gint64, result), error) { *sum += *result; }

SATIN_TASK (bench_fib_inlet, (long), (int, n))
{
  gint64 a, b, sum = 0;
  if (n < 2)
    return n;
  SATIN_SPAWN_INLET (&a, add_result, &sum, bench_fib_inlet, n - 1);
  SATIN_SPAWN_INLET (&b, add_result, &sum, bench_fib_inlet, n - 2);
  SATIN_SYNC_OR_RETURN (0);
  return sum;
}

/* Computes the same as the tasks. noinline and the asm keep the compiler from merging calls. */
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

/* One way to compute fib, with its best time. */
typedef struct
{
  const SatinTask *task;
  gint64 best_us;
} Form;

static gboolean
time_once (SatinWorkers *workers, Form *form, GError **error)
{
  const struct
  {
    gint32 n;
  } args = { DEPTH };
  gint64 result;
  gint64 from_us = g_get_monotonic_time ();
  if (!satin_workers_run_task (workers, form->task, &args, &result, error))
    return FALSE;
  gint64 time_us = g_get_monotonic_time () - from_us;
  form->best_us = MIN (form->best_us, time_us);
  return TRUE;
}

static double
ns_a_job (const Form *form)
{
  return (double)form->best_us * 1000 / N_JOBS;
}

gboolean
bench_spawn (BenchReport *report, GError **error)
{
  const SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                        .n_workers = 1 };
  g_autoptr (SatinWorkers) workers = satin_workers_new (&options, error);
  enum
  {
    CALL,
    GENERAL,
    TYPED,
    ADDING,
    INLET,
    N_FORMS
  };
  Form forms[N_FORMS] = {
    [CALL] = { &bench_plain_task, G_MAXINT64 },
    [GENERAL] = { &bench_fib_task, G_MAXINT64 },
    [TYPED] = { &bench_fib_typed_task, G_MAXINT64 },
    [ADDING] = { &bench_fib_adding_task, G_MAXINT64 },
    [INLET] = { &bench_fib_inlet_task, G_MAXINT64 },
  };
  if (workers == NULL)
    return FALSE;
  for (guint i = 0; i < N_ROUNDS * N_FORMS; i++)
    if (!time_once (workers, &forms[i % N_FORMS], error))
      return FALSE;
  double call_ns = ns_a_job (&forms[CALL]), general_ns = ns_a_job (&forms[GENERAL]);
  double typed_ns = ns_a_job (&forms[TYPED]), inlet_ns = ns_a_job (&forms[INLET]);
  bench_report_add (report, "spawn", "call", call_ns, "ns");
  bench_report_add (report, "spawn", "general", general_ns, "ns");
  bench_report_add (report, "spawn", "general-to-call", general_ns / call_ns, "times");
  bench_report_add (report, "spawn", "typed", typed_ns, "ns");
  bench_report_add (report, "spawn", "typed-to-call", typed_ns / call_ns, "times");
  bench_report_add (report, "spawn", "inlet", inlet_ns, "ns");
  bench_report_add (report, "spawn", "inlet-above-general", inlet_ns - general_ns, "ns");
  bench_report_add (report, "spawn", "inlet-above-adding", inlet_ns - ns_a_job (&forms[ADDING]),
                    "ns");
  return TRUE;
}
