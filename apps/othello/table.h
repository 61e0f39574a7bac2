/* table.h - the transposition table: what was found out about positions, to be used again
 *
 * A table is a cache: it may forget anything at any time, and what it tells is true of the very
 * position and depth it was stored for, so an answer never depends on what it holds.
 *
 * Threads: any number may probe and store in one table at the same time, without a lock: a bucket's
 * entry whose halves do not belong together is not found.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

#include "board.h"

G_BEGIN_DECLS

typedef struct _Table Table;

/* Sizes are powers of two, in megabytes. */
#define TABLE_MAX_MIB 16384

/**
 * TableEntry:
 * @depth: how many discs ahead the bounds hold for
 * @lower: the value is this at least
 * @upper: and this at most
 * @move: the best move known, -1 when none is
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
 * @theirs: the other side's
 * @known: an entry of a table, packed
 *
 * What was found out about a position, to be told to other tables.
 */
SATIN_RECORD (Finding, (long, mine), (long, theirs), (long, known))

Finding finding_new (const Board *board, const TableEntry *entry);

/**
 * table_new:
 * @size_mib: 1 to %TABLE_MAX_MIB
 * @error: %SATIN_ERROR_LIMIT when there is no such memory
 *
 * Returns: (transfer full): empty; of @size_mib megabytes, or half of that, as its size is a power
 * of two
 */
Table *table_new (guint size_mib, GError **error);

void table_free (Table *self);

/**
 * table_of_process:
 * @size_mib: 1 to %TABLE_MAX_MIB
 * @error: %SATIN_ERROR_LIMIT when there is no such memory
 *
 * The table that all workers of this process share; it is made for the first who asks, and the
 * size is then that one's.
 *
 * Returns: (transfer none): until the process ends
 */
Table *table_of_process (guint size_mib, GError **error);

/**
 * table_probe:
 * @self: (nullable): %NULL is a table that knows nothing
 * @board: the position
 * @ret_entry: (out): untouched when there is none
 *
 * Returns: whether something is known of @board, for any depth
 */
gboolean table_probe (Table *self, const Board *board, TableEntry *ret_entry);

/**
 * table_store:
 * @self: (nullable): %NULL forgets it
 * @board: the position
 * @round: number of the search; what others stored is the first to be forgotten
 * @entry: what is known of it now; replaces what was known of this position, or else what was
 *   cheapest to find out among a few others
 */
void table_store (Table *self, const Board *board, guint8 round, const TableEntry *entry);

/* Stores @finding, which may come from anywhere, unless more is known already; merges the bounds of
 * both. */
void table_learn (Table *self, const Finding *finding);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Table, table_free)

G_END_DECLS
