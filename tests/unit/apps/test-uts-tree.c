/* test-uts-tree.c - tests small trees of Unbalanced Tree Search
 *
 * The process tests search the published trees.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "uts/drawn.h"

#include <math.h>

/* Returns: a tree with the benchmark's defaults, but with @seed */
static UtsTree
make_tree (gint32 seed, UtsNode *ret_root)
{
  UtsTree tree;
  g_assert_true (uts_tree_init (NULL, &tree, NULL));
  tree.seed = seed;
  uts_tree_root (&tree, ret_root);
  return tree;
}

static UtsCount
search (const UtsTree *tree)
{
  UtsCount count = { 0 };
  UtsNode root;
  uts_tree_root (tree, &root);
  uts_tree_search (tree, &root, 0, &count);
  return count;
}

/* The state of the root is the SHA-1 of 16 zero bytes and the seed, here 19. */
static void
test_root_is_digest_of_seed (void)
{
  guint8 message[20] = { [19] = 19 };
  g_autofree char *expected = g_compute_checksum_for_data (G_CHECKSUM_SHA1, message, 20);
  UtsNode root;
  make_tree (19, &root);
  g_autofree char *state =
      g_strdup_printf ("%08x%08x%08x%08x%08x", root.h0, root.h1, root.h2, root.h3, root.h4);
  g_assert_cmpstr (state, ==, expected);
}

static void
test_children_differ (void)
{
  UtsNode root, first, second;
  UtsTree tree = make_tree (1, &root);
  uts_tree_child (&tree, &root, 0, &first);
  uts_tree_child (&tree, &root, 1, &second);
  g_assert_cmpint (first.h0, !=, second.h0);
}

static void
test_granularity_changes_no_tree (void)
{
  UtsTree tree;
  UtsNode root;
  tree = make_tree (34, &root);
  UtsCount once = search (&tree);
  tree.granularity = 3;
  UtsCount thrice = search (&tree);
  g_assert_cmpint (thrice.nodes, ==, once.nodes);
}

static void
test_balanced_is_complete (void)
{
  UtsNode root;
  UtsTree tree = make_tree (0, &root);
  tree.type = UTS_BALANCED;
  tree.max_depth = 5;
  tree.branching = 3;
  UtsCount count = search (&tree);
  g_assert_cmpint (count.nodes, ==, 1 + 3 + 9 + 27 + 81 + 243);
  g_assert_cmpint (count.leaves, ==, 243);
  g_assert_cmpint (count.depth, ==, 5);
}

static void
test_binomial_root_has_its_branching (void)
{
  UtsTree tree;
  UtsNode root;
  g_assert_true (uts_tree_init ("T3", &tree, NULL));
  uts_tree_root (&tree, &root);
  g_assert_cmpuint (uts_tree_n_children (&tree, &root, 0), ==, 2000);
}

static void
test_geometric_children_are_capped (void)
{
  UtsNode root;
  UtsTree tree = make_tree (0, &root);
  tree.branching = UTS_MAX_BRANCHING;
  root.h4 = G_MAXINT32;
  g_assert_cmpuint (uts_tree_n_children (&tree, &root, 0), ==, UTS_MAX_CHILDREN);
}

/* With a branching of 0, a division by 0 must not lead to endless children. */
static void
test_no_mean_no_children (void)
{
  UtsNode root;
  UtsTree tree = make_tree (0, &root);
  tree.branching = 0;
  for (tree.shape = UTS_LINEAR; tree.shape <= UTS_FIXED; tree.shape++)
    {
      g_assert_cmpuint (uts_tree_n_children (&tree, &root, 0), ==, 0);
      g_assert_cmpuint (uts_tree_n_children (&tree, &root, 2), ==, 0);
    }
}

static void
test_samples_are_in_range (void)
{
  const char *names[] = { "T1",   "T2",    "T3",    "T4",    "T5",   "T1L",  "T2L", "T3L",
                          "T1XL", "T1XXL", "T2XXL", "T3XXL", "T1WL", "T2WL", "T3WL" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      UtsTree tree;
      g_assert_true (uts_tree_init (names[i], &tree, NULL));
      g_assert_true (uts_tree_check (&tree, NULL));
    }
}

/* The root of a subtree with the number @seed. */
static UtsNode
any_node (guint64 seed)
{
  return (UtsNode){ .h0 = (gint32)g_random_int_range (0, G_MAXINT32), .h1 = (gint32)seed };
}

/* A tree S(k) of k levels below its root, with four children on average, has the mean 1, 5, 21, 85,
 * 341. Its variance is 4 V(k - 1) + 20 mean(k - 1)^2, which is 189,060 for four levels. The drawn
 * trees have a root with four such trees: the mean 1,365 and the standard deviation 869.6. */
static void
test_drawn_trees_have_the_mean (void)
{
  const guint n = 20000;
  UtsTree tree;
  double sum = 0, squares = 0;
  g_assert_true (uts_tree_init ("T1", &tree, NULL));
  for (guint i = 0; i < n; i++)
    {
      UtsCount count = { 0 };
      UtsNode node = any_node (i);
      uts_drawn_count (&tree, &node, 4, tree.max_depth - 5, &count);
      g_assert_cmpint (count.depth, <=, tree.max_depth);
      sum += (double)count.nodes;
      squares += (double)count.nodes * (double)count.nodes;
    }
  double mean = sum / n;
  g_assert_cmpfloat (mean, >, 1365 - 5 * 7);
  g_assert_cmpfloat (mean, <, 1365 + 5 * 7);
  g_assert_cmpfloat (sqrt (squares / n - mean * mean), >, 869.6 * 0.96);
  g_assert_cmpfloat (sqrt (squares / n - mean * mean), <, 869.6 * 1.04);
}

/* Searches the tree down to @depth, and draws what is below. */
static void
search_above (const UtsTree *tree, const UtsNode *node, gint32 depth, UtsCount *count)
{
  guint n_children = uts_tree_n_children (tree, node, depth);
  if (depth == tree->drawn_depth)
    {
      uts_drawn_count (tree, node, n_children, depth, count);
      return;
    }
  count->nodes++;
  for (guint i = 0; i < n_children; i++)
    {
      UtsNode child;
      uts_tree_child (tree, node, i, &child);
      search_above (tree, &child, depth + 1, count);
    }
}

/* Below 16,000 nodes, the sizes of the subtrees even out. */
static void
test_drawn_below_is_about_the_tree (void)
{
  UtsTree tree;
  UtsNode root;
  UtsCount count = { 0 };
  g_assert_true (uts_tree_init ("T1", &tree, NULL));
  tree.drawn_depth = 7;
  uts_tree_root (&tree, &root);
  search_above (&tree, &root, 0, &count);
  g_assert_cmpfloat ((double)count.nodes, >, 0.98 * 4130071);
  g_assert_cmpfloat ((double)count.nodes, <, 1.02 * 4130071);
}

static void
test_drawn_depth_is_for_fixed_shape (void)
{
  g_autoptr (GError) error = NULL;
  UtsTree tree;
  g_assert_true (uts_tree_init ("T3", &tree, NULL));
  tree.drawn_depth = 5;
  g_assert_false (uts_tree_check (&tree, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_unknown_sample_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  UtsTree tree;
  g_assert_false (uts_tree_init ("T9", &tree, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
assert_refused (const UtsTree *tree, const char *option)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (uts_tree_check (tree, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, option));
}

static void
test_out_of_range_is_refused (void)
{
  UtsNode root;
  UtsTree tree = make_tree (0, &root);
  tree.type = UTS_BALANCED + 1;
  assert_refused (&tree, "--type");
  tree = make_tree (0, &root);
  tree.max_depth = 0;
  assert_refused (&tree, "--depth");
  tree = make_tree (0, &root);
  tree.branching = UTS_MAX_BRANCHING + 1;
  assert_refused (&tree, "--branching");
  tree = make_tree (0, &root);
  tree.granularity = 0;
  assert_refused (&tree, "--granularity");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-uts-tree/root-is-digest-of-seed", test_root_is_digest_of_seed);
  g_test_add_func ("/app-uts-tree/children-differ", test_children_differ);
  g_test_add_func ("/app-uts-tree/granularity-changes-no-tree", test_granularity_changes_no_tree);
  g_test_add_func ("/app-uts-tree/balanced-is-complete", test_balanced_is_complete);
  g_test_add_func ("/app-uts-tree/binomial-root-has-its-branching",
                   test_binomial_root_has_its_branching);
  g_test_add_func ("/app-uts-tree/geometric-children-are-capped",
                   test_geometric_children_are_capped);
  g_test_add_func ("/app-uts-tree/no-mean-no-children", test_no_mean_no_children);
  g_test_add_func ("/app-uts-tree/samples-are-in-range", test_samples_are_in_range);
  g_test_add_func ("/app-uts-tree/drawn-trees-have-the-mean", test_drawn_trees_have_the_mean);
  g_test_add_func ("/app-uts-tree/drawn-below-is-about-the-tree",
                   test_drawn_below_is_about_the_tree);
  g_test_add_func ("/app-uts-tree/drawn-depth-is-for-fixed-shape",
                   test_drawn_depth_is_for_fixed_shape);
  g_test_add_func ("/app-uts-tree/unknown-sample-is-refused", test_unknown_sample_is_refused);
  g_test_add_func ("/app-uts-tree/out-of-range-is-refused", test_out_of_range_is_refused);
  return g_test_run ();
}
