/* render.c - the camera: many paths for each pixel
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "render.h"

#include "light/path.h"
#include "tone.h"

/* The camera. The picture lies in a plane at distance 1. There, @right and @down lead from one
 * pixel to the next. */
typedef struct
{
  Vector forward;
  Vector right;
  Vector down;
} View;

/* The last bits of the tangent depend on the mathematical library. Rounding it to a float removes
 * them. */
static double
half_height (const Shot *shot)
{
  return (double)(float)tan (shot->degrees * (G_PI / 360));
}

static View
aim (const Shot *shot)
{
  double pixel = 2 * half_height (shot) / shot->height;
  Vector forward = vector_normalise (vector_subtract (shot->at, shot->eye));
  Vector right = vector_normalise (vector_cross (forward, shot->up));
  return (View){ forward, vector_scale (right, pixel),
                 vector_scale (vector_cross (forward, right), pixel) };
}

void
render_see_all (const Scene *scene, Shot *shot)
{
  Vector middle, side = vector_normalise (vector (0.5, 0.45, 1));
  double radius, half = half_height (shot);
  scene_get_ball (scene, &middle, &radius);
  /* The ball fits when a line from the eye touches it, in the narrower direction. */
  half = MIN (half, half * shot->width / shot->height);
  double distance = MAX (radius, 1e-3) * sqrt (1 + half * half) / half;
  shot->at = middle;
  shot->eye = vector_add_scaled (middle, side, distance);
  shot->up = vector (0, 1, 0);
}

static void
render_pixel (const Scene *scene, const Shot *shot, const View *view, gint x, gint y, guint8 *rgb)
{
  Vector sum = vector (0, 0, 0);
  guint64 pixel = (guint64)y * (guint64)shot->width + (guint64)x;
  for (gint i = 0; i < shot->n_samples; i++)
    {
      Random random = random_begin (pixel, (guint64)i);
      double across = x + random_share (&random) - shot->width * 0.5;
      double along = y + random_share (&random) - shot->height * 0.5;
      Vector direction = vector_add_scaled (view->forward, view->right, across);
      direction = vector_normalise (vector_add_scaled (direction, view->down, along));
      sum = vector_add (sum, path_trace (scene, shot->sky, shot->eye, direction,
                                         (guint)shot->n_bounces, &random));
    }
  sum = vector_scale (sum, shot->exposure / shot->n_samples);
  rgb[0] = tone_encode (sum.x);
  rgb[1] = tone_encode (sum.y);
  rgb[2] = tone_encode (sum.z);
}

void
render_area (const Scene *scene, const Shot *shot, const Area *area, guint8 *rgb)
{
  View view = aim (shot);
  for (gint y = area->y; y < area->y + area->height; y++)
    for (gint x = area->x; x < area->x + area->width; x++, rgb += BYTES_PER_PIXEL)
      render_pixel (scene, shot, &view, x, y, rgb);
}
