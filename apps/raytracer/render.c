/* render.c - the camera: one or more rays for each pixel
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "render.h"
#include "shade.h"

/* The camera. The picture lies in a plane at distance 1. There, @right and @down lead from one
 * pixel to the next. */
typedef struct
{
  Vector from;
  Vector forward;
  Vector right;
  Vector down;
  double hither;
} Camera;

static Camera
aim (const Viewpoint *view, const Shot *shot)
{
  /* The last bits of the tangent depend on the mathematical library. Rounding it to a float removes
   * them. */
  double half = (double)(float)tan (view->angle_degrees * (G_PI / 360));
  double pixel = 2 * half / shot->height;
  Vector forward = vector_normalise (vector_subtract (view->at, view->from));
  Vector right = vector_normalise (vector_cross (forward, view->up));

  return (Camera){
    .from = view->from,
    .forward = forward,
    .right = vector_scale (right, pixel),
    .down = vector_scale (vector_cross (forward, right), pixel),
    .hither = view->hither,
  };
}

/* Returns: the colour at one place of the picture. @x, @y: distance of the place from the middle of
 * the picture, in pixels */
static Vector
look (const Scene *scene, const Camera *camera, double x, double y, guint depth)
{
  Vector direction = vector_add_scaled (camera->forward, camera->right, x);
  Ray ray;

  direction = vector_normalise (vector_add_scaled (direction, camera->down, y));
  ray = ray_new (camera->from, direction);
  return shade_ray (scene, &ray, camera->hither / vector_dot (direction, camera->forward), depth);
}

static guint8
to_byte (double intensity)
{
  return (guint8)(CLAMP (intensity, 0, 1) * 255 + 0.5);
}

static void
render_pixel (const Scene *scene, const Camera *camera, const Shot *shot, gint x, gint y,
              guint8 *rgb)
{
  double part = 1.0 / shot->samples;
  Vector sum = { 0 };

  for (gint i = 0; i < shot->samples; i++)
    for (gint k = 0; k < shot->samples; k++)
      sum = vector_add (sum, look (scene, camera, x + (k + 0.5) * part - shot->width * 0.5,
                                   y + (i + 0.5) * part - shot->height * 0.5, (guint)shot->depth));
  sum = vector_scale (sum, part * part);
  rgb[0] = to_byte (sum.x);
  rgb[1] = to_byte (sum.y);
  rgb[2] = to_byte (sum.z);
}

void
render_area (const Scene *scene, const Shot *shot, const Area *area, guint8 *rgb)
{
  Camera camera = aim (&scene->viewpoint, shot);

  for (gint y = area->y; y < area->y + area->height; y++)
    for (gint x = area->x; x < area->x + area->width; x++, rgb += 3)
      render_pixel (scene, &camera, shot, x, y, rgb);
}
