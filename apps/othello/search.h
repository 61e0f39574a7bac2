/* search.h - finds out whether a position is worth a given score: alpha-beta search in plain C
 *
 * The depth of a search is the number of discs that are set before a position is estimated; a pass
 * sets none. So the remaining depth follows from the position, and a position has one value at a
 * depth, however the search reached it. A depth of all empty squares gives the exact score.
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
 * @round: number of the search, for table_store()
 * @n_positions: number of positions that were searched; the searches increase it
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
 * @beta: the score in question, from -63 to 64
 *
 * Finds out whether the value is @beta or more.
 *
 * Cost: exponential in @depth.
 *
 * Returns: a bound of the value: if the value is @beta or more, a lower bound, which is also @beta
 *   or more; else an upper bound, which is also below @beta
 */
int search_bound (Search *self, const Board *board, int depth, int beta);

/**
 * search_known:
 * @ret_entry: (out): what the table knows for @depth; with the bounds -64 and 64 if it knows
 *   nothing
 * @ret_bound: (out): what search_bound() would return; untouched when the table has no answer
 *
 * Returns: whether the table answers the question of search_bound()
 */
gboolean search_known (const Search *self, const Board *board, int depth, int beta,
                       TableEntry *ret_entry, int *ret_bound);

/**
 * search_learn:
 * @entry: from search_known() with the same question
 * @bound: the answer, as search_bound() returns it
 * @square: the best move, -1 when there is none
 *
 * Stores the answer in the table.
 */
void search_learn (const Search *self, const Board *board, TableEntry *entry, int beta, int bound,
                   int square);

G_END_DECLS
