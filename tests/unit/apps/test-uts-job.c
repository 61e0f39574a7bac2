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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-uts-job/wrong-arguments-are-refused", test_wrong_arguments_are_refused);
  g_test_add_func ("/app-uts-job/wrong-tree-is-refused-below", test_wrong_tree_is_refused_below);
  return g_test_run ();
}
