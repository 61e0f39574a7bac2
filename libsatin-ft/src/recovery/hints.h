/* hints.h - what is known of the descendants of a job that runs again
 *
 * A Tree is of one lost exported job; its nodes are children by number, and where
 * an orphan belongs lies an entry with the orphan's key. Hints are a counted handle on a node; the
 * job is over when the last handle on its tree is gone.
 *
 * Threads: any; one lock for all trees of a node, in Hintbook. Whoever looks after them hears of a
 * tree's end on the loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "result-table.h"

typedef struct _Hintbook Hintbook;
typedef struct _Tree Tree;
typedef struct _Hints Hints;

/* An orphan, as it is told of. */
typedef struct
{
  guint8 key[KEY_BYTES];
  SatinNodeId holder;
  SatinJobRef ref; /* what its lost owner called it */
} Entry;

typedef void (*EntryFunc) (const guint8 *path, gsize n_path, const Entry *entry,
                           gpointer user_data);

/* @ended: on the loop, for each tree whose job is over; it frees the tree. */
Hintbook *hintbook_new (SatinLoop *loop, void (*ended) (Tree *tree, gpointer user_data),
                        gpointer user_data);
/* Trees that jobs have live on, and nobody hears of their end. */
void hintbook_free (Hintbook *self);

/* @ref: by which the owner of its job knows the job. */
Tree *tree_new (Hintbook *book, const SatinJobRef *ref);
void tree_free (Tree *self);
/* How long its job has run here, with the parts that have hints. */
gint64 tree_get_ran_us (Tree *self);
/* Whether its job went back undone. */
gboolean tree_is_given_back (Tree *self);

/* Whether it is there already is looked at. Returns: FALSE when @path cannot be read */
gboolean tree_add (Tree *self, const guint8 *path, gsize n_path, const Entry *entry);
/* What @holder had is not to be had any more; 0: nor what anybody had. */
void tree_forget_holder (Tree *self, SatinNodeId holder);
/* The entries that nobody took. */
void tree_foreach_left (Tree *self, EntryFunc func, gpointer user_data);

/* A handle on its root. (transfer full) */
Hints *hints_new (Tree *tree);
Tree *hints_get_tree (const Hints *self);
/* Where in the tree its job is. (transfer full) */
GByteArray *hints_get_path (const Hints *self);
/* What hintbook_new() was given. */
gpointer hints_get_user_data (const Hints *self);
void hints_add_ran (Hints *self, gint64 duration_us);
/* Gives it up: its job is over, or another has it now. */
void hints_end (Hints *self);
/* The job came from another node and goes back there undone: its owner knows all that they know. */
void hints_note_given_back (Hints *self);
/* The entries below its job, with their paths from there. Not those at its own place: their keys
 * are others, or it would not run. */
void hints_foreach_below (Hints *self, EntryFunc func, gpointer user_data);
/* The job was exported to @to under the name @index and @generation; 0: it is here again. */
void hints_set_exported (Hints *self, SatinNodeId to, gint32 index, gint64 generation);
/* Whom to tell of an orphan that belongs at @path: 0 for nobody else. @ret_skip is how much of the
 * path leads there. */
SatinNodeId tree_find_exported (Tree *self, const guint8 *path, gsize n_path, SatinJobRef *ret_ref,
                                gsize *ret_skip);

void hints_look (Hints *self, const SatinChild *child, SatinLook *ret_look);
void hints_look_self (Hints *self, SatinLook *ret_look);
