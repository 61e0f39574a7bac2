/* polycubes.c - counts polycubes: a growth that divides when it gets long
 *
 * The arguments of a job are the decisions for the first cells of a polycube. The job counts all
 * polycubes that begin with them. It counts --grain of them. If it has not finished then, it makes
 * a job for each place where it would continue.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/options.h"
#include "growth.h"

#define DEFAULT_GRAIN      1000000
#define DEFAULT_DIMENSIONS 3

/**
 * Count:
 * @n_polycubes: number of polycubes
 * @n_jobs: number of jobs that counted them
 */
SATIN_RECORD (Count, (long, n_polycubes), (long, n_jobs))

SATIN_TASK (polycubes, (record, Count), (record, place, Place), (int, n_cells), (int, n_dimensions),
            (int, grain))
{
  g_autofree Growth *growth = g_new (Growth, 1);
  growth_init (growth, &place, n_cells, n_dimensions);
  gboolean is_over = growth_run (growth, grain);
  Count count = { growth->n_counted, 1 };
  if (is_over)
    return count;

  Place places[GROWTH_MAX_CELLS];
  Count counts[GROWTH_MAX_CELLS];
  int n = growth_list_places (growth, places);
  for (int i = 0; i < n; i++)
    SATIN_SPAWN (&counts[i], polycubes, places[i], n_cells, n_dimensions, grain);
  SATIN_SYNC_OR_RETURN (count);
  for (int i = 0; i < n; i++)
    {
      count.n_polycubes += counts[i].n_polycubes;
      count.n_jobs += counts[i].n_jobs;
    }
  return count;
}

static gint64
polycubes_sequential (int n_cells, int n_dimensions)
{
  g_autofree Growth *growth = g_new (Growth, 1);
  growth_init (growth, &PLACE_OF_ALL, n_cells, n_dimensions);
  growth_run (growth, G_MAXINT64);
  return growth->n_counted;
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  int n_cells;
  int n_dimensions;
  int grain;
} PolycubesOptions;

static gboolean
read_options (const SatinString *argv, gsize n_argv, PolycubesOptions *options, GError **error)
{
  const GOptionEntry entries[] = {
    { "dimensions", 0, 0, G_OPTION_ARG_INT, &options->n_dimensions,
      "3, or 2 for polyominoes (" G_STRINGIFY (DEFAULT_DIMENSIONS) ")", "N" },
    { "grain", 0, 0, G_OPTION_ARG_INT, &options->grain,
      "A job divides its remaining work after N polycubes (" G_STRINGIFY (DEFAULT_GRAIN) ")", "N" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = {
    "CELLS",
    "Counts the fixed polycubes of CELLS cells, which hang together by faces. Fixed means\n"
    "that two are the same only if one is the other one moved, without a turn or a mirror.",
    entries
  };
  g_autofree char *operand = NULL;
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &operand, error))
    return FALSE;
  if (options->common.is_help)
    return TRUE;
  return app_range_check ("--dimensions", options->n_dimensions, 2, 3, error)
         && app_range_check ("--grain", options->grain, 1, G_MAXINT, error)
         && app_number_parse (operand, 1, GROWTH_MAX_CELLS, &options->n_cells, error);
}

static void
print_time (const PolycubesOptions *options, const Count *count, gint64 time_us)
{
  if (options->common.is_sequential)
    {
      app_print_time ("polycubes", time_us, 0, 0);
      return;
    }
  gint64 started_us = g_get_monotonic_time ();
  polycubes_sequential (options->n_cells, options->n_dimensions);
  app_print_time ("polycubes", time_us, count->n_jobs, g_get_monotonic_time () - started_us);
}

SATIN_TASK (polycubes_main, (int), (array_string, argv))
{
  PolycubesOptions options = { .n_dimensions = DEFAULT_DIMENSIONS, .grain = DEFAULT_GRAIN };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  Count count = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    count.n_polycubes = polycubes_sequential (options.n_cells, options.n_dimensions);
  else
    SATIN_SPAWN (&count, polycubes, PLACE_OF_ALL, options.n_cells, options.n_dimensions,
                 options.grain);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  g_print ("polycubes(%d, %d dimensions) = %" G_GINT64_FORMAT "\n", options.n_cells,
           options.n_dimensions, count.n_polycubes);
  if (options.common.is_timed)
    print_time (&options, &count, time_us);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, polycubes_main);
}
