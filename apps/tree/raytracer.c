/* raytracer.c - the shape "raytracer": jobs like those of a ray tracer, quarters of a picture
 *
 * A picture divides into four, down to the same depth everywhere. In a real picture, the time of a
 * part depends on what is seen there, and parts side by side take about equally long. So the time
 * of a leaf is the height of a random landscape at the leaf's place. The highest places take ten
 * times as long as the lowest.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/random.h>

#include "shape.h"

/* The landscape is the sum of N_SIZES layers. In the first layer, N_HILLS hills stand side by side
 * across the picture. The hills of each further layer have half the width and half the height. */
#define N_SIZES 3
#define N_HILLS 3

/* The times of the cheapest and of the dearest leaf. */
#define CHEAPEST  0.1
#define DEAREST   1.0
#define STEEPNESS 2 /* the height is raised to this power; above 1, most leaves are cheap */

static void
begin (const Tree *tree, Piece *ret_root)
{
}

static guint
divide (const Tree *tree, const Piece *piece, Piece *ret_children)
{
  if (piece->level == tree->size)
    return 0;
  for (guint i = 0; i < 4; i++)
    ret_children[i] = (Piece){ .level = piece->level + 1,
                               .x = piece->x * 2 + (gint32)(i % 2),
                               .y = piece->y * 2 + (gint32)(i / 2) };
  return 4;
}

/* Returns: the height of the layer @size at one corner of the layer's grid, in [0, 1) */
static double
corner (gint64 seed, guint size, gint32 x, gint32 y)
{
  guint64 number = satin_random_mix ((guint64)seed * N_SIZES + size);
  return satin_random_share (
      satin_random_mix (satin_random_mix (number + (guint64)x) + (guint64)y));
}

static double
smooth (double share)
{
  return share * share * (3 - 2 * share);
}

static double
between (double a, double b, double share)
{
  return a + (b - a) * share;
}

/* Returns: the height of the layer @size at the point (@x, @y) of the picture, both in [0, 1),
 * interpolated between the four corners of the grid around that point */
static double
height (gint64 seed, guint size, double x, double y)
{
  double n_hills = N_HILLS << size;
  gint32 column = (gint32)(x * n_hills), row = (gint32)(y * n_hills);
  double right = smooth (x * n_hills - column), down = smooth (y * n_hills - row);
  double above =
      between (corner (seed, size, column, row), corner (seed, size, column + 1, row), right);
  double below = between (corner (seed, size, column, row + 1),
                          corner (seed, size, column + 1, row + 1), right);
  return between (above, below, down);
}

static double
weigh (const Tree *tree, const Piece *leaf)
{
  double n_leaves = (double)((guint64)1 << tree->size);
  double x = (leaf->x + 0.5) / n_leaves, y = (leaf->y + 0.5) / n_leaves;
  double sum = 0, most = 0, share = 1;
  for (guint size = 0; size < N_SIZES; size++, share /= 2)
    {
      sum += share * height (tree->seed, size, x, y);
      most += share;
    }
  double all = sum / most, cost = 1;
  for (guint i = 0; i < STEEPNESS; i++)
    cost *= all;
  return between (CHEAPEST, DEAREST, cost);
}

static gboolean
is_piece (const Tree *tree, const Piece *piece)
{
  return piece->level >= 0 && piece->level <= tree->size && piece->x >= 0
         && piece->x < 1 << piece->level && piece->y >= 0 && piece->y < 1 << piece->level;
}

const Shape raytracer_shape = {
  .name = "raytracer",
  .what = "DEPTH",
  .min = 1,
  .max = 9,
  .begin = begin,
  .divide = divide,
  .weigh = weigh,
  .is_piece = is_piece,
};
