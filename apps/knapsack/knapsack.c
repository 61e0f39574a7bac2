/* knapsack.c - finds the most valuable choice of items: a search that divides when it gets long
 *
 * A job searches a number of positions (search.h). If the search has not ended then, the job spawns
 * a child for each place where the search would continue. The places have no choices in common.
 *
 * The best choice so far is a shared object. A job reads that choice, and looks only for better
 * choices. If it finds none, the choice that it read is its result. So the best choice reaches the
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

/* A job of this many positions takes some milliseconds. */
#define DEFAULT_GRAIN 100000
#define DEFAULT_KIND  "even-odd"
#define DEFAULT_RANGE 1000

/* The best choice so far. @is_taken: a byte for each item, 1 if the item is taken; no bytes before
 * the first choice is found */
SATIN_OBJECT_TYPE_DECLARE (choice, (long, value), (bytes, is_taken))

/* Returns: the version of a state, which follows from the value, because the value only
 * increases */
static gint64
choice_version (gconstpointer state)
{
  return ((const choice_state *)state)->value + 1;
}

SATIN_OBJECT_TYPE_DEFINE (choice, .is_checkpointed = TRUE, .get_version = choice_version)

SATIN_METHOD (choice, improve, (long, value), (bytes, is_taken))
{
  if (value <= state->value)
    return;
  state->value = value;
  SATIN_SET_ARRAY (state, is_taken, is_taken, n_is_taken);
}

/* @known: (nullable): %NULL if this node does not have the object, or the object is no choice */
static gboolean
check_arguments (const KnapsackPlace *place, const choice_state *known, int grain,
                 const Knapsack *knapsack, GError **error)
{
  if (known == NULL)
    return app_argument_refuse ("the best choice is not here", error);
  if (!app_argument_check ("grain", grain, 1, G_MAXINT, error) || !knapsack_check (knapsack, error))
    return FALSE;
  return knapsack_place_is_in (place, knapsack)
         || app_argument_refuse ("the instance has no such place", error);
}

/* Searches the choices of one place: @is_taken and @level, as in KnapsackPlace. @value: value of a
 * choice that the spawner knows; the job returns only better choices. @best: the shared object with
 * the best choice so far. @is_alone: the job does not begin with the choice in @best */
SATIN_TASK (knapsack, (record, KnapsackFound), (bytes, is_taken), (int, level), (long, value),
            (object, best), (boolean, is_alone), (int, grain), (record, knapsack, Knapsack))
{
  const KnapsackPlace place = { is_taken, n_is_taken, level };
  const choice_state *known = SATIN_READ (choice, best);
  GError *error = NULL;
  if (!check_arguments (&place, known, grain, &knapsack, &error))
    {
      satin_fail (error);
      return (KnapsackFound){ 0 };
    }
  g_auto (KnapsackSearch) search;
  knapsack_search_init (&search, &knapsack, &place, value);
  if (!is_alone && known->value > value && known->n_is_taken == knapsack.n_items)
    knapsack_search_know (&search, known->value, known->is_taken);
  gboolean is_over = knapsack_search_run (&search, grain);
  if (search.found.value > known->value)
    SATIN_UPDATE (best, choice, improve, search.found.value, search.found.is_taken,
                  search.found.n_is_taken);
  if (is_over)
    return knapsack_search_take (&search);

  g_autofree KnapsackPlace *places = g_new (KnapsackPlace, knapsack.n_items + 1);
  guint n = knapsack_search_places (&search, places);
  g_autofree KnapsackFound *found = g_new0 (KnapsackFound, n);
  for (guint i = 0; i < n; i++)
    SATIN_SPAWN (&found[i], knapsack, places[i].is_taken, places[i].n_decided, places[i].level,
                 search.found.value, best, is_alone, grain, knapsack);
  gboolean is_good = SATIN_SYNC ();
  for (guint i = 0; i < n; i++)
    {
      if (is_good)
        knapsack_found_merge (&search.found, &found[i]);
      satin_record_clear (&KnapsackFound_record, &found[i]);
    }
  return knapsack_search_take (&search);
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  Knapsack knapsack; /* (owned) */
  int grain;
  gboolean is_alone;   /* --alone: jobs do not begin with the shared choice */
  gboolean is_listing; /* print which items are taken */
} KnapsackOptions;

static void
options_clear (KnapsackOptions *self)
{
  satin_record_clear (&Knapsack_record, &self->knapsack);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KnapsackOptions, options_clear)

static const char summary[] =
    "Finds the most valuable items that can be carried together.\n\n"
    "FILE has the capacity, then a line 'WEIGHT VALUE' for each item. Examples:\n"
    "  knapsack apps/knapsack/instances/p08.txt --items\n"
    "  knapsack --generate 30 --seed 3 --time";

/* The options that matter only with --generate. */
typedef struct
{
  int n_items; /* 0: not given */
  char *kind;  /* (owned) (nullable) */
  int range;
  int seed;
} Recipe;

static gboolean
load (const char *path, Knapsack *ret_knapsack, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;
  return app_file_read ("knapsack file", path, KNAPSACK_MAX_BYTES, &text, &n_text, error)
         && knapsack_read (path, text, n_text, ret_knapsack, error);
}

static gboolean
read_instance (const char *path, const Recipe *recipe, Knapsack *ret_knapsack, GError **error)
{
  if ((path != NULL) == (recipe->n_items != 0))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           path != NULL
                               ? "a file and --generate are two instances: give one of them"
                               : "no instance given: give a file or --generate N");
      return FALSE;
    }
  if (path != NULL)
    return load (path, ret_knapsack, error);
  return app_range_check ("--generate", recipe->n_items, 1, KNAPSACK_MAX_ITEMS, error)
         && app_range_check ("--range", recipe->range, 1, KNAPSACK_MAX_NUMBER / 2, error)
         && knapsack_generate (recipe->n_items, recipe->kind != NULL ? recipe->kind : DEFAULT_KIND,
                               recipe->range, recipe->seed, ret_knapsack, error);
}

static gboolean
read_options (const SatinString *argv, gsize n_argv, KnapsackOptions *options, GError **error)
{
  Recipe recipe = { .range = DEFAULT_RANGE, .seed = 1 };
  const GOptionEntry entries[] = {
    { "generate", 0, 0, G_OPTION_ARG_INT, &recipe.n_items, "Make an instance of N items", "N" },
    { "kind", 0, 0, G_OPTION_ARG_STRING, &recipe.kind,
      "How values follow from weights: even-odd, uncorrelated, weak or strong (" DEFAULT_KIND ")",
      "KIND" },
    { "range", 0, 0, G_OPTION_ARG_INT, &recipe.range,
      "Weights from 1 to R (" G_STRINGIFY (DEFAULT_RANGE) ")", "R" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &recipe.seed, "Another instance for each N (1)", "N" },
    { "grain", 0, 0, G_OPTION_ARG_INT, &options->grain,
      "A job divides its remaining search after N positions (" G_STRINGIFY (DEFAULT_GRAIN) ")",
      "N" },
    { "alone", 0, 0, G_OPTION_ARG_NONE, &options->is_alone,
      "Share nothing: a job knows only what was found before it was spawned", NULL },
    { "items", 0, 0, G_OPTION_ARG_NONE, &options->is_listing,
      "Print the numbers of the items of one best choice", NULL },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[FILE]", summary, entries };
  g_autofree char *path = NULL;
  gboolean is_read = app_options_parse (&usage, argv, n_argv, &options->common, &path, error)
                     && (options->common.is_help
                         || (app_range_check ("--grain", options->grain, 1, G_MAXINT, error)
                             && read_instance (path, &recipe, &options->knapsack, error)));
  g_free (recipe.kind);
  return is_read;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  return *(const int *)a - *(const int *)b;
}

static void
print_items (const Knapsack *knapsack, const KnapsackFound *found)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (int));
  for (gsize i = 0; i < knapsack->n_items; i++)
    if (found->is_taken[i])
      g_array_append_val (numbers, knapsack->items[i].number);
  g_array_sort (numbers, compare_numbers);
  g_print ("items");
  for (guint i = 0; i < numbers->len; i++)
    g_print (" %d", g_array_index (numbers, int, i));
  g_print ("\n");
}

static void
print_result (const KnapsackOptions *options, const KnapsackFound *found, gint64 time_us)
{
  const Knapsack *knapsack = &options->knapsack;
  g_print ("knapsack: %" G_GSIZE_FORMAT " items, capacity %" G_GINT64_FORMAT
           ", value %" G_GINT64_FORMAT "\n",
           knapsack->n_items, knapsack->capacity, found->value);
  if (options->is_listing)
    print_items (knapsack, found);
  if (!options->common.is_timed)
    return;
  app_print_time ("knapsack", time_us, 0, 0);
  g_printerr ("knapsack: %" G_GINT64_FORMAT " positions\n", found->n_positions);
}

static KnapsackFound
search_sequential (const Knapsack *knapsack)
{
  g_auto (KnapsackSearch) search;
  knapsack_search_init (&search, knapsack, &(KnapsackPlace){ 0 }, -1);
  knapsack_search_run (&search, G_MAXINT64);
  return knapsack_search_take (&search);
}

SATIN_TASK (knapsack_main, (int), (array_string, argv))
{
  g_auto (KnapsackOptions) options = { .grain = DEFAULT_GRAIN };
  KnapsackFound found = { 0 };
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
    found = search_sequential (&options.knapsack);
  else
    SATIN_SPAWN (&found, knapsack, NULL, 0, 0, -1, SATIN_NEW (choice, "best", -1, NULL, 0),
                 options.is_alone, options.grain, options.knapsack);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  if (knapsack_found_is_right (&found, &options.knapsack))
    print_result (&options, &found, time_us);
  else
    satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB,
                                     "the choice that was found does not have the value that was "
                                     "reported"));
  satin_record_clear (&KnapsackFound_record, &found);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--items");
  return satin_main (argc, argv, knapsack_main);
}
