/* tsp.c - the shape "tsp": jobs like those of a branch and bound search for a tour
 *
 * A tour goes on to each city that is left, unless it has become longer than a bound. The bound is
 * known from the beginning. The jobs share nothing, so what is pruned does not depend on who is
 * faster.
 *
 * No tour is computed. Each step takes a random part of the slack that a tour has to the bound,
 * with an exponential distribution. So whole branches are missing, and few of the others are large.
 * The search below a tour with all its slack takes twenty times as long as below one with almost
 * none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/random.h>

#include "shape.h"

#include <math.h>

/* A tour is a leaf after this many cities, without the first one. */
#define N_STEPS 5

/* The slack that a step takes, on average. A tour begins with 1. */
#define STEP 0.5

/* The time of a leaf is exp (GROWTH * its slack). */
#define GROWTH 3.0

/* The time of a leaf from which no city was within the bound. */
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
