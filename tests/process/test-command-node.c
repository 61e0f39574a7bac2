/* test-command-node.c - a Satin program that does what a test of the command wants
 *
 *   test-command-node exit N     the run's exit status is N
 *   test-command-node leave N    the master's process ends with N without ending the run
 *   test-command-node fail       the root job fails
 *   test-command-node input      prints how many bytes standard input has
 *   test-command-node forever    works until it is stopped
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <satin/core.h>

SATIN_TASK (work, (long), (int, depth))
{
  gint64 a, b;
  if (depth == 0)
    return 1;
  SATIN_SPAWN (&a, work, depth - 1);
  SATIN_SPAWN (&b, work, depth - 1);
  if (!SATIN_SYNC ())
    return 0;
  return a + b;
}

static gint32
count_input (void)
{
  int n_bytes = 0;
  while (getchar () != EOF)
    n_bytes++;
  printf ("%d\n", n_bytes);
  return 0;
}

SATIN_TASK (root, (int), (array_string, argv))
{
  const char *what = n_argv > 1 ? argv[1] : "";
  int number = n_argv > 2 ? atoi (argv[2]) : 0;
  if (g_str_equal (what, "exit"))
    return number;
  if (g_str_equal (what, "leave"))
    _exit (number);
  if (g_str_equal (what, "input"))
    return count_input ();
  if (g_str_equal (what, "forever"))
    {
      gint64 n_leaves;
      SATIN_SPAWN (&n_leaves, work, 62);
      return SATIN_SYNC () && n_leaves > 0 ? 0 : 1;
    }
  satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "the root job fails as it should"));
  return 1;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, root);
}
