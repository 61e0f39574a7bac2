/* result-table.h - results of jobs, by what the jobs are
 *
 * The key is the digest of a job's task and arguments, so a result is right wherever that job is
 * spawned again. The table has a byte limit: of more the oldest go. A result makes those of its
 * job's descendants needless, so they go, too, as far as it is known which these are.
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
 * @n_levels: how far below the root job, or %SATIN_LEVELS_UNKNOWN
 * @ref: by which its owner knows the job; owner 0: it was not exported
 * @under: the exported job that it descends from; owner 0: there is none
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

/* Takes a copy. Returns: FALSE when there is one for that key already, which stays */
gboolean result_table_add (ResultTable *self, const TableEntry *entry);
/* Returns: (transfer full) (nullable): the result */
GBytes *result_table_find (ResultTable *self, const guint8 *key);
/* Whether something may be known of the descendants of a job so far below the root job. */
gboolean result_table_reaches (ResultTable *self, gint32 n_levels);
/* The oldest first; @func does not call the table. */
void result_table_foreach (ResultTable *self, TableEntryFunc func, gpointer user_data);

/* Results now, their bytes with what they take beside, how often one was found, and how many went
 * for lack of room. */
typedef struct
{
  guint n_entries;
  gsize n_bytes;
  gint64 n_found;
  gint64 n_evicted;
} TableFigures;

TableFigures result_table_get_figures (ResultTable *self);
