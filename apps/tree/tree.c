/* tree.c - a synthetic search tree: so much work, in jobs of about that grain
 *
 * Every node divides its work among two children, unevenly and by a number of its
 * own, until a share is no larger than the grain. In a simulation a leaf takes its time
 * there; else it takes none, or with --spin takes it for real. The leaves are counted, so that
 * the result can be checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/options.h"

/* splitmix64: each node's number gives those of its children and how it divides. */
static guint64
mix (guint64 z)
{
  z += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* The first child's share of @work_ns: between (100 - @skew) / 2 and (100 + @skew) / 2 per cent. */
static gint64
divide (gint64 work_ns, gint64 number, int skew)
{
  double share = (double)(mix ((guint64)number) >> 11) / (double)((guint64)1 << 53);
  double percent = 50 + skew * (share - 0.5);
  return CLAMP ((gint64)((double)work_ns * percent / 100), 1, work_ns - 1);
}

static gint64
child_number (gint64 number, int which)
{
  return (gint64)mix ((guint64)number * 2 + (guint64)which + 1);
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

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  gint64 work_ns;
  gint64 grain_ns;
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

static gboolean
read_options (const SatinString *argv, gsize n_argv, TreeOptions *options, GError **error)
{
  g_autofree char *grain = NULL;
  const GOptionEntry entries[] = {
    { "grain", 'g', 0, G_OPTION_ARG_STRING, &grain, "Time of a leaf, at most (10ms)", "TIME" },
    { "skew", 0, 0, G_OPTION_ARG_INT, &options->skew,
      "How unevenly nodes divide: 0 in halves, 99 anyhow (60)", "PERCENT" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &options->seed, "Number of the tree (1)", "N" },
    { "spin", 0, 0, G_OPTION_ARG_NONE, &options->is_spinning, "Take the time for real", NULL },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "WORK", "A tree of WORK (918s, 20ms) whose leaves are counted.",
                           entries };
  g_autofree char *operand = NULL;
  options->skew = 60;
  options->seed = 1;
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &operand, error))
    return FALSE;
  if (options->common.is_help)
    return TRUE;
  if (options->skew < 0 || options->skew > 99)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "--skew is %d: give 0 to 99",
                   options->skew);
      return FALSE;
    }
  return read_time (operand != NULL ? operand : "", "WORK", &options->work_ns, error)
         && read_time (grain != NULL ? grain : "10ms", "--grain", &options->grain_ns, error);
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
  gint64 n_leaves = 0;
  gint64 started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    n_leaves = tree_sequential (options.work_ns, options.seed, options.grain_ns, options.skew,
                                options.is_spinning);
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
