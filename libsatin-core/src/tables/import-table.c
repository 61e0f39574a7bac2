/* import-table.c - all imported jobs of a node, and how a job is found
 *
 * There may be a million jobs. Messages name an imported job by its owner and the owner's name for
 * it; workers name it by its import id. Two jobs may have the same owner and name if one of them is
 * an orphan. Jobs with the same owner and name form a chain.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "imports.h"

static guint
hash_name (gconstpointer data)
{
  const Import *self = data;
  guint64 word = (guint64)self->name.generation * 31 + (guint32)self->name.index;
  return (guint)(word ^ word >> 32) * 31 + self->owner;
}

static gboolean
is_same_name (gconstpointer a, gconstpointer b)
{
  const Import *left = a, *right = b;
  return left->owner == right->owner && left->name.index == right->name.index
         && left->name.generation == right->name.generation;
}

void
steal_imports_init (StealImports *self, GBytes *rootless)
{
  self->rootless = g_bytes_ref (rootless);
  g_queue_init (&self->all);
  self->by_id = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->by_name = g_hash_table_new (hash_name, is_same_name);
  steal_outbox_init (&self->outbox);
}

void
steal_imports_free (StealImports *self)
{
  g_bytes_unref (self->rootless);
  steal_outbox_free (&self->outbox);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->by_name);
  while (self->all.head != NULL)
    steal_import_free (g_queue_pop_head_link (&self->all)->data);
}

/* Adds the job at the end of its chain. */
static void
add_name (StealImports *self, Import *import)
{
  import->next_named = NULL;
  Import *last = g_hash_table_lookup (self->by_name, import);
  if (last == NULL)
    {
      g_hash_table_add (self->by_name, import);
      return;
    }
  while (last->next_named != NULL)
    last = last->next_named;
  last->next_named = import;
}

static void
remove_name (StealImports *self, Import *import)
{
  Import *before = g_hash_table_lookup (self->by_name, import);
  if (before == import)
    {
      g_hash_table_remove (self->by_name, import);
      if (import->next_named != NULL)
        g_hash_table_add (self->by_name, import->next_named);
      return;
    }
  while (before->next_named != import)
    before = before->next_named;
  before->next_named = import->next_named;
}

void
steal_imports_add (StealImports *self, Import *import)
{
  import->import_id = ++self->last_id;
  import->link.data = import;
  g_queue_push_tail_link (&self->all, &import->link);
  g_hash_table_insert (self->by_id, &import->import_id, import);
  add_name (self, import);
  steal_outbox_update (&self->outbox, import);
}

Import *
steal_imports_add_new (StealImports *self, SatinNodeId owner, const StealName *name)
{
  Import *import = steal_import_new (owner, name);
  steal_imports_add (self, import);
  return import;
}

Import *
steal_imports_find (const StealImports *self, guint64 import_id)
{
  return g_hash_table_lookup (self->by_id, &import_id);
}

/* Returns: (nullable): the oldest job with this owner and name */
static Import *
find_named (const StealImports *self, SatinNodeId owner, const StealName *name)
{
  const Import key = { .owner = owner, .name = *name };
  return g_hash_table_lookup (self->by_name, &key);
}

Import *
steal_imports_find_of (const StealImports *self, SatinNodeId owner, const StealName *name)
{
  Import *import = find_named (self, owner, name);
  while (import != NULL && import->is_orphan)
    import = import->next_named;
  return import;
}

Import *
steal_imports_find_orphan (const StealImports *self, SatinNodeId owner, const StealName *name)
{
  Import *import = find_named (self, owner, name);
  while (import != NULL && (!import->is_orphan || import->is_unwanted))
    import = import->next_named;
  return import;
}

void
steal_imports_rename (StealImports *self, Import *import, SatinNodeId owner, const StealName *name)
{
  steal_outbox_remove (import);
  remove_name (self, import);
  import->owner = owner;
  import->told = 0;
  import->name = *name;
  add_name (self, import);
  steal_outbox_update (&self->outbox, import);
}

void
steal_imports_remove (StealImports *self, Import *import)
{
  steal_outbox_remove (import);
  remove_name (self, import);
  g_hash_table_remove (self->by_id, &import->import_id);
  g_queue_unlink (&self->all, &import->link);
  steal_import_free (import);
}

GArray *
steal_imports_list_of (const StealImports *self, SatinNodeId owner)
{
  GArray *import_ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (const GList *item = self->all.tail; item != NULL; item = item->prev)
    {
      const Import *import = item->data;
      if (import->owner == owner && !import->is_orphan)
        g_array_append_val (import_ids, import->import_id);
    }
  return import_ids;
}
