/* dimacs.c - reads graphs in the DIMACS format
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dimacs.h"

#include <string.h>

#include "../common/words.h"

static gboolean
read_header (AppWords *words, gint64 *ret_n_vertices, GError **error)
{
  gint64 n_edges;
  if (!app_words_expect (words, "p", error))
    return FALSE;
  app_words_next (words);
  if (strcmp (words->word, "edge") != 0 && strcmp (words->word, "col") != 0)
    return app_words_refuse (words, "edge or col", error);
  return app_words_integer (words, "number of vertices", 1, GRAPH_MAX_VERTICES, ret_n_vertices,
                            error)
         && app_words_integer (words, "number of edges", 0, G_MAXINT32, &n_edges, error);
}

static gboolean
read_edges (AppWords *words, Graph *graph, GError **error)
{
  gint64 a, b;
  while (app_words_has_more (words))
    {
      if (!app_words_expect (words, "e", error)
          || !app_words_integer (words, "vertex", 1, graph->n_vertices, &a, error)
          || !app_words_integer (words, "vertex", 1, graph->n_vertices, &b, error))
        return FALSE;
      if (a == b)
        return app_words_fail (words, SATIN_ERROR_FORMAT, "an edge from a vertex to itself", error);
      graph_add_edge (graph, (int)a - 1, (int)b - 1);
    }
  return TRUE;
}

gboolean
dimacs_read (const char *file, const char *text, gsize n_text, Graph *ret_graph, GError **error)
{
  AppWords words;
  gint64 n_vertices;
  Graph graph;
  app_words_init_with_comment (&words, file, text, n_text, 'c');
  if (!read_header (&words, &n_vertices, error))
    return FALSE;
  graph_init (&graph, (int)n_vertices);
  if (!read_edges (&words, &graph, error))
    {
      satin_record_clear (&Graph_record, &graph);
      return FALSE;
    }
  *ret_graph = graph;
  return TRUE;
}
