/* reference.c - a solution of assignment 8 that gets all points: counts Langford sequences
 *
 * Small: 8
 * Large: 13
 *
 * A Langford sequence has each number K from 1 to N twice, with K other numbers between the two.
 * The program places the largest number first. For the JOB_DEPTH largest numbers, each free place
 * is a job. The program prints how many sequences there are, and how many places it has tried.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <stdlib.h>

#define MAX_N     15
#define MAX_JOBS  (2 * MAX_N)
#define JOB_DEPTH 4 /* how many of the largest numbers are placed by jobs */
#define TRY_NS    10

/* clang-format off */
SATIN_RECORD (Count, (long, n_sequences), (long, n_tried))
/* clang-format on */

static void
search (int n, int number, int taken, Count *count)
{
  if (number == 0)
    {
      count->n_sequences++;
      return;
    }
  for (int i = 0; i + number + 1 < 2 * n; i++)
    {
      int pair = (1 | 1 << (number + 1)) << i;
      count->n_tried++;
      if ((taken & pair) == 0)
        search (n, number - 1, taken | pair, count);
    }
}

SATIN_TASK (place, (record, Count), (int, n), (int, number), (int, taken))
{
  Count total = { 0 }, counts[MAX_JOBS];
  guint n_jobs = 0;
  if (number <= n - JOB_DEPTH)
    {
      search (n, number, taken, &total);
      satin_charge (total.n_tried * TRY_NS);
      return total;
    }
  for (int i = 0; i + number + 1 < 2 * n; i++)
    {
      int pair = (1 | 1 << (number + 1)) << i;
      total.n_tried++;
      if ((taken & pair) == 0)
        SATIN_SPAWN (&counts[n_jobs++], place, n, number - 1, taken | pair);
    }
  satin_charge (total.n_tried * TRY_NS);
  SATIN_SYNC_OR_RETURN (total);
  for (guint i = 0; i < n_jobs; i++)
    {
      total.n_sequences += counts[i].n_sequences;
      total.n_tried += counts[i].n_tried;
    }
  return total;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  int n = n_argv == 2 ? atoi (argv[1]) : 0;
  if (n < 1 || n > MAX_N)
    return g_printerr ("usage: project N\n"), 2;
  Count count;
  SATIN_SPAWN (&count, place, n, n, 0);
  SATIN_SYNC_OR_RETURN (1);
  g_print ("%" G_GINT64_FORMAT " sequences, %" G_GINT64_FORMAT " places tried\n", count.n_sequences,
           count.n_tried);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
