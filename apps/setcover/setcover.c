/* setcover.c - finds the cheapest cover: a search that divides when it gets long
 *
 * A job searches a number of positions (search.h). If the search has not ended then, the job spawns
 * a child for each place where the search would continue. The places have no covers in common.
 *
 * The cheapest cover so far is a shared object. A job reads that cover, and looks only for cheaper
 * covers. If it finds none, the cover that it read is its result. So the cheapest cover reaches the
 * root even if the node that found it is lost, and however late other nodes hear of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

#include "../common/arguments.h"
#include "../common/file.h"
#include "../common/options.h"
#include "search.h"

/* A job of this many positions takes some milliseconds, for a few hundred rows. */
#define DEFAULT_GRAIN    1000
#define DEFAULT_DENSITY  10
#define DEFAULT_MAX_COST 100

/* The cheapest cover so far; no columns before the first cover is found. */
SATIN_OBJECT_TYPE_DECLARE (cheapest, (long, cost), (array_int, columns))

/* Returns: the version of a state: higher for a lower cost, because the cost only decreases */
static gint64
cheapest_version (gconstpointer state)
{
  return G_MAXINT64 - ((const cheapest_state *)state)->cost;
}

SATIN_OBJECT_TYPE_DEFINE (cheapest, .is_checkpointed = TRUE, .get_version = cheapest_version)

SATIN_METHOD (cheapest, improve, (long, cost), (array_int, columns))
{
  if (cost >= state->cost)
    return;
  state->cost = cost;
  SATIN_SET_ARRAY (state, columns, columns, n_columns);
}

/* @known: (nullable): %NULL if this node does not have the object, or the object is no cover */
static gboolean
check_arguments (const SetCoverPlace *place, const cheapest_state *known, int grain,
                 const SetCover *cover, GError **error)
{
  if (known == NULL)
    return app_argument_refuse ("the cheapest cover is not here", error);
  if (!app_argument_check ("grain", grain, 1, G_MAXINT, error) || !setcover_check (cover, error))
    return FALSE;
  return setcover_place_is_in (place, cover)
         || app_argument_refuse ("the instance has no such place", error);
}

/* Searches the covers of @place. @cost: cost of a cover that the spawner knows; the job returns
 * only cheaper covers. @best: the shared object with the cheapest cover so far. @is_alone: the job
 * does not begin with the cover in @best */
SATIN_TASK (setcover, (record, SetCoverFound), (record, place, SetCoverPlace), (long, cost),
            (object, best), (boolean, is_alone), (int, grain), (record, cover, SetCover))
{
  const cheapest_state *known = SATIN_READ (cheapest, best);
  GError *error = NULL;
  if (!check_arguments (&place, known, grain, &cover, &error))
    {
      satin_fail (error);
      return (SetCoverFound){ 0 };
    }
  g_auto (SetCoverSearch) search;
  setcover_search_init (&search, &cover, &place, cost);
  if (!is_alone && known->cost < cost)
    setcover_search_know (&search, known->cost, known->columns, known->n_columns);
  gboolean is_over = setcover_search_run (&search, grain);
  if (search.found.cost < known->cost)
    SATIN_UPDATE (best, cheapest, improve, search.found.cost, search.found.columns,
                  search.found.n_columns);
  if (is_over)
    return setcover_search_take (&search);

  guint n;
  g_autofree SetCoverPlace *places = setcover_search_places (&search, &n);
  g_autofree SetCoverFound *found = g_new0 (SetCoverFound, n);
  for (guint i = 0; i < n; i++)
    SATIN_SPAWN (&found[i], setcover, places[i], search.found.cost, best, is_alone, grain, cover);
  gboolean is_good = SATIN_SYNC ();
  for (guint i = 0; i < n; i++)
    {
      if (is_good)
        setcover_found_merge (&search.found, &found[i]);
      satin_record_clear (&SetCoverFound_record, &found[i]);
      satin_record_clear (&SetCoverPlace_record, &places[i]);
    }
  return setcover_search_take (&search);
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  SetCover cover; /* (owned) */
  int grain;
  gboolean is_alone;   /* --alone: jobs do not begin with the shared cover */
  gboolean is_listing; /* print which columns are taken */
} SetCoverOptions;

static void
options_clear (SetCoverOptions *self)
{
  satin_record_clear (&SetCover_record, &self->cover);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SetCoverOptions, options_clear)

static const char summary[] =
    "Finds the cheapest columns that cover all rows.\n\n"
    "FILE is in the format of the OR-Library: rows and columns, the cost of each column,\n"
    "then for each row how many columns cover it, and which. Examples:\n"
    "  setcover apps/setcover/instances/steiner27.txt --columns\n"
    "  setcover --generate 100x300 --max-cost 1 --seed 3 --time";

/* The options that matter only with --generate. */
typedef struct
{
  char *size; /* (owned) (nullable): ROWSxCOLUMNS */
  int density;
  int max_cost;
  int seed;
} Recipe;

static gboolean
load (const char *path, SetCover *ret_cover, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;
  return app_file_read ("set cover file", path, SETCOVER_MAX_BYTES, &text, &n_text, error)
         && setcover_read (path, text, n_text, ret_cover, error);
}

static gboolean
read_size (const char *text, int *ret_n_rows, int *ret_n_columns, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "x", 0);
  guint64 n_rows, n_columns;
  if (g_strv_length (parts) != 2
      || !g_ascii_string_to_unsigned (parts[0], 10, 1, SETCOVER_MAX_GENERATED_ROWS, &n_rows, NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, SETCOVER_MAX_GENERATED_COLUMNS, &n_columns,
                                      NULL))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--generate is '%s', but must be ROWSxCOLUMNS, from 1x1 to %dx%d", text,
                   SETCOVER_MAX_GENERATED_ROWS, SETCOVER_MAX_GENERATED_COLUMNS);
      return FALSE;
    }
  *ret_n_rows = (int)n_rows;
  *ret_n_columns = (int)n_columns;
  return TRUE;
}

static gboolean
generate (const Recipe *recipe, SetCover *ret_cover, GError **error)
{
  int n_rows, n_columns;
  if (!read_size (recipe->size, &n_rows, &n_columns, error)
      || !app_range_check ("--density", recipe->density, 1, 100, error)
      || !app_range_check ("--max-cost", recipe->max_cost, 1, SETCOVER_MAX_COST, error))
    return FALSE;
  setcover_generate (n_rows, n_columns, recipe->density, recipe->max_cost, recipe->seed, ret_cover);
  return TRUE;
}

static gboolean
read_instance (const char *path, const Recipe *recipe, SetCover *ret_cover, GError **error)
{
  if ((path != NULL) == (recipe->size != NULL))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           path != NULL
                               ? "a file and --generate are two instances: give one of them"
                               : "no instance given: give a file or --generate ROWSxCOLUMNS");
      return FALSE;
    }
  return path != NULL ? load (path, ret_cover, error) : generate (recipe, ret_cover, error);
}

static gboolean
read_options (const SatinString *argv, gsize n_argv, SetCoverOptions *options, GError **error)
{
  Recipe recipe = { .density = DEFAULT_DENSITY, .max_cost = DEFAULT_MAX_COST, .seed = 1 };
  const GOptionEntry entries[] = {
    { "generate", 0, 0, G_OPTION_ARG_STRING, &recipe.size, "Make an instance of that size",
      "ROWSxCOLUMNS" },
    { "density", 0, 0, G_OPTION_ARG_INT, &recipe.density,
      "Percentage of all columns that cover a row (" G_STRINGIFY (DEFAULT_DENSITY) ")", "PERCENT" },
    { "max-cost", 0, 0, G_OPTION_ARG_INT, &recipe.max_cost,
      "Costs from 1 to N (" G_STRINGIFY (DEFAULT_MAX_COST) "); 1 for the fewest columns", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &recipe.seed, "Another instance for each N (1)", "N" },
    { "grain", 0, 0, G_OPTION_ARG_INT, &options->grain,
      "A job divides its remaining search after N positions (" G_STRINGIFY (DEFAULT_GRAIN) ")",
      "N" },
    { "alone", 0, 0, G_OPTION_ARG_NONE, &options->is_alone,
      "Share nothing: a job knows only what was found before it was spawned", NULL },
    { "columns", 0, 0, G_OPTION_ARG_NONE, &options->is_listing,
      "Print the numbers of the columns of one cheapest cover", NULL },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[FILE]", summary, entries };
  g_autofree char *path = NULL;
  gboolean is_read = app_options_parse (&usage, argv, n_argv, &options->common, &path, error)
                     && (options->common.is_help
                         || (app_range_check ("--grain", options->grain, 1, G_MAXINT, error)
                             && read_instance (path, &recipe, &options->cover, error)));
  g_free (recipe.size);
  return is_read;
}

static void
print_columns (const SetCover *cover, const SetCoverFound *found)
{
  g_autofree guint8 *is_taken = g_malloc0 (cover->n_costs);
  for (gsize i = 0; i < found->n_columns; i++)
    is_taken[found->columns[i]] = 1;
  g_print ("columns");
  for (gsize column = 0; column < cover->n_costs; column++)
    if (is_taken[column])
      g_print (" %" G_GSIZE_FORMAT, column + 1);
  g_print ("\n");
}

static void
print_result (const SetCoverOptions *options, const SetCoverFound *found, gint64 time_us)
{
  const SetCover *cover = &options->cover;
  g_print ("setcover: %d rows, %" G_GSIZE_FORMAT " columns, cost %" G_GINT64_FORMAT "\n",
           setcover_n_rows (cover), cover->n_costs, found->cost);
  if (options->is_listing)
    print_columns (cover, found);
  if (!options->common.is_timed)
    return;
  app_print_time ("setcover", time_us, 0, 0);
  g_printerr ("setcover: %" G_GINT64_FORMAT " positions\n", found->n_positions);
}

static SetCoverFound
search_sequential (const SetCover *cover)
{
  g_auto (SetCoverSearch) search;
  setcover_search_init (&search, cover, &(SetCoverPlace){ 0 }, G_MAXINT64);
  setcover_search_run (&search, G_MAXINT64);
  return setcover_search_take (&search);
}

SATIN_TASK (setcover_main, (int), (array_string, argv))
{
  g_auto (SetCoverOptions) options = { .grain = DEFAULT_GRAIN };
  SetCoverFound found = { 0 };
  const SetCoverPlace all = { 0 };
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  gint64 started_us = g_get_monotonic_time ();
  if (options.common.is_sequential)
    found = search_sequential (&options.cover);
  else
    SATIN_SPAWN (&found, setcover, all, G_MAXINT64,
                 SATIN_NEW (cheapest, "best", G_MAXINT64, NULL, 0), options.is_alone, options.grain,
                 options.cover);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  if (setcover_found_is_right (&found, &options.cover))
    print_result (&options, &found, time_us);
  else
    satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB,
                                     "the columns that were found do not cover all rows, or have "
                                     "another cost"));
  satin_record_clear (&SetCoverFound_record, &found);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--columns");
  return satin_main (argc, argv, setcover_main);
}
