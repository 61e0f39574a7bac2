/* uts-openmp.c - apps/uts with OpenMP tasks, for comparison: uts-openmp TREE WORKERS
 *
 * Every node of the tree is a task. Deep trees need larger stacks: OMP_STACKSIZE and ulimit -s.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../apps/uts/tree.h"

static UtsCount
search (const UtsTree *tree, UtsNode node, gint32 depth)
{
  guint n_children = uts_tree_n_children (tree, &node, depth);
  UtsCount count = { .nodes = 1, .leaves = n_children == 0, .depth = depth };
  if (n_children == 0)
    return count;
  UtsCount *counts = g_newa (UtsCount, n_children);
  for (guint i = 0; i < n_children; i++)
    {
      UtsNode child;
      uts_tree_child (tree, &node, i, &child);
#pragma omp task
      counts[i] = search (tree, child, depth + 1);
    }
#pragma omp taskwait
  for (guint i = 0; i < n_children; i++)
    uts_count_add (&count, &counts[i]);
  return count;
}

int
main (int argc, char **argv)
{
  int n_workers = argc > 2 ? atoi (argv[2]) : 1;
  UtsTree tree;
  UtsNode root;
  UtsCount count = { 0 };
  double seconds = 0;
  if (!uts_tree_init (argc > 1 ? argv[1] : NULL, &tree, NULL))
    return 2;
  uts_tree_root (&tree, &root);
#pragma omp parallel num_threads(n_workers)
#pragma omp single
  {
    double started = omp_get_wtime ();
    count = search (&tree, root, 0);
    seconds = omp_get_wtime () - started;
  }
  printf ("uts: %" G_GINT64_FORMAT " nodes, depth %d, %" G_GINT64_FORMAT " leaves\n", count.nodes,
          count.depth, count.leaves);
  fprintf (stderr, "uts: %.6f s\n", seconds);
  return 0;
}
