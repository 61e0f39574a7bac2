/* reference.c - a solution of assignment 1 that gets all points
 *
 * The first JOB_HALVINGS halvings make jobs. After them an interval is too little work for a spawn.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "function.h"

#include <satin/core.h>
#include <stdlib.h>

#define JOB_HALVINGS 13

static double
integrate_alone (int instance, double from, double to, double at_from, double at_to,
                 double tolerance, int n_halvings, double *bad_place)
{
  double middle = (from + to) / 2, at_middle = function_at (instance, middle);
  double coarse = (at_from + at_to) * (to - from) / 2;
  double fine = (at_from + 2 * at_middle + at_to) * (to - from) / 4;
  if (is_exact (coarse, fine, tolerance))
    return fine;
  if (n_halvings == MAX_HALVINGS)
    {
      *bad_place = middle;
      return 0;
    }
  double left = integrate_alone (instance, from, middle, at_from, at_middle, tolerance / 2,
                                 n_halvings + 1, bad_place);
  return left
         + integrate_alone (instance, middle, to, at_middle, at_to, tolerance / 2, n_halvings + 1,
                            bad_place);
}

SATIN_TASK (integrate, (double), (int, instance), (double, from), (double, to), (double, at_from),
            (double, at_to), (double, tolerance), (int, n_halvings))
{
  if (n_halvings >= JOB_HALVINGS)
    {
      double bad_place = G_MAXDOUBLE;
      double integral =
          integrate_alone (instance, from, to, at_from, at_to, tolerance, n_halvings, &bad_place);
      if (bad_place != G_MAXDOUBLE)
        satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "no integral near %.3f", bad_place));
      return integral;
    }
  double middle = (from + to) / 2, at_middle = function_at (instance, middle);
  double coarse = (at_from + at_to) * (to - from) / 2;
  double fine = (at_from + 2 * at_middle + at_to) * (to - from) / 4;
  if (is_exact (coarse, fine, tolerance))
    return fine;
  double left, right;
  SATIN_SPAWN (&left, integrate, instance, from, middle, at_from, at_middle, tolerance / 2,
               n_halvings + 1);
  SATIN_SPAWN (&right, integrate, instance, middle, to, at_middle, at_to, tolerance / 2,
               n_halvings + 1);
  SATIN_SYNC_OR_RETURN (0);
  return left + right;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  if (n_argv != 5)
    return g_printerr ("usage: integrate INSTANCE FROM TO TOLERANCE\n"), 2;
  int instance = atoi (argv[1]);
  double from = atof (argv[2]), to = atof (argv[3]), integral;
  g_autoptr (GError) error = NULL;
  SATIN_SPAWN (&integral, integrate, instance, from, to, function_at (instance, from),
               function_at (instance, to), atof (argv[4]), 0);
  if (!SATIN_SYNC_ERROR (&error))
    {
      const char *reason = g_strrstr (error->message, "no integral near");
      g_print ("%s\n", reason != NULL ? reason : error->message);
      return 1;
    }
  g_print ("%.12f\n", integral);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
