/* hints.c - what is known of the descendants of a job that runs again
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hints.h"

#include <satin/base/mistake.h>
#include <string.h>

/* Most levels of a path that is taken from outside. */
#define MAX_LEVELS 16384

/* Of more at one place it is not looked one by one whether an entry is there. */
#define MANY_ENTRIES 32

/* A job on the way to an orphan, or where one belongs. */
typedef struct _Node Node;
struct _Node
{
  guint32 number;
  Node *parent;        /* (borrowed) NULL: it is the root */
  GPtrArray *children; /* (owned) (nullable) of (owned) Node */
  GArray *entries;     /* (owned) (nullable) of Entry */
  GHashTable *loans;   /* (owned) (nullable) set of (owned) SatinLoan: theirs, once they are many */
  SatinNodeId lent_to; /* 0: nobody */
  gint32 lent_index;
  gint64 lent_generation;
};

struct _Hintbook
{
  SatinLoop *loop; /* (borrowed) */
  void (*ended) (Tree *tree, gpointer user_data);
  gpointer user_data;
  pthread_mutex_t lock;
  /* guarded by lock */
  guint n_refs;       /* trees, and who made it */
  gboolean is_closed; /* who made it is gone */
  gboolean is_posted;
  GPtrArray *over; /* (owned) of (owned) Tree */
};

struct _Tree
{
  Hintbook *book; /* (owned) a reference */
  SatinLoan loan;
  /* guarded by the book's lock */
  guint n_hints;
  gint64 ran_us;
  gboolean is_told;       /* it is among those that are over */
  gboolean is_given_back; /* its job goes on at its owner */
  Node *root;             /* (owned) */
};

struct _Hints
{
  Tree *tree;       /* (owned) a share of it */
  Node *node;       /* (borrowed from tree) */
  gboolean has_key; /* of its job; else all entries of the node are of that */
  guint8 key[KEY_BYTES];
};

static void
node_free (gpointer data)
{
  Node *self = data;
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_clear_pointer (&self->entries, g_array_unref);
  g_clear_pointer (&self->loans, g_hash_table_unref);
  g_free (self);
}

static Node *
node_new (guint32 number)
{
  Node *self = g_new0 (Node, 1);
  self->number = number;
  return self;
}

static Node *
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

static Node *
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

/* ---- paths ---- */

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

/* ---- the book ---- */

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

static void
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

/* Whether nobody has begun its job anew. */
static gboolean
is_over_still (Tree *self)
{
  pthread_mutex_lock (&self->book->lock);
  self->is_told = FALSE;
  gboolean is_over = self->n_hints == 0;
  pthread_mutex_unlock (&self->book->lock);
  return is_over;
}

/* On the loop. */
static void
tell_over (gpointer data)
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

/* ---- trees ---- */

Tree *
tree_new (Hintbook *book, const SatinLoan *loan)
{
  Tree *self = g_new0 (Tree, 1);
  pthread_mutex_lock (&book->lock);
  book->n_refs++;
  pthread_mutex_unlock (&book->lock);
  self->book = book;
  self->loan = *loan;
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

static gboolean
is_same (const SatinLoan *a, const SatinLoan *b)
{
  return a->owner == b->owner && a->index == b->index && a->generation == b->generation;
}

static guint
hash_loan (gconstpointer data)
{
  const SatinLoan *loan = data;
  return g_int64_hash (&loan->generation) * 31 + (guint)loan->index * 7 + loan->owner;
}

static gboolean
is_equal (gconstpointer a, gconstpointer b)
{
  return is_same (a, b);
}

static void
add_loan (Node *node, const Entry *entry)
{
  g_hash_table_add (node->loans, g_memdup2 (&entry->loan, sizeof entry->loan));
}

/* A frame that has synced often has used a number as often, so many may belong to one place. */
static gboolean
has_loan (Node *node, const SatinLoan *loan)
{
  if (node->loans == NULL && node->entries->len > MANY_ENTRIES)
    {
      node->loans = g_hash_table_new_full (hash_loan, is_equal, g_free, NULL);
      for (guint i = 0; i < node->entries->len; i++)
        add_loan (node, &g_array_index (node->entries, Entry, i));
    }
  if (node->loans != NULL)
    return g_hash_table_contains (node->loans, loan);
  for (guint i = 0; i < node->entries->len; i++)
    if (is_same (&g_array_index (node->entries, Entry, i).loan, loan))
      return TRUE;
  return FALSE;
}

static void
add_entry (Node *node, const Entry *entry)
{
  if (node->entries == NULL)
    node->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  if (has_loan (node, &entry->loan))
    return;
  g_array_append_val (node->entries, *entry);
  if (node->loans != NULL)
    add_loan (node, entry);
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
  add_entry (node, entry);
  pthread_mutex_unlock (&self->book->lock);
  return TRUE;
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
      else if (self->loans != NULL)
        g_hash_table_remove (self->loans, &entry.loan);
    }
  g_array_set_size (self->entries, n_kept);
}

static void
forget_holder (Node *self, SatinNodeId holder)
{
  if (self->entries != NULL)
    forget_entries (self, holder);
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    forget_holder (g_ptr_array_index (self->children, i), holder);
}

void
tree_forget_holder (Tree *self, SatinNodeId holder)
{
  pthread_mutex_lock (&self->book->lock);
  forget_holder (self->root, holder);
  pthread_mutex_unlock (&self->book->lock);
}

static void walk_below (const Node *self, GByteArray *path, EntryFunc func, gpointer user_data);

/* @path is from where the walk began. */
static void
walk (const Node *self, GByteArray *path, EntryFunc func, gpointer user_data)
{
  for (guint i = 0; self->entries != NULL && i < self->entries->len; i++)
    func (path->data, path->len, &g_array_index (self->entries, Entry, i), user_data);
  walk_below (self, path, func, user_data);
}

static void
walk_below (const Node *self, GByteArray *path, EntryFunc func, gpointer user_data)
{
  guint n_path = path->len;
  for (guint i = 0; self->children != NULL && i < self->children->len; i++)
    {
      const Node *child = g_ptr_array_index (self->children, i);
      satin_path_append (path, child->number);
      walk (child, path, func, user_data);
      g_byte_array_set_size (path, n_path);
    }
}

void
tree_foreach_left (Tree *self, EntryFunc func, gpointer user_data)
{
  g_autoptr (GByteArray) path = g_byte_array_new ();
  pthread_mutex_lock (&self->book->lock);
  if (!self->is_given_back)
    walk (self->root, path, func, user_data);
  pthread_mutex_unlock (&self->book->lock);
}

SatinNodeId
tree_find_lent (Tree *self, const guint8 *path, gsize n_path, SatinLoan *ret_loan, gsize *ret_skip)
{
  SatinNodeId to = 0;
  gsize at = 0;
  pthread_mutex_lock (&self->book->lock);
  for (const Node *node = self->root; node != NULL;)
    {
      if (node->lent_to != 0)
        {
          to = node->lent_to;
          *ret_loan = (SatinLoan){ 0, node->lent_index, node->lent_generation };
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

/* ---- handles ---- */

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

static void
append_path (GByteArray *path, const Node *node)
{
  if (node->parent == NULL)
    return;
  append_path (path, node->parent);
  satin_path_append (path, node->number);
}

GByteArray *
hints_get_path (const Hints *self)
{
  GByteArray *path = g_byte_array_new ();
  pthread_mutex_lock (&self->tree->book->lock);
  append_path (path, self->node);
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
    satin_loop_post (book->loop, tell_over, book);
  if (is_dead)
    tree_free (tree);
}

void
hints_give_back (Hints *self)
{
  pthread_mutex_lock (&self->tree->book->lock);
  self->tree->is_given_back = TRUE;
  pthread_mutex_unlock (&self->tree->book->lock);
  hints_end (self);
}

static gboolean
has_key (const Entry *entry, const guint8 *key)
{
  return memcmp (entry->key, key, KEY_BYTES) == 0 || SATIN_MISTAKE ("path-ids");
}

/* A frame that syncs more than once uses its places again: what lies in one may be of another
 * round. */
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
  walk_below (self->node, path, pass_if_below, &below);
  pthread_mutex_unlock (&self->tree->book->lock);
}

void
hints_set_lent (Hints *self, SatinNodeId to, gint32 index, gint64 generation)
{
  pthread_mutex_lock (&self->tree->book->lock);
  self->node->lent_to = to;
  self->node->lent_index = index;
  self->node->lent_generation = generation;
  pthread_mutex_unlock (&self->tree->book->lock);
}

/* Takes the entry at @i, so that nobody else waits for the same orphan. */
static void
take_entry (Node *node, guint i, SatinLook *ret_look)
{
  const Entry *entry = &g_array_index (node->entries, Entry, i);
  *ret_look = (SatinLook){
    .kind = SATIN_LOOK_HELD,
    .holder = entry->holder,
    .loan = entry->loan,
  };
  if (node->loans != NULL)
    g_hash_table_remove (node->loans, &entry->loan);
  g_array_remove_index (node->entries, i);
}

static gboolean
has_entries (const Node *node)
{
  return node->entries != NULL && node->entries->len > 0;
}

static void
find_key (Node *node, const guint8 *key, SatinLook *ret_look)
{
  for (guint i = 0; i < node->entries->len; i++)
    if (has_key (&g_array_index (node->entries, Entry, i), key))
      {
        take_entry (node, i, ret_look);
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
hints_look (Hints *self, guint32 number, const SatinTask *task, gconstpointer args,
            SatinLook *ret_look)
{
  guint8 key[KEY_BYTES];
  pthread_mutex_lock (&self->tree->book->lock);
  Node *node = node_find (self->node, number);
  if (node != NULL)
    satin_record_digest (task->args, task->name, args, key);
  if (node != NULL && has_entries (node))
    find_key (node, key, ret_look);
  if (ret_look->kind == SATIN_LOOK_HELD && node->children != NULL)
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
  for (guint i = 0; has_entries (self->node) && i < self->node->entries->len; i++)
    if (is_own (self, &g_array_index (self->node->entries, Entry, i)))
      {
        take_entry (self->node, i, ret_look);
        break;
      }
  pthread_mutex_unlock (&self->tree->book->lock);
}
