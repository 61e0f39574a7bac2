/* labels.c - parses "a:4,b:4", the number of nodes with each cluster label
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "options.h"

#include <string.h>

static gboolean
add_cluster (GPtrArray *labels, const char *word, GError **error)
{
  const char *colon = strchr (word, ':');
  guint64 n_nodes = 0;
  if (colon == NULL || colon == word
      || !g_ascii_string_to_unsigned (colon + 1, 10, 1, RUN_MAX_NODES, &n_nodes, NULL)
      || strpbrk (word, ";\\=") != NULL)
    return command_refuse (
        error, "run", "--clusters wants labels with numbers of nodes, a:4,b:4, not \"%s\"", word);
  if (labels->len + n_nodes > RUN_MAX_NODES)
    return command_refuse (error, "run", "--clusters: more than %d nodes", RUN_MAX_NODES);
  for (guint64 i = 0; i < n_nodes; i++)
    g_ptr_array_add (labels, g_strndup (word, (gsize)(colon - word)));
  return TRUE;
}

GPtrArray *
run_labels_parse (const char *text, GError **error)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  for (char **word = words; *word != NULL; word++)
    if (!add_cluster (labels, *word, error))
      return NULL;
  if (labels->len == 0)
    {
      command_refuse (error, "run", "--clusters names no cluster: write --clusters a:4,b:4");
      return NULL;
    }
  return g_steal_pointer (&labels);
}
