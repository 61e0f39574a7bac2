/* search.h - searches for the largest clique, depth first, with colours as bounds
 *
 * A node of the search is a clique with its *candidates*: vertices that are neighbours of the whole
 * clique. Each candidate leads to a node below. A clique has at most one vertex of each colour, so
 * a node whose candidates can be coloured with few colours is skipped.
 *
 * A search can stop after any number of nodes, and list the *places* where it would continue. The
 * places have no cliques in common, so each can be searched by a different job.
 *
 * Threads: one at a time for each search. Source: E. Tomita et al., "A simple and faster
 * branch-and-bound algorithm for finding a maximum clique", WALCOM 2010; P. San Segundo et al., "An
 * exact bit-parallel algorithm for the maximum clique problem", Computers and Operations Research
 * 38, 2011.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "graph.h"

G_BEGIN_DECLS

/**
 * Place:
 * @clique: (borrowed) (array length=n_clique): vertices that belong to all cliques of the place
 * @candidates: (borrowed) (array): set of the vertices that may be added
 */
typedef struct
{
  const gint32 *clique;
  gsize n_clique;
  const gint64 *candidates;
} Place;

typedef struct _Search Search;

/**
 * search_check:
 * @graph: a graph that may come from another node
 * @place: a place that may come from another node
 * @n_candidates: number of words of its candidates
 * @limit: only larger cliques count
 * @error: %SATIN_ERROR_JOB when a number is out of its range, sizes do not fit together, the
 *   vertices of @place are not a clique of @graph, or a candidate is one of these vertices or not
 *   in @graph
 *
 * Checks all that search_new() relies on. Cost: O(k * k), for a clique of k vertices.
 *
 * Returns: %TRUE when @graph, @place and @limit are valid
 */
gboolean search_check (const Graph *graph, const Place *place, gsize n_candidates, int limit,
                       GError **error);

/**
 * search_new:
 * @graph: (borrowed): until search_set_graph()
 * @place: where the search begins; copied. %NULL: all cliques
 * @limit: only larger cliques count
 *
 * Returns: (transfer full): free with search_free()
 */
Search *search_new (const Graph *graph, const Place *place, int limit);

void search_free (Search *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Search, search_free)

/* From now on the same graph is at @graph. */
void search_set_graph (Search *self, const Graph *graph);

/* Searches @n_nodes more nodes at most. Returns: %TRUE when everything was searched */
gboolean search_run (Search *self, gint64 n_nodes);

/* Makes @clique the largest clique found, if it is a clique of the graph and larger than the
 * largest so far. From now on only larger cliques count. */
void search_add_clique (Search *self, const gint32 *clique, gsize n_clique);

/**
 * search_get_places:
 * @ret_n_places: (out): number of places
 *
 * Lists the places where the search would continue, the places with the smallest cliques first.
 *
 * Returns: (transfer full) (array length=ret_n_places): free with g_free(); the pointers in it are
 *   valid until the search runs again or is freed
 */
Place *search_get_places (const Search *self, gsize *ret_n_places);

/* Returns: size of the largest clique found; if none was found, the limit above which a clique
 * counts */
int search_get_size (const Search *self);

/* Returns: (nullable) (array): the largest clique, or %NULL when none was found */
const gint32 *search_get_clique (const Search *self);

gint64 search_get_n_nodes (const Search *self);

G_END_DECLS
