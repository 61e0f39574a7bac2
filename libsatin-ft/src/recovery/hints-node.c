/* hints-node.c - the nodes of a tree of hints, and their entries
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hints-private.h"

/* A tree node with more entries than this has a hash table of their names, to find duplicates. */
#define MANY_ENTRIES 32

void
node_free (gpointer data)
{
  Node *self = data;
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_clear_pointer (&self->entries, g_array_unref);
  g_clear_pointer (&self->refs, g_hash_table_unref);
  g_free (self);
}

Node *
node_new (guint32 number)
{
  Node *self = g_new0 (Node, 1);
  self->number = number;
  return self;
}

Node *
node_find (const Node *self, guint32 number)
{
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    {
      Node *child = g_ptr_array_index (self->children, i);
      if (child->number == number)
        return child;
    }
  return NULL;
}

Node *
node_get (Node *self, guint32 number)
{
  Node *child = node_find (self, number);
  if (child != NULL)
    return child;
  if (self->children == NULL)
    self->children = g_ptr_array_new_with_free_func (node_free);
  child = node_new (number);
  child->parent = self;
  g_ptr_array_add (self->children, child);
  return child;
}

static gboolean
is_same (const SatinJobRef *a, const SatinJobRef *b)
{
  return a->owner == b->owner && a->index == b->index && a->generation == b->generation;
}

static guint
hash_ref (gconstpointer data)
{
  const SatinJobRef *ref = data;
  return g_int64_hash (&ref->generation) * 31 + (guint)ref->index * 7 + ref->owner;
}

static gboolean
is_equal (gconstpointer a, gconstpointer b)
{
  return is_same (a, b);
}

static void
add_ref (Node *node, const Entry *entry)
{
  g_hash_table_insert (node->refs, g_memdup2 (&entry->ref, sizeof entry->ref),
                       GUINT_TO_POINTER (entry->holder));
}

/* Finds the entry with this name. A frame that syncs often uses its child numbers again and again,
 * so a tree node may have many entries. Returns: the holder; 0 when there is no such entry */
static SatinNodeId
find_holder (Node *node, const SatinJobRef *ref)
{
  if (node->refs == NULL && node->entries->len > MANY_ENTRIES)
    {
      node->refs = g_hash_table_new_full (hash_ref, is_equal, g_free, NULL);
      for (guint i = 0; i < node->entries->len; i++)
        add_ref (node, &g_array_index (node->entries, Entry, i));
    }
  if (node->refs != NULL)
    return GPOINTER_TO_UINT (g_hash_table_lookup (node->refs, ref));
  for (guint i = 0; i < node->entries->len; i++)
    if (is_same (&g_array_index (node->entries, Entry, i).ref, ref))
      return g_array_index (node->entries, Entry, i).holder;
  return 0;
}

static void
remove_ref (Node *node, const SatinJobRef *ref)
{
  guint place = 0;
  while (!is_same (&g_array_index (node->entries, Entry, place).ref, ref))
    place++;
  g_array_remove_index (node->entries, place);
}

void
node_add_entry (Node *node, const Entry *entry)
{
  if (node->entries == NULL)
    node->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  SatinNodeId holder = find_holder (node, &entry->ref);
  if (holder == entry->holder || (holder != 0 && entry->is_leaving))
    return;
  /* A node that leaves has handed the orphan over to another holder. */
  if (holder != 0)
    remove_ref (node, &entry->ref);
  g_array_append_val (node->entries, *entry);
  if (node->refs != NULL)
    add_ref (node, entry);
}

static void
forget_entries (Node *self, SatinNodeId holder)
{
  guint n_kept = 0;
  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry entry = g_array_index (self->entries, Entry, i);
      if (holder != 0 && entry.holder != holder)
        g_array_index (self->entries, Entry, n_kept++) = entry;
      else if (self->refs != NULL)
        g_hash_table_remove (self->refs, &entry.ref);
    }
  g_array_set_size (self->entries, n_kept);
}

void
node_forget_holder (Node *self, SatinNodeId holder)
{
  if (self->entries != NULL)
    forget_entries (self, holder);
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    node_forget_holder (g_ptr_array_index (self->children, i), holder);
}

void
node_walk (const Node *self, GByteArray *path, EntryFunc func, gpointer user_data)
{
  for (guint i = 0; self->entries != NULL && i < self->entries->len; i++)
    func (path->data, path->len, &g_array_index (self->entries, Entry, i), user_data);
  node_walk_below (self, path, func, user_data);
}

void
node_walk_below (const Node *self, GByteArray *path, EntryFunc func, gpointer user_data)
{
  guint n_path = path->len;
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    {
      const Node *child = g_ptr_array_index (self->children, i);
      satin_path_append (path, child->number);
      node_walk (child, path, func, user_data);
      g_byte_array_set_size (path, n_path);
    }
}

void
node_append_path (GByteArray *path, const Node *node)
{
  if (node->parent == NULL)
    return;
  node_append_path (path, node->parent);
  satin_path_append (path, node->number);
}

void
node_take_entry (Node *node, guint i, SatinLook *ret_look)
{
  const Entry *entry = &g_array_index (node->entries, Entry, i);
  *ret_look = (SatinLook){
    .kind = SATIN_LOOK_HELD,
    .holder = entry->holder,
    .ref = entry->ref,
  };
  if (node->refs != NULL)
    g_hash_table_remove (node->refs, &entry->ref);
  g_array_remove_index (node->entries, i);
}

gboolean
node_has_entries (const Node *node)
{
  return node->entries != NULL && node->entries->len > 0;
}
