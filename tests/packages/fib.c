/* fib.c - a program that the tests of packages build with what is installed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <stdlib.h>

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

SATIN_TASK (start, (int), (array_string, argv))
{
  if (n_argv != 2)
    return g_printerr ("usage: fib N\n"), 2;
  gint64 result;
  SATIN_SPAWN (&result, fib, atoi (argv[1]));
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%" G_GINT64_FORMAT "\n", result);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
