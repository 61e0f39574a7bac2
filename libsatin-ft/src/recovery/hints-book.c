/* hints-book.c - the book of all trees, which reports on the loop that a tree has ended
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hints-private.h"

Hintbook *
hintbook_new (SatinLoop *loop, void (*ended) (Tree *tree, gpointer user_data), gpointer user_data)
{
  Hintbook *self = g_new0 (Hintbook, 1);
  self->loop = loop;
  self->ended = ended;
  self->user_data = user_data;
  self->n_refs = 1;
  self->over = g_ptr_array_new ();
  pthread_mutex_init (&self->lock, NULL);
  return self;
}

void
hintbook_unref (Hintbook *self)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_last = --self->n_refs == 0;
  pthread_mutex_unlock (&self->lock);
  if (!is_last)
    return;
  pthread_mutex_destroy (&self->lock);
  g_ptr_array_unref (self->over);
  g_free (self);
}

/* Whether the tree still has no handles. A new handle may have been made since the tree was put
 * into the list of ended trees. */
static gboolean
is_over_still (Tree *self)
{
  pthread_mutex_lock (&self->book->lock);
  self->is_told = FALSE;
  gboolean is_over = self->n_hints == 0;
  pthread_mutex_unlock (&self->book->lock);
  return is_over;
}

void
hintbook_tell_over (gpointer data)
{
  Hintbook *self = data;
  g_autoptr (GPtrArray) fresh = g_ptr_array_new ();
  pthread_mutex_lock (&self->lock);
  GPtrArray *over = self->over;
  self->over = g_steal_pointer (&fresh);
  self->is_posted = FALSE;
  gboolean is_closed = self->is_closed;
  pthread_mutex_unlock (&self->lock);
  for (guint i = 0; i < over->len; i++)
    {
      Tree *tree = g_ptr_array_index (over, i);
      if (!is_over_still (tree))
        continue;
      if (is_closed)
        tree_free (tree);
      else
        self->ended (tree, self->user_data);
    }
  g_ptr_array_unref (over);
  hintbook_unref (self);
}

void
hintbook_free (Hintbook *self)
{
  if (self == NULL)
    return;
  pthread_mutex_lock (&self->lock);
  self->is_closed = TRUE;
  pthread_mutex_unlock (&self->lock);
  hintbook_unref (self);
}
