/* find-any.c - a search that ends with the first result: an inlet receives it and aborts the rest
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#define GRAIN   10000
#define MODULUS 1000003
#define NONE    -1

static gint64
power_of_2 (gint64 exponent)
{
  gint64 power = 1, square = 2;
  for (; exponent > 0; exponent /= 2, square = square * square % MODULUS)
    if (exponent % 2 == 1)
      power = power * square % MODULUS;
  return power;
}

/* Runs in the frame that spawned the jobs, each time that one of these jobs ends. */
SATIN_INLET (hear, (gint64, found), (gint64, result), error)
{
  if (result != NULL && *result != NONE)
    {
      *found = *result;
      SATIN_ABORT_OTHERS ();
    }
}

/* Finds an exponent from @first up to but not including @end for which the power of 2 is
 * @wanted. */
SATIN_TASK (find, (long), (long, wanted), (long, first), (long, end))
{
  gint64 left, right, found = NONE;
  if (end - first > GRAIN)
    {
      gint64 middle = first + (end - first) / 2;
      SATIN_SPAWN_INLET (&left, hear, &found, find, wanted, first, middle);
      SATIN_SPAWN_INLET (&right, hear, &found, find, wanted, middle, end);
      SATIN_SYNC_OR_RETURN (NONE);
      return found;
    }
  for (gint64 i = first; i < end && !satin_is_aborted (); i++)
    if (power_of_2 (i) == wanted)
      return i;
  return NONE;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 wanted, exponent;
  if (n_argv != 2 || !g_ascii_string_to_signed (argv[1], 10, 1, MODULUS - 1, &wanted, NULL))
    return g_printerr ("usage: find-any NUMBER, 1 to %d\n", MODULUS - 1), 2;
  SATIN_SPAWN (&exponent, find, wanted, 0, MODULUS - 1);
  SATIN_SYNC_OR_RETURN (1);
  if (exponent == NONE)
    return g_print ("no power of 2 leaves %s\n", argv[1]), 1;
  g_print ("2 to the %" G_GINT64_FORMAT " leaves %s\n", exponent, argv[1]);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
