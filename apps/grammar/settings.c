/* settings.c - reads the options of grammar
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include "../common/file.h"

#define DEFAULT_GRAIN 100

static const char summary[] =
    "Finds a smallest deterministic finite automaton that accepts some strings and rejects\n"
    "others. FILE has the strings, in the format of the Abbadingo competition. Examples:\n"
    "  grammar apps/grammar/examples/tomita-5.txt --automaton\n"
    "  grammar --generate 1,8,200 --time";

/* Reads the sample that @path or @numbers names. Fails unless exactly one of them is given, and the
 * other is %NULL. */
static gboolean
read_sample (Settings *self, const char *path, const char *numbers, GError **error)
{
  g_autofree char *text = NULL;
  gsize n_text;
  if ((path != NULL) == (numbers != NULL))
    {
      g_set_error_literal (
          error, SATIN_ERROR, SATIN_ERROR_INVALID,
          path != NULL ? "a file and --generate are two samples: give one of them"
                       : "no strings given: give a file, or --generate SEED,STATES,STRINGS");
      return FALSE;
    }
  if (numbers != NULL)
    {
      self->name = g_strdup (numbers);
      return sample_generate (numbers, &self->sample, error);
    }
  self->name = g_path_get_basename (path);
  return app_file_read ("file of strings", path, SAMPLE_MAX_BYTES, &text, &n_text, error)
         && sample_read (path, text, n_text, &self->sample, error);
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_autofree char *path = NULL, *generate = NULL;
  *ret_settings = (Settings){ 0 };
  const AppNumber numbers[] = {
    { "grain", "A job divides its remaining search after N nodes", 1, G_MAXINT, DEFAULT_GRAIN,
      &ret_settings->grain },
    APP_NUMBER_NULL,
  };
  const GOptionEntry entries[] = {
    { "generate", 0, 0, G_OPTION_ARG_STRING, &generate, "Make strings of a random automaton",
      "SEED,STATES,STRINGS" },
    { "automaton", 0, 0, G_OPTION_ARG_NONE, &ret_settings->is_shown, "Print the automaton", NULL },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[FILE]", summary, entries, numbers };

  if (!app_options_parse (&usage, argv, n_argv, &ret_settings->common, &path, error))
    return FALSE;
  return ret_settings->common.is_help
         || (read_sample (ret_settings, path, generate, error)
             && tree_build (&ret_settings->sample, &ret_settings->tree, error));
}

void
settings_clear (Settings *self)
{
  g_free (self->name);
  satin_record_clear (&Sample_record, &self->sample);
  satin_record_clear (&Tree_record, &self->tree);
}
