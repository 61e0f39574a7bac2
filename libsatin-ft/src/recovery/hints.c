/* hints.c - handles on hints: each job that runs again asks its handle about its children
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hints-private.h"

#include <satin/base/inject.h>
#include <string.h>

static Hints *
make_hints (Tree *tree, Node *node)
{
  Hints *self = g_new0 (Hints, 1);
  self->tree = tree;
  self->node = node;
  tree->n_hints++;
  return self;
}

Hints *
hints_new (Tree *tree)
{
  pthread_mutex_lock (&tree->book->lock);
  Hints *self = make_hints (tree, tree->root);
  pthread_mutex_unlock (&tree->book->lock);
  return self;
}

Tree *
hints_get_tree (const Hints *self)
{
  return self->tree;
}

GByteArray *
hints_get_path (const Hints *self)
{
  GByteArray *path = g_byte_array_new ();
  pthread_mutex_lock (&self->tree->book->lock);
  node_append_path (path, self->node);
  pthread_mutex_unlock (&self->tree->book->lock);
  return path;
}

gpointer
hints_get_user_data (const Hints *self)
{
  return self->tree->book->user_data;
}

void
hints_add_ran (Hints *self, gint64 duration_us)
{
  pthread_mutex_lock (&self->tree->book->lock);
  self->tree->ran_us += duration_us;
  pthread_mutex_unlock (&self->tree->book->lock);
}

void
hints_end (Hints *self)
{
  Tree *tree = self->tree;
  Hintbook *book = tree->book;
  gboolean is_dead = FALSE;
  pthread_mutex_lock (&book->lock);
  gboolean is_over = --tree->n_hints == 0 && !tree->is_told;
  if (is_over && !book->is_closed)
    {
      tree->is_told = TRUE;
      g_ptr_array_add (book->over, tree);
    }
  else
    is_dead = is_over;
  gboolean is_first = is_over && !is_dead && !book->is_posted;
  if (is_first)
    {
      book->is_posted = TRUE;
      book->n_refs++;
    }
  pthread_mutex_unlock (&book->lock);
  g_free (self);
  if (is_first)
    satin_loop_post (book->loop, hintbook_tell_over, book);
  if (is_dead)
    tree_free (tree);
}

void
hints_note_given_back (Hints *self)
{
  pthread_mutex_lock (&self->tree->book->lock);
  self->tree->is_given_back = TRUE;
  pthread_mutex_unlock (&self->tree->book->lock);
}

static gboolean
has_key (const Entry *entry, const guint8 *key)
{
  SATIN_INJECT_BUG ("path-ids", return TRUE);
  return memcmp (entry->key, key, KEY_BYTES) == 0;
}

/* Whether @entry, which lies at the place of the handle's job, belongs to this job. A frame that
 * syncs more than once uses its child numbers again, so the entry may be a job of another round. */
static gboolean
is_own (const Hints *self, const Entry *entry)
{
  return !self->has_key || has_key (entry, self->key);
}

typedef struct
{
  const Hints *hints;
  EntryFunc func;
  gpointer user_data;
} Below;

static void
pass_if_below (const guint8 *path, gsize n_path, const Entry *entry, gpointer user_data)
{
  const Below *self = user_data;
  if (n_path > 0 || is_own (self->hints, entry))
    self->func (path, n_path, entry, self->user_data);
}

void
hints_foreach_below (Hints *self, EntryFunc func, gpointer user_data)
{
  g_autoptr (GByteArray) path = g_byte_array_new ();
  Below below = { .hints = self, .func = func, .user_data = user_data };
  pthread_mutex_lock (&self->tree->book->lock);
  node_walk_below (self->node, path, pass_if_below, &below);
  pthread_mutex_unlock (&self->tree->book->lock);
}

void
hints_set_exported (Hints *self, SatinNodeId to, gint32 index, gint64 generation)
{
  pthread_mutex_lock (&self->tree->book->lock);
  self->node->exported_to = to;
  self->node->exported_index = index;
  self->node->exported_generation = generation;
  pthread_mutex_unlock (&self->tree->book->lock);
}

static void
find_key (Node *node, const guint8 *key, SatinLook *ret_look)
{
  for (guint i = node->entries->len; i-- > 0;)
    if (has_key (&g_array_index (node->entries, Entry, i), key))
      {
        node_take_entry (node, i, ret_look);
        return;
      }
}

static Hints *
make_keyed (Tree *tree, Node *node, const guint8 *key)
{
  Hints *self = make_hints (tree, node);
  self->has_key = TRUE;
  memcpy (self->key, key, KEY_BYTES);
  return self;
}

void
hints_look (Hints *self, const SatinChild *child, SatinLook *ret_look)
{
  guint8 key[KEY_BYTES];
  pthread_mutex_lock (&self->tree->book->lock);
  Node *node = node_find (self->node, child->number);
  if (node != NULL)
    satin_record_digest (child->task->args, child->task->name, child->args, key);
  if (node != NULL && node_has_entries (node))
    find_key (node, key, ret_look);
  /* The job may need hints later: if the holder is lost too, orphans may have been announced below
   * the job by then. */
  if (ret_look->kind == SATIN_LOOK_HELD)
    ret_look->hints = make_keyed (self->tree, node, key);
  if (node != NULL && ret_look->kind == SATIN_LOOK_NOTHING && node->children != NULL)
    *ret_look = (SatinLook){
      .kind = SATIN_LOOK_INSIDE,
      .hints = make_keyed (self->tree, node, key),
    };
  pthread_mutex_unlock (&self->tree->book->lock);
}

void
hints_look_self (Hints *self, SatinLook *ret_look)
{
  pthread_mutex_lock (&self->tree->book->lock);
  for (guint i = node_has_entries (self->node) ? self->node->entries->len : 0; i-- > 0;)
    if (is_own (self, &g_array_index (self->node->entries, Entry, i)))
      {
        node_take_entry (self->node, i, ret_look);
        break;
      }
  pthread_mutex_unlock (&self->tree->book->lock);
}
