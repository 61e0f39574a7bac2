/* tree.c - a synthetic search tree: so much work, in jobs of a known size
 *
 * In the shape "halves" every node divides its work among two children, unevenly and by a number
 * of its own, until a share is no larger than the grain. In the shape "queens:N" the jobs are those
 * of the program nqueens, and the work is divided as there. In a simulation a leaf takes its time
 * there; else it takes none, or with --spin takes it for real. The leaves are counted, so that
 * the result can be checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include <string.h>

#include "../common/options.h"
#include "number.h"
#include "queens.h"

/* The first child's share of @work_ns: between (100 - @skew) / 2 and (100 + @skew) / 2 per cent. */
static gint64
divide (gint64 work_ns, gint64 number, int skew)
{
  double percent = 50 + skew * (number_to_share (number_mix ((guint64)number)) - 0.5);
  return CLAMP ((gint64)((double)work_ns * percent / 100), 1, work_ns - 1);
}

static gint64
child_number (gint64 number, int which)
{
  return (gint64)number_mix ((guint64)number * 2 + (guint64)which + 1);
}

static void
spin (gint64 work_ns)
{
  gint64 until_us = g_get_monotonic_time () + work_ns / 1000;
  while (g_get_monotonic_time () < until_us)
    ;
}

/* How many leaves there are. */
SATIN_TASK (tree, (long), (long, work_ns), (long, number), (long, grain_ns), (int, skew),
            (boolean, is_spinning))
{
  if (work_ns <= grain_ns)
    {
      satin_charge (work_ns);
      if (is_spinning)
        spin (work_ns);
      return 1;
    }
  gint64 a, b;
  gint64 first_ns = divide (work_ns, number, skew);
  SATIN_SPAWN (&a, tree, first_ns, child_number (number, 0), grain_ns, skew, is_spinning);
  SATIN_SPAWN (&b, tree, work_ns - first_ns, child_number (number, 1), grain_ns, skew, is_spinning);
  if (!SATIN_SYNC ())
    return 0;
  return a + b;
}

static gint64
tree_sequential (gint64 work_ns, gint64 number, gint64 grain_ns, int skew, gboolean is_spinning)
{
  if (work_ns <= grain_ns)
    {
      if (is_spinning)
        spin (work_ns);
      return 1;
    }
  gint64 first_ns = divide (work_ns, number, skew);
  return tree_sequential (first_ns, child_number (number, 0), grain_ns, skew, is_spinning)
         + tree_sequential (work_ns - first_ns, child_number (number, 1), grain_ns, skew,
                            is_spinning);
}

/* ---- N queens ---- */

/* How many leaves there are below a board; the next @n_rows rows make jobs. */
SATIN_TASK (queens_tree, (long), (int, n), (int, columns), (int, left), (int, right), (int, n_rows),
            (double, weight_ns), (long, seed), (boolean, is_spinning))
{
  const QueensBoard board = { columns, left, right };
  if (n_rows == 0)
    {
      gint64 work_ns = (gint64)(queens_weight (n, &board, seed) * weight_ns);
      satin_charge (work_ns);
      if (is_spinning)
        spin (work_ns);
      return 1;
    }
  gint64 counts[QUEENS_MAX];
  guint n_counts = 0;
  for (guint32 free = queens_free (n, &board); free != 0; free &= free - 1)
    {
      QueensBoard next = queens_set (n, &board, free & -free);
      SATIN_SPAWN (&counts[n_counts++], queens_tree, n, next.columns, next.left, next.right,
                   n_rows - 1, weight_ns, seed, is_spinning);
    }
  if (!SATIN_SYNC ())
    return 0;
  gint64 total = 0;
  for (guint i = 0; i < n_counts; i++)
    total += counts[i];
  return total;
}

static gint64
queens_sequential (int n, const QueensBoard *board, int n_rows, double weight_ns, gint64 seed,
                   gboolean is_spinning)
{
  if (n_rows == 0)
    {
      if (is_spinning)
        spin ((gint64)(queens_weight (n, board, seed) * weight_ns));
      return 1;
    }
  gint64 total = 0;
  for (guint32 free = queens_free (n, board); free != 0; free &= free - 1)
    {
      QueensBoard next = queens_set (n, board, free & -free);
      total += queens_sequential (n, &next, n_rows - 1, weight_ns, seed, is_spinning);
    }
  return total;
}

/* ---- the command line ---- */

#define DEFAULT_GRAIN "10ms"
#define DEFAULT_SKEW  60

typedef struct
{
  AppOptions common;
  gint64 work_ns;
  gint64 grain_ns;
  int n_queens; /* 0: in halves */
  int skew;
  int seed;
  gboolean is_spinning;
} TreeOptions;

static gboolean
read_time (const char *text, const char *what, gint64 *ret_ns, GError **error)
{
  gint64 time_us;
  if (!satin_parse_duration (text, &time_us, error))
    {
      g_prefix_error (error, "%s: ", what);
      return FALSE;
    }
  if (time_us > 0 && time_us <= G_MAXINT64 / 1000)
    {
      *ret_ns = time_us * 1000;
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is %s: give a time above 0", what,
               text);
  return FALSE;
}

/* "halves" or "queens:N" */
static gboolean
read_shape (const char *text, int *ret_n_queens, GError **error)
{
  guint64 n = 0;
  gboolean is_good = strcmp (text, "halves") == 0
                     || (g_str_has_prefix (text, "queens:")
                         && g_ascii_string_to_unsigned (text + strlen ("queens:"), 10, QUEENS_MIN,
                                                        QUEENS_MAX, &n, NULL));
  if (is_good)
    *ret_n_queens = (int)n;
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "--shape is %s: give halves, or queens:N with N from %d to %d", text, QUEENS_MIN,
                 QUEENS_MAX);
  return is_good;
}

/* Reads the options that only one shape has; @skew is below 0 and @grain %NULL when not given. */
static gboolean
read_halves (const char *grain, int skew, TreeOptions *options, GError **error)
{
  if (options->n_queens > 0 && (grain != NULL || skew >= 0))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "--grain and --skew are of the shape halves: queens have leaves of "
                           "their own");
      return FALSE;
    }
  if (skew < -1 || skew > 99)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "--skew is %d: give 0 to 99", skew);
      return FALSE;
    }
  options->skew = skew >= 0 ? skew : DEFAULT_SKEW;
  return read_time (grain != NULL ? grain : DEFAULT_GRAIN, "--grain", &options->grain_ns, error);
}

static gboolean
read_options (const SatinString *argv, gsize n_argv, TreeOptions *options, GError **error)
{
  g_autofree char *grain = NULL;
  g_autofree char *shape = NULL;
  int skew = -1;
  const GOptionEntry entries[] = {
    { "shape", 0, 0, G_OPTION_ARG_STRING, &shape,
      "halves: nodes divide in two; queens:N: as nqueens does, five rows make jobs (halves)",
      "SHAPE" },
    { "grain", 'g', 0, G_OPTION_ARG_STRING, &grain,
      "halves: time of a leaf, at most (" DEFAULT_GRAIN ")", "TIME" },
    { "skew", 0, 0, G_OPTION_ARG_INT, &skew,
      "halves: how unevenly, 0 in halves, 99 anyhow (" G_STRINGIFY (DEFAULT_SKEW) ")", "PERCENT" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &options->seed, "Number of the tree (1)", "N" },
    { "spin", 0, 0, G_OPTION_ARG_NONE, &options->is_spinning, "Take the time for real", NULL },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "WORK", "A tree of WORK (918s, 20ms) whose leaves are counted.",
                           entries };
  g_autofree char *operand = NULL;
  options->seed = 1;
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &operand, error))
    return FALSE;
  if (options->common.is_help)
    return TRUE;
  return read_shape (shape != NULL ? shape : "halves", &options->n_queens, error)
         && read_halves (grain, skew, options, error)
         && read_time (operand != NULL ? operand : "", "WORK", &options->work_ns, error);
}

static gint64
count_sequential (const TreeOptions *options, double weight_ns)
{
  const QueensBoard empty = { 0 };
  if (options->n_queens > 0)
    return queens_sequential (options->n_queens, &empty, QUEENS_ROWS, weight_ns, options->seed,
                              options->is_spinning);
  return tree_sequential (options->work_ns, options->seed, options->grain_ns, options->skew,
                          options->is_spinning);
}

SATIN_TASK (tree_main, (int), (array_string, argv))
{
  TreeOptions options = { 0 };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;
  double weight_ns = 0;
  if (options.n_queens > 0)
    weight_ns = (double)options.work_ns / queens_total (options.n_queens, options.seed);
  gint64 n_leaves = 0;
  gint64 started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    n_leaves = count_sequential (&options, weight_ns);
  else if (options.n_queens > 0)
    SATIN_SPAWN (&n_leaves, queens_tree, options.n_queens, 0, 0, 0, QUEENS_ROWS, weight_ns,
                 options.seed, options.is_spinning);
  else
    SATIN_SPAWN (&n_leaves, tree, options.work_ns, options.seed, options.grain_ns, options.skew,
                 options.is_spinning);
  if (!SATIN_SYNC ())
    return 0;
  gint64 time_us = g_get_monotonic_time () - started_us;
  g_print ("tree: %" G_GINT64_FORMAT " leaves\n", n_leaves);
  if (options.common.is_timed)
    app_print_time ("tree", time_us, 0, 0);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, tree_main);
}
