/* uts-tbb.cc - apps/uts with oneTBB task groups, for comparison: uts-tbb TREE WORKERS
 *
 * Every node of the tree is a task. Deep trees need larger stacks: ulimit -s.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "../../apps/uts/tree.h"

static UtsCount
search (const UtsTree *tree, UtsNode node, gint32 depth)
{
  guint n_children = uts_tree_n_children (tree, &node, depth);
  UtsCount count = { 1, n_children == 0, depth };
  if (n_children == 0)
    return count;
  UtsCount *counts = g_newa (UtsCount, n_children);
  tbb::task_group group;
  for (guint i = 0; i < n_children; i++)
    {
      UtsNode child;
      uts_tree_child (tree, &node, i, &child);
      UtsCount *place = &counts[i];
      group.run ([=] { *place = search (tree, child, depth + 1); });
    }
  group.wait ();
  for (guint i = 0; i < n_children; i++)
    uts_count_add (&count, &counts[i]);
  return count;
}

int
main (int argc, char **argv)
{
  tbb::global_control stack (tbb::global_control::thread_stack_size, (size_t)256 << 20);
  tbb::task_arena arena (argc > 2 ? std::atoi (argv[2]) : 1);
  UtsTree tree;
  UtsNode root;
  UtsCount count = {};
  if (!uts_tree_init (argc > 1 ? argv[1] : NULL, &tree, NULL))
    return 2;
  uts_tree_root (&tree, &root);
  auto started = std::chrono::steady_clock::now ();
  arena.execute ([&] { count = search (&tree, root, 0); });
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now () - started;
  std::printf ("uts: %" G_GINT64_FORMAT " nodes, depth %d, %" G_GINT64_FORMAT " leaves\n",
               count.nodes, count.depth, count.leaves);
  std::fprintf (stderr, "uts: %.6f s\n", seconds.count ());
  return 0;
}
