/* semigroups.c - counts the numerical semigroups of a genus: a walk that divides when it gets long
 *
 * The arguments of a job are the gaps of a semigroup. The job counts the descendants of that
 * semigroup that have the wanted genus. If it has not finished after about --grain semigroups, it
 * makes a job for each place where it would continue.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
#include "../common/options.h"
#include "walk.h"

#define DEFAULT_GRAIN 100000

/**
 * Count:
 * @n_semigroups: number of semigroups
 * @n_jobs: number of jobs that counted them
 */
SATIN_RECORD (Count, (long, n_semigroups), (long, n_jobs))

SATIN_TASK (semigroups, (record, Count), (record, gaps, Gaps), (int, genus), (int, grain))
{
  g_autofree Walk *walk = g_new (Walk, 1);
  Count count = { 0 };
  GError *error = NULL;
  if (!app_argument_check ("grain", grain, 1, G_MAXINT, &error)
      || !walk_init (walk, &gaps, genus, &error))
    {
      satin_fail (error);
      return count;
    }
  gboolean is_over = walk_run (walk, grain);
  count = (Count){ walk->n_counted, 1 };
  if (is_over)
    return count;

  gsize n;
  g_autofree Gaps *places = walk_list_places (walk, &n);
  g_autofree Count *counts = g_new0 (Count, n);
  for (gsize i = 0; i < n; i++)
    SATIN_SPAWN (&counts[i], semigroups, places[i], genus, grain);
  SATIN_SYNC_OR_RETURN (count);
  for (gsize i = 0; i < n; i++)
    {
      count.n_semigroups += counts[i].n_semigroups;
      count.n_jobs += counts[i].n_jobs;
    }
  return count;
}

/* Returns: number of semigroups of @genus, which is above 0 */
static gint64
semigroups_sequential (int genus)
{
  g_autofree Walk *walk = g_new (Walk, 1);
  walk_init (walk, &GAPS_OF_FIRST, genus, NULL);
  walk_run (walk, G_MAXINT64);
  return walk->n_counted;
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  int genus;
  int grain;
} SemigroupsOptions;

static gboolean
read_options (const SatinString *argv, gsize n_argv, SemigroupsOptions *options, GError **error)
{
  const AppNumber numbers[] = {
    { "grain", "A job divides its remaining walk after N semigroups", 1, G_MAXINT, DEFAULT_GRAIN,
      &options->grain },
    APP_NUMBER_NULL,
  };
  const AppUsage usage = {
    "GENUS",
    "Counts the numerical semigroups of a genus: the sets of whole numbers with 0, closed under\n"
    "addition, that lack exactly GENUS positive numbers.",
    .numbers = numbers
  };
  g_autofree char *operand = NULL;
  return app_options_parse (&usage, argv, n_argv, &options->common, &operand, error)
         && (options->common.is_help
             || app_number_parse (operand, 0, SEMIGROUP_MAX_GENUS, &options->genus, error));
}

/* The whole count in plain C. @user_data: the #SemigroupsOptions */
static void
count_again (gpointer user_data)
{
  const SemigroupsOptions *options = user_data;
  if (options->genus > 0)
    semigroups_sequential (options->genus);
}

SATIN_TASK (semigroups_main, (int), (array_string, argv))
{
  SemigroupsOptions options = { 0 };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  /* There is one semigroup of genus 0. It has no gap, but a walk begins with at least one. */
  Count count = { 1, 1 };
  gint64 started_us = g_get_monotonic_time ();
  if (options.genus > 0 && options.common.is_sequential)
    count.n_semigroups = semigroups_sequential (options.genus);
  else if (options.genus > 0)
    SATIN_SPAWN (&count, semigroups, GAPS_OF_FIRST, options.genus, options.grain);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  g_print ("semigroups(%d) = %" G_GINT64_FORMAT "\n", options.genus, count.n_semigroups);
  app_report_time (&options.common, "semigroups", time_us, count.n_jobs, count_again, &options);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, semigroups_main);
}
