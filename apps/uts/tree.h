/* tree.h - the trees of the Unbalanced Tree Search benchmark
 *
 * A tree is a few numbers; a node is a random number generator's state. Which
 * children a node has follows from the two, so a tree of any size needs no
 * memory, nobody knows the size of a subtree before it was searched, and the
 * published counts check the search.
 *
 * Threads: any. Source: Olivier et al., "UTS: An Unbalanced Tree Search
 * Benchmark", LCPC 2006, and the sample trees published with it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

/* How the number of a node's children is distributed. */
typedef enum
{
  UTS_BINOMIAL = 0,  /* all children or none, alike everywhere below the root */
  UTS_GEOMETRIC = 1, /* around a mean that follows from the depth, see UtsShape */
  UTS_HYBRID = 2,    /* geometric near the root, binomial below */
  UTS_BALANCED = 3,  /* the same everywhere */
} UtsType;

/* How the mean of a geometric tree follows from the depth. */
typedef enum
{
  UTS_LINEAR = 0,      /* falls to 0 at max_depth */
  UTS_EXPONENTIAL = 1, /* falls as a power of the depth */
  UTS_CYCLIC = 2,      /* rises and falls, up to five times max_depth */
  UTS_FIXED = 3,       /* stays, and ends at max_depth */
} UtsShape;

/* The most children of any node but the root of a binomial tree. */
#define UTS_MAX_CHILDREN 100
/* The most children of the root of a binomial tree, and of all nodes of a balanced one. */
#define UTS_MAX_BRANCHING 100000

/**
 * UtsTree:
 * @type: an UtsType
 * @shape: an UtsShape, for geometric and hybrid trees
 * @max_depth: levels, in the way @shape says; unused in binomial trees
 * @branching: children of the root, in geometric trees their mean
 * @seed: number of the tree among its likes
 * @probability: for binomial nodes, that they have children; in [0, 1]
 * @n_children: how many children a binomial node then has
 * @shift: share of @max_depth in which a hybrid tree is geometric
 * @granularity: how often the work of making a node is done, 1 or more
 */
SATIN_RECORD (UtsTree, (int, type), (int, shape), (int, max_depth), (double, branching),
              (int, seed), (double, probability), (int, n_children), (double, shift),
              (int, granularity))

/* A node: the state of the random number generator, five words of SHA-1. */
SATIN_RECORD (UtsNode, (int, h0), (int, h1), (int, h2), (int, h3), (int, h4))

/* What a search finds: nodes, those without children, and the depth of the deepest. */
SATIN_RECORD (UtsCount, (long, nodes), (long, leaves), (int, depth))

/**
 * uts_tree_init:
 * @name: (nullable): a published sample tree, as "T1" or "T3L"; %NULL for the benchmark's defaults
 * @ret_tree: (out caller-allocates)
 * @error: %SATIN_ERROR_INVALID for an unknown name
 *
 * Returns: %TRUE on success
 */
gboolean uts_tree_init (const char *name, UtsTree *ret_tree, GError **error);

/* Whether all numbers are in range; @error: %SATIN_ERROR_INVALID, naming the first that is not. */
gboolean uts_tree_check (const UtsTree *tree, GError **error);

void uts_tree_root (const UtsTree *tree, UtsNode *ret_root);

/* How many children @node has; the root's @depth is 0. Cost: up to four functions of libm */
guint uts_tree_n_children (const UtsTree *tree, const UtsNode *node, gint32 depth);

/* Makes child @index of @node. Cost: @granularity times one SHA-1 of a block, about 55 ns */
void uts_tree_child (const UtsTree *tree, const UtsNode *node, guint index, UtsNode *ret_child);

/* Adds what was found in a child to what was found in its parent and the other children. */
static inline void
uts_count_add (UtsCount *count, const UtsCount *child)
{
  count->nodes += child->nodes;
  count->leaves += child->leaves;
  count->depth = MAX (count->depth, child->depth);
}

/* Adds what lies in and below @node, which is @depth deep, to @count, by plain recursion. */
void uts_tree_search (const UtsTree *tree, const UtsNode *node, gint32 depth, UtsCount *count);

G_END_DECLS
