/* hints-private.h - the state of hints: handles, trees and their nodes
 *
 *   hints.c       handles, one for each job with hints
 *   hints-tree.c  the tree of one lost job
 *   hints-node.c  the nodes of a tree
 *   hints-book.c  the lock of all trees, and the report of their ends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "hints.h"

/* A job that may be spawned again: an ancestor of orphans, or the place of orphans. */
typedef struct _Node Node;
struct _Node
{
  guint32 number;
  Node *parent;        /* (borrowed) (nullable): %NULL for the root */
  GPtrArray *children; /* (owned) (nullable) of (owned) Node */
  GArray *entries;     /* (owned) (nullable) of Entry */
  /* (owned) (nullable): from the (owned) names of @entries to their holders; made when there are
   * many entries */
  GHashTable *refs;
  SatinNodeId exported_to; /* the node that has the job, 0: it was not exported */
  gint32 exported_index;
  gint64 exported_generation;
};

struct _Hintbook
{
  SatinLoop *loop; /* (borrowed) */
  void (*ended) (Tree *tree, gpointer user_data);
  gpointer user_data;
  pthread_mutex_t lock;
  /* guarded by lock */
  guint n_refs;       /* references of trees, of the owner, and of a posted call */
  gboolean is_closed; /* the owner has called hintbook_free() */
  gboolean is_posted; /* hintbook_tell_over() will run */
  GPtrArray *over;    /* (owned) of (owned) Tree: trees that have ended, to be reported */
};

struct _Tree
{
  Hintbook *book; /* (owned) a reference */
  SatinJobRef ref;
  /* guarded by the book's lock */
  guint n_hints;
  gint64 ran_us;
  gboolean is_told;       /* the tree is in the book's list @over */
  gboolean is_given_back; /* the tree's job went back undone to its owner */
  Node *root;             /* (owned) */
};

struct _Hints
{
  Tree *tree;       /* (owned) by all handles on the tree together */
  Node *node;       /* (borrowed from tree) */
  gboolean has_key; /* @key is set; else all entries at @node belong to the job */
  guint8 key[KEY_BYTES];
};

/* ---- nodes; the caller holds the lock, except for new nodes ---- */

/* Returns: (transfer full) */
Node *node_new (guint32 number);
/* Frees a node with all nodes below it. @data: (transfer full) */
void node_free (gpointer data);
/* Returns: (nullable): the child with this number */
Node *node_find (const Node *self, guint32 number);
/* Like node_find(), but makes the child when it does not exist. */
Node *node_get (Node *self, guint32 number);
/* Appends the path from the root to the node. */
void node_append_path (GByteArray *path, const Node *self);
gboolean node_has_entries (const Node *self);
/* Adds @entry, unless an entry with the same name is there. */
void node_add_entry (Node *self, const Entry *entry);
/* Moves entry @i to @ret_look, so that only one job waits for this orphan. */
void node_take_entry (Node *self, guint i, SatinLook *ret_look);
/* Removes the entries of @holder at this node and below; 0: all entries. */
void node_forget_holder (Node *self, SatinNodeId holder);
/* Calls @func for the entries at this node and below. @path: from the node where the walk began to
 * this node. */
void node_walk (const Node *self, GByteArray *path, EntryFunc func, gpointer user_data);
/* Like node_walk(), but without the entries at the node itself. */
void node_walk_below (const Node *self, GByteArray *path, EntryFunc func, gpointer user_data);

/* ---- the book ---- */

void hintbook_unref (Hintbook *self);
/* Calls @ended of the book for each tree in its list @over that still has no handle. Frees these
 * trees if the book is closed. Posted to the loop. @data: (transfer full): a reference to the book
 */
void hintbook_tell_over (gpointer data);
