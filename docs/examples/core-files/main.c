/* main.c - a program whose task is defined in another file
 *
 *   core-files [LIMIT]
 *
 * Prints which number below LIMIT has the longest Collatz sequence.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "collatz.h"

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 limit = n_argv > 1 ? g_ascii_strtoll (argv[1], NULL, 10) : 1000000;
  if (n_argv > 2 || limit < 2 || limit > 1000000000)
    return g_printerr ("usage: core-files [LIMIT], from 2 to 1000000000\n"), 2;

  Longest best;
  SATIN_SPAWN (&best, longest, 1, limit);
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%" G_GINT64_FORMAT " takes %d steps\n", best.start, best.n_steps);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
