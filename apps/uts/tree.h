/* tree.h - the trees of the Unbalanced Tree Search benchmark
 *
 * A tree is a few numbers, and a node is the state of a random number generator. The number of a
 * node's children, and the children themselves, are computed from these. So a tree of any size
 * needs no memory, and the size of a subtree is not known before the subtree is searched. The
 * numbers of nodes are published, so a search can be checked.
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
  UTS_BINOMIAL = 0,  /* all children or none, with the same probability everywhere below the root */
  UTS_GEOMETRIC = 1, /* random, around a mean that depends on the depth, see UtsShape */
  UTS_HYBRID = 2,    /* geometric near the root, binomial below */
  UTS_BALANCED = 3,  /* the same number everywhere above max_depth */
} UtsType;

/* How the mean in a geometric tree depends on the depth. */
typedef enum
{
  UTS_LINEAR = 0,      /* falls to 0 at max_depth */
  UTS_EXPONENTIAL = 1, /* falls as a power of the depth */
  UTS_CYCLIC = 2,      /* rises and falls, and ends at five times max_depth */
  UTS_FIXED = 3,       /* stays the same, and ends at max_depth */
} UtsShape;

/* The most children of any node except the root of a binomial tree and the nodes of a balanced
 * tree. */
#define UTS_MAX_CHILDREN 100
/* The longest charge for a node, a second. */
#define UTS_MAX_NODE_NS 1000000000
/* The most children of the root of a binomial tree, and of the nodes of a balanced tree. */
#define UTS_MAX_BRANCHING 100000
/* A job refuses a greater depth. The published trees are up to a million levels deep. */
#define UTS_MAX_DEPTH 10000000

/**
 * UtsTree:
 * @type: an UtsType
 * @shape: an UtsShape, for geometric and hybrid trees
 * @max_depth: the depth that UtsShape refers to; in a balanced tree the depth of the leaves; unused
 *   in a binomial tree
 * @branching: number of children of the root; in a geometric or hybrid tree its mean; in a balanced
 *   tree the number for all nodes
 * @seed: another tree of the kind for each seed
 * @probability: probability that a binomial node has children, in [0, 1]
 * @n_children: number of children of a binomial node that has any
 * @shift: share of @max_depth in which a hybrid tree is geometric
 * @granularity: how often the work of making a node is done, 1 or more
 * @node_ns: what a node is charged in a simulation, nanoseconds; 0: nothing
 * @drawn_depth: subtrees at this depth are drawn (drawn.h), and charged as one piece of work; 0:
 * all nodes are searched
 */
SATIN_RECORD (UtsTree, (int, type), (int, shape), (int, max_depth), (double, branching),
              (int, seed), (double, probability), (int, n_children), (double, shift),
              (int, granularity), (int, node_ns), (int, drawn_depth))

/* A node: the state of the random number generator, five words of SHA-1. */
SATIN_RECORD (UtsNode, (int, h0), (int, h1), (int, h2), (int, h3), (int, h4))

/* Result of a search: number of nodes, number of nodes without children, and the largest depth. */
SATIN_RECORD (UtsCount, (long, nodes), (long, leaves), (int, depth))

/**
 * uts_tree_init:
 * @name: (nullable): a published sample tree, such as "T1" or "T3L"; %NULL for the benchmark's
 *   defaults
 * @ret_tree: (out caller-allocates)
 * @error: %SATIN_ERROR_INVALID for an unknown name
 *
 * Returns: %TRUE on success
 */
gboolean uts_tree_init (const char *name, UtsTree *ret_tree, GError **error);

/* Whether subtrees of @tree can be drawn: it is geometric and of the fixed shape, and its mean is
 * above 0, and at most UTS_MAX_CHILDREN. */
gboolean uts_tree_can_be_drawn (const UtsTree *tree);

/* Checks that all numbers are in range. @error: %SATIN_ERROR_INVALID, with a message that names the
 * first wrong option */
gboolean uts_tree_check (const UtsTree *tree, GError **error);

void uts_tree_root (const UtsTree *tree, UtsNode *ret_root);

/* Returns: the number of children of @node. @depth: depth of @node; 0 for the root. Cost: up to
 * five calls of libm */
guint uts_tree_n_children (const UtsTree *tree, const UtsNode *node, gint32 depth);

/* Makes child @index of @node. Cost: about 55 ns, which is one SHA-1, times the granularity */
void uts_tree_child (const UtsTree *tree, const UtsNode *node, guint index, UtsNode *ret_child);

/* Adds the result of a subtree to the result of the node above it. */
static inline void
uts_count_add (UtsCount *count, const UtsCount *child)
{
  count->nodes += child->nodes;
  count->leaves += child->leaves;
  count->depth = MAX (count->depth, child->depth);
}

/* Adds @node and everything below it to @count, by plain recursion. @depth: depth of @node */
void uts_tree_search (const UtsTree *tree, const UtsNode *node, gint32 depth, UtsCount *count);

G_END_DECLS
