/* knapsack.c - the shape "knapsack": jobs like those of a search that takes or leaves items
 *
 * Each level decides about one item: the item is left out, or taken if it fits. The weights are
 * random, and the capacity is half of their sum. No search is made: the time of a leaf is the
 * number of choices that a search below the leaf would try, and that number is computed. The more
 * items a piece has taken, the fewer choices are left below it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/random.h>

#include "shape.h"

/* The largest weight of an item; the smallest is 1. */
#define MAX_WEIGHT 20
#define MAX_ITEMS  40
/* The largest capacity. */
#define MAX_ROOM (MAX_WEIGHT * MAX_ITEMS / 2)

/* A piece with less than this share of all choices is a leaf. */
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

/* Returns: the number of pieces in the tree below a piece, with the piece itself, if the items from
 * @item on are undecided and @room is left. The loop goes from the last item back to @item:
 * counts[r] is then the number for the room r. */
static double
count (const Tree *tree, gint32 item, gint32 room)
{
  double counts[MAX_ROOM + 1];
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

/* Fills in the root piece. Here x is the room that is left, and slack is the limit of divide(): a
 * piece with fewer choices than that is a leaf. */
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

/* Refuses a piece with too low a limit, because the tree would be too large to be walked. Of each
 * choice of items and its opposite, one fits. So at least half of all choices fit, and the limit is
 * a share of these. */
static gboolean
is_piece (const Tree *tree, const Piece *piece)
{
  double least_slack = MIN_SHARE * (double)((guint64)1 << (tree->size - 1));
  return piece->level >= 0 && piece->level <= tree->size && piece->x >= 0 && piece->x <= MAX_ROOM
         && piece->slack >= least_slack;
}

const Shape knapsack_shape = {
  .name = "knapsack",
  .what = "ITEMS",
  .min = 8,
  .max = MAX_ITEMS,
  .begin = begin,
  .divide = divide,
  .weigh = weigh,
  .is_piece = is_piece,
};
