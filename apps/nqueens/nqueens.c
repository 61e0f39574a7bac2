/* nqueens.c - counts the ways to set N queens on an N by N board without any attacking another
 *
 * Queens are set row by row. Three masks say which columns of the next row are attacked: straight
 * down the columns, and along the two diagonals. A job's arguments are only five numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
#include "../common/options.h"

#define MAX_QUEENS 30

/* The columns of the largest board. */
#define MAX_COLUMNS ((1 << MAX_QUEENS) - 1)

/* Number of rows whose queens make jobs, unless --threshold is given. With more rows, the
 * additional jobs cost more time than they save. */
#define DEFAULT_THRESHOLD 5

/* Counts the ways to set the rest of the queens. Each argument has one bit for each column. @all:
 * all columns of the board; @columns, @left, @right: the columns of the next row that queens
 * attack, straight down their columns and along the two diagonals */
static gint64
nqueens_sequential (guint32 all, guint32 columns, guint32 left, guint32 right)
{
  if (columns == all)
    return 1;
  gint64 total = 0;
  for (guint32 free = all & ~(columns | left | right); free != 0; free &= free - 1)
    {
      guint32 queen = free & -free;
      total += nqueens_sequential (all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
  return total;
}

/* Makes jobs for the next @n_rows rows, and then searches the rest of the board in plain C. */
SATIN_TASK (nqueens, (long), (int, all), (int, columns), (int, left), (int, right), (int, n_rows))
{
  GError *error = NULL;
  if (!app_argument_check ("columns of the board", all, 1, MAX_COLUMNS, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (n_rows == 0 || columns == all)
    return nqueens_sequential (all, columns, left, right);

  gint64 counts[MAX_QUEENS];
  guint n_counts = 0;
  for (gint32 free = all & ~(columns | left | right); free != 0; free &= free - 1)
    {
      gint32 queen = free & -free;
      SATIN_SPAWN (&counts[n_counts++], nqueens, all, columns | queen, all & (left | queen) << 1,
                   (right | queen) >> 1, n_rows - 1);
    }
  SATIN_SYNC_OR_RETURN (0);

  gint64 total = 0;
  for (guint i = 0; i < n_counts; i++)
    total += counts[i];
  return total;
}

/* Returns: how many jobs nqueens() makes with the same arguments, with its own job */
static gint64
count_jobs (guint32 all, guint32 columns, guint32 left, guint32 right, int n_rows)
{
  gint64 total = 1;
  if (n_rows == 0)
    return total;
  for (guint32 free = all & ~(columns | left | right); free != 0; free &= free - 1)
    {
      guint32 queen = free & -free;
      total +=
          count_jobs (all, columns | queen, (left | queen) << 1, (right | queen) >> 1, n_rows - 1);
    }
  return total;
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  int n;
  int threshold;
} NqueensOptions;

static gboolean
read_options (const SatinString *argv, gsize n_argv, NqueensOptions *options, GError **error)
{
  const GOptionEntry entries[] = {
    { "threshold", 0, 0, G_OPTION_ARG_INT, &options->threshold,
      "The first DEPTH rows make jobs (default " G_STRINGIFY (DEFAULT_THRESHOLD) ")", "DEPTH" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = {
    "N", "Counts the ways to set N queens on an N by N board so that none attacks another.", entries
  };
  g_autofree char *operand = NULL;
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &operand, error))
    return FALSE;
  if (options->common.is_help)
    return TRUE;
  if (options->threshold < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--threshold is %d, but must be 0 or more", options->threshold);
      return FALSE;
    }
  return app_number_parse (operand, 1, MAX_QUEENS, &options->n, error);
}

static void
print_time (const NqueensOptions *options, gint32 all, gint64 time_us)
{
  if (options->common.is_sequential)
    {
      app_print_time ("nqueens", time_us, 0, 0);
      return;
    }
  gint64 started_us = g_get_monotonic_time ();
  volatile gint64 result G_GNUC_UNUSED = nqueens_sequential (all, 0, 0, 0);
  gint64 sequential_us = g_get_monotonic_time () - started_us;
  app_print_time ("nqueens", time_us, count_jobs (all, 0, 0, 0, options->threshold), sequential_us);
}

SATIN_TASK (nqueens_main, (int), (array_string, argv))
{
  NqueensOptions options = { .threshold = DEFAULT_THRESHOLD };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  gint32 all = (1 << options.n) - 1;
  gint64 result, started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    result = nqueens_sequential (all, 0, 0, 0);
  else
    SATIN_SPAWN (&result, nqueens, all, 0, 0, 0, options.threshold);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  g_print ("nqueens(%d) = %" G_GINT64_FORMAT "\n", options.n, result);
  if (options.common.is_timed)
    print_time (&options, all, time_us);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, nqueens_main);
}
