/* parallel-for.c - a loop over a range of indices: each job halves its range until it is small
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#define GRAIN 1000

static gboolean
is_prime (gint64 n)
{
  for (gint64 i = 2; i * i <= n; i++)
    if (n % i == 0)
      return FALSE;
  return n > 1;
}

/* Counts the primes from @first up to but not including @end. */
SATIN_TASK (count_primes, (long), (long, first), (long, end))
{
  gint64 left, right, n = 0;
  if (end - first > GRAIN)
    {
      gint64 middle = first + (end - first) / 2;
      SATIN_SPAWN (&left, count_primes, first, middle);
      SATIN_SPAWN (&right, count_primes, middle, end);
      SATIN_SYNC_OR_RETURN (0);
      return left + right;
    }
  for (gint64 i = first; i < end; i++)
    n += is_prime (i);
  return n;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 end, n;
  if (n_argv != 2 || !g_ascii_string_to_signed (argv[1], 10, 0, 100000000, &end, NULL))
    return g_printerr ("usage: parallel-for END, 0 to 100000000\n"), 2;
  SATIN_SPAWN (&n, count_primes, 0, end);
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%" G_GINT64_FORMAT " primes below %" G_GINT64_FORMAT "\n", n, end);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
