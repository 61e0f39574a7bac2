/* search.h - searches all tours that may be shorter than the shortest known tour, depth first
 *
 * In these files a node is the beginning of a tour. Each city that is left leads to a node below.
 * A search can stop after any number of nodes, and list the *places* where it would continue. The
 * places have no tours in common, so each can be searched by a different job.
 *
 * Threads: one at a time for each search.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "partial.h"

G_BEGIN_DECLS

#define SEARCH_MAX_RAISES 1000

/**
 * Place:
 * @path: (borrowed) (array length=n_path): the cities before @city; empty for the whole search
 * @city: the last city of the node
 * @penalties: (borrowed) (array): for each city the penalty (tree.h) to begin with: the best that
 *   was found for the node above
 *
 * A node that has not been searched.
 */
typedef struct
{
  const gint32 *path;
  gsize n_path;
  gint32 city;
  const gint64 *penalties;
} Place;

typedef struct _Search Search;

/**
 * search_check:
 * @distances: any numbers, maybe of a damaged node
 * @place: any numbers
 * @n_penalties: number of penalties in @place
 * @error: %SATIN_ERROR_JOB, with what is wrong
 *
 * Checks what the search relies on: all numbers are in range, the path with @city has different
 * cities, and leaves at least one city. Cost: O(cities, squared), little beside that of a node.
 */
gboolean search_check (const Distances *distances, const Place *place, gsize n_penalties,
                       GError **error);

/**
 * search_new:
 * @distances: (borrowed): must outlive the search
 * @place: where the search begins; copied
 * @n_raises: how often the search looks for better penalties, which raise the bound of a node,
 *   before it goes deeper; 0 to %SEARCH_MAX_RAISES
 * @limit: only tours that are shorter than this count
 *
 * Returns: (transfer full): free with search_free()
 */
Search *search_new (const Distances *distances, const Place *place, gint32 n_raises, gint32 limit);

void search_free (Search *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Search, search_free)

/* Searches @n_nodes more nodes at most. Returns: %TRUE when everything was searched */
gboolean search_run (Search *self, gint64 n_nodes);

/**
 * search_get_places:
 * @ret_n_places: (out): number of places
 *
 * Lists the places where the search would continue, in reverse order: the next place comes last. So
 * the places with the shortest paths, which have the most tours below them, come first.
 *
 * Returns: (transfer full) (array length=ret_n_places): free with g_free(); the pointers in it are
 *   valid until the search runs again or is freed
 */
Place *search_get_places (const Search *self, gsize *ret_n_places);

/* From now on, ignores tours that are longer than @length. Another job has found a tour of that
 * length. Tours of the same length still count, because the result of that job may be lost. */
void search_set_cap (Search *self, gint32 length);

/* Makes @tour the shortest tour found, if it has all cities and is shorter than the limit. @length:
 * length of @tour */
void search_add_tour (Search *self, const gint32 *tour, gsize n_tour, gint32 length);

/* Returns: the length of the shortest tour found; if none was found, the limit below which a tour
 * counts */
gint32 search_get_limit (const Search *self);

/* Returns: (nullable) (array): the shortest tour found, with all cities */
const gint32 *search_get_tour (const Search *self);

gint64 search_get_n_nodes (const Search *self);

G_END_DECLS
