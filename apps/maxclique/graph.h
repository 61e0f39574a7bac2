/* graph.h - an undirected graph, with the neighbours of each vertex as a bit set
 *
 * Threads: any, as long as nobody changes the graph.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

#define GRAPH_MAX_VERTICES 4096

/* Number of vertices in a word of a bit set. */
#define GRAPH_WORD_BITS 64

/**
 * Graph:
 * @n_vertices: from 1 to %GRAPH_MAX_VERTICES
 * @rows: for each vertex the set of its neighbours, graph_n_words() words
 */
SATIN_RECORD (Graph, (int, n_vertices), (array_long, rows))

/* Returns: number of words in a set of vertices */
static inline int
graph_n_words (const Graph *self)
{
  return (self->n_vertices + GRAPH_WORD_BITS - 1) / GRAPH_WORD_BITS;
}

/* Returns: the neighbours of @vertex */
static inline const guint64 *
graph_row (const Graph *self, int vertex)
{
  return (const guint64 *)self->rows + (gsize)vertex * (gsize)graph_n_words (self);
}

static inline gboolean
graph_has_edge (const Graph *self, int a, int b)
{
  return (graph_row (self, a)[b / GRAPH_WORD_BITS] >> b % GRAPH_WORD_BITS & 1) != 0;
}

/* Makes a graph without edges. @ret_graph: (out caller-allocates): free with satin_record_clear()
 */
void graph_init (Graph *ret_graph, int n_vertices);

/* Adds the edge between two different vertices, if it is not there yet. */
void graph_add_edge (Graph *self, int a, int b);

gint64 graph_count_edges (const Graph *self);

/**
 * graph_order:
 * @ret_names: (out caller-allocates): for each vertex of the new graph its number in @self
 * @ret_graph: (out caller-allocates): free with satin_record_clear()
 *
 * Makes the same graph with other numbers. The last vertex has the fewest neighbours. Each vertex
 * before it has the fewest neighbours among the vertices up to itself. A search that colours the
 * first vertices first needs fewer colours with that order.
 */
void graph_order (const Graph *self, gint32 *ret_names, Graph *ret_graph);

/* Finds a clique, which need not be the largest. Begins with each vertex in turn, and adds the
 * first vertex that is a neighbour of all vertices so far, as long as there is one. Keeps the
 * largest of these cliques. @ret_clique: (out caller-allocates): room for all vertices. Returns:
 * size of the clique */
int graph_find_first_clique (const Graph *self, gint32 *ret_clique);

/* Whether @vertices are different vertices of the graph, and each two of them are neighbours. */
gboolean graph_is_clique (const Graph *self, const gint32 *vertices, gsize n_vertices);

G_END_DECLS
