/* integrate.c - integrates a function by Simpson's rule, with finer steps where the function needs
 * them
 *
 * An interval whose integral is not exact enough is halved. How deep that goes depends on the
 * function, and differs from place to place by orders of magnitude. The halves of the first levels
 * are jobs.
 *
 * In every mode the same numbers are added in the same order, so the result is the same to the last
 * bit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include <float.h>
#include <math.h>

#include "../common/options.h"

/* Number of halvings that make jobs, unless --threshold is given. */
#define DEFAULT_THRESHOLD 12

#define DEFAULT_TOLERANCE 1e-9

/* An interval is not halved more often than this, because then rounding errors may be larger than
 * what is wanted. */
#define MAX_HALVINGS 30

/* ---- functions ---- */

static double
chirp (double x)
{
  return x * sin (x * x);
}

static double
chirp_integral (double x)
{
  return -cos (x * x) / 2;
}

static double
peak (double x)
{
  return 1 / (1 + 1e6 * x * x);
}

static double
peak_integral (double x)
{
  return atan (1e3 * x) / 1e3;
}

static double
root (double x)
{
  return sqrt (fabs (x));
}

static double
root_integral (double x)
{
  return copysign (2.0 / 3 * pow (fabs (x), 1.5), x);
}

/* Functions with their antiderivatives, so that the result can be checked. */
static const struct
{
  const char *name;
  double (*at) (double x);
  double (*integral) (double x);
} functions[] = {
  { "chirp", chirp, chirp_integral },
  { "peak", peak, peak_integral },
  { "root", root, root_integral },
};

#define FUNCTION_NAMES "chirp, peak, root"

/* ---- the integral ---- */

/**
 * Interval:
 * @function: index of the function
 * @n_halvings: how often an interval was halved to get this one
 * @from, @to: the ends
 * @at_from, @at_middle, @at_to: the function there and in the middle
 * @tolerance: how much the integral may be wrong
 */
SATIN_RECORD (Interval, (int, function), (int, n_halvings), (double, from), (double, to),
              (double, at_from), (double, at_middle), (double, at_to), (double, tolerance))

/* Result: the integral, number of intervals that were looked at, and number of jobs that did so. */
SATIN_RECORD (Integral, (double, value), (long, n_intervals), (long, n_jobs))

static double
simpson (double length, double at_from, double at_middle, double at_to)
{
  return length / 6 * (at_from + 4 * at_middle + at_to);
}

/* Halves an interval, and compares the integral of the halves with that of the whole. @ret_value:
 * (out): the better of both. Returns: %TRUE when that is exact enough */
static gboolean
halve (const Interval *self, Interval *ret_left, Interval *ret_right, double *ret_value)
{
  double middle = (self->from + self->to) / 2, length = self->to - self->from;
  double (*at) (double) = functions[self->function].at;
  Interval half = *self;
  half.n_halvings++;
  half.tolerance /= 2;
  *ret_left = *ret_right = half;
  ret_left->to = ret_right->from = middle;
  ret_left->at_to = ret_right->at_from = self->at_middle;
  ret_left->at_middle = at ((self->from + middle) / 2);
  ret_right->at_middle = at ((middle + self->to) / 2);
  double whole = simpson (length, self->at_from, self->at_middle, self->at_to);
  double halves =
      simpson (length / 2, ret_left->at_from, ret_left->at_middle, ret_left->at_to)
      + simpson (length / 2, ret_right->at_from, ret_right->at_middle, ret_right->at_to);
  /* The error of the halves is a fifteenth of the difference, if the interval is short. */
  *ret_value = halves + (halves - whole) / 15;
  /* Below that, the difference consists of rounding errors. */
  double least =
      DBL_EPSILON * length * (fabs (self->at_from) + fabs (self->at_middle) + fabs (self->at_to));
  return fabs (halves - whole) <= MAX (15 * self->tolerance, least)
         || self->n_halvings >= MAX_HALVINGS;
}

static double
integrate_sequential (const Interval *interval, gint64 *n_intervals)
{
  Interval left, right;
  double value;
  ++*n_intervals;
  if (halve (interval, &left, &right, &value))
    return value;
  value = integrate_sequential (&left, n_intervals);
  return value + integrate_sequential (&right, n_intervals);
}

/* Integrates over @interval. Intervals that were halved less than @threshold times make jobs. */
SATIN_TASK (integrate, (record, Integral), (record, interval, Interval), (int, threshold))
{
  Integral integral = { .n_jobs = 1 }, integrals[2];
  Interval left, right;
  if (interval.function < 0 || interval.function >= (int)G_N_ELEMENTS (functions))
    {
      satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, "no such function"));
      return integral;
    }
  if (interval.n_halvings >= threshold)
    {
      integral.value = integrate_sequential (&interval, &integral.n_intervals);
      return integral;
    }
  integral.n_intervals = 1;
  if (halve (&interval, &left, &right, &integral.value))
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

static gboolean
read_interval (const char *name, Interval *interval, GError **error)
{
  gsize i = 0;
  while (i < G_N_ELEMENTS (functions) && g_strcmp0 (name, functions[i].name) != 0)
    i++;
  if (i == G_N_ELEMENTS (functions))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "'%s' is no function: give one of " FUNCTION_NAMES, name != NULL ? name : "");
      return FALSE;
    }
  if (!(fabs (interval->from) <= 1e3 && fabs (interval->to) <= 1e3
        && interval->from < interval->to))
    {
      g_set_error (
          error, SATIN_ERROR, SATIN_ERROR_INVALID,
          "--from is %g and --to is %g, but must be from -1000 to 1000, in ascending order",
          interval->from, interval->to);
      return FALSE;
    }
  if (!(interval->tolerance >= 1e-12))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--tolerance is %g, but must be 1e-12 or more", interval->tolerance);
      return FALSE;
    }
  double (*at) (double) = functions[i].at;
  interval->function = (gint32)i;
  interval->at_from = at (interval->from);
  interval->at_middle = at ((interval->from + interval->to) / 2);
  interval->at_to = at (interval->to);
  return TRUE;
}

static gboolean
read_options (const SatinString *argv, gsize n_argv, IntegrateOptions *options, GError **error)
{
  Interval *interval = &options->interval;
  const GOptionEntry entries[] = {
    { "from", 0, 0, G_OPTION_ARG_DOUBLE, &interval->from, "Lower end (0)", "X" },
    { "to", 0, 0, G_OPTION_ARG_DOUBLE, &interval->to, "Upper end (100)", "X" },
    { "tolerance", 0, 0, G_OPTION_ARG_DOUBLE, &interval->tolerance,
      "How much the result may be wrong (" G_STRINGIFY (DEFAULT_TOLERANCE) ")", "X" },
    { "threshold", 0, 0, G_OPTION_ARG_INT, &options->threshold,
      "The first N halvings make jobs (" G_STRINGIFY (DEFAULT_THRESHOLD) ")", "N" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "FUNCTION",
                           "Integrates a function by Simpson's rule, with finer steps where it "
                           "needs them.\nFUNCTION is chirp: x sin (x^2), peak: 1 / (1 + (1000 "
                           "x)^2), or root: sqrt |x|.",
                           entries };
  g_autofree char *name = NULL;
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &name, error))
    return FALSE;
  if (options->common.is_help)
    return TRUE;
  return app_range_check ("--threshold", options->threshold, 0, MAX_HALVINGS, error)
         && read_interval (name, interval, error);
}

static void
print_time (const IntegrateOptions *options, const Integral *integral, gint64 time_us)
{
  if (options->common.is_sequential)
    app_print_time ("integrate", time_us, 0, 0);
  else
    {
      gint64 started_us = g_get_monotonic_time (), n_intervals = 0;
      volatile double value G_GNUC_UNUSED = integrate_sequential (&options->interval, &n_intervals);
      app_print_time ("integrate", time_us, integral->n_jobs, g_get_monotonic_time () - started_us);
    }
  g_printerr ("integrate: %" G_GINT64_FORMAT " intervals\n", integral->n_intervals);
}

SATIN_TASK (integrate_main, (int), (array_string, argv))
{
  IntegrateOptions options = { .interval = { .to = 100, .tolerance = DEFAULT_TOLERANCE },
                               .threshold = DEFAULT_THRESHOLD };
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
    integral.value = integrate_sequential (interval, &integral.n_intervals);
  else
    SATIN_SPAWN (&integral, integrate, *interval, options.threshold);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  double (*exact) (double) = functions[interval->function].integral;
  g_print ("integrate: %s from %g to %g = %.9g, exact %.9g\n", functions[interval->function].name,
           interval->from, interval->to, integral.value,
           exact (interval->to) - exact (interval->from));
  if (options.common.is_timed)
    print_time (&options, &integral, time_us);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, integrate_main);
}
