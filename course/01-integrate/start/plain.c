/* plain.c - integrates in plain C, with finer steps where the function needs them
 *
 *   plain INSTANCE FROM TO TOLERANCE
 *
 * Given. Your integrate.c must print the same, and must be called in the same way.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "function.h"

#include <stdio.h>
#include <stdlib.h>

/* If is_bad is 1: a place where the error is still too large after MAX_HALVINGS halvings. */
static double bad_place;
static int is_bad;

/* Integrates from @from, where the function is @at_from, to @to, where it is @at_to. */
static double
integrate (int instance, double from, double to, double at_from, double at_to, double tolerance,
           int n_halvings)
{
  double middle = (from + to) / 2, at_middle = function_at (instance, middle);
  double coarse = (at_from + at_to) * (to - from) / 2;
  double fine = (at_from + 2 * at_middle + at_to) * (to - from) / 4;
  if (is_exact (coarse, fine, tolerance))
    return fine;
  if (n_halvings == MAX_HALVINGS)
    {
      is_bad = 1;
      bad_place = middle;
      return 0;
    }
  double left =
      integrate (instance, from, middle, at_from, at_middle, tolerance / 2, n_halvings + 1);
  double right = integrate (instance, middle, to, at_middle, at_to, tolerance / 2, n_halvings + 1);
  return left + right;
}

int
main (int argc, char **argv)
{
  if (argc != 5)
    {
      fprintf (stderr, "usage: plain INSTANCE FROM TO TOLERANCE\n");
      return 2;
    }
  int instance = atoi (argv[1]);
  double from = atof (argv[2]), to = atof (argv[3]), tolerance = atof (argv[4]);
  double integral = integrate (instance, from, to, function_at (instance, from),
                               function_at (instance, to), tolerance, 0);
  if (is_bad)
    {
      printf ("no integral near %.3f\n", bad_place);
      return 1;
    }
  printf ("%.12f\n", integral);
  return 0;
}
