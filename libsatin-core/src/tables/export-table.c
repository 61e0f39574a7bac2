/* export-table.c - the table of jobs that other nodes have, and how a job is found
 *
 * Thieves name a job by its index here and its generation. Jobs that descend from the same imported
 * job form a list, because a change of that imported job concerns all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#include "exports.h"

void
steal_exports_init (StealExports *self)
{
  self->jobs = g_array_new (FALSE, TRUE, sizeof (Export));
  self->by_origin = g_hash_table_new (NULL, NULL);
  self->by_handle = g_hash_table_new (NULL, NULL);
}

void
steal_exports_free (StealExports *self)
{
  g_array_unref (self->jobs);
  g_hash_table_unref (self->by_origin);
  g_hash_table_unref (self->by_handle);
}

static guint
find_place (GHashTable *table, gconstpointer key)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (table, key));
}

guint
steal_exports_first_under (const StealExports *self, guint64 import_id)
{
  return find_place (self->by_origin, GSIZE_TO_POINTER (import_id));
}

guint
steal_exports_find_handle (const StealExports *self, gconstpointer handle)
{
  return find_place (self->by_handle, handle);
}

/* Adds the entry at the front of the list of jobs that descend from the same imported job. */
static void
link_under (StealExports *self, guint index)
{
  Export *exported = steal_exports_at (self, index);
  exported->next_under = steal_exports_first_under (self, exported->under);
  if (exported->next_under > 0)
    steal_exports_at (self, exported->next_under - 1)->previous_under = index + 1;
  g_hash_table_insert (self->by_origin, GSIZE_TO_POINTER (exported->under),
                       GUINT_TO_POINTER (index + 1));
}

static void
unlink_under (StealExports *self, const Export *exported)
{
  gpointer key = GSIZE_TO_POINTER (exported->under);
  if (exported->next_under > 0)
    steal_exports_at (self, exported->next_under - 1)->previous_under = exported->previous_under;
  if (exported->previous_under > 0)
    steal_exports_at (self, exported->previous_under - 1)->next_under = exported->next_under;
  else if (exported->next_under > 0)
    g_hash_table_insert (self->by_origin, key, GUINT_TO_POINTER (exported->next_under));
  else
    g_hash_table_remove (self->by_origin, key);
}

static guint
find_free (StealExports *self)
{
  if (self->free == 0)
    {
      g_array_set_size (self->jobs, self->jobs->len + 1);
      return self->jobs->len - 1;
    }
  guint index = self->free - 1;
  self->free = steal_exports_at (self, index)->next_free;
  return index;
}

gint64
steal_exports_next_generation (StealExports *self)
{
  return ++self->last_generation;
}

guint
steal_exports_add (StealExports *self, const Export *job)
{
  guint index = find_free (self);
  *steal_exports_at (self, index) = *job;
  steal_exports_at (self, index)->generation = steal_exports_next_generation (self);
  link_under (self, index);
  g_hash_table_insert (self->by_handle, job->handle, GUINT_TO_POINTER (index + 1));
  self->n++;
  return index;
}

void
steal_exports_remove (StealExports *self, guint index)
{
  Export *exported = steal_exports_at (self, index);
  g_hash_table_remove (self->by_handle, exported->handle);
  unlink_under (self, exported);
  *exported = (Export){ .next_free = self->free };
  self->free = index + 1;
  self->n--;
}

/* Whether the entry holds the job that @from names by @generation, not an earlier or later job. */
static gboolean
is_named (const Export *exported, SatinNodeId from, gint64 generation)
{
  SATIN_INJECT_BUG ("any-generation", return exported->handle != NULL);
  return exported->handle != NULL && exported->thief == from && exported->generation == generation;
}

Export *
steal_exports_find (StealExports *self, SatinNodeId from, gint32 index, gint64 generation)
{
  if (index < 0 || (guint)index >= self->jobs->len)
    return NULL;
  Export *exported = steal_exports_at (self, (guint)index);
  return is_named (exported, from, generation) ? exported : NULL;
}
