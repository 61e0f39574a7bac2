/* search.h - depth first through all tours that may be shorter than the best one known
 *
 * A node of the search is the beginning of a tour; one step further lies each city that is left. A
 * search that has looked at enough nodes tells the *places* where it would go on: they
 * have no tour in common, so each may be searched by somebody else.
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
 * @path: (borrowed) (array length=n_path): the tour up to there; nothing where all begins
 * @city: the one that comes next
 * @penalties: (borrowed) (array): for each city what was good one step before
 *
 * A node that was not looked at.
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
 * search_new:
 * @distances: stays the caller's and valid
 * @place: where the search begins; it is copied
 * @n_raises: how often the bound of a node is raised with better penalties before the search goes
 *   deeper, 0 to %SEARCH_MAX_RAISES
 * @limit: length that a tour must be below to count
 *
 * Returns: (transfer full): free with search_free()
 */
Search *search_new (const Distances *distances, const Place *place, gint32 n_raises, gint32 limit);

void search_free (Search *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Search, search_free)

/* Goes on for @n_nodes at most. Returns: %TRUE when all was searched */
gboolean search_run (Search *self, gint64 n_nodes);

/**
 * search_get_places:
 * @ret_n_places: (out): how many
 *
 * Where the search would go on; what it would do next comes last, so that the beginnings of tours
 * that are the shortest, and have the most below them, come first.
 *
 * Returns: (transfer full) (array length=ret_n_places): borrows from @self, until it goes on; free
 *   with g_free()
 */
Place *search_get_places (const Search *self, gsize *ret_n_places);

/* From now on only tours count that are not longer than @length, too: there is one, but nobody may
 * have it any more. */
void search_set_cap (Search *self, gint32 length);

/* Takes over @tour if it has all cities and is shorter than those known. @length: of it */
void search_add_tour (Search *self, const gint32 *tour, gsize n_tour, gint32 length);

/* The length of the shortest tour found; without one, what a tour must be below to count. */
gint32 search_get_limit (const Search *self);

/* Returns: (nullable) (array): all cities of the shortest tour found */
const gint32 *search_get_tour (const Search *self);

gint64 search_get_n_nodes (const Search *self);

G_END_DECLS
