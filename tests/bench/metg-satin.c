/* metg-satin.c - equal jobs of a given length, in two forms: metg-satin farm|tree
 *
 * Form "farm": the root job spawns all jobs in one loop, then it syncs. So all jobs lie on the
 * master, and each job that another node runs is stolen as itself. Form "tree": the jobs are the
 * leaves of a tree of halves, so a thief gets a subtree. With --sequential the same jobs are plain
 * calls; this run tells how long the jobs take without Satin.
 *
 * The program prints the sum of all results, which is the same in every form and on any nodes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../../apps/common/arguments.h"
#include "../../apps/common/options.h"
#include "metg-work.h"

/* Whether the arguments of a job are in range: it may come from a damaged node. Jobs may be very
 * short, so this is one test; arguments_error() says which argument is wrong. */
static inline gboolean
are_arguments (int first, int n_jobs, int n_steps)
{
  return G_LIKELY (first >= 0 && first < METG_MAX_JOBS && n_jobs >= 1 && n_jobs <= METG_MAX_JOBS
                   && n_steps >= 0 && n_steps <= METG_MAX_STEPS);
}

static G_GNUC_NO_INLINE GError *
arguments_error (int first, int n_jobs, int n_steps)
{
  GError *error = NULL;
  if (app_argument_check ("first", first, 0, METG_MAX_JOBS - 1, &error)
      && app_argument_check ("jobs", n_jobs, 1, METG_MAX_JOBS, &error))
    app_argument_check ("steps", n_steps, 0, METG_MAX_STEPS, &error);
  return error;
}

/* One job of the farm. */
SATIN_TASK (work, (long), (int, number), (int, n_steps))
{
  if (are_arguments (number, 1, n_steps))
    return (gint64)metg_work (number, n_steps);
  satin_fail (arguments_error (number, 1, n_steps));
  return 0;
}

/* Returns: the sum of the results of @n_jobs jobs, from @first on */
SATIN_TASK (halves, (long), (int, first), (int, n_jobs), (int, n_steps))
{
  gint64 a, b;
  if (!are_arguments (first, n_jobs, n_steps))
    {
      satin_fail (arguments_error (first, n_jobs, n_steps));
      return 0;
    }
  if (n_jobs == 1)
    return (gint64)metg_work (first, n_steps);
  SATIN_SPAWN (&a, halves, first, n_jobs / 2, n_steps);
  SATIN_SPAWN (&b, halves, first + n_jobs / 2, n_jobs - n_jobs / 2, n_steps);
  SATIN_SYNC_OR_RETURN (0);
  return (gint64)((guint64)a + (guint64)b);
}

static gint64
sum_sequential (int n_jobs, int n_steps)
{
  guint64 sum = 0;
  for (int i = 0; i < n_jobs; i++)
    sum += metg_work (i, n_steps);
  return (gint64)sum;
}

static gint64
sum_results (const gint64 *results, int n_jobs)
{
  guint64 sum = 0;
  for (int i = 0; i < n_jobs; i++)
    sum += (guint64)results[i];
  return (gint64)sum;
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  gboolean is_farm;
  gint32 n_jobs;
  gint32 n_steps;
} MetgOptions;

static gboolean
read_options (const SatinString *argv, gsize n_argv, MetgOptions *options, GError **error)
{
  const AppNumber numbers[] = {
    { "jobs", "How many jobs there are", 1, METG_MAX_JOBS, 1000, &options->n_jobs },
    { "steps", "Steps of a job, of some two nanoseconds", 0, METG_MAX_STEPS, 1000,
      &options->n_steps },
    APP_NUMBER_NULL,
  };
  const AppUsage usage = { "farm|tree", "Runs equal jobs: spawned in one loop, or as a tree.", NULL,
                           numbers };
  g_autofree char *form = NULL;
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &form, error))
    return FALSE;
  options->is_farm = g_strcmp0 (form, "farm") == 0;
  if (options->common.is_help || options->is_farm || g_strcmp0 (form, "tree") == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "the form is %s: give farm or tree",
               form != NULL ? form : "missing");
  return FALSE;
}

SATIN_TASK (metg_main, (int), (array_string, argv))
{
  MetgOptions options = { 0 };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  g_autofree gint64 *results = g_new0 (gint64, options.n_jobs);
  gint64 sum = 0, started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    sum = sum_sequential (options.n_jobs, options.n_steps);
  else if (options.is_farm)
    for (int i = 0; i < options.n_jobs; i++)
      SATIN_SPAWN (&results[i], work, i, options.n_steps);
  else
    SATIN_SPAWN (&sum, halves, 0, options.n_jobs, options.n_steps);
  SATIN_SYNC_OR_RETURN (0);
  if (options.is_farm && !options.common.is_sequential)
    sum = sum_results (results, options.n_jobs);

  gint64 time_us = g_get_monotonic_time () - started_us;
  g_print ("sum %016" G_GINT64_MODIFIER "x\n", (guint64)sum);
  if (options.common.is_timed)
    app_print_time ("metg-satin", time_us, 0, 0);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, metg_main);
}
