/* hints-private.h - the inside of what is known of lost jobs
 *
 *   hints.c       handles, which jobs have
 *   hints-tree.c  what is known of one lost job
 *   hints-node.c  its nodes
 *   hints-book.c  all trees, one lock, and who hears of their end
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "hints.h"

/* A job on the way to an orphan, or where one belongs. */
typedef struct _Node Node;
struct _Node
{
  guint32 number;
  Node *parent;        /* (borrowed) NULL: it is the root */
  GPtrArray *children; /* (owned) (nullable) of (owned) Node */
  GArray *entries;     /* (owned) (nullable) of Entry */
  GHashTable *refs; /* (owned) (nullable) set of (owned) SatinJobRef: theirs, once they are many */
  SatinNodeId exported_to; /* 0: nobody */
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
  guint n_refs;       /* trees, and who made it */
  gboolean is_closed; /* who made it is gone */
  gboolean is_posted;
  GPtrArray *over; /* (owned) of (owned) Tree */
};

struct _Tree
{
  Hintbook *book; /* (owned) a reference */
  SatinJobRef ref;
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

/* ---- nodes; all with the lock held, but for new ones ---- */

/* Returns: (transfer full) */
Node *node_new (guint32 number);
/* @data: (transfer full): with all below it */
void node_free (gpointer data);
/* Returns: (nullable): its child */
Node *node_find (const Node *self, guint32 number);
/* Makes it when it is not there. */
Node *node_get (Node *self, guint32 number);
/* Where it is from the root. */
void node_append_path (GByteArray *path, const Node *self);
gboolean node_has_entries (const Node *self);
/* Unless one of that exported job is there. */
void node_add_entry (Node *self, const Entry *entry);
/* Takes the entry at @i, so that nobody else waits for the same orphan. */
void node_take_entry (Node *self, guint i, SatinLook *ret_look);
/* Also below it. */
void node_forget_holder (Node *self, SatinNodeId holder);
/* @path: from where the walk began. */
void node_walk (const Node *self, GByteArray *path, EntryFunc func, gpointer user_data);
void node_walk_below (const Node *self, GByteArray *path, EntryFunc func, gpointer user_data);

/* ---- the book ---- */

void hintbook_unref (Hintbook *self);
/* @data: (transfer full): the book; on the loop, after a tree was put among those that are over */
void hintbook_tell_over (gpointer data);
