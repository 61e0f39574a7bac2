/* uts.c - Unbalanced Tree Search: counts the nodes of a tree that cannot be divided in advance
 *
 * Every node of the tree that has children is one job. The node is passed by value, and the
 * description of the tree by reference. So a job is small on its own node, and gets a copy of the
 * description only when it goes to another node.
 *
 * In a simulation a node can be charged a time (--node-ns): the job that makes the node is charged,
 * as it does the work. Large trees can be cut off at a depth (--drawn-depth): a subtree that begins
 * there is one job, which is charged the time of a drawn number of nodes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
#include "../common/options.h"
#include "drawn.h"

/* A node with more children than this keeps their results on the heap. The root may have more
 * children than a stack has room for. */
#define MAX_ON_STACK 256

/* The longest charge of a drawn subtree, 30 years. */
#define PIECE_MAX_NS 1e18

static gboolean
check_arguments (const UtsTree *tree, gsize n_tree, int depth, int n_children, GError **error)
{
  if (n_tree != 1)
    return app_argument_refuse ("there is not one tree", error);
  if (tree->drawn_depth > 0 && !uts_tree_can_be_drawn (tree))
    return app_argument_refuse ("such a tree cannot be drawn", error);
  return app_argument_check ("granularity", tree->granularity, 1, G_MAXINT32, error)
         && app_argument_check ("time of a node", tree->node_ns, 0, UTS_MAX_NODE_NS, error)
         && app_argument_check ("depth", depth, 0, UTS_MAX_DEPTH, error)
         && app_argument_check ("number of children", n_children, 0, UTS_MAX_BRANCHING, error);
}

/* Counts @node, which has @n_children, and everything below it. A child without children makes no
 * job, because there is nothing below it to search. */
SATIN_TASK (uts, (record, UtsCount), (record, node, UtsNode), (int, depth), (int, n_children),
            (array_record, tree, UtsTree))
{
  GError *error = NULL;
  if (!check_arguments (tree, n_tree, depth, n_children, &error))
    {
      satin_fail (error);
      return (UtsCount){ 0 };
    }
  if (tree->drawn_depth > 0 && depth >= tree->drawn_depth)
    {
      UtsCount drawn = { 0 };
      uts_drawn_count (tree, &node, (guint)n_children, depth, &drawn);
      satin_charge ((gint64)MIN ((double)(drawn.nodes - 1) * tree->node_ns, PIECE_MAX_NS));
      return drawn;
    }
  UtsCount count = { .nodes = 1, .leaves = n_children == 0, .depth = depth + (n_children > 0) };
  g_autofree UtsCount *many = n_children > MAX_ON_STACK ? g_new (UtsCount, n_children) : NULL;
  UtsCount *counts = many != NULL ? many : g_newa (UtsCount, n_children);
  gint32 n_searched = 0;
  for (gint32 i = 0; i < n_children; i++)
    {
      UtsNode child;
      uts_tree_child (tree, &node, i, &child);
      if (tree->node_ns > 0)
        satin_charge (tree->node_ns);
      gint32 n_below = uts_tree_n_children (tree, &child, depth + 1);
      if (n_below > 0)
        SATIN_SPAWN (&counts[n_searched++], uts, child, depth + 1, n_below, tree, n_tree);
    }
  gint32 n_empty = n_children - n_searched;
  count.nodes += n_empty;
  count.leaves += n_empty;
  SATIN_SYNC_OR_RETURN (count);
  for (gint32 i = 0; i < n_searched; i++)
    uts_count_add (&count, &counts[i]);
  return count;
}

/* ---- the command line ---- */

typedef struct
{
  AppOptions common;
  UtsTree tree;
} UtsOptions;

static const char summary[] =
    "Counts the nodes of a tree of the Unbalanced Tree Search benchmark.\n\n"
    "TREE is a published sample: T1 T2 T3 T4 T5 (4 million nodes), T1L T2L T3L\n"
    "(100 million), T1XL T1XXL T2XXL T3XXL T1WL T2WL T3WL; options change it.";

static gboolean
read_options (const SatinString *argv, gsize n_argv, UtsOptions *options, GError **error)
{
  UtsTree *tree = &options->tree;
  const GOptionEntry entries[] = {
    { "type", 't', 0, G_OPTION_ARG_INT, &tree->type,
      "0 binomial, 1 geometric, 2 hybrid, 3 balanced", "TYPE" },
    { "shape", 'a', 0, G_OPTION_ARG_INT, &tree->shape,
      "Geometric: 0 linear, 1 exponential, 2 cyclic, 3 fixed", "SHAPE" },
    { "depth", 'd', 0, G_OPTION_ARG_INT, &tree->max_depth, "Geometric: levels", "N" },
    { "branching", 'b', 0, G_OPTION_ARG_DOUBLE, &tree->branching, "Children of the root", "X" },
    { "seed", 'r', 0, G_OPTION_ARG_INT, &tree->seed, "Number of the tree", "N" },
    { "probability", 'q', 0, G_OPTION_ARG_DOUBLE, &tree->probability,
      "Binomial: share of nodes with children", "X" },
    { "children", 'm', 0, G_OPTION_ARG_INT, &tree->n_children,
      "Binomial: how many children those have", "N" },
    { "shift", 'f', 0, G_OPTION_ARG_DOUBLE, &tree->shift, "Hybrid: share of geometric levels",
      "X" },
    { "granularity", 'g', 0, G_OPTION_ARG_INT, &tree->granularity,
      "How often the work of a node is done", "N" },
    { "node-ns", 0, 0, G_OPTION_ARG_INT, &tree->node_ns,
      "In a simulation: nanoseconds that a node takes (0)", "N" },
    { "drawn-depth", 0, 0, G_OPTION_ARG_INT, &tree->drawn_depth,
      "For simulations: subtrees at this depth are drawn by chance, not searched; 0: none", "N" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[TREE]", summary, entries };
  g_autofree char *name = NULL, *same_name = NULL;
  if (!uts_tree_init (NULL, tree, error)
      || !app_options_parse (&usage, argv, n_argv, &options->common, &name, error))
    return FALSE;
  if (options->common.is_help)
    return TRUE;
  /* If a sample is named, parse the options again, because they change the sample. */
  if (name != NULL
      && (!uts_tree_init (name, tree, error)
          || !app_options_parse (&usage, argv, n_argv, &options->common, &same_name, error)))
    return FALSE;
  return uts_tree_check (tree, error);
}

static void
print_time (const UtsOptions *options, const UtsNode *root, gint64 n_jobs, gint64 time_us)
{
  /* A tree that is drawn in part is too large to be searched. */
  if (options->common.is_sequential || options->tree.drawn_depth > 0)
    {
      app_print_time ("uts", time_us, 0, 0);
      return;
    }
  UtsCount count = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  uts_tree_search (&options->tree, root, 0, &count);
  app_print_time ("uts", time_us, n_jobs, g_get_monotonic_time () - started_us);
}

SATIN_TASK (uts_main, (int), (array_string, argv))
{
  UtsOptions options;
  GError *error = NULL;
  if (!read_options (argv, n_argv, &options, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (options.common.is_help)
    return 0;

  UtsNode root;
  UtsCount count = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  uts_tree_root (&options.tree, &root);
  if (options.common.is_sequential)
    uts_tree_search (&options.tree, &root, 0, &count);
  else
    SATIN_SPAWN (&count, uts, root, 0, uts_tree_n_children (&options.tree, &root, 0), &options.tree,
                 1);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  g_print ("uts: %" G_GINT64_FORMAT " nodes, depth %d, %" G_GINT64_FORMAT " leaves%s\n",
           count.nodes, count.depth, count.leaves,
           options.tree.drawn_depth > 0 && !options.common.is_sequential ? ", drawn in part" : "");
  if (options.common.is_timed)
    print_time (&options, &root, MAX (count.nodes - count.leaves, 1), time_us);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, uts_main);
}
