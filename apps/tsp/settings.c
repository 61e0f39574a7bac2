/* settings.c - reads the options of tsp
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include "../common/file.h"
#include "search.h"
#include "tsplib.h"

/* README.md has the measurements behind these choices. */
#define DEFAULT_RAISES 8
#define DEFAULT_GRAIN  200

static const char summary[] =
    "Finds the shortest tour through the cities of a TSPLIB file, of 3 to 150 of\n"
    "them, and proves that there is no shorter one. For example:\n\n"
    "  tsp --tour --svg gr96.svg apps/tsp/instances/gr96.tsp";

/* The options whose values are words, as the user wrote them. */
typedef struct
{
  char *brothers;   /* (owned) (nullable) */
  char *first_tour; /* (owned) (nullable) */
  char *node_time;  /* (owned) (nullable) */
} Words;

static void
words_clear (Words *words)
{
  g_free (words->brothers);
  g_free (words->first_tour);
  g_free (words->node_time);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Words, words_clear)

/* Sets *@ret_choice to the index of @text in @words. If @text is %NULL, *@ret_choice stays as it
 * is. */
static gboolean
read_choice (const char *option, const char *text, const char *const *words, gint *ret_choice,
             GError **error)
{
  if (text == NULL)
    return TRUE;
  for (gint i = 0; words[i] != NULL; i++)
    if (strcmp (text, words[i]) == 0)
      {
        *ret_choice = i;
        return TRUE;
      }
  g_autofree char *all = g_strjoinv (", ", (char **)words);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is '%s', but must be one of %s", option,
               text, all);
  return FALSE;
}

static gboolean
read_words (const Words *words, Settings *settings, GError **error)
{
  static const char *const brothers[] = { "go", "wait", NULL };
  static const char *const first_tours[] = { "nearest", "2-opt", "or-opt", NULL };
  gint first_tour = FIRST_TOUR_OR_OPT;
  if (!read_choice ("--brothers", words->brothers, brothers, &settings->plan.is_waiting, error)
      || !read_choice ("--first-tour", words->first_tour, first_tours, &first_tour, error))
    return FALSE;
  settings->first_tour = first_tour;
  return app_charge_parse ("--node-time", words->node_time, &settings->plan.node_us, error);
}

static gboolean
read_instance (Settings *self, const char *file, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;
  if (file == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "no cities given: name a TSPLIB file, as gr17.tsp");
      return FALSE;
    }
  if (!app_file_read ("TSPLIB file", file, TSPLIB_MAX_BYTES, &text, &n_text, error))
    return FALSE;
  self->instance = tsplib_read (file, text, n_text, error);
  if (self->instance == NULL)
    return FALSE;
  if (self->picture != NULL && self->instance->points == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--svg: %s does not say where its cities are: leave the picture out", file);
      return FALSE;
    }
  return TRUE;
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_auto (Words) words = { 0 };
  g_autofree char *file = NULL;
  Plan *plan = &ret_settings->plan;
  const GOptionEntry entries[] = {
    { "grain", 0, 0, G_OPTION_ARG_INT, &plan->grain,
      "A job divides its remaining search after N nodes; " G_STRINGIFY (DEFAULT_GRAIN), "N" },
    { "raises", 0, 0, G_OPTION_ARG_INT, &plan->n_raises,
      "How often the bound of a node is improved; " G_STRINGIFY (DEFAULT_RAISES), "N" },
    { "alone", 0, 0, G_OPTION_ARG_NONE, &ret_settings->is_alone,
      "Share nothing: a job knows only what was found before it was spawned", NULL },
    { "brothers", 0, 0, G_OPTION_ARG_STRING, &words.brothers,
      "Whether all parts of a job begin at once (go), or the first ones end before (wait); go",
      "go|wait" },
    { "first-tour", 0, 0, G_OPTION_ARG_STRING, &words.first_tour,
      "How the first tour is made, which the search has to beat; or-opt", "nearest|2-opt|or-opt" },
    { "tour", 0, 0, G_OPTION_ARG_NONE, &ret_settings->is_shown, "Print the tour", NULL },
    { "svg", 0, 0, G_OPTION_ARG_FILENAME, &ret_settings->picture, "Draw the tour", "FILE" },
    { "node-time", 0, 0, G_OPTION_ARG_STRING, &words.node_time,
      "Time of a node of the search in a simulation; 0", "TIME" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "FILE.tsp", summary, entries };

  *ret_settings = (Settings){
    .plan = { .n_raises = DEFAULT_RAISES, .grain = DEFAULT_GRAIN },
  };
  if (!app_options_parse (&usage, argv, n_argv, &ret_settings->common, &file, error))
    return FALSE;
  if (ret_settings->common.is_help)
    return TRUE;
  return app_range_check ("--grain", plan->grain, 1, G_MAXINT, error)
         && app_range_check ("--raises", plan->n_raises, 0, SEARCH_MAX_RAISES, error)
         && read_words (&words, ret_settings, error) && read_instance (ret_settings, file, error);
}

void
settings_clear (Settings *self)
{
  g_clear_pointer (&self->instance, instance_free);
  g_free (self->picture);
}
