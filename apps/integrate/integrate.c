/* integrate.c - integrates a function by Simpson's rule, with finer steps where the function needs
 * them
 *
 * An interval whose integral is not exact enough is halved. How short the intervals become depends
 * on the function, and differs from place to place by orders of magnitude. The halves of the first
 * levels are jobs.
 *
 * In every mode the same numbers are added in the same order, so the result is the same to the last
 * bit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include <math.h>

#include "../common/arguments.h"
#include "../common/options.h"
#include "interval.h"

/* The first DEFAULT_THRESHOLD halvings make jobs, unless --threshold is given. */
#define DEFAULT_THRESHOLD 12

#define DEFAULT_TOLERANCE 1e-9

/* Result: the integral, number of intervals that were looked at, and number of jobs that did so. */
SATIN_RECORD (Integral, (double, value), (long, n_intervals), (long, n_jobs))

/* Integrates over @interval. If the interval must be halved, and fewer than @threshold halvings led
 * to it, its halves are jobs. */
SATIN_TASK (integrate, (record, Integral), (record, interval, Interval), (int, threshold))
{
  Integral integral = { .n_jobs = 1 }, integrals[2];
  Interval left, right;
  GError *error = NULL;
  if (!interval_check (&interval, &error)
      || !app_argument_check ("threshold", threshold, 0, INTERVAL_MAX_HALVINGS, &error))
    {
      satin_fail (error);
      return integral;
    }
  if (interval.n_halvings >= threshold)
    {
      integral.value = interval_integrate (&interval, &integral.n_intervals);
      return integral;
    }
  integral.n_intervals = 1;
  if (interval_halve (&interval, &left, &right, &integral.value))
    return integral;
  SATIN_SPAWN (&integrals[0], integrate, left, threshold);
  SATIN_SPAWN (&integrals[1], integrate, right, threshold);
  SATIN_SYNC_OR_RETURN (integral);
  integral.value = integrals[0].value + integrals[1].value;
  integral.n_intervals += integrals[0].n_intervals + integrals[1].n_intervals;
  integral.n_jobs += integrals[0].n_jobs + integrals[1].n_jobs;
  return integral;
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  Interval interval;
  int threshold;
} IntegrateOptions;

/* Makes the interval. @interval: its ends and tolerance are those of the options */
static gboolean
make_interval (const char *name, Interval *interval, GError **error)
{
  double from = interval->from, to = interval->to, tolerance = interval->tolerance;
  int function = interval_find_function (name);
  if (function < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "'%s' is no function: give one of " INTERVAL_FUNCTION_NAMES,
                   name != NULL ? name : "");
      return FALSE;
    }
  if (!(fabs (from) <= INTERVAL_MAX_END && fabs (to) <= INTERVAL_MAX_END && from < to))
    {
      g_set_error (
          error, SATIN_ERROR, SATIN_ERROR_INVALID,
          "--from is %g and --to is %g, but must be from -1000 to 1000, in ascending order", from,
          to);
      return FALSE;
    }
  if (!(tolerance >= INTERVAL_MIN_TOLERANCE))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--tolerance is %g, but must be 1e-12 or more", tolerance);
      return FALSE;
    }
  interval_init (interval, function, from, to, tolerance);
  return TRUE;
}

static gboolean
read_options (const SatinString *argv, gsize n_argv, IntegrateOptions *options, GError **error)
{
  Interval *interval = &options->interval;
  const AppNumber numbers[] = {
    { "threshold", "The first N halvings make jobs", 0, INTERVAL_MAX_HALVINGS, DEFAULT_THRESHOLD,
      &options->threshold },
    APP_NUMBER_NULL,
  };
  const GOptionEntry entries[] = {
    { "from", 0, 0, G_OPTION_ARG_DOUBLE, &interval->from, "Lower end (0)", "X" },
    { "to", 0, 0, G_OPTION_ARG_DOUBLE, &interval->to, "Upper end (100)", "X" },
    { "tolerance", 0, 0, G_OPTION_ARG_DOUBLE, &interval->tolerance,
      "How much the result may be wrong (" G_STRINGIFY (DEFAULT_TOLERANCE) ")", "X" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "FUNCTION",
                           "Integrates a function by Simpson's rule, with finer steps where it "
                           "needs them.\nFUNCTION is chirp: x sin (x^2), peak: 1 / (1 + (1000 "
                           "x)^2), or root: sqrt |x|.",
                           entries, numbers };
  g_autofree char *name = NULL;
  return app_options_parse (&usage, argv, n_argv, &options->common, &name, error)
         && (options->common.is_help || make_interval (name, interval, error));
}

static void
integrate_again (gpointer user_data)
{
  const Interval *interval = user_data;
  gint64 n_intervals = 0;
  volatile double value G_GNUC_UNUSED = interval_integrate (interval, &n_intervals);
}

static void
print_time (IntegrateOptions *options, const Integral *integral, gint64 time_us)
{
  app_report_time (&options->common, "integrate", time_us, integral->n_jobs, integrate_again,
                   &options->interval);
  if (options->common.is_timed)
    g_printerr ("integrate: %" G_GINT64_FORMAT " intervals\n", integral->n_intervals);
}

SATIN_TASK (integrate_main, (int), (array_string, argv))
{
  IntegrateOptions options = { .interval = { .to = 100, .tolerance = DEFAULT_TOLERANCE } };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  const Interval *interval = &options.interval;
  Integral integral = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    integral.value = interval_integrate (interval, &integral.n_intervals);
  else
    SATIN_SPAWN (&integral, integrate, *interval, options.threshold);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  g_print ("integrate: %s from %g to %g = %.9g, exact %.9g\n",
           interval_function_name (interval->function), interval->from, interval->to,
           integral.value, interval_exact_integral (interval));
  print_time (&options, &integral, time_us);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, integrate_main);
}
