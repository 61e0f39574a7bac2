/* hints-tree.c - the tree of hints of one lost job
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hints-private.h"

/* The most levels of a path from another node. */
#define MAX_LEVELS 16384

static gboolean
is_path (const guint8 *path, gsize n_path)
{
  guint32 number;
  guint n_levels = 0;
  for (gsize at = 0; at < n_path;)
    if (!satin_path_next (path, n_path, &at, &number) || ++n_levels > MAX_LEVELS)
      return FALSE;
  return TRUE;
}

Tree *
tree_new (Hintbook *book, const SatinJobRef *ref)
{
  Tree *self = g_new0 (Tree, 1);
  pthread_mutex_lock (&book->lock);
  book->n_refs++;
  pthread_mutex_unlock (&book->lock);
  self->book = book;
  self->ref = *ref;
  self->root = node_new (0);
  return self;
}

void
tree_free (Tree *self)
{
  if (self == NULL)
    return;
  Hintbook *book = self->book;
  node_free (self->root);
  g_free (self);
  hintbook_unref (book);
}

gint64
tree_get_ran_us (Tree *self)
{
  pthread_mutex_lock (&self->book->lock);
  gint64 ran_us = self->ran_us;
  pthread_mutex_unlock (&self->book->lock);
  return ran_us;
}

gboolean
tree_is_given_back (Tree *self)
{
  pthread_mutex_lock (&self->book->lock);
  gboolean is_given_back = self->is_given_back;
  pthread_mutex_unlock (&self->book->lock);
  return is_given_back;
}

gboolean
tree_add (Tree *self, const guint8 *path, gsize n_path, const Entry *entry)
{
  if (!is_path (path, n_path))
    return FALSE;
  pthread_mutex_lock (&self->book->lock);
  Node *node = self->root;
  guint32 number;
  for (gsize at = 0; at < n_path && satin_path_next (path, n_path, &at, &number);)
    node = node_get (node, number);
  node_add_entry (node, entry);
  pthread_mutex_unlock (&self->book->lock);
  return TRUE;
}

void
tree_forget_holder (Tree *self, SatinNodeId holder)
{
  pthread_mutex_lock (&self->book->lock);
  node_forget_holder (self->root, holder);
  pthread_mutex_unlock (&self->book->lock);
}

void
tree_foreach_left (Tree *self, EntryFunc func, gpointer user_data)
{
  g_autoptr (GByteArray) path = g_byte_array_new ();
  pthread_mutex_lock (&self->book->lock);
  if (!self->is_given_back)
    node_walk (self->root, path, func, user_data);
  pthread_mutex_unlock (&self->book->lock);
}

SatinNodeId
tree_find_exported (Tree *self, const guint8 *path, gsize n_path, SatinJobRef *ret_ref,
                    gsize *ret_skip)
{
  SatinNodeId to = 0;
  gsize at = 0;
  pthread_mutex_lock (&self->book->lock);
  for (const Node *node = self->root; node != NULL;)
    {
      if (node->exported_to != 0)
        {
          to = node->exported_to;
          *ret_ref = (SatinJobRef){ 0, node->exported_index, node->exported_generation };
          *ret_skip = at;
        }
      guint32 number;
      if (at == n_path || !satin_path_next (path, n_path, &at, &number))
        break;
      node = node_find (node, number);
    }
  pthread_mutex_unlock (&self->book->lock);
  return to;
}
