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
  gint64 exported_us; /* when */
  guint64 under;  /* import id of the imported job that it descends from, or is; 0: a root job */
  gpointer hints; /* (owned) (nullable) */
  SatinNodeId thief;
  /* entries, by index + 1; 0: none */
  guint next_free;
  guint next_under, previous_under; /* of those with the same @under */
  guint32 n_args;                   /* bytes, encoded */
} Export;

/* export-table.c */
typedef struct
{
  GArray *jobs; /* (owned) of Export */
  guint free;   /* index + 1 of the first free entry, 0: none */
  guint n;      /* entries that are not free */
  GHashTable
      *by_origin; /* (owned) import id to index + 1 of the newest that is exported under it */
  GHashTable *by_handle; /* (owned) handle to index + 1 */
  gint64 last_generation;
} StealExports;

void steal_exports_init (StealExports *self);
void steal_exports_free (StealExports *self);

/* Valid until the next is added. */
static inline Export *
steal_exports_at (const StealExports *self, guint index)
{
  return &g_array_index (self->jobs, Export, index);
}

/* @job: (transfer full): under a new generation. Returns: its index */
guint steal_exports_add (StealExports *self, const Export *job);
/* A generation that no job has. */
gint64 steal_exports_next_generation (StealExports *self);
/* Its handle and hints are the caller's. */
void steal_exports_remove (StealExports *self, guint index);

/* Returns: (nullable): the entry that @from means; %NULL when it is another's, was taken back or is
 * long done */
Export *steal_exports_find (StealExports *self, SatinNodeId from, gint32 index, gint64 generation);
/* Returns: index + 1 of the newest under that import id, 0 when there is none */
guint steal_exports_first_under (const StealExports *self, guint64 import_id);
/* Returns: index + 1, 0 when it is not exported */
guint steal_exports_find_handle (const StealExports *self, gconstpointer handle);
