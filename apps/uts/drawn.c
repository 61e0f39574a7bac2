/* drawn.c - draws how many nodes a subtree has, instead of searching it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "drawn.h"

#include <math.h>
#include <satin/base/random.h>

/* Above this many nodes of a level, the sum of their children is drawn at once. */
#define MANY 128

/* Returns: a random number in (0, 1] */
static double
uniform (guint64 *state)
{
  return 1 - satin_random_share (satin_random_next (state));
}

/* Returns: the sum of the children of @n_nodes nodes, each of which has @mean on average */
static gint64
draw_children (gint64 n_nodes, double mean, guint64 *state)
{
  if (n_nodes > MANY)
    {
      double deviate = sqrt (-2 * log (uniform (state))) * cos (2 * G_PI * uniform (state));
      double sum = (double)n_nodes * mean + deviate * sqrt ((double)n_nodes * mean * (1 + mean));
      return (gint64)MAX (sum + 0.5, 0);
    }
  double log_of_none = log (mean / (1 + mean));
  gint64 sum = 0;
  for (gint64 i = 0; i < n_nodes; i++)
    sum += (gint64)MIN (log (uniform (state)) / log_of_none, UTS_MAX_CHILDREN);
  return sum;
}

void
uts_drawn_count (const UtsTree *tree, const UtsNode *node, guint n_children, gint32 depth,
                 UtsCount *count)
{
  guint64 state = (guint64)(guint32)node->h0 << 32 | (guint32)node->h1;
  double share_of_leaves = 1 / (1 + tree->branching);
  gint64 n_nodes = n_children;
  count->nodes++;
  count->leaves += n_children == 0;
  count->depth = MAX (count->depth, depth);
  while (n_nodes > 0 && count->nodes < UTS_MAX_DRAWN)
    {
      depth++;
      count->nodes += n_nodes;
      count->depth = MAX (count->depth, depth);
      if (depth >= tree->max_depth)
        {
          count->leaves += n_nodes;
          return;
        }
      count->leaves += (gint64)((double)n_nodes * share_of_leaves + 0.5);
      n_nodes = draw_children (n_nodes, tree->branching, &state);
    }
}
