/* conformance.c - `satin conformance`: checks whether a plugin keeps the rules of its kind
 *
 * Prints TAP while the suite runs. When the whole suite runs, the plan is printed before the first
 * result, so that a plugin that crashes the process does not pass. If the suite cannot begin, there
 * is no plan, only the error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"

#include <satin/sim/conformance.h>

#include <stdio.h>
#include <string.h>

static const char details[] =
    "PLUGIN is a path, or KIND-NAME of one that can be found (satin inspect lists them). The\n"
    "KEY=VALUE are its parameters, except three of the suite itself:\n"
    "  uri       where to listen, the storage or folder to use, or where a hub for a part shall "
    "be\n"
    "  patience  how long to wait for something that must happen (5s)\n"
    "  seeds     how many random seeds are tried in cases that depend on chance (40)\n\n"
    "Prints TAP. The exit status is 0 when the plugin obeys all rules and 1 when it breaks one.\n\n"
    "In the file of exceptions, each line is the name of a case and the reason why the plugin\n"
    "cannot obey its rule; # begins a comment. An exception that succeeds is an error.\n\n"
    "Examples:\n"
    "  satin conformance ./transport-mine.so\n"
    "  satin conformance transport-tcp uri=tcp://127.0.0.1:0 queue-limit=64K\n"
    "  satin conformance --filter policy/choice policy-crs";

/* The results so far. */
typedef struct
{
  guint n_planned; /* 0: the plan is printed at the end */
  guint n_cases;
  guint n_broken;
  GHashTable *exceptions; /* (owned) name of an excepted case that has not run yet to (owned)
                           * reason */
} Tally;

/* Prints @text in one line, because a second line would be read as TAP. */
static void
print_text (const char *before, const char *text)
{
  g_autofree char *line = g_strdelimit (g_strdup (text), "\r\n", ' ');
  g_print ("%s%s\n", before, line);
}

static void
print_broken (Tally *self, const char *name, const char *message)
{
  self->n_broken++;
  g_print ("not ok %u %s\n", self->n_cases, name);
  print_text ("# ", message);
}

static void
print_excepted (Tally *self, const char *name, SatinConformanceResult result, const char *reason)
{
  g_autofree char *before = g_strdup_printf ("ok %u %s # SKIP ", self->n_cases, name);
  if (result == SATIN_CONFORMANCE_KEPT)
    print_broken (self, name, "the file of exceptions has it, but the plugin obeys it");
  else
    print_text (before, reason);
}

static void
on_case (const char *name, SatinConformanceResult result, const char *message, gpointer user_data)
{
  Tally *self = user_data;
  g_autofree char *excepted = NULL;
  g_autofree char *reason = NULL;
  g_autofree char *before = NULL;
  if (self->n_cases++ == 0 && self->n_planned > 0)
    g_print ("1..%u\n", self->n_planned);
  if (g_hash_table_steal_extended (self->exceptions, name, (gpointer *)&excepted,
                                   (gpointer *)&reason))
    {
      print_excepted (self, name, result, reason);
      return;
    }
  switch (result)
    {
    case SATIN_CONFORMANCE_KEPT:
      g_print ("ok %u %s\n", self->n_cases, name);
      break;
    case SATIN_CONFORMANCE_BROKEN:
      print_broken (self, name, message != NULL ? message : "broken");
      break;
    case SATIN_CONFORMANCE_SKIPPED:
      before = g_strdup_printf ("ok %u %s # SKIP ", self->n_cases, name);
      print_text (before, message != NULL ? message : "");
      break;
    }
  fflush (stdout);
}

/* Reads the file of exceptions. @path: (nullable). Returns: (transfer full) (nullable): name of a
 * case to reason; %NULL with @error */
static GHashTable *
read_exceptions (const char *path, GError **error)
{
  g_autoptr (GHashTable) exceptions =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *text = NULL;
  if (path == NULL)
    return g_steal_pointer (&exceptions);
  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      const char *space = strchr (line, ' ');
      if (*line == '\0' || *line == '#')
        continue;
      if (space == NULL)
        {
          command_refuse (error, "conformance", "%s: line %u names no reason after \"%s\"", path,
                          i + 1, line);
          return NULL;
        }
      g_hash_table_insert (exceptions, g_strndup (line, (gsize)(space - line)),
                           g_strstrip (g_strdup (space)));
    }
  return g_steal_pointer (&exceptions);
}

/* Opens a plugin. @word: a path, if it has a slash or ends with .so; else KIND-NAME */
static const SatinPlugin *
find_plugin (const char *word, GError **error)
{
  if (strchr (word, '/') != NULL || g_str_has_suffix (word, ".so"))
    {
      g_autofree char *path = g_canonicalize_filename (word, NULL);
      return satin_plugin_open (path, error);
    }
  for (SatinPluginKind kind = SATIN_PLUGIN_TRANSPORT; kind < SATIN_PLUGIN_N_KINDS; kind++)
    {
      const char *kind_name = satin_plugin_kind_name (kind);
      gsize n_kind = strlen (kind_name);
      if (strncmp (word, kind_name, n_kind) == 0 && word[n_kind] == '-')
        return satin_plugin_load (kind, word + n_kind + 1, error);
    }
  command_refuse (error, "conformance",
                  "\"%s\" is neither the path of a plugin nor a kind and a name, as transport-tcp",
                  word);
  return NULL;
}

static gboolean
run_suite (const SatinPlugin *plugin, const char *const *params, const char *filter, Tally *tally,
           GError **error)
{
  guint n_cases = satin_conformance_count (satin_plugin_get_desc (plugin)->kind);
  tally->n_planned = filter == NULL ? n_cases : 0;
  if (!satin_conformance_run (plugin, params, filter, on_case, tally, error))
    {
      if (tally->n_cases > 0) /* a reader of TAP must not miss the cases that do not come */
        print_text ("Bail out! ", (*error)->message);
      return FALSE;
    }
  if (filter != NULL && tally->n_cases == 0)
    return command_refuse (error, "conformance", "no case begins with \"%s\"", filter);
  if (filter != NULL)
    g_print ("1..%u\n", tally->n_cases);
  GHashTableIter iter;
  gpointer name;
  g_hash_table_iter_init (&iter, tally->exceptions);
  if (filter == NULL && g_hash_table_iter_next (&iter, &name, NULL))
    return command_refuse (error, "conformance", "there is no case \"%s\" to except",
                           (const char *)name);
  return TRUE;
}

gboolean
command_conformance (int argc, char **argv, int *ret_status, GError **error)
{
  g_autofree char *filter = NULL;
  g_autofree char *path = NULL;
  const GOptionEntry entries[] = { { "filter", 0, 0, G_OPTION_ARG_STRING, &filter,
                                     "Only cases whose name begins with NAME", "NAME" },
                                   { "except", 0, 0, G_OPTION_ARG_FILENAME, &path,
                                     "Rules that the plugin cannot obey", "FILE" },
                                   G_OPTION_ENTRY_NULL };
  const CommandSyntax syntax = {
    .name = "conformance",
    .usage = "PLUGIN [KEY=VALUE...]",
    .summary = "Checks whether a plugin obeys the rules of its kind.",
    .details = details,
    .options = entries,
    .n_words_min = 1,
    .n_words_max = G_MAXINT,
  };
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  const SatinPlugin *plugin = find_plugin (argv[1], error);
  if (plugin == NULL)
    return FALSE;
  g_autoptr (GHashTable) exceptions = read_exceptions (path, error);
  if (exceptions == NULL)
    return FALSE;
  Tally tally = { .exceptions = exceptions };
  if (!run_suite (plugin, (const char *const *)argv + 2, filter, &tally, error))
    return FALSE;
  *ret_status = tally.n_broken > 0 ? 1 : 0;
  return TRUE;
}
