/* import-table.c - all imported jobs of a node, and how one is found
 *
 * There may be a million. Other nodes call one by its owner and the owner's name for it, its worker
 * by its import id. Two can have the same owner and name, when one of them is an orphan: these are
 * a chain.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

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
steal_imports_init (Steal *self)
{
  g_queue_init (&self->imports);
  self->import_ids = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->names = g_hash_table_new (hash_name, is_same_name);
}

void
steal_imports_free (Steal *self)
{
  g_hash_table_unref (self->import_ids);
  g_hash_table_unref (self->names);
  while (self->imports.head != NULL)
    steal_import_free (g_queue_pop_head_link (&self->imports)->data);
}

/* At the end of its chain. */
static void
add_name (Steal *self, Import *import)
{
  import->next_named = NULL;
  Import *last = g_hash_table_lookup (self->names, import);
  if (last == NULL)
    {
      g_hash_table_add (self->names, import);
      return;
    }
  while (last->next_named != NULL)
    last = last->next_named;
  last->next_named = import;
}

static void
remove_name (Steal *self, Import *import)
{
  Import *before = g_hash_table_lookup (self->names, import);
  if (before == import)
    {
      g_hash_table_remove (self->names, import);
      if (import->next_named != NULL)
        g_hash_table_add (self->names, import->next_named);
      return;
    }
  while (before->next_named != import)
    before = before->next_named;
  before->next_named = import->next_named;
}

/* @import: (transfer full) */
void
steal_enlist_import (Steal *self, Import *import)
{
  import->import_id = ++self->last_import_id;
  import->link.data = import;
  g_queue_push_tail_link (&self->imports, &import->link);
  g_hash_table_insert (self->import_ids, &import->import_id, import);
  add_name (self, import);
  steal_outbox_update (self, import);
}

/* Returns: (nullable): the imported job with that import id */
Import *
steal_find_import (const Steal *self, guint64 import_id)
{
  return g_hash_table_lookup (self->import_ids, &import_id);
}

/* Returns: (nullable): the oldest of that owner and name */
static Import *
find_named (const Steal *self, SatinNodeId owner, const StealName *name)
{
  const Import key = { .owner = owner, .name = *name };
  return g_hash_table_lookup (self->names, &key);
}

/* Returns: (nullable): what @owner, who has not been lost, exported under that name */
Import *
steal_find_import_of (const Steal *self, SatinNodeId owner, const StealName *name)
{
  Import *import = find_named (self, owner, name);
  while (import != NULL && import->is_orphan)
    import = import->next_named;
  return import;
}

/* Returns: (nullable): what @owner, who is lost, had exported under that name, and somebody may
 * want */
Import *
steal_find_orphan (const Steal *self, SatinNodeId owner, const StealName *name)
{
  Import *import = find_named (self, owner, name);
  while (import != NULL && (!import->is_orphan || import->is_unwanted))
    import = import->next_named;
  return import;
}

/* It is exported by somebody else now. */
void
steal_rename_import (Steal *self, Import *import, SatinNodeId owner, const StealName *name)
{
  steal_outbox_remove (import);
  remove_name (self, import);
  import->owner = owner;
  import->name = *name;
  add_name (self, import);
  steal_outbox_update (self, import);
}

void
steal_forget_import (Steal *self, Import *import)
{
  steal_outbox_remove (import);
  remove_name (self, import);
  g_hash_table_remove (self->import_ids, &import->import_id);
  g_queue_unlink (&self->imports, &import->link);
  steal_import_free (import);
}

GArray *
steal_list_imports_of (const Steal *self, SatinNodeId owner)
{
  GArray *import_ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (const GList *item = self->imports.tail; item != NULL; item = item->prev)
    {
      const Import *import = item->data;
      if (import->owner == owner && !import->is_orphan)
        g_array_append_val (import_ids, import->import_id);
    }
  return import_ids;
}
