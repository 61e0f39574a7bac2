/* search.h - the search for the cheapest cover, which can stop anywhere and divide there
 *
 * The search picks an uncovered row with the fewest free columns. One of these must cover the row,
 * so the search takes them one after the other. When a column has been tried, it is out while the
 * next columns are tried. So no cover is found twice. Each time that a column is taken, the search
 * reaches a new *position*.
 *
 * A search can stop after any number of positions, and list the places where it would continue. The
 * places have no covers in common, so each of them can be searched by a different job.
 *
 * Threads: one at a time for each search.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "partial.h"

G_BEGIN_DECLS

/* A place where a search begins or continues. @decisions: C means that column C is taken, ~C that
 * column C is out */
SATIN_RECORD (SetCoverPlace, (array_int, decisions))

/**
 * SetCoverFound:
 * @cost: cost of the cheapest cover that was found; if none was found, the cost that was known
 *   before
 * @columns: (owned): the columns of the cheapest cover; empty when none was found
 * @n_positions: number of positions that were searched
 */
SATIN_RECORD (SetCoverFound, (long, cost), (array_int, columns), (long, n_positions))

typedef struct
{
  SetCoverPartial partial; /* (owned) */
  GArray *first;           /* (owned) gint32: decisions at the place where the search began */
  GArray *levels;          /* (owned) Level: the rows whose columns are tried, in order of search */
  GArray *columns;         /* (owned) gint32: the columns of all levels, level after level */
  SetCoverFound found;     /* (owned) */
} SetCoverSearch;

/* Whether the decisions are about columns of @cover, about each at most once. */
gboolean setcover_place_is_in (const SetCoverPlace *place, const SetCover *cover);

/**
 * setcover_search_init:
 * @cover: (borrowed): must outlive the search
 * @place: where to begin
 * @cost: cost of a cover that is known, G_MAXINT64 for none; only cheaper covers count
 */
void setcover_search_init (SetCoverSearch *self, const SetCover *cover, const SetCoverPlace *place,
                           gint64 cost);

/* Gives the search a cover that is cheaper than the cost given to setcover_search_init(). That
 * cover is the result, unless the search finds a cheaper one. Call it before setcover_search_run().
 * @columns: (array length=n_columns): copied */
void setcover_search_know (SetCoverSearch *self, gint64 cost, const gint32 *columns,
                           gsize n_columns);

void setcover_search_clear (SetCoverSearch *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SetCoverSearch, setcover_search_clear)

/* Searches @n_positions more positions at most. Returns: %TRUE when everything was searched */
gboolean setcover_search_run (SetCoverSearch *self, gint64 n_positions);

/**
 * setcover_search_places:
 * @ret_n: (out): number of places
 *
 * Lists the places where the search would continue, the places with the fewest decisions first.
 *
 * Returns: (transfer full) (array length=ret_n): free each with satin_record_clear(), then all
 *   with g_free()
 */
SetCoverPlace *setcover_search_places (const SetCoverSearch *self, guint *ret_n);

/* Ends the search. Returns: (transfer full): the result of the search */
SetCoverFound setcover_search_take (SetCoverSearch *self);

/* Merges the result @other into @self: adds up the positions, and keeps the cheaper cover. The
 * dearer cover is then in @other. */
void setcover_found_merge (SetCoverFound *self, SetCoverFound *other);

/* Whether the cover in @found covers all rows and costs what @found says. */
gboolean setcover_found_is_right (const SetCoverFound *found, const SetCover *cover);

G_END_DECLS
