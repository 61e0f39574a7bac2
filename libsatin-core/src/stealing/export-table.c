/* export-table.c - the table of jobs that other nodes have, and how one is found
 *
 * Thieves name a job by its place here and its generation. Those that descend from the same
 * imported job are a list, as a change of that imported job concerns all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static Export *
exported_at (const Steal *self, guint index)
{
  return &g_array_index (self->exported, Export, index);
}

void
steal_exported_init (Steal *self)
{
  self->exported = g_array_new (FALSE, TRUE, sizeof (Export));
  self->under = g_hash_table_new (NULL, NULL);
  self->handles = g_hash_table_new (NULL, NULL);
}

void
steal_exported_free (Steal *self)
{
  g_array_unref (self->exported);
  g_hash_table_unref (self->under);
  g_hash_table_unref (self->handles);
}

static guint
find_place (GHashTable *table, gconstpointer key)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (table, key));
}

guint
steal_first_exported_under (const Steal *self, guint64 import_id)
{
  return find_place (self->under, GSIZE_TO_POINTER (import_id));
}

guint
steal_find_exported_handle (const Steal *self, gconstpointer handle)
{
  return find_place (self->handles, handle);
}

/* In front of the others of its import id. */
static void
link_under (Steal *self, guint index)
{
  Export *exported = exported_at (self, index);
  exported->next_under = steal_first_exported_under (self, exported->under);
  if (exported->next_under > 0)
    exported_at (self, exported->next_under - 1)->previous_under = index + 1;
  g_hash_table_insert (self->under, GSIZE_TO_POINTER (exported->under),
                       GUINT_TO_POINTER (index + 1));
}

static void
unlink_under (Steal *self, const Export *exported)
{
  gpointer key = GSIZE_TO_POINTER (exported->under);
  if (exported->next_under > 0)
    exported_at (self, exported->next_under - 1)->previous_under = exported->previous_under;
  if (exported->previous_under > 0)
    exported_at (self, exported->previous_under - 1)->next_under = exported->next_under;
  else if (exported->next_under > 0)
    g_hash_table_insert (self->under, key, GUINT_TO_POINTER (exported->next_under));
  else
    g_hash_table_remove (self->under, key);
}

static guint
find_free (Steal *self)
{
  if (self->free_exported == 0)
    {
      g_array_set_size (self->exported, self->exported->len + 1);
      return self->exported->len - 1;
    }
  guint index = self->free_exported - 1;
  self->free_exported = exported_at (self, index)->next_free;
  return index;
}

guint
steal_new_exported (Steal *self, const StealTaken *taken, SatinNodeId thief)
{
  guint index = find_free (self);
  *exported_at (self, index) = (Export){ .handle = taken->handle,
                                         .thief = thief,
                                         .generation = ++self->last_generation,
                                         .exported_us = satin_loop_now_us (self->loop),
                                         .under = taken->under,
                                         .hints = taken->hints };
  if (taken->args != NULL)
    exported_at (self, index)->n_args = (guint32)g_bytes_get_size (taken->args);
  link_under (self, index);
  g_hash_table_insert (self->handles, taken->handle, GUINT_TO_POINTER (index + 1));
  self->n_exported++;
  return index;
}

void
steal_free_exported (Steal *self, guint index)
{
  Export *exported = exported_at (self, index);
  g_hash_table_remove (self->handles, exported->handle);
  unlink_under (self, exported);
  *exported = (Export){ .next_free = self->free_exported };
  self->free_exported = index + 1;
  self->n_exported--;
}

/* Whether the entry holds the job that @from calls by @generation, and not one before or after. */
static gboolean
is_named (const Export *exported, SatinNodeId from, gint64 generation)
{
  SATIN_INJECT_BUG ("any-generation", return exported->handle != NULL);
  return exported->handle != NULL && exported->thief == from && exported->generation == generation;
}

Export *
steal_find_exported (Steal *self, SatinNodeId from, gint32 index, gint64 generation)
{
  if (index < 0 || (guint)index >= self->exported->len)
    return NULL;
  Export *exported = exported_at (self, (guint)index);
  return is_named (exported, from, generation) ? exported : NULL;
}
