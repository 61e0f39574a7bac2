/* search.c - branch and bound: branches on the vertices with the highest colours
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "search.h"

#include <string.h>

#include "../common/arguments.h"

/**
 * Level:
 * @candidates: (owned): set of the candidates that were not tried
 * @vertices: (owned): candidates that may lead to a larger clique, in the order of their colours;
 *   the last is tried first
 * @colours: (owned): the colours of @vertices, from 1
 * @n: number of vertices that were not tried
 *
 * A node of the search tree, on the path from where the search began to the current node.
 */
typedef struct
{
  guint64 *candidates;
  gint32 *vertices;
  gint32 *colours;
  int n;
} Level;

/**
 * Search:
 * @graph: (borrowed)
 * @clique: the vertices of the current node
 * @n_first: number of vertices of the clique where the search began
 * @depth: index of the current level, whose clique has n_first + depth vertices
 * @levels: (owned) Level: as many as were used
 * @size: size of the largest clique, or the limit above which a clique counts
 * @largest: the largest clique, if @has_clique
 * @left, @left_of_colour: (owned): sets, for colour()
 */
struct _Search
{
  const Graph *graph;
  gint32 clique[GRAPH_MAX_VERTICES];
  int n_first;
  int depth;
  GArray *levels;
  int size;
  gboolean has_clique;
  gint32 largest[GRAPH_MAX_VERTICES];
  gint64 n_nodes;
  guint64 *left;
  guint64 *left_of_colour;
};

static Level *
get_level (const Search *self, int depth)
{
  return &g_array_index (self->levels, Level, depth);
}

static Level *
open_level (Search *self, int depth)
{
  gsize n = (gsize)self->graph->n_vertices;
  if ((guint)depth == self->levels->len)
    {
      Level level = { g_new (guint64, (gsize)graph_n_words (self->graph)), g_new (gint32, n),
                      g_new (gint32, n), 0 };
      g_array_append_val (self->levels, level);
    }
  return get_level (self, depth);
}

/* Colours the candidates of @level: each colour goes, in the order of the vertices, to every
 * candidate without a colour that has no neighbour of this colour. Lists the candidates whose
 * colour is higher than @n_spared. The other candidates alone have no clique that is large
 * enough. */
static void
colour (Search *self, Level *level, int n_spared)
{
  const Graph *graph = self->graph;
  int n_words = graph_n_words (graph), first = 0;
  guint64 *left = self->left, *left_of_colour = self->left_of_colour;
  for (int i = 0; i < n_words; i++)
    left[i] = level->candidates[i];
  level->n = 0;
  for (int number = 1;; number++)
    {
      while (first < n_words && left[first] == 0)
        first++;
      if (first == n_words)
        return;
      for (int i = first; i < n_words; i++)
        left_of_colour[i] = left[i];
      for (int word = first; word < n_words; word++)
        while (left_of_colour[word] != 0)
          {
            int bit = __builtin_ctzll (left_of_colour[word]);
            int vertex = word * GRAPH_WORD_BITS + bit;
            const guint64 *row = graph_row (graph, vertex);
            left[word] &= ~(G_GUINT64_CONSTANT (1) << bit);
            left_of_colour[word] &= left_of_colour[word] - 1;
            for (int i = word; i < n_words; i++)
              left_of_colour[i] &= ~row[i];
            if (number > n_spared)
              {
                level->vertices[level->n] = vertex;
                level->colours[level->n++] = number;
              }
          }
    }
}

/* Whether @level, at @depth, has a vertex left that may lead to a larger clique. The last vertex
 * has the highest colour. So if it cannot lead to a larger clique, no other vertex can. */
static gboolean
has_vertex (const Search *self, const Level *level, int depth)
{
  return level->n > 0 && self->n_first + depth + level->colours[level->n - 1] > self->size;
}

static void
note_clique (Search *self, const gint32 *clique, int size)
{
  memcpy (self->largest, clique, (gsize)size * sizeof *clique);
  self->has_clique = TRUE;
  self->size = size;
}

/* Adds the next vertex of the current level to the clique. If this clique has no candidates, keeps
 * it if it is the largest. If it has candidates that may lead to a larger clique, goes to its
 * node. */
static void
enter (Search *self)
{
  Level *below = open_level (self, self->depth + 1), *level = get_level (self, self->depth);
  int n_words = graph_n_words (self->graph), vertex = level->vertices[--level->n];
  const guint64 *row = graph_row (self->graph, vertex);
  int size = self->n_first + self->depth + 1;
  guint64 any = 0;
  level->candidates[vertex / GRAPH_WORD_BITS] &=
      ~(G_GUINT64_CONSTANT (1) << vertex % GRAPH_WORD_BITS);
  for (int i = 0; i < n_words; i++)
    any |= below->candidates[i] = level->candidates[i] & row[i];
  self->clique[size - 1] = vertex;
  self->n_nodes++;
  if (any != 0)
    {
      colour (self, below, self->size - size);
      if (below->n > 0)
        self->depth++;
    }
  else if (size > self->size)
    note_clique (self, self->clique, size);
}

/* ---- searches ---- */

/* Whether no candidate is in the clique of the place, and all are vertices of the graph. */
static gboolean
are_candidates (const Graph *graph, const Place *place)
{
  const guint64 *candidates = (const guint64 *)place->candidates;
  for (gsize i = 0; i < place->n_clique; i++)
    {
      guint vertex = (guint)place->clique[i];
      if ((candidates[vertex / GRAPH_WORD_BITS] >> vertex % GRAPH_WORD_BITS & 1) != 0)
        return FALSE;
    }
  int n_last = graph->n_vertices % GRAPH_WORD_BITS;
  return n_last == 0 || candidates[graph_n_words (graph) - 1] >> n_last == 0;
}

gboolean
search_check (const Graph *graph, const Place *place, gsize n_candidates, int limit, GError **error)
{
  if (!app_argument_check ("number of vertices", graph->n_vertices, 1, GRAPH_MAX_VERTICES, error)
      || !app_argument_check ("limit", limit, 0, graph->n_vertices, error))
    return FALSE;
  gsize n_words = (gsize)graph_n_words (graph);
  if (graph->n_rows != (gsize)graph->n_vertices * n_words || n_candidates != n_words)
    return app_argument_refuse ("the sizes of graph and candidates do not fit", error);
  if (place->n_clique > (gsize)graph->n_vertices
      || !graph_is_clique (graph, place->clique, place->n_clique))
    return app_argument_refuse ("the vertices of the place are not a clique", error);
  if (!are_candidates (graph, place))
    return app_argument_refuse ("a candidate is no other vertex of the graph", error);
  return TRUE;
}

Search *
search_new (const Graph *graph, const Place *place, int limit)
{
  Search *self = g_new0 (Search, 1);
  gsize n_words = (gsize)graph_n_words (graph);
  self->graph = graph;
  self->size = limit;
  self->left = g_new (guint64, n_words);
  self->left_of_colour = g_new (guint64, n_words);
  self->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  Level *level = open_level (self, 0);
  if (place != NULL)
    {
      self->n_first = (int)place->n_clique;
      memcpy (self->clique, place->clique, place->n_clique * sizeof *place->clique);
      memcpy (level->candidates, place->candidates, n_words * sizeof *level->candidates);
    }
  else
    {
      memset (level->candidates, 0, n_words * sizeof *level->candidates);
      for (int i = 0; i < graph->n_vertices; i++)
        level->candidates[i / GRAPH_WORD_BITS] |= G_GUINT64_CONSTANT (1) << i % GRAPH_WORD_BITS;
    }
  colour (self, level, limit - self->n_first);
  return self;
}

void
search_free (Search *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->levels->len; i++)
    {
      Level *level = get_level (self, (int)i);
      g_free (level->candidates);
      g_free (level->vertices);
      g_free (level->colours);
    }
  g_array_unref (self->levels);
  g_free (self->left);
  g_free (self->left_of_colour);
  g_free (self);
}

void
search_set_graph (Search *self, const Graph *graph)
{
  self->graph = graph;
}

gboolean
search_run (Search *self, gint64 n_nodes)
{
  for (;;)
    {
      if (has_vertex (self, get_level (self, self->depth), self->depth))
        {
          if (n_nodes-- == 0)
            return FALSE;
          enter (self);
        }
      else if (self->depth == 0)
        return TRUE;
      else
        self->depth--;
    }
}

void
search_add_clique (Search *self, const gint32 *clique, gsize n_clique)
{
  if (n_clique > (gsize)self->size && n_clique <= (gsize)self->graph->n_vertices
      && graph_is_clique (self->graph, clique, n_clique))
    note_clique (self, clique, (int)n_clique);
}

Place *
search_get_places (const Search *self, gsize *ret_n_places)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  for (int depth = 0; depth <= self->depth; depth++)
    {
      const Level *level = get_level (self, depth);
      if (has_vertex (self, level, depth))
        {
          Place place = { self->clique, (gsize)(self->n_first + depth),
                          (const gint64 *)level->candidates };
          g_array_append_val (places, place);
        }
    }
  return g_array_steal (places, ret_n_places);
}

int
search_get_size (const Search *self)
{
  return self->size;
}

const gint32 *
search_get_clique (const Search *self)
{
  return self->has_clique ? self->largest : NULL;
}

gint64
search_get_n_nodes (const Search *self)
{
  return self->n_nodes;
}
