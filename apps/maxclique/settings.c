/* settings.c - reads the options of maxclique
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include "../common/file.h"
#include "dimacs.h"
#include "generate.h"

#define DEFAULT_GRAIN 2000

static const char summary[] =
    "Finds the largest clique of a graph: as many vertices as possible of which each\n"
    "two are neighbours. FILE is a graph in the DIMACS format. Examples:\n"
    "  maxclique apps/maxclique/graphs/petersen.clq --clique\n"
    "  maxclique --generate p-hat:500,50,100,1 --time";

/* Reads the graph that @path or @kind names. Fails unless exactly one of them is given, and the
 * other is %NULL. */
static gboolean
read_graph (Settings *self, const char *path, const char *kind, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;
  if ((path != NULL) == (kind != NULL))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           path != NULL
                               ? "a file and --generate are two graphs: give one of them"
                               : "no graph given: give a file, or --generate KIND:NUMBERS");
      return FALSE;
    }
  if (kind != NULL)
    {
      self->name = g_strdup (kind);
      return generate_graph (kind, &self->graph, error);
    }
  self->name = g_path_get_basename (path);
  return app_file_read ("graph file", path, DIMACS_MAX_BYTES, &text, &n_text, error)
         && dimacs_read (path, text, n_text, &self->graph, error);
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_autofree char *path = NULL, *kind = NULL, *node_time = NULL;
  Plan *plan = &ret_settings->plan;
  const AppNumber numbers[] = {
    { "grain", "A job divides its remaining search after N nodes", 1, G_MAXINT, DEFAULT_GRAIN,
      &plan->grain },
    APP_NUMBER_NULL,
  };
  const GOptionEntry entries[] = {
    { "generate", 0, 0, G_OPTION_ARG_STRING, &kind, "Make a graph: " GENERATE_KINDS,
      "KIND:NUMBERS" },
    { "alone", 0, 0, G_OPTION_ARG_NONE, &ret_settings->is_alone,
      "Share no cliques: a job knows only what was found before it was spawned", NULL },
    { "clique", 0, 0, G_OPTION_ARG_NONE, &ret_settings->is_shown, "Print the clique", NULL },
    { "node-time", 0, 0, G_OPTION_ARG_STRING, &node_time,
      "Time of a node of the search in a simulation (0)", "TIME" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[FILE]", summary, entries, numbers };

  *ret_settings = (Settings){ 0 };
  if (!app_options_parse (&usage, argv, n_argv, &ret_settings->common, &path, error))
    return FALSE;
  return ret_settings->common.is_help
         || (app_charge_parse ("--node-time", node_time, &plan->node_us, error)
             && read_graph (ret_settings, path, kind, error));
}

void
settings_clear (Settings *self)
{
  g_free (self->name);
  satin_record_clear (&Graph_record, &self->graph);
}
