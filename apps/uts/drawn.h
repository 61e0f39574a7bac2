/* drawn.h - draws how many nodes a subtree has, instead of searching it
 *
 * For simulations of trees that are too large to be searched. The subtree is not that of the
 * benchmark, but one of the same distribution.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tree.h"

G_BEGIN_DECLS

/* The most nodes of a drawn subtree. */
#define UTS_MAX_DRAWN G_GINT64_CONSTANT (1000000000000000)

/**
 * uts_drawn_count:
 * @tree: a tree for which uts_tree_can_be_drawn() is true: each node above max_depth has the same
 *   distribution of children
 * @node: the root of the subtree; the result follows from its state
 * @n_children: its number of children
 * @depth: its depth
 * @count: @node and a drawn number of nodes below it are added
 *
 * The number of nodes is drawn level by level. While a level has few nodes, each of them draws its
 * children. The sum of many draws is taken from the normal distribution with the same mean and
 * variance. The number of leaves above max_depth is the expected one. A subtree ends when it has
 * about %UTS_MAX_DRAWN nodes.
 *
 * Cost: a few microseconds, whatever the size of the subtree.
 */
void uts_drawn_count (const UtsTree *tree, const UtsNode *node, guint n_children, gint32 depth,
                      UtsCount *count);

G_END_DECLS
