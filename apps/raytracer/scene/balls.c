/* balls.c - makes the sphere flake
 *
 * Each ball has a pole, which is a direction. Six small balls lie around the equator of a ball.
 * Three more lie above them, towards the pole, each over the gap between two of the six. In the
 * densest packing of equal balls, nine of the twelve neighbours of a ball lie in the same
 * directions. The directions to the upper three have the slope sqrt (2). The pole of a small ball
 * points away from the large ball. The program needs only square roots, so all nodes compute the
 * same bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "balls.h"

#define N_AROUND 9
#define SHRINK   (1.0 / 3)

/* Fills in the directions from a ball with the pole (0, 0, 1) to its nine small balls. Each has
 * length 1. */
static void
directions (Vector *ret_directions)
{
  const double height = sqrt (3) / 2;
  const Vector hexagon[6] = { { 1, 0, 0 },  { 0.5, height, 0 },   { -0.5, height, 0 },
                              { -1, 0, 0 }, { -0.5, -height, 0 }, { 0.5, -height, 0 } };

  for (guint i = 0; i < 6; i++)
    ret_directions[i] = hexagon[i];
  for (guint i = 0; i < 3; i++)
    {
      Vector gap = vector_normalise (vector_add (hexagon[2 * i], hexagon[2 * i + 1]));

      ret_directions[6 + i] = vector_normalise (vector_add (gap, vector (0, 0, sqrt (2))));
    }
}

/* Finds two directions of length 1 that are at right angles to @pole and to each other. */
static void
equator (Vector pole, Vector *ret_x, Vector *ret_y)
{
  Vector other = fabs (pole.z) < 0.9 ? vector (0, 0, 1) : vector (1, 0, 0);

  *ret_y = vector_normalise (vector_cross (pole, other));
  *ret_x = vector_cross (*ret_y, pole);
}

static void
add_balls (Scene *scene, const Vector *around, Vector centre, double radius, Vector pole,
           guint n_levels)
{
  double small = radius * SHRINK;
  Vector x, y;

  scene_add_sphere (scene, centre, radius);
  if (n_levels == 0)
    return;
  equator (pole, &x, &y);
  for (guint i = 0; i < N_AROUND; i++)
    {
      Vector out = vector_scale (x, around[i].x);

      out = vector_add_scaled (out, y, around[i].y);
      out = vector_normalise (vector_add_scaled (out, pole, around[i].z));
      add_balls (scene, around, vector_add_scaled (centre, out, radius + small), small, out,
                 n_levels - 1);
    }
}

Scene *
balls_scene (guint n_levels)
{
  static const Vector floor_corners[] = {
    { 12, 12, -0.5 }, { -12, 12, -0.5 }, { -12, -12, -0.5 }, { 12, -12, -0.5 }
  };
  static const Surface floor = { .colour = { 1, 0.75, 0.33 }, .diffuse = 0.8, .index = 1 };
  static const Surface ball = {
    .colour = { 1, 0.9, 0.7 }, .diffuse = 0.5, .specular = 0.5, .shine = 30, .index = 1
  };
  Scene *scene = scene_new ();
  Vector around[N_AROUND];

  g_return_val_if_fail (n_levels <= BALLS_MAX_LEVELS, NULL);

  scene->viewpoint = (Viewpoint){ .from = { 2.1, 1.3, 1.7 },
                                  .up = { 0, 0, 1 },
                                  .angle_degrees = 45,
                                  .hither = 0.01,
                                  .width = 512,
                                  .height = 512 };
  scene->background = vector (0.078, 0.361, 0.753);
  scene_add_light (scene, vector (4, 3, 2), NULL);
  scene_add_light (scene, vector (1, -4, 4), NULL);
  scene_add_light (scene, vector (-3, 1, 5), NULL);
  scene_add_surface (scene, &floor);
  scene_add_polygon (scene, floor_corners, NULL, G_N_ELEMENTS (floor_corners));
  scene_add_surface (scene, &ball);
  directions (around);
  add_balls (scene, around, vector (0, 0, 0), 0.5, vector (0, 0, 1), n_levels);
  scene_finish (scene);
  return scene;
}
