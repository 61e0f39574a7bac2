/* map.c - a job for each element of an array; the results are in the order of the inputs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

/* Counts the steps until the sequence n / 2 or 3 n + 1 reaches 1. */
SATIN_TASK (count_steps, (int), (long, n))
{
  int n_steps = 0;
  for (; n != 1; n_steps++)
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return n_steps;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  if (n_argv < 2)
    return g_printerr ("usage: map NUMBER...\n"), 2;
  g_autofree gint64 *inputs = g_new (gint64, n_argv);
  g_autofree gint32 *steps = g_new (gint32, n_argv);
  for (gsize i = 1; i < n_argv; i++)
    if (!g_ascii_string_to_signed (argv[i], 10, 1, 1000000000, &inputs[i], NULL))
      return g_printerr ("map: %s is no number from 1 to 1000000000\n", argv[i]), 2;

  for (gsize i = 1; i < n_argv; i++)
    SATIN_SPAWN (&steps[i], count_steps, inputs[i]);
  SATIN_SYNC_OR_RETURN (1);
  for (gsize i = 1; i < n_argv; i++)
    g_print ("%" G_GINT64_FORMAT " takes %d steps\n", inputs[i], steps[i]);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
