/* result-table.h - a table of jobs' results, by key
 *
 * A key is a digest of a job's task and arguments. So a result is right wherever an equal job is
 * spawned. The table has a limit in bytes; beyond it, the oldest results are dropped. When the
 * result of a job is added, no job will look up the results of its descendants. The table removes
 * the results that it knows to be of descendants.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/atomic.h>
#include <satin/core/recovery.h>

#define KEY_BYTES 16

typedef struct _ResultTable ResultTable;

/**
 * TableEntry:
 * @result: (owned): encoded
 * @n_levels: how far the job is below the root job, or %SATIN_LEVELS_UNKNOWN
 * @ref: the name that the job's owner gave the job; owner 0: the job was not exported
 * @under: the exported job from which the job descends; owner 0: there is none
 */
typedef struct
{
  guint8 key[KEY_BYTES];
  GBytes *result;
  gint32 n_levels;
  SatinJobRef ref;
  SatinJobRef under;
} TableEntry;

typedef void (*TableEntryFunc) (const TableEntry *entry, gpointer user_data);

ResultTable *result_table_new (gsize max_bytes);
ResultTable *result_table_ref (ResultTable *self);
void result_table_unref (ResultTable *self);

/* Adds a copy of @entry. Returns: FALSE when there is an entry with this key, which stays */
gboolean result_table_add (ResultTable *self, const TableEntry *entry);
/* Returns: (transfer full) (nullable): the result */
GBytes *result_table_find (ResultTable *self, const guint8 *key);
/* Whether the table may have results of descendants of a job that is @n_levels below the root. */
gboolean result_table_reaches (ResultTable *self, gint32 n_levels);
/* Calls @func for each entry, the oldest first. @func must not call the table. */
void result_table_foreach (ResultTable *self, TableEntryFunc func, gpointer user_data);

/* The number of results, their size in memory, successful lookups, and results that were dropped
 * for lack of room. */
typedef struct
{
  guint n_entries;
  gsize n_bytes;
  gint64 n_found;
  gint64 n_evicted;
} TableFigures;

TableFigures result_table_get_figures (ResultTable *self);
