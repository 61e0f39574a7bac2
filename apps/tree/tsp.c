/* tsp.c - tours of cities: what jobs of a branch and bound search are like
 *
 * A tour goes on to each city that it has not been to, unless it is longer already than the best
 * one that was known from the beginning. The nodes share nothing, so what is pruned does not depend
 * on who is faster. No tour is computed: by each step it loses some of the slack that it
 * has to the bound, exponentially distributed by chance. So whole branches are missing, and of the
 * rest few are large: what is searched below a tour that still has all its slack is twenty times
 * what is searched below one that has next to none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/random.h>

#include "shape.h"

#include <math.h>

/* Cities on a tour that is a leaf, without the first one. */
#define N_STEPS 5

/* The part of all slack that a step takes, on average. */
#define STEP 0.5

/* What a leaf takes grows with its slack, by e to the power of that. */
#define GROWTH 3.0

/* And of one that could not go on. */
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

const Shape tsp_shape = {
  .name = "tsp",
  .what = "CITIES",
  .min = 8,
  .max = 20,
  .begin = begin,
  .divide = divide,
  .weigh = weigh,
};
