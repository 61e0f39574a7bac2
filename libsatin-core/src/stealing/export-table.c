/* export-table.c - the table of jobs that other nodes have, and how one is found
 *
 * Thieves name a job by its place here and its generation. Those that descend from the same guest
 * are a list, as a change of that guest concerns all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static Lent *
lent_at (const Steal *self, guint index)
{
  return &g_array_index (self->lent, Lent, index);
}

void
steal_lent_init (Steal *self)
{
  self->lent = g_array_new (FALSE, TRUE, sizeof (Lent));
  self->under = g_hash_table_new (NULL, NULL);
  self->handles = g_hash_table_new (NULL, NULL);
}

void
steal_lent_free (Steal *self)
{
  g_array_unref (self->lent);
  g_hash_table_unref (self->under);
  g_hash_table_unref (self->handles);
}

static guint
find_place (GHashTable *table, gconstpointer key)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (table, key));
}

guint
steal_first_lent_under (const Steal *self, guint64 ticket)
{
  return find_place (self->under, GSIZE_TO_POINTER (ticket));
}

guint
steal_find_lent_handle (const Steal *self, gconstpointer handle)
{
  return find_place (self->handles, handle);
}

/* In front of the others of its ticket. */
static void
link_under (Steal *self, guint index)
{
  Lent *lent = lent_at (self, index);
  lent->next_under = steal_first_lent_under (self, lent->under);
  if (lent->next_under > 0)
    lent_at (self, lent->next_under - 1)->previous_under = index + 1;
  g_hash_table_insert (self->under, GSIZE_TO_POINTER (lent->under), GUINT_TO_POINTER (index + 1));
}

static void
unlink_under (Steal *self, const Lent *lent)
{
  gpointer key = GSIZE_TO_POINTER (lent->under);
  if (lent->next_under > 0)
    lent_at (self, lent->next_under - 1)->previous_under = lent->previous_under;
  if (lent->previous_under > 0)
    lent_at (self, lent->previous_under - 1)->next_under = lent->next_under;
  else if (lent->next_under > 0)
    g_hash_table_insert (self->under, key, GUINT_TO_POINTER (lent->next_under));
  else
    g_hash_table_remove (self->under, key);
}

static guint
find_free (Steal *self)
{
  if (self->free_lent == 0)
    {
      g_array_set_size (self->lent, self->lent->len + 1);
      return self->lent->len - 1;
    }
  guint index = self->free_lent - 1;
  self->free_lent = lent_at (self, index)->next_free;
  return index;
}

guint
steal_new_lent (Steal *self, const StealTaken *taken, SatinNodeId thief)
{
  guint index = find_free (self);
  *lent_at (self, index) = (Lent){ .handle = taken->handle,
                                   .thief = thief,
                                   .generation = ++self->last_generation,
                                   .lent_us = satin_loop_now_us (self->loop),
                                   .under = taken->under,
                                   .hints = taken->hints };
  if (taken->args != NULL)
    lent_at (self, index)->n_args = (guint32)g_bytes_get_size (taken->args);
  link_under (self, index);
  g_hash_table_insert (self->handles, taken->handle, GUINT_TO_POINTER (index + 1));
  self->n_lent++;
  return index;
}

void
steal_free_lent (Steal *self, guint index)
{
  Lent *lent = lent_at (self, index);
  g_hash_table_remove (self->handles, lent->handle);
  unlink_under (self, lent);
  *lent = (Lent){ .next_free = self->free_lent };
  self->free_lent = index + 1;
  self->n_lent--;
}

Lent *
steal_find_lent (Steal *self, SatinNodeId from, gint32 index, gint64 generation)
{
  if (index < 0 || (guint)index >= self->lent->len)
    return NULL;
  Lent *lent = lent_at (self, (guint)index);
  gboolean is_it = lent->handle != NULL && lent->thief == from && lent->generation == generation;
  is_it |= SATIN_MISTAKE ("any-generation") && lent->handle != NULL;
  return is_it ? lent : NULL;
}
