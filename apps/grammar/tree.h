/* tree.h - the prefix tree of a sample: an automaton that knows the strings and nothing else
 *
 * The tree has a node for each string of which a string of the sample begins. The node says whether
 * that string is accepted or rejected, or that the sample does not have it.
 *
 * Threads: any, as long as nobody changes the tree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sample.h"

G_BEGIN_DECLS

/* The most nodes times letters. */
#define TREE_MAX_CHILDREN 8000000

enum
{
  TREE_UNKNOWN,  /* the sample does not have the string */
  TREE_ACCEPTED, /* the string must be accepted */
  TREE_REJECTED, /* the string must be rejected */
};

/**
 * Tree:
 * @n_letters: number of different symbols, from 1 to %SAMPLE_MAX_LETTERS
 * @labels: for each node, what is known of its string; node 0 is the empty string
 * @children: for each node @n_letters nodes whose numbers are greater, or 0 for no child
 */
SATIN_RECORD (Tree, (int, n_letters), (bytes, labels), (array_int, children))

/**
 * tree_build:
 * @ret_tree: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_INVALID when a string is both accepted and rejected; %SATIN_ERROR_LIMIT when
 *   the tree is too large
 *
 * Returns: %TRUE on success
 */
gboolean tree_build (const Sample *sample, Tree *ret_tree, GError **error);

/**
 * tree_check:
 * @self: a tree that may come from another node of the run
 * @error: %SATIN_ERROR_JOB when a number is out of its range, or sizes do not fit together
 */
gboolean tree_check (const Tree *self, GError **error);

G_END_DECLS
