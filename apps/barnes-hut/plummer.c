/* plummer.c - makes the bodies of a star cluster from random numbers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plummer.h"

#include <satin/base/random.h>

/* The square of a length: shorter vectors are rejected, because rounding would spoil their
 * direction. */
#define SHORTEST_SQUARE 1e-6

/* Above all values of speed_density(). */
#define DENSITY_MAX 0.1

/* A source of random numbers. @next: the number from which the next random number is made */
typedef struct
{
  guint64 next;
} Chance;

static double
draw (Chance *self, double low, double high)
{
  return low + (high - low) * satin_random_share (satin_random_mix (self->next++));
}

/* Returns: a vector of the length @length in a random direction */
static Vector
draw_vector (Chance *self, double length)
{
  for (;;)
    {
      Vector at = { draw (self, -1, 1), 0, 0 };
      at.y = draw (self, -1, 1);
      at.z = draw (self, -1, 1);
      double square = vector_dot (at, at);
      if (square >= SHORTEST_SQUARE && square <= 1)
        return vector_scale (at, length / sqrt (square));
    }
}

/* Returns: the cube root of a number in (0, 1], by Newton's method. The arithmetic is the same on
 * all machines. */
static double
cube_root (double number)
{
  int exponent;
  double mantissa = frexp (number, &exponent);
  for (; exponent % 3 != 0; exponent++)
    mantissa /= 2;
  double root = 1;
  for (guint i = 0; i < 10; i++)
    root = (2 * root + mantissa / (root * root)) / 3;
  return ldexp (root, exponent / 3);
}

/* Returns: a random distance from the middle, in core radii, so that the share of the mass within
 * that distance is uniformly distributed */
static double
draw_radius (Chance *self)
{
  for (;;)
    {
      double share = 1 - draw (self, 0, 1);
      double root = cube_root (share);
      /* The square is 1 / (share^(-2/3) - 1). */
      double square = root * root / (1 - root * root);
      if (square >= 0 && square < PLUMMER_CUT * PLUMMER_CUT)
        return sqrt (square);
    }
}

static double
speed_density (double speed)
{
  double rest = 1 - speed * speed;
  return speed * speed * rest * rest * rest * sqrt (rest);
}

/* Returns: a random speed, as a share of the escape speed, whose probability density is
 * proportional to speed_density() */
static double
draw_speed (Chance *self)
{
  for (;;)
    {
      double speed = draw (self, 0, 1);
      if (draw (self, 0, DENSITY_MAX) < speed_density (speed))
        return speed;
    }
}

static Body
draw_body (Chance *chance, double mass)
{
  /* These convert core radii into the units in which the energy is -1/4. */
  const double length_unit = 3 * G_PI / 16, speed_unit = sqrt (1 / length_unit);
  double radius = draw_radius (chance);
  double escape = sqrt (2 / sqrt (1 + radius * radius));
  Vector at = draw_vector (chance, radius * length_unit);
  double speed = draw_speed (chance) * escape;
  return (Body){ mass, at, draw_vector (chance, speed * speed_unit) };
}

/* Shifts all positions and velocities, so that the centre of mass rests at the origin. All bodies
 * have the same mass. */
static void
centre (GArray *bodies)
{
  Vector at = { 0 }, velocity = { 0 };
  double share = 1.0 / bodies->len;
  for (guint i = 0; i < bodies->len; i++)
    {
      at = vector_add_scaled (at, g_array_index (bodies, Body, i).at, share);
      velocity = vector_add_scaled (velocity, g_array_index (bodies, Body, i).velocity, share);
    }
  for (guint i = 0; i < bodies->len; i++)
    {
      Body *body = &g_array_index (bodies, Body, i);
      body->at = vector_subtract (body->at, at);
      body->velocity = vector_subtract (body->velocity, velocity);
    }
}

GArray *
plummer_make (guint n, guint64 seed)
{
  GArray *bodies = g_array_sized_new (FALSE, FALSE, sizeof (Body), n);
  Chance chance = { satin_random_mix (seed) };

  g_return_val_if_fail (n >= 1 && n <= BODY_MAX_NUMBER, NULL);

  for (guint i = 0; i < n; i++)
    {
      Body body = draw_body (&chance, 1.0 / n);
      g_array_append_val (bodies, body);
    }
  centre (bodies);
  return bodies;
}
