/* path.c - follows a path of light backwards, from surface to surface
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "path.h"

#include "colour.h"
#include "surface.h"

/* From this bounce on, a dark path ends by chance. */
#define SURE_BOUNCES 3
/* No path goes on with a greater probability than this. */
#define MAX_SURVIVAL 0.95

/* The weight of a way that has the density @one, beside a way that has the density @other. */
static double
weigh (double one, double other)
{
  if (one > other)
    return 1 / (1 + (other / one) * (other / one));
  return other > 0 ? (one / other) * (one / other) / (1 + (one / other) * (one / other)) : 0;
}

/* Converts a density per area at the end of a way into one per solid angle at its beginning.
 * @cosine: between the way and the normal at its end */
static double
per_solid_angle (double density, double distance_2, double cosine)
{
  return cosine > 0 ? density * distance_2 / cosine : 0;
}

/* Returns: the light that reaches the viewer over the surface from a drawn place on a lamp */
static Vector
look_at_lamp (const Scene *scene, const Hit *hit, const Surface *surface, Vector out,
              Random *random)
{
  double choice = random_share (random), a = random_share (random), b = random_share (random);
  LightPlace lamp = scene_draw_light (scene, choice, a, b);
  Vector way = vector_subtract (lamp.place, hit->place);
  double distance_2 = vector_dot (way, way), scattering;
  if (!(distance_2 > 0))
    return vector (0, 0, 0);
  Vector in = vector_scale (way, 1 / sqrt (distance_2));
  double cosine = vector_dot (in, lamp.normal);
  double density = per_solid_angle (lamp.density, distance_2, fabs (cosine));
  Vector share = surface_value (surface, out, in, &scattering);
  if (!(density > 0) || !(colour_max (share) > 0))
    return vector (0, 0, 0);
  Vector from = scene_lift (scene, hit->place, hit->flat);
  Vector to = scene_lift (scene, lamp.place, vector_scale (lamp.normal, cosine > 0 ? -1 : 1));
  if (!scene_is_open (scene, from, to))
    return vector (0, 0, 0);
  return vector_scale (vector_multiply (share, lamp.emission),
                       weigh (density, scattering) / density);
}

/* Returns: the weight of light that a drawn direction has met. @density: of the direction; 0: the
 * direction was not drawn, it comes from the eye */
static double
weigh_met (const Scene *scene, const Hit *hit, Vector from, Vector direction, double density)
{
  if (density == 0)
    return 1;
  Vector way = vector_subtract (hit->place, from);
  double lamp = per_solid_angle (scene_light_density (scene, hit->material), vector_dot (way, way),
                                 -vector_dot (direction, hit->flat));
  return weigh (density, lamp);
}

/* Ends a dark path by chance. @share: (inout): grows if the path goes on, so that the mean stays
 * the same. Returns: whether it goes on */
static gboolean
survives (Vector *share, guint bounce, Random *random)
{
  if (bounce < SURE_BOUNCES)
    return TRUE;
  double chance = MIN (colour_max (*share), MAX_SURVIVAL);
  if (random_share (random) >= chance)
    return FALSE;
  *share = vector_scale (*share, 1 / chance);
  return TRUE;
}

Vector
path_trace (const Scene *scene, Vector sky, Vector from, Vector direction, guint n_bounces,
            Random *random)
{
  Vector sum = vector (0, 0, 0), share = vector (1, 1, 1);
  double density = 0;
  for (guint bounce = 0;; bounce++)
    {
      Hit hit;
      if (!scene_hit (scene, from, direction, &hit))
        return vector_add (sum, vector_multiply (share, sky));
      sum = vector_add_scaled (sum, vector_multiply (share, hit.material->emission),
                               weigh_met (scene, &hit, from, direction, density));
      if (bounce == n_bounces)
        return sum;

      Vector out = vector_scale (direction, -1);
      Surface surface = surface_make (scene, &hit, out);
      Scattering drawn;
      if (scene_has_light (scene))
        sum = vector_add (
            sum, vector_multiply (share, look_at_lamp (scene, &hit, &surface, out, random)));
      if (!surface_draw (&surface, out, random, &drawn))
        return sum;
      share = vector_multiply (share, drawn.weight);
      if (!survives (&share, bounce, random))
        return sum;
      from = scene_lift (scene, hit.place, hit.flat);
      direction = drawn.direction;
      density = drawn.density;
    }
}
