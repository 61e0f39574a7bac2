/* fib.c - Fibonacci numbers by plain recursion: shows how a program is written, what a job costs
 *
 * fib() is the usual way to write a task. The other tasks compute the same, with macros of
 * satin/core/task.h that make jobs cheaper, or with fewer jobs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/options.h"

/* The general form: both children become jobs, and results go to variables of this frame. */
SATIN_TASK (fib, (long), (int, n))
{
  gint64 a, b;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, fib, n - 1);
  SATIN_SPAWN (&b, fib, n - 2);
  SATIN_SYNC_OR_RETURN (0);
  return a + b;
}

/* The typed form: results come back newest first. */
SATIN_TASK (fib_typed, (long), (int, n))
{
  if (n < 2)
    return n;
  SATIN_SPAWN_TYPED (fib_typed, n - 1);
  SATIN_SPAWN_TYPED (fib_typed, n - 2);
  gint64 b = SATIN_SYNC_TYPED (fib_typed);
  gint64 a = SATIN_SYNC_TYPED (fib_typed);
  return a + b;
}

/* One child becomes a job; the other is an ordinary call. */
SATIN_TASK (fib_call, (long), (int, n))
{
  if (n < 2)
    return n;
  SATIN_SPAWN_TYPED (fib_call, n - 1);
  gint64 b = SATIN_CALL (fib_call, n - 2);
  gint64 a = SATIN_SYNC_TYPED (fib_call);
  return a + b;
}

/* Plain C, with which all other forms are compared. */
static gint64
fib_sequential (int n)
{
  return n < 2 ? n : fib_sequential (n - 1) + fib_sequential (n - 2);
}

/* The general form with a grain: no jobs below fib (@threshold). */
SATIN_TASK (fib_coarse, (long), (int, n), (int, threshold))
{
  gint64 a, b;
  if (n < threshold)
    return fib_sequential (n);
  SATIN_SPAWN (&a, fib_coarse, n - 1, threshold);
  SATIN_SPAWN (&b, fib_coarse, n - 2, threshold);
  SATIN_SYNC_OR_RETURN (0);
  return a + b;
}

/* ---- the command line ---- */

/**
 * FibOptions:
 * @threshold: fib of less than this makes no jobs; 2 unless --threshold is given
 */
typedef struct
{
  AppOptions common;
  int n;
  int threshold;
  gboolean is_typed;
  gboolean is_call;
} FibOptions;

static gboolean
read_options (const SatinString *argv, gsize n_argv, FibOptions *options, GError **error)
{
  const GOptionEntry entries[] = {
    { "typed", 0, 0, G_OPTION_ARG_NONE, &options->is_typed, "Typed form, both children are jobs",
      NULL },
    { "call", 0, 0, G_OPTION_ARG_NONE, &options->is_call,
      "Typed form, one child is a job and one a call", NULL },
    { "threshold", 0, 0, G_OPTION_ARG_INT, &options->threshold, "No jobs below fib(K)", "K" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "N", "Computes the N-th Fibonacci number by plain recursion.", entries };
  g_autofree char *operand = NULL;
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &operand, error))
    return FALSE;
  if (options->common.is_help)
    return TRUE;
  if (options->is_typed + options->is_call + (options->threshold != 2) > 1)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--typed, --call and --threshold are different forms: give one of them");
      return FALSE;
    }
  if (options->threshold < 2)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--threshold is %d, but must be 2 or more", options->threshold);
      return FALSE;
    }
  return app_number_parse (operand, 0, 92, &options->n, error);
}

/* Returns: how many jobs the program makes, with the first job */
static gint64
count_jobs (const FibOptions *options)
{
  gint64 n_spawns = options->is_call ? 1 : 2;
  gint64 jobs = 0, jobs_before = 0;
  for (int i = options->threshold; i <= options->n; i++)
    {
      gint64 next = n_spawns + jobs + jobs_before;
      jobs_before = jobs;
      jobs = next;
    }
  return jobs + 1;
}

static void
print_time (const FibOptions *options, gint64 time_us)
{
  if (options->common.is_sequential)
    {
      app_print_time ("fib", time_us, 0, 0);
      return;
    }
  gint64 started_us = g_get_monotonic_time ();
  volatile gint64 result G_GNUC_UNUSED = fib_sequential (options->n);
  app_print_time ("fib", time_us, count_jobs (options), g_get_monotonic_time () - started_us);
}

SATIN_TASK (fib_main, (int), (array_string, argv))
{
  FibOptions options = { .threshold = 2 };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  gint64 result, started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    result = fib_sequential (options.n);
  else if (options.is_typed)
    SATIN_SPAWN (&result, fib_typed, options.n);
  else if (options.is_call)
    SATIN_SPAWN (&result, fib_call, options.n);
  else if (options.threshold > 2)
    SATIN_SPAWN (&result, fib_coarse, options.n, options.threshold);
  else
    SATIN_SPAWN (&result, fib, options.n);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  g_print ("fib(%d) = %" G_GINT64_FORMAT "\n", options.n, result);
  if (options.common.is_timed)
    print_time (&options, time_us);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, fib_main);
}
