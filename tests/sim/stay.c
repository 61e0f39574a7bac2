/* stay.c - a tree with some jobs that must stay on their node: stay DEPTH LARGE GROWING FOREIGN
 *
 * The first of every LARGE branches has a job whose arguments are larger than a message. The first
 * of every GROWING branches has a job whose arguments would take too much memory when decoded. The
 * first of every FOREIGN branches has a job with a string that is not UTF-8. The program prints the
 * sum of all jobs' results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <stdlib.h>

#define WORK_NS ((gint64)20 * 1000 * 1000)
/* A byte array for large_leaf; records for growing_leaf, each of which is one byte when encoded. */
#define LARGE_BYTES ((gsize)47 << 20)
#define N_GROWING   ((gsize)18 << 20)

SATIN_RECORD (StayList, (array_long, numbers))

static guint8 *large;     /* (owned) LARGE_BYTES zeros, never written to */
static StayList *growing; /* (owned) N_GROWING empty records, never written to */

SATIN_TASK (large_leaf, (long), (bytes, data))
{
  satin_charge (WORK_NS);
  return (gint64)n_data;
}

SATIN_TASK (growing_leaf, (long), (array_record, lists, StayList))
{
  satin_charge (WORK_NS);
  return (gint64)n_lists;
}

SATIN_TASK (foreign_leaf, (long), (string, name))
{
  satin_charge (WORK_NS);
  return (guchar)name[0];
}

SATIN_TASK (plain_leaf, (long), (int, number))
{
  satin_charge (WORK_NS);
  return number;
}

/* Jobs that must stay are spawned first, so that thieves try them first. Branches are numbered from
 * 1 on. */
SATIN_TASK (branch, (long), (int, depth), (int, number), (int, each_large), (int, each_growing),
            (int, each_foreign))
{
  gint64 sums[5] = { 0 };
  if ((number - 1) % each_large == 0)
    SATIN_SPAWN (&sums[0], large_leaf, large, LARGE_BYTES);
  if ((number - 1) % each_growing == 0)
    SATIN_SPAWN (&sums[1], growing_leaf, growing, N_GROWING);
  if ((number - 1) % each_foreign == 0)
    SATIN_SPAWN (&sums[2], foreign_leaf, "\xe9t\xe9");
  if (depth == 0)
    SATIN_SPAWN (&sums[3], plain_leaf, number);
  for (int i = 0; depth > 0 && i < 2; i++)
    SATIN_SPAWN (&sums[3 + i], branch, depth - 1, 2 * number + i, each_large, each_growing,
                 each_foreign);
  if (!SATIN_SYNC ())
    return 0;
  gint64 sum = 0;
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    sum += sums[i];
  return sum;
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 sum = 0;
  if (n_argv != 5)
    return g_printerr ("usage: stay DEPTH LARGE GROWING FOREIGN\n"), 2;
  SATIN_SPAWN (&sum, branch, atoi (argv[1]), 1, atoi (argv[2]), atoi (argv[3]), atoi (argv[4]));
  if (!SATIN_SYNC ())
    return 1;
  g_print ("%" G_GINT64_FORMAT "\n", sum);
  return 0;
}

int
main (int argc, char **argv)
{
  large = g_malloc0 (LARGE_BYTES);
  growing = g_new0 (StayList, N_GROWING);
  int status = satin_main (argc, argv, start);
  g_free (large);
  g_free (growing);
  return status;
}
