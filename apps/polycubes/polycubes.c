/* polycubes.c - counts polycubes: a growth that divides when it gets long
 *
 * The arguments of a job are the decisions for the first cells of a polycube. The job counts all
 * polycubes that begin with them. If it has not finished after about --grain polycubes, it makes a
 * job for each place where it would continue.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
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
  Count count = { 0 };
  GError *error = NULL;
  if (!app_argument_check ("grain", grain, 1, G_MAXINT, &error)
      || !growth_init (growth, &place, n_cells, n_dimensions, &error))
    {
      satin_fail (error);
      return count;
    }
  gboolean is_over = growth_run (growth, grain);
  count = (Count){ growth->n_counted, 1 };
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
  growth_init (growth, &PLACE_OF_ALL, n_cells, n_dimensions, NULL);
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
  const AppNumber numbers[] = {
    { "dimensions", "3, or 2 for polyominoes", 2, 3, DEFAULT_DIMENSIONS, &options->n_dimensions },
    { "grain", "A job divides its remaining work after N polycubes", 1, G_MAXINT, DEFAULT_GRAIN,
      &options->grain },
    APP_NUMBER_NULL,
  };
  const AppUsage usage = {
    "CELLS",
    "Counts the fixed polycubes of CELLS cells, which hang together by faces. Fixed means\n"
    "that two are the same only if one is the other one moved, without a turn or a mirror.",
    .numbers = numbers
  };
  g_autofree char *operand = NULL;
  return app_options_parse (&usage, argv, n_argv, &options->common, &operand, error)
         && (options->common.is_help
             || app_number_parse (operand, 1, GROWTH_MAX_CELLS, &options->n_cells, error));
}

/* The whole count in plain C. @user_data: the #PolycubesOptions */
static void
count_again (gpointer user_data)
{
  const PolycubesOptions *options = user_data;
  polycubes_sequential (options->n_cells, options->n_dimensions);
}

SATIN_TASK (polycubes_main, (int), (array_string, argv))
{
  PolycubesOptions options = { 0 };
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
  app_report_time (&options.common, "polycubes", time_us, count.n_jobs, count_again, &options);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, polycubes_main);
}
