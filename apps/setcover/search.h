/* search.h - the search for the cheapest cover, which may stop anywhere and be divided there
 *
 * A row with few columns must be covered by one of them: each is taken in turn, and is
 * out for those that follow, so that no cover is looked at twice. A search that has looked at
 * enough *positions* tells the places where it would go on: they have nothing in common, so
 * each may be searched by somebody else.
 *
 * Threads: one at a time for each search.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "partial.h"

G_BEGIN_DECLS

/* What is decided where a search begins or goes on: column C is taken, or out when it is ~C. */
SATIN_RECORD (SetCoverPlace, (array_int, decisions))

/**
 * SetCoverFound:
 * @cost: of the cheapest cover; without one the cost that was known before
 * @columns: (owned): of that cover; none when no cheaper one was found
 * @n_positions: how many were looked at
 */
SATIN_RECORD (SetCoverFound, (long, cost), (array_int, columns), (long, n_positions))

typedef struct
{
  SetCoverPartial partial; /* (owned) */
  GArray *first;           /* (owned) gint32: decisions where the search began */
  GArray *levels;      /* (owned) Level: rows on the way to here, one of whose columns is taken */
  GArray *columns;     /* (owned) gint32: of these rows, to be taken in turn */
  SetCoverFound found; /* (owned) */
} SetCoverSearch;

/**
 * setcover_search_init:
 * @cover: stays the caller's and valid
 * @place: where to begin
 * @cost: of a cover that is known; only cheaper ones are looked for. G_MAXINT64 for none
 */
void setcover_search_init (SetCoverSearch *self, const SetCover *cover, const SetCoverPlace *place,
                           gint64 cost);

/* Before it runs: a cover that is cheaper than what was known at first; it is what is found unless
 * there is a cheaper one. @columns: (array length=n_columns): copied */
void setcover_search_know (SetCoverSearch *self, gint64 cost, const gint32 *columns,
                           gsize n_columns);

void setcover_search_clear (SetCoverSearch *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SetCoverSearch, setcover_search_clear)

/* Goes on for @n_positions at most. Returns: %TRUE when all was searched */
gboolean setcover_search_run (SetCoverSearch *self, gint64 n_positions);

/**
 * setcover_search_places:
 * @ret_n: (out): how many
 *
 * Where the search would go on, the largest parts first.
 *
 * Returns: (transfer full) (array length=ret_n): free each with satin_record_clear(), then all
 *   with g_free()
 */
SetCoverPlace *setcover_search_places (const SetCoverSearch *self, guint *ret_n);

/* What was found, which is the caller's from now on; the search is over. */
SetCoverFound setcover_search_take (SetCoverSearch *self);

/* Adds what was found in @other, which is left with the worse of the two. */
void setcover_found_merge (SetCoverFound *self, SetCoverFound *other);

/* Whether @found covers all rows and costs what it says. */
gboolean setcover_found_is_right (const SetCoverFound *found, const SetCover *cover);

G_END_DECLS
