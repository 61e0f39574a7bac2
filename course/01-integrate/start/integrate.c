/* integrate.c - integrates with jobs
 *
 *   integrate INSTANCE FROM TO TOLERANCE
 *
 * It prints the same as plain.c, and has the same exit status.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "function.h"

#include <satin/core.h>
#include <stdlib.h>

/* The integral of the function of @instance from @from to @to. Yours needs more arguments. */
SATIN_TASK (integrate, (double), (int, instance), (double, from), (double, to)) { return 0; }

/* The root task: reads the arguments, starts the first job and prints its result. */
SATIN_TASK (start, (int), (array_string, argv))
{
  if (n_argv != 5)
    return g_printerr ("usage: integrate INSTANCE FROM TO TOLERANCE\n"), 2;
  double integral;
  SATIN_SPAWN (&integral, integrate, atoi (argv[1]), atof (argv[2]), atof (argv[3]));
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%.12f\n", integral);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
