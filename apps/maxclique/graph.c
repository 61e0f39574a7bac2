/* graph.c - makes graphs, and checks cliques
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph.h"

#include <string.h>

static void
add_to_row (Graph *self, int a, int b)
{
  guint64 *row = (guint64 *)graph_row (self, a);
  row[b / GRAPH_WORD_BITS] |= G_GUINT64_CONSTANT (1) << b % GRAPH_WORD_BITS;
}

static int
count_neighbours (const Graph *self, int vertex)
{
  int n = 0;
  for (int i = 0; i < graph_n_words (self); i++)
    n += __builtin_popcountll (graph_row (self, vertex)[i]);
  return n;
}

void
graph_init (Graph *ret_graph, int n_vertices)
{
  *ret_graph = (Graph){ .n_vertices = n_vertices };
  ret_graph->n_rows = (gsize)n_vertices * (gsize)graph_n_words (ret_graph);
  ret_graph->rows = g_new0 (gint64, ret_graph->n_rows);
}

void
graph_add_edge (Graph *self, int a, int b)
{
  add_to_row (self, a, b);
  add_to_row (self, b, a);
}

gint64
graph_count_edges (const Graph *self)
{
  gint64 n = 0;
  for (int i = 0; i < self->n_vertices; i++)
    n += count_neighbours (self, i);
  return n / 2;
}

void
graph_order (const Graph *self, gint32 *ret_names, Graph *ret_graph)
{
  int n = self->n_vertices;
  g_autofree int *degrees = g_new (int, (gsize)n);
  g_autofree gint32 *positions = g_new (gint32, (gsize)n);
  for (int i = 0; i < n; i++)
    {
      degrees[i] = count_neighbours (self, i);
      positions[i] = -1;
    }
  for (int position = n - 1; position >= 0; position--)
    {
      int least = -1;
      for (int i = 0; i < n; i++)
        if (positions[i] < 0 && (least < 0 || degrees[i] < degrees[least]))
          least = i;
      positions[least] = position;
      ret_names[position] = least;
      for (int i = 0; i < n; i++)
        degrees[i] -= graph_has_edge (self, least, i);
    }
  graph_init (ret_graph, n);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < a; b++)
      if (graph_has_edge (self, a, b))
        graph_add_edge (ret_graph, positions[a], positions[b]);
}

int
graph_find_first_clique (const Graph *self, gint32 *ret_clique)
{
  gsize n_words = (gsize)graph_n_words (self);
  g_autofree guint64 *candidates = g_new (guint64, n_words);
  g_autofree gint32 *clique = g_new (gint32, (gsize)self->n_vertices);
  int best = 0;
  for (int first = 0; first < self->n_vertices; first++)
    {
      int n = 0;
      clique[n++] = first;
      memcpy (candidates, graph_row (self, first), n_words * sizeof *candidates);
      for (gsize i = 0; i < n_words; i++)
        while (candidates[i] != 0)
          {
            int next = (int)i * GRAPH_WORD_BITS + __builtin_ctzll (candidates[i]);
            clique[n++] = next;
            for (gsize j = i; j < n_words; j++)
              candidates[j] &= graph_row (self, next)[j];
          }
      if (n > best)
        {
          best = n;
          memcpy (ret_clique, clique, (gsize)n * sizeof *clique);
        }
    }
  return best;
}

gboolean
graph_is_clique (const Graph *self, const gint32 *vertices, gsize n_vertices)
{
  for (gsize i = 0; i < n_vertices; i++)
    {
      if (vertices[i] < 0 || vertices[i] >= self->n_vertices)
        return FALSE;
      /* No vertex is its own neighbour, so this also finds a vertex that is in @vertices twice. */
      for (gsize j = 0; j < i; j++)
        if (!graph_has_edge (self, vertices[i], vertices[j]))
          return FALSE;
    }
  return TRUE;
}
