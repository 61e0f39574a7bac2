/* search.h - whether a position is worth so much: alpha-beta search in plain C
 *
 * The depth of a search is how many discs are set before a position is estimated; a pass takes
 * none. So the depth that is left follows from the position, and the value of a position at a depth
 * is one number however the search came there. A depth of all empty squares gives the exact score.
 *
 * Threads: any; a Search belongs to one thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "table.h"

G_BEGIN_DECLS

/**
 * Search:
 * @table: (borrowed) (nullable)
 * @round: for table_store()
 * @n_positions: how many positions were looked at; counted by the searches
 */
typedef struct
{
  Table *table;
  guint8 round;
  gint64 n_positions;
} Search;

/**
 * search_bound:
 * @board: the position
 * @depth: 0 to the number of empty squares
 * @beta: what is asked, -63 to 64
 *
 * Finds out whether the value is @beta or more.
 *
 * Cost: exponential in @depth.
 *
 * Returns: at least @beta and at most the value, or below @beta and at least the value
 */
int search_bound (Search *self, const Board *board, int depth, int beta);

/**
 * search_known:
 * @ret_entry: (out): what the table knows for @depth, or bounds that say nothing
 * @ret_bound: (out): what search_bound() would return; untouched when the table does not know
 *
 * Returns: whether the table answers the question of search_bound()
 */
gboolean search_known (const Search *self, const Board *board, int depth, int beta,
                       TableEntry *ret_entry, int *ret_bound);

/**
 * search_learn:
 * @entry: from search_known() of the same question
 * @bound: the answer that was found
 * @square: the move that it was found with
 *
 * Stores the answer in the table.
 */
void search_learn (const Search *self, const Board *board, TableEntry *entry, int beta, int bound,
                   int square);

G_END_DECLS
