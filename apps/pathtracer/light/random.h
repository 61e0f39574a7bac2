/* random.h - the random numbers of one path of light: number i of a path depends on the path only
 *
 * The path of sample S of pixel P has the same numbers on every node and in every division of the
 * picture, because no generator is shared between paths.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/random.h>

typedef struct
{
  guint64 state;
} Random;

/* @pixel: number of the pixel in the picture */
static inline Random
random_begin (guint64 pixel, guint64 sample)
{
  return (Random){ satin_random_mix (satin_random_mix (pixel) + sample) };
}

/* Returns: a number in [0, 1) */
static inline double
random_share (Random *self)
{
  return satin_random_share (satin_random_next (&self->state));
}

/* Draws a place in the circle of radius 1, all equally likely. Draws from the square around it
 * until the place is in the circle: that takes 1.27 tries on average, and neither sines nor
 * cosines, whose last bits depend on the mathematical library. @ret_x, @ret_y: (out) */
static inline void
random_circle (Random *self, double *ret_x, double *ret_y)
{
  double x, y;
  do
    {
      x = 2 * random_share (self) - 1;
      y = 2 * random_share (self) - 1;
    }
  while (x * x + y * y >= 1);
  *ret_x = x;
  *ret_y = y;
}
