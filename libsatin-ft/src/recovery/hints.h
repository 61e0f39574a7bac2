/* hints.h - the hints of jobs that run again: which orphans belong below them
 *
 * Each lost job has a Tree, which has the shape of the tree of its descendants: the children of a
 * tree node have the numbers of jobs in their frame. An Entry lies at the tree node where an orphan
 * belongs, with the orphan's key. A Hints is a handle on one tree node, for the job that runs at
 * this place. The lost job is over when the last handle on its tree is gone.
 *
 * Threads: any. One lock, in the Hintbook, guards all trees. The Hintbook reports the end of a tree
 * on the loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "result-table.h"

typedef struct _Hintbook Hintbook;
typedef struct _Tree Tree;
typedef struct _Hints Hints;

/* An announced orphan. */
typedef struct
{
  guint8 key[KEY_BYTES];
  SatinNodeId holder;
  gboolean is_leaving; /* the holder is leaving, so another node may have the orphan now */
  SatinJobRef ref;     /* the name that the lost owner gave the orphan */
} Entry;

typedef void (*EntryFunc) (const guint8 *path, gsize n_path, const Entry *entry,
                           gpointer user_data);

/* Makes a book without trees. @ended: runs on the loop for each tree whose job is over, and frees
 * the tree */
Hintbook *hintbook_new (SatinLoop *loop, void (*ended) (Tree *tree, gpointer user_data),
                        gpointer user_data);
/* Frees the book. Trees with handles stay until the handles are gone. @ended does not run any
 * more. */
void hintbook_free (Hintbook *self);

/* Makes the tree of a lost job, without entries. @ref: the name that the job's owner gave the
 * job */
Tree *tree_new (Hintbook *book, const SatinJobRef *ref);
void tree_free (Tree *self);
/* How long the lost job, and those of its descendants that have hints, have run here. */
gint64 tree_get_ran_us (Tree *self);
/* Whether the job went back undone to the node from which it came. */
gboolean tree_is_given_back (Tree *self);

/* Adds @entry. If an entry of the same orphan with another holder is at @path, replaces that entry,
 * unless the holder of @entry is leaving. Returns: FALSE when @path cannot be read */
gboolean tree_add (Tree *self, const guint8 *path, gsize n_path, const Entry *entry);
/* Removes the entries of @holder; 0: all entries. */
void tree_forget_holder (Tree *self, SatinNodeId holder);
/* Calls @func for each entry that no job has taken. If the job was given back, calls it for
 * none. */
void tree_foreach_left (Tree *self, EntryFunc func, gpointer user_data);

/* Makes a handle on the root of @tree. Returns: (transfer full) */
Hints *hints_new (Tree *tree);
Tree *hints_get_tree (const Hints *self);
/* The path from the tree's root to the job of the handle. Returns: (transfer full) */
GByteArray *hints_get_path (const Hints *self);
/* The user_data of hintbook_new(). */
gpointer hints_get_user_data (const Hints *self);
void hints_add_ran (Hints *self, gint64 duration_us);
/* Gives up the handle: its job is over, or another node has the job now. */
void hints_end (Hints *self);
/* Notes that the job goes back undone to its owner, from which it came. The owner knows all of
 * these hints. */
void hints_note_given_back (Hints *self);
/* Calls @func for the entries below the job, with their paths from the job. Leaves out entries at
 * the job's own place: they are of another round of the frame that spawned the job, or came too
 * late for the job to adopt. */
void hints_foreach_below (Hints *self, EntryFunc func, gpointer user_data);
/* Notes that the job was exported to node @to under the name (@index, @generation). @to 0: the job
 * is here again. */
void hints_set_exported (Hints *self, SatinNodeId to, gint32 index, gint64 generation);
/* Finds the last job on the way to @path that was exported. Returns: the node that has it, which
 * must hear of an orphan at @path; 0 for none. @ret_ref: the job's name, without the owner.
 * @ret_skip: how many bytes of @path lead to this job */
SatinNodeId tree_find_exported (Tree *self, const guint8 *path, gsize n_path, SatinJobRef *ret_ref,
                                gsize *ret_skip);

void hints_look (Hints *self, const SatinChild *child, SatinLook *ret_look);
void hints_look_self (Hints *self, SatinLook *ret_look);
