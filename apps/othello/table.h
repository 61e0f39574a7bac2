/* table.h - the transposition table: a cache of what was found out about positions
 *
 * The table may forget anything at any time. An entry is true for its position and depth, whenever
 * and by whichever search it was stored. So the result of a search never depends on what the table
 * holds.
 *
 * Threads: any number may probe and store in one table at the same time, without a lock. An entry
 * whose two halves do not belong together is not found.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

#include "board.h"

G_BEGIN_DECLS

typedef struct _Table Table;

/* The largest size of a table, in megabytes. */
#define TABLE_MAX_MIB 16384

/**
 * TableEntry:
 * @depth: number of discs ahead for which the bounds hold
 * @lower: the value is at least this
 * @upper: the value is at most this
 * @move: the best move that is known, -1 when none is
 */
typedef struct
{
  int depth;
  int lower;
  int upper;
  int move;
} TableEntry;

/**
 * Finding:
 * @mine: the discs of the side to move
 * @theirs: the discs of the other side
 * @known: a packed entry of a table
 *
 * The result of a search below a position, in a form that can be sent to the tables of other nodes.
 */
SATIN_RECORD (Finding, (long, mine), (long, theirs), (long, known))

Finding finding_new (const Board *board, const TableEntry *entry);

/**
 * table_new:
 * @size_mib: 1 to %TABLE_MAX_MIB
 * @error: %SATIN_ERROR_LIMIT when there is not enough memory
 *
 * Returns: (transfer full): an empty table. Its size is the largest power of two up to @size_mib
 *   megabytes
 */
Table *table_new (guint size_mib, GError **error);

void table_free (Table *self);

/**
 * table_of_process:
 * @size_mib: 1 to %TABLE_MAX_MIB; only the value of the first call counts
 * @error: %SATIN_ERROR_LIMIT when there is not enough memory
 *
 * The table that all workers of this process share. The first call makes it.
 *
 * Returns: (transfer none): valid until the process ends
 */
Table *table_of_process (guint size_mib, GError **error);

/**
 * table_probe:
 * @self: (nullable): %NULL counts as an empty table
 * @board: the position
 * @ret_entry: (out): untouched when there is no entry
 *
 * Returns: whether the table knows something of @board, for any depth
 */
gboolean table_probe (Table *self, const Board *board, TableEntry *ret_entry);

/**
 * table_store:
 * @self: (nullable): %NULL stores nothing
 * @board: the position
 * @round: number of the search; entries that were stored with another number are overwritten first
 * @entry: replaces the entry of this position; if the table has none, replaces another entry: of a
 *   few entries, the one whose search was the cheapest
 */
void table_store (Table *self, const Board *board, guint8 round, const TableEntry *entry);

/* Stores @finding, which may come from another node. If the table has an entry of the position with
 * the same depth, merges the bounds; if that entry has a larger depth, ignores @finding. */
void table_learn (Table *self, const Finding *finding);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Table, table_free)

G_END_DECLS
