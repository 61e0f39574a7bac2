/* tsp.c - the shape "tsp": jobs like those of a branch and bound search for a tour
 *
 * A partial tour continues with each city that is left, unless the tour is then longer than a
 * bound. The bound is fixed from the beginning, and the jobs share nothing. So every run prunes the
 * same branches, whichever job is faster.
 *
 * No real tour is computed. A tour has a slack: how far its length is below the bound. Each step
 * takes a random amount of the slack, with an exponential distribution, and a tour without slack is
 * pruned. So whole branches are missing, and few of the rest are large. A leaf with all its slack
 * takes twenty times as long as a leaf with almost none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/random.h>

#include "shape.h"

#include <math.h>

/* A tour is a leaf when it has this many cities after the first. */
#define N_STEPS 5

/* The slack that a step takes, on average. A tour begins with a slack of 1. */
#define STEP 0.5

/* The time of a leaf is exp (GROWTH * slack). */
#define GROWTH 3.0

/* The time of a tour that ended early, because no next city was within the bound. */
#define DEAD_END 0.2

static void
begin (const Tree *tree, Piece *ret_root)
{
  ret_root->number = (gint64)satin_random_mix ((guint64)tree->seed);
  ret_root->slack = 1;
}

static guint
divide (const Tree *tree, const Piece *piece, Piece *ret_children)
{
  guint n_children = 0;
  if (piece->level == N_STEPS)
    return 0;
  for (gint32 i = 1; i < tree->size - piece->level; i++)
    {
      guint64 number = satin_random_mix ((guint64)piece->number + (guint64)i);
      double slack = piece->slack + STEP * log (1 - satin_random_share (number));
      if (slack > 0)
        ret_children[n_children++] =
            (Piece){ .level = piece->level + 1, .number = (gint64)number, .slack = slack };
    }
  return n_children;
}

static double
weigh (const Tree *tree, const Piece *leaf)
{
  return leaf->level == N_STEPS ? exp (GROWTH * leaf->slack) : DEAD_END;
}

static gboolean
is_piece (const Tree *tree G_GNUC_UNUSED, const Piece *piece)
{
  return piece->level >= 0 && piece->level <= N_STEPS && piece->slack > 0 && piece->slack <= 1;
}

const Shape tsp_shape = {
  .name = "tsp",
  .what = "CITIES",
  .min = 8,
  .max = 20,
  .begin = begin,
  .divide = divide,
  .weigh = weigh,
  .is_piece = is_piece,
};
