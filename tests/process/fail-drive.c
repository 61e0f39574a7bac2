/* fail-drive.c - a program with a job that fails, or with a task that forgets its SATIN_SYNC
 *
 *   fail-drive          one leaf of a tree fails with an error of the program's own domain
 *   fail-drive forget   a task returns without a sync after its last spawn
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#define N_LEAVES 1024
#define FAILING  777

SATIN_TASK (leaf, (int), (int, n))
{
  satin_charge (100000);
  if (n == FAILING)
    satin_fail (g_error_new_literal (g_quark_from_static_string ("fail-drive"), 7, "no more"));
  return 1;
}

SATIN_TASK (tree, (int), (int, first), (int, n))
{
  gint32 left = 0, right = 0;
  if (n == 1)
    return SATIN_CALL (leaf, first);
  SATIN_SPAWN (&left, tree, first, n / 2);
  SATIN_SPAWN (&right, tree, first + n / 2, n - n / 2);
  if (!SATIN_SYNC ())
    return 0;
  return left + right;
}

static gint32 lost;

SATIN_TASK (forget, (int), (int, n))
{
  SATIN_SPAWN (&lost, leaf, n);
  return 0;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint32 n;
  if (n_argv > 1)
    SATIN_SPAWN (&n, forget, 1);
  else
    SATIN_SPAWN (&n, tree, 0, N_LEAVES);
  if (!SATIN_SYNC ())
    return 0;
  g_print ("%d\n", n);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
