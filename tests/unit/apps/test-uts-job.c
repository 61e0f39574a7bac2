/* test-uts-job.c - jobs of uts refuse trees and numbers that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrong-job.h"

#include "uts/uts.c"
#undef main

static void
test_wrong_arguments_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  UtsTree tree;
  UtsNode node;
  UtsCount count;
  g_assert_true (uts_tree_init (NULL, &tree, NULL));
  uts_tree_root (&tree, &node);
  g_assert_true (satin_run (workers, &count, uts, NULL, node, 0, 3, &tree, 1));
  g_assert_cmpint (count.nodes, >=, 4);

  ASSERT_REFUSED (workers, "not one tree", &count, uts, node, 0, 3, NULL, 0);
  ASSERT_REFUSED (workers, "number of children", &count, uts, node, 0, -1, &tree, 1);
  ASSERT_REFUSED (workers, "number of children", &count, uts, node, 0, G_MAXINT32, &tree, 1);
  ASSERT_REFUSED (workers, "depth", &count, uts, node, G_MININT32, 3, &tree, 1);
  ASSERT_REFUSED (workers, "depth", &count, uts, node, G_MAXINT32, 3, &tree, 1);
  tree.drawn_depth = 5;
  ASSERT_REFUSED (workers, "cannot be drawn", &count, uts, node, 5, 3, &tree, 1);
  tree.drawn_depth = 0;
  tree.node_ns = -1;
  ASSERT_REFUSED (workers, "time of a node", &count, uts, node, 0, 3, &tree, 1);
  tree.node_ns = 0;
  tree.granularity = 0;
  ASSERT_REFUSED (workers, "granularity", &count, uts, node, 0, 3, &tree, 1);
}

/* The nodes of this tree have more children than any job may have. */
static void
test_wrong_tree_is_refused_below (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  const UtsTree tree = {
    .type = UTS_BINOMIAL, .probability = 1, .n_children = G_MAXINT32, .granularity = 1
  };
  UtsNode node = { 0 };
  UtsCount count;
  ASSERT_REFUSED (workers, "number of children", &count, uts, node, 0, 1, &tree, 1);
}

/* The drawn subtree would have 100 to the power of a billion nodes. */
static void
test_drawn_subtree_ends (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  const UtsTree tree = { .type = UTS_GEOMETRIC,
                         .shape = UTS_FIXED,
                         .max_depth = 1000000000,
                         .branching = UTS_MAX_CHILDREN,
                         .granularity = 1,
                         .node_ns = UTS_MAX_NODE_NS,
                         .drawn_depth = 1 };
  UtsNode node = { 0 };
  UtsCount count;
  g_assert_true (satin_run (workers, &count, uts, NULL, node, 1, 90, &tree, 1));
  g_assert_cmpint (count.nodes, >=, UTS_MAX_DRAWN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-uts-job/wrong-arguments-are-refused", test_wrong_arguments_are_refused);
  g_test_add_func ("/app-uts-job/wrong-tree-is-refused-below", test_wrong_tree_is_refused_below);
  g_test_add_func ("/app-uts-job/drawn-subtree-ends", test_drawn_subtree_ends);
  return g_test_run ();
}
