/* shade.c - shades a point: shadows, highlights, mirrored and refracted rays
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shade.h"

/* A new ray ignores hits near its origin, so that it does not hit the surface where it starts: up
 * to SELF_SLACK times the sum of the origin's coordinates and the length of the ray that led there.
 */
#define SELF_SLACK 1e-8

#define FRACTION_BITS 12

static const Vector black = { 0, 0, 0 };

/* A point where a ray meets a surface. */
typedef struct
{
  Vector point;
  Vector true_normal; /* points against the ray */
  Vector normal;      /* for shading; points against the ray */
  Vector mirrored;
  gboolean is_inside; /* the ray came from inside */
  double slack;       /* new rays from here ignore hits at this distance or nearer */
  const Surface *surface;
} Spot;

double
shade_power (double base, double exponent)
{
  guint64 fixed = (guint64)(exponent * (1 << FRACTION_BITS) + 0.5);
  double result = 1, square = base, root = base;

  for (guint64 whole = fixed >> FRACTION_BITS; whole > 0; whole >>= 1)
    {
      if (whole & 1)
        result *= square;
      square *= square;
    }
  for (guint bit = FRACTION_BITS; bit > 0 && (fixed & ((1u << bit) - 1)) != 0; bit--)
    {
      root = sqrt (root);
      if (fixed & (1u << (bit - 1)))
        result *= root;
    }
  return result;
}

gboolean
shade_refract (Vector direction, Vector normal, double ratio, Vector *ret_direction)
{
  double cosine = -vector_dot (direction, normal);
  double rest = 1 - ratio * ratio * (1 - cosine * cosine);

  if (rest < 0)
    return FALSE;
  *ret_direction = vector_normalise (
      vector_add_scaled (vector_scale (direction, ratio), normal, ratio * cosine - sqrt (rest)));
  return TRUE;
}

static Spot
find_spot (const Scene *scene, const Ray *ray, const Hit *hit)
{
  const Vector *corners = (const Vector *)(gpointer)scene->corners->data;
  Spot spot = {
    .point = vector_add_scaled (ray->origin, ray->direction, hit->distance),
    .surface = &g_array_index (scene->surfaces, Surface, hit->primitive->surface),
  };

  spot.normal = primitive_normal (hit->primitive, corners, spot.point, &spot.true_normal);
  spot.is_inside = vector_dot (spot.true_normal, ray->direction) > 0;
  if (spot.is_inside)
    {
      spot.true_normal = vector_scale (spot.true_normal, -1);
      spot.normal = vector_scale (spot.normal, -1);
    }
  /* Near the outline of an object, an interpolated normal may point to the far side. */
  if (vector_dot (spot.normal, ray->direction) >= 0)
    spot.normal = spot.true_normal;
  spot.mirrored = vector_reflect (ray->direction, spot.normal);
  spot.slack = SELF_SLACK
               * (fabs (spot.point.x) + fabs (spot.point.y) + fabs (spot.point.z) + hit->distance);
  return spot;
}

/* Returns: the part of one light that the surface at @spot sends back along the ray */
static Vector
light_part (const Scene *scene, const Spot *spot, const Light *light)
{
  const Surface *surface = spot->surface;
  Vector way = vector_subtract (light->position, spot->point);
  double distance = vector_length (way);
  if (distance <= spot->slack)
    return black;

  Vector to = vector_scale (way, 1 / distance);
  double cosine = vector_dot (to, spot->normal);
  if (cosine <= 0 || vector_dot (to, spot->true_normal) <= 0)
    return black;

  Ray ray = ray_new (spot->point, to);
  double arriving = trace_transmittance (scene, &ray, spot->slack, distance);
  if (arriving == 0)
    return black;

  Vector sum = vector_scale (surface->colour, surface->diffuse * cosine);
  double shine_cosine = MIN (vector_dot (spot->mirrored, to), 1);
  if (surface->shine > 0 && surface->specular > 0 && shine_cosine > 0)
    {
      double highlight = surface->specular * shade_power (shine_cosine, surface->shine);
      sum = vector_add (sum, vector (highlight, highlight, highlight));
    }
  return vector_scale (vector_multiply (sum, light->colour), arriving);
}

/* Returns: the colour that a new ray from @spot along @direction sees */
static Vector
look_on (const Scene *scene, const Spot *spot, Vector direction, guint depth)
{
  Ray ray = ray_new (spot->point, direction);

  return shade_ray (scene, &ray, spot->slack, depth);
}

/* Returns: the colours that the mirrored and the refracted ray see, each times its share, added
 * up */
static Vector
further_part (const Scene *scene, const Spot *spot, Vector direction, guint depth)
{
  double mirror = spot->surface->specular, through = spot->surface->transmittance;
  double index = spot->surface->index;
  Vector colour = black, refracted;

  if (through > 0)
    {
      if (shade_refract (direction, spot->normal, spot->is_inside ? index : 1 / index, &refracted))
        colour = vector_scale (look_on (scene, spot, refracted, depth), through);
      else
        mirror += through;
    }
  if (mirror > 0 && vector_dot (spot->mirrored, spot->true_normal) > 0)
    colour = vector_add_scaled (colour, look_on (scene, spot, spot->mirrored, depth), mirror);
  return colour;
}

Vector
shade_ray (const Scene *scene, const Ray *ray, double low, guint depth)
{
  Hit hit;
  if (!trace_nearest (scene, ray, low, &hit))
    return scene->background;

  Spot spot = find_spot (scene, ray, &hit);
  Vector colour = black;
  for (guint i = 0; i < scene->lights->len; i++)
    colour =
        vector_add (colour, light_part (scene, &spot, &g_array_index (scene->lights, Light, i)));
  if (depth > 0)
    colour = vector_add (colour, further_part (scene, &spot, ray->direction, depth - 1));
  return colour;
}
