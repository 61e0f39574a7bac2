/* reduce.c - a result of several values: each task combines the records of its children
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#define GRAIN 1000

/* Facts about the digit sums of some numbers. */
SATIN_RECORD (Summary, (long, n), (long, sum), (int, least), (int, most))

static Summary
summarize (gint64 number)
{
  int digits = 0;
  for (; number > 0; number /= 10)
    digits += (int)(number % 10);
  return (Summary){ 1, digits, digits, digits };
}

static Summary
combine (Summary a, Summary b)
{
  return (Summary){ a.n + b.n, a.sum + b.sum, MIN (a.least, b.least), MAX (a.most, b.most) };
}

/* Summarizes the numbers from @first up to but not including @end. */
SATIN_TASK (reduce, (record, Summary), (long, first), (long, end))
{
  Summary left, right;
  if (end - first > GRAIN)
    {
      gint64 middle = first + (end - first) / 2;
      SATIN_SPAWN (&left, reduce, first, middle);
      SATIN_SPAWN (&right, reduce, middle, end);
      SATIN_SYNC_OR_RETURN ((Summary){ 0 });
      return combine (left, right);
    }
  Summary all = summarize (first);
  for (gint64 i = first + 1; i < end; i++)
    all = combine (all, summarize (i));
  return all;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 end;
  Summary all;
  if (n_argv != 2 || !g_ascii_string_to_signed (argv[1], 10, 2, G_MAXINT32, &end, NULL))
    return g_printerr ("usage: reduce END, 2 or more\n"), 2;
  SATIN_SPAWN (&all, reduce, 1, end);
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%" G_GINT64_FORMAT " numbers: sums of digits from %d to %d, %.2f on average\n", all.n,
           all.least, all.most, (double)all.sum / (double)all.n);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
