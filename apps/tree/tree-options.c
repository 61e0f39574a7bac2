/* tree-options.c - the command line of tree
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tree-options.h"

#include <string.h>

#define DEFAULT_GRAIN "10ms"
#define DEFAULT_SKEW  60

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

/* Reads the options that only the shape "halves" has. @grain is %NULL if --grain was not given, and
 * @skew is -1 if --skew was not given. */
static gboolean
read_halves (const char *grain, int skew, TreeOptions *options, GError **error)
{
  if (options->tree.shape != NULL && (grain != NULL || skew >= 0))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "--grain and --skew are for the shape halves: the leaves of other "
                           "shapes are fixed");
      return FALSE;
    }
  if (skew < -1 || skew > MAX_SKEW)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "--skew is %d: give 0 to %d", skew,
                   MAX_SKEW);
      return FALSE;
    }
  options->skew = skew >= 0 ? skew : DEFAULT_SKEW;
  return read_time (grain != NULL ? grain : DEFAULT_GRAIN, "--grain", &options->grain_ns, error);
}

/* Checks that the numbers are in range and that the options can be used together. */
static gboolean
check_numbers (const TreeOptions *options, gboolean is_halves, GError **error)
{
  if (options->n_iterations < 1)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "--iterations is %d: give 1 or more",
                   options->n_iterations);
      return FALSE;
    }
  if (options->limit < 0 || options->limit > VALUE_MAX || (options->limit > 0 && !is_halves))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--best is %" G_GINT64_FORMAT
                   ": give 1 to " G_STRINGIFY (VALUE_MAX) ", with the shape halves",
                   options->limit);
      return FALSE;
    }
  if (options->is_shared && options->limit == 0)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "--shared needs a search: give --best too");
      return FALSE;
    }
  if (options->is_guarded && !options->is_shared)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "--guarded needs a shared object: give --shared too");
      return FALSE;
    }
  return TRUE;
}

gboolean
tree_options_read (const SatinString *argv, gsize n_argv, TreeOptions *options, GError **error)
{
  g_autofree char *grain = NULL;
  g_autofree char *shape = NULL;
  gboolean is_spinning = FALSE, is_sleeping = FALSE;
  int skew = -1;
  const GOptionEntry entries[] = {
    { "shape", 0, 0, G_OPTION_ARG_STRING, &shape,
      "halves, queens:N, raytracer:DEPTH, tsp:CITIES or knapsack:ITEMS (halves)", "SHAPE" },
    { "grain", 'g', 0, G_OPTION_ARG_STRING, &grain,
      "halves: time of a leaf, at most (" DEFAULT_GRAIN ")", "TIME" },
    { "skew", 0, 0, G_OPTION_ARG_INT, &skew,
      "halves: how unevenly, 0 equal, 99 any share (" G_STRINGIFY (DEFAULT_SKEW) ")", "PERCENT" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &options->seed, "Another tree for each N (1)", "N" },
    { "iterations", 'i', 0, G_OPTION_ARG_INT, &options->n_iterations,
      "N trees one after the other, each with the next seed (1)", "N" },
    { "best", 0, 0, G_OPTION_ARG_INT64, &options->limit,
      "halves: search the best value, 1 to " G_STRINGIFY (VALUE_MAX) ", and abort the rest once it "
                                                                     "is LIMIT or more",
      "LIMIT" },
    { "shared", 0, 0, G_OPTION_ARG_NONE, &options->is_shared,
      "With --best: share the best value, and skip leaves that cannot reach it; nothing is aborted",
      NULL },
    { "guarded", 0, 0, G_OPTION_ARG_NONE, &options->is_guarded,
      "With --shared: a job begins only where the best value of its spawn is known", NULL },
    { "spin", 0, 0, G_OPTION_ARG_NONE, &is_spinning, "Compute for the time of each leaf", NULL },
    { "sleep", 0, 0, G_OPTION_ARG_NONE, &is_sleeping,
      "Sleep for the time of each leaf, to try many nodes on few processors", NULL },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "WORK", "A tree of WORK (918s, 20ms) whose leaves are counted.",
                           entries };
  g_autofree char *operand = NULL;
  options->seed = options->n_iterations = 1;
  if (!app_options_parse (&usage, argv, n_argv, &options->common, &operand, error))
    return FALSE;
  options->pace = is_sleeping ? PACE_SLEEP : is_spinning ? PACE_SPIN : PACE_NONE;
  if (options->common.is_help)
    return TRUE;
  gboolean is_halves = shape == NULL || strcmp (shape, "halves") == 0;
  return check_numbers (options, is_halves, error)
         && (is_halves || shape_read (shape, &options->tree, error))
         && read_halves (grain, skew, options, error)
         && read_time (operand != NULL ? operand : "", "WORK", &options->work_ns, error);
}
