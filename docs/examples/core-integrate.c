/* core-integrate.c - a program with its own main that uses all processors
 *
 *   core-integrate [TOLERANCE]
 *
 * Integrates sin (1 / x) from 0.001 to 1 by halving intervals until each is smooth enough. Near
 * zero that takes many halvings. So the work cannot be divided in advance: idle workers steal jobs.
 * The program integrates twice: with one worker, and with one for each processor. Both results have
 * the same bits, because the same parts are added in the same order.
 *
 * Needs libsatin-core alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include <math.h>

/* Simpson's rule for one interval. */
static double
simpson (double from, double to)
{
  double middle = (from + to) / 2;
  return (to - from) / 6 * (sin (1 / from) + 4 * sin (1 / middle) + sin (1 / to));
}

SATIN_TASK (integrate, (double), (double, from), (double, to), (double, tolerance))
{
  double middle = (from + to) / 2;
  double left = simpson (from, middle), right = simpson (middle, to);
  double error = left + right - simpson (from, to);
  if (fabs (error) < 15 * tolerance)
    return left + right + error / 15;

  SATIN_SPAWN (&left, integrate, from, middle, tolerance / 2);
  SATIN_SPAWN (&right, integrate, middle, to, tolerance / 2);
  SATIN_SYNC_OR_RETURN (0);
  return left + right;
}

/* Integrates on @n_workers workers, 0 for one on each processor, and prints result and time. */
static gboolean
measure (guint n_workers, double tolerance, GError **error)
{
  const SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                        .n_workers = n_workers };
  g_autoptr (SatinWorkers) workers = satin_workers_new (&options, error);
  if (workers == NULL)
    return FALSE;
  double result;
  gint64 began_us = g_get_monotonic_time ();
  if (!satin_run (workers, &result, integrate, error, 0.001, 1.0, tolerance))
    return FALSE;
  g_print ("%.17g, %u workers, %.3f s\n", result, satin_workers_get_n (workers),
           (double)(g_get_monotonic_time () - began_us) / G_USEC_PER_SEC);
  return TRUE;
}

int
main (int argc, char **argv)
{
  double tolerance = argc > 1 ? g_ascii_strtod (argv[1], NULL) : 1e-13;
  g_autoptr (GError) error = NULL;
  if (!(tolerance >= 1e-15 && tolerance < 1))
    {
      g_printerr ("core-integrate: TOLERANCE must be from 1e-15 to 1\n");
      return 2;
    }
  if (measure (1, tolerance, &error) && measure (0, tolerance, &error))
    return 0;
  g_printerr ("core-integrate: %s\n", error->message);
  return satin_error_exit_status (error);
}
