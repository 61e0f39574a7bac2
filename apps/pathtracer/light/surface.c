/* surface.c - how a place on a surface scatters light
 *
 * Inside this file directions are in the frame of the surface: z is the normal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "surface.h"

#include "colour.h"

/* A smoother surface would be a mirror that no drawn direction and no lamp ever agree about. */
#define MIN_ALPHA 1e-3
/* A surface that mirrors less than this at a right angle mirrors less at its edge, too: it is not a
 * substance but a colour that a program has computed. */
#define EDGE_MIRROR 0.02
/* The share of a cosine-weighted average that (1 - cos)^5 has. */
#define FRESNEL_AVERAGE (1.0 / 21)

/* ---- the frame ---- */

static Vector
to_frame (const Surface *self, Vector a)
{
  return vector (vector_dot (a, self->tangent), vector_dot (a, self->bitangent),
                 vector_dot (a, self->normal));
}

static Vector
from_frame (const Surface *self, Vector a)
{
  Vector sum = vector_scale (self->tangent, a.x);
  sum = vector_add_scaled (sum, self->bitangent, a.y);
  return vector_add_scaled (sum, self->normal, a.z);
}

static void
set_frame (Surface *self, Vector normal)
{
  Vector other = fabs (normal.x) < 0.5 ? vector (1, 0, 0) : vector (0, 1, 0);
  self->normal = normal;
  self->tangent = vector_normalise (vector_cross (other, normal));
  self->bitangent = vector_cross (normal, self->tangent);
}

/* ---- the mirrors ---- */

/* Schlick's approximation of Fresnel's equations. */
static Vector
reflectance (const Surface *self, double cosine)
{
  double rest = CLAMP (1 - cosine, 0, 1), rest_2 = rest * rest, power = rest_2 * rest_2 * rest;
  return vector (self->mirror.x + (self->edge - self->mirror.x) * power,
                 self->mirror.y + (self->edge - self->mirror.y) * power,
                 self->mirror.z + (self->edge - self->mirror.z) * power);
}

/* How many mirrors have the normal @half, as a density per solid angle. */
static double
distribution (double alpha, Vector half)
{
  double alpha_2 = alpha * alpha;
  double stretched = (half.x * half.x + half.y * half.y) / alpha_2 + half.z * half.z;
  return 1 / (G_PI * alpha_2 * stretched * stretched);
}

/* Smith's function: how many hidden mirrors there are for each one that is seen from @a. */
static double
hidden (double alpha, Vector a)
{
  double slope_2 = alpha * alpha * (a.x * a.x + a.y * a.y) / (a.z * a.z);
  return (sqrt (1 + slope_2) - 1) / 2;
}

/* Draws the normal of a mirror that is seen from @out, in proportion to how much of it is seen. */
static Vector
draw_mirror (double alpha, Vector out, Random *random)
{
  double x, y;
  Vector view = vector_normalise (vector (alpha * out.x, alpha * out.y, out.z));
  double across = view.x * view.x + view.y * view.y;
  Vector one = across > 1e-12 ? vector_scale (vector (-view.y, view.x, 0), 1 / sqrt (across))
                              : vector (1, 0, 0);
  Vector two = vector_cross (view, one);
  random_circle (random, &x, &y);
  double share = (1 + view.z) / 2;
  y = (1 - share) * sqrt (MAX (0, 1 - x * x)) + share * y;
  Vector half = vector_scale (view, sqrt (MAX (0, 1 - x * x - y * y)));
  half = vector_add_scaled (vector_add_scaled (half, one, x), two, y);
  return vector_normalise (vector (alpha * half.x, alpha * half.y, MAX (half.z, 1e-9)));
}

/* @ret_density: (out): of drawing @in with draw_mirror(). Returns: BRDF times cosine of the mirrors
 */
static Vector
mirror_value (const Surface *self, Vector out, Vector in, double *ret_density)
{
  Vector half = vector_normalise (vector_add (out, in));
  double seen = hidden (self->alpha, out);
  double common = distribution (self->alpha, half) / (4 * out.z);
  *ret_density = common / (1 + seen);
  return vector_scale (reflectance (self, vector_dot (out, half)),
                       common / (1 + seen + hidden (self->alpha, in)));
}

/* ---- the ground ---- */

/* What passes the mirrors on its way in and out, in such a way that the ground returns the share
 * @ground of what reaches it. */
static double
pass (double ground, double mirror, double edge, double out, double in)
{
  double average = mirror + (edge - mirror) * FRESNEL_AVERAGE;
  return average < 1 ? ground * (1 - out) * (1 - in) / (1 - average) : 0;
}

static Vector
ground_value (const Surface *self, Vector out, Vector in)
{
  Vector mirrored_out = reflectance (self, out.z), mirrored_in = reflectance (self, in.z);
  Vector passed = {
    pass (self->ground.x, self->mirror.x, self->edge, mirrored_out.x, mirrored_in.x),
    pass (self->ground.y, self->mirror.y, self->edge, mirrored_out.y, mirrored_in.y),
    pass (self->ground.z, self->mirror.z, self->edge, mirrored_out.z, mirrored_in.z),
  };
  return vector_scale (passed, in.z / G_PI);
}

/* Draws a direction in proportion to its cosine with the normal. */
static Vector
draw_ground (Random *random)
{
  double x, y;
  random_circle (random, &x, &y);
  return vector (x, y, sqrt (1 - x * x - y * y));
}

/* ---- the surface ---- */

static double
choose_chance (const Surface *self, Vector out)
{
  double mirrored = colour_max (reflectance (self, MAX (vector_dot (out, self->normal), 0)));
  double scattered = colour_max (self->ground) * (1 - colour_max (self->mirror));
  if (!(mirrored > 0))
    return 0;
  return scattered > 0 ? CLAMP (mirrored / (mirrored + scattered), 0.1, 0.9) : 1;
}

Surface
surface_make (const Scene *scene, const Hit *hit, Vector out)
{
  const Material *material = hit->material;
  Vector base = vector_multiply (material->base, scene_texture (scene, material, hit->u, hit->v));
  double metal = material->metallic;
  Surface self = {
    .flat = hit->flat,
    .ground = vector_scale (base, 1 - metal),
    .mirror = vector_add_scaled (vector_scale (material->specular, 1 - metal), base, metal),
    .alpha = MAX (material->roughness * material->roughness, MIN_ALPHA),
  };
  self.edge = MIN (1, colour_max (self.mirror) / EDGE_MIRROR);
  set_frame (&self, hit->normal);
  self.chance = choose_chance (&self, out);
  return self;
}

/* Like surface_value(), in the frame. */
static Vector
value (const Surface *self, Vector out, Vector in, double *ret_density)
{
  Vector sum = ground_value (self, out, in);
  double density = (1 - self->chance) * in.z / G_PI;
  if (self->chance > 0)
    {
      double mirror_density;
      sum = vector_add (sum, mirror_value (self, out, in, &mirror_density));
      density += self->chance * mirror_density;
    }
  *ret_density = density;
  return sum;
}

Vector
surface_value (const Surface *self, Vector out, Vector in, double *ret_density)
{
  Vector from = to_frame (self, out), to = to_frame (self, in);
  *ret_density = 0;
  if (!(from.z > 0 && to.z > 0) || vector_dot (in, self->flat) <= 0)
    return vector (0, 0, 0);
  return value (self, from, to, ret_density);
}

gboolean
surface_draw (const Surface *self, Vector out, Random *random, Scattering *ret_drawn)
{
  Vector from = to_frame (self, out), to;
  double density;
  if (!(from.z > 0))
    return FALSE;
  if (random_share (random) < self->chance)
    to = vector_scale (vector_reflect (from, draw_mirror (self->alpha, from, random)), -1);
  else
    to = draw_ground (random);
  Vector direction = vector_normalise (from_frame (self, to));
  if (!(to.z > 0) || vector_dot (direction, self->flat) <= 0)
    return FALSE;
  Vector scattered = value (self, from, to, &density);
  if (!(density > 0))
    return FALSE;
  *ret_drawn = (Scattering){ direction, density, vector_scale (scattered, 1 / density) };
  return TRUE;
}
