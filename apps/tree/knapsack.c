/* knapsack.c - things to carry, each one or not: what jobs of a binary search are like
 *
 * One thing after the other is taken, if it is not too heavy for what can still be carried, or
 * left. The weights are drawn, and half of all can be carried. How many choices there are below a
 * piece is counted, so what it takes is what the search would: the more was taken before, the less.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/random.h>

#include "shape.h"

/* Weight of a thing. */
#define MAX_WEIGHT 20
#define MAX_ITEMS  40

/* A piece with fewer choices than this share of all is a leaf. */
#define MIN_SHARE (1.0 / 8192)

static gint32
item_weight (const Tree *tree, gint32 item)
{
  return 1
         + (gint32)(satin_random_mix ((guint64)tree->seed * MAX_ITEMS + (guint64)item)
                    % MAX_WEIGHT);
}

static gint32
all_weights (const Tree *tree)
{
  gint32 sum = 0;
  for (gint32 i = 0; i < tree->size; i++)
    sum += item_weight (tree, i);
  return sum;
}

/* The choices below a piece that can carry @room more, itself included; from the last thing on. */
static double
count (const Tree *tree, gint32 item, gint32 room)
{
  double counts[MAX_WEIGHT * MAX_ITEMS / 2 + 1];
  for (gint32 r = 0; r <= room; r++)
    counts[r] = 1;
  for (gint32 i = tree->size - 1; i >= item; i--)
    {
      gint32 weight = item_weight (tree, i);
      for (gint32 r = room; r >= 0; r--)
        counts[r] = 1 + counts[r] + (r >= weight ? counts[r - weight] : 0);
    }
  return counts[room];
}

/* The least that a piece must have to divide is in its slack. */
static void
begin (const Tree *tree, Piece *ret_root)
{
  ret_root->x = all_weights (tree) / 2;
  ret_root->slack = MIN_SHARE * count (tree, 0, ret_root->x);
}

static guint
divide (const Tree *tree, const Piece *piece, Piece *ret_children)
{
  guint n_children = 0;
  if (piece->level == tree->size || count (tree, piece->level, piece->x) < piece->slack)
    return 0;
  Piece child = *piece;
  child.level++;
  ret_children[n_children++] = child;
  child.x -= item_weight (tree, piece->level);
  if (child.x >= 0)
    ret_children[n_children++] = child;
  return n_children;
}

static double
weigh (const Tree *tree, const Piece *leaf)
{
  return count (tree, leaf->level, leaf->x);
}

const Shape knapsack_shape = {
  .name = "knapsack",
  .what = "ITEMS",
  .min = 8,
  .max = MAX_ITEMS,
  .begin = begin,
  .divide = divide,
  .weigh = weigh,
};
