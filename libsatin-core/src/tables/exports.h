/* exports.h - the table of jobs that other nodes have
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/core/membership.h>

/* A job that another node has. */
typedef struct
{
  gpointer handle; /* (owned) NULL: this entry is free */
  gint64 generation;
  gint64 exported_us;
  /* import id of the imported job that this job descends from, or is; 0: a root job, or not known
   */
  guint64 under;
  gpointer hints; /* (owned) (nullable) */
  SatinNodeId thief;
  /* Entries of this table, as index + 1; 0: none. */
  guint next_free;
  guint next_under, previous_under; /* neighbours in the list of jobs with the same @under */
  guint32 n_args;                   /* size of its arguments, encoded */
} Export;

/* export-table.c */
typedef struct
{
  GArray *jobs; /* (owned) of Export */
  guint free;   /* index + 1 of the first free entry, 0: none */
  guint n;      /* entries that are not free */
  /* (owned) import id to index + 1 of the newest job exported under it */
  GHashTable *by_origin;
  GHashTable *by_handle; /* (owned) handle to index + 1 */
  gint64 last_generation;
} StealExports;

void steal_exports_init (StealExports *self);
void steal_exports_free (StealExports *self);

/* Returns: the entry at @index, valid until the next job is added */
static inline Export *
steal_exports_at (const StealExports *self, guint index)
{
  return &g_array_index (self->jobs, Export, index);
}

/* @job: (transfer full): gets a new generation. Returns: its index */
guint steal_exports_add (StealExports *self, const Export *job);
/* Returns: a generation that no exported job has */
gint64 steal_exports_next_generation (StealExports *self);
/* Frees the entry. The caller owns its handle and hints from now on. */
void steal_exports_remove (StealExports *self, guint index);

/* Returns: (nullable): the job with this index and generation, if @from has it; %NULL when another
 * node has that job, when it was taken back, or when it has ended */
Export *steal_exports_find (StealExports *self, SatinNodeId from, gint32 index, gint64 generation);
/* Returns: index + 1 of the newest job exported under @import_id, 0 when there is none */
guint steal_exports_first_under (const StealExports *self, guint64 import_id);
/* Returns: index + 1 of the job with @handle, 0 when it is not exported */
guint steal_exports_find_handle (const StealExports *self, gconstpointer handle);
