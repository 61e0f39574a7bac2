/* test-render.c - tests that a picture does not depend on how it was divided
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "render.h"

#include "scene/balls.h"

#include <string.h>

#define SIDE 24

static void
draw (const Scene *scene, gint samples, Area area, guint8 *rgb)
{
  const Shot shot = { SIDE, SIDE, samples, 5 };
  render_area (scene, &shot, &area, rgb);
}

static void
test_each_pixel_is_the_same_alone (void)
{
  g_autoptr (Scene) scene = balls_scene (2);
  guint8 whole[SIDE * SIDE * 3], pixel[3];
  draw (scene, 2, (Area){ 0, 0, SIDE, SIDE }, whole);
  for (gint y = 0; y < SIDE; y++)
    for (gint x = 0; x < SIDE; x++)
      {
        draw (scene, 2, (Area){ x, y, 1, 1 }, pixel);
        g_assert_cmpmem (pixel, 3, whole + 3 * (y * SIDE + x), 3);
      }
}

static void
test_scene_made_twice_gives_the_same_picture (void)
{
  g_autoptr (Scene) first = balls_scene (2), second = balls_scene (2);
  guint8 one[SIDE * SIDE * 3], other[SIDE * SIDE * 3];
  draw (first, 1, (Area){ 0, 0, SIDE, SIDE }, one);
  draw (second, 1, (Area){ 0, 0, SIDE, SIDE }, other);
  g_assert_cmpmem (one, sizeof one, other, sizeof other);
}

/* A scene seen along +z with y upwards, so x grows to the left. There is a white wall on the right,
 * nothing on the left, and a red strip at the top, in front of both. */
static Scene *
signpost (void)
{
  const Vector white[] = { { -90, -90, 10 }, { 0, -90, 10 }, { 0, 90, 10 }, { -90, 90, 10 } };
  const Vector red[] = { { -90, 5, 9 }, { 90, 5, 9 }, { 90, 90, 9 }, { -90, 90, 9 } };
  const Vector bright = { 100, 100, 100 };
  Scene *scene = scene_new ();
  scene->viewpoint =
      (Viewpoint){ .at = { 0, 0, 1 }, .up = { 0, 1, 0 }, .angle_degrees = 90, .hither = 0 };
  scene_add_light (scene, vector (0, 0, -1), &bright);
  scene_add_surface (scene, &(const Surface){ .colour = { 1, 1, 1 }, .diffuse = 1, .index = 1 });
  scene_add_polygon (scene, white, NULL, 4);
  scene_add_surface (scene, &(const Surface){ .colour = { 1, 0, 0 }, .diffuse = 1, .index = 1 });
  scene_add_polygon (scene, red, NULL, 4);
  return scene;
}

static void
test_up_is_up_and_left_is_left (void)
{
  g_autoptr (Scene) scene = signpost ();
  guint8 rgb[SIDE * SIDE * 3];
  scene_finish (scene);
  draw (scene, 1, (Area){ 0, 0, SIDE, SIDE }, rgb);
  g_assert_cmpmem (rgb + 3 * (SIDE * SIDE - 1), 3, "\377\377\377", 3);
  g_assert_cmpmem (rgb + 3 * (SIDE * (SIDE - 1)), 3, "\0\0\0", 3);
  g_assert_cmpmem (rgb, 3, "\377\0\0", 3);
}

static void
test_what_is_nearer_than_hither_is_not_seen (void)
{
  const Vector bright = { 100, 100, 100 };
  g_autoptr (Scene) scene = signpost ();
  guint8 rgb[SIDE * SIDE * 3];
  /* The plane cuts by depth, not by distance. So the strip disappears at the corners of the
   * picture, too, which are farther away than 9.5. */
  scene->viewpoint.hither = 9.5;
  scene_add_light (scene, vector (0, 0, 9.5), &bright);
  scene->background = vector (0, 1, 0);
  scene_finish (scene);
  draw (scene, 1, (Area){ 0, 0, SIDE, SIDE }, rgb);
  g_assert_cmpmem (rgb, 3, "\0\377\0", 3);
  g_assert_cmpmem (rgb + 3 * (SIDE - 1), 3, "\377\377\377", 3);
}

static void
test_samples_are_averaged (void)
{
  /* There is no light, so the wall is black. Its edge is in the middle of the only pixel. */
  const Vector wall[] = { { -90, -90, -1 }, { 0, -90, -1 }, { 0, 90, -1 }, { -90, 90, -1 } };
  g_autoptr (Scene) scene = scene_new ();
  const Shot shot = { 1, 1, 4, 0 };
  const Area all = { 0, 0, 1, 1 };
  guint8 pixel[3];
  scene->viewpoint = (Viewpoint){ .at = { 0, 0, -1 }, .up = { 0, 1, 0 }, .angle_degrees = 90 };
  scene->background = vector (1, 0.5, 0);
  scene_add_surface (scene, &(const Surface){ .diffuse = 1, .index = 1 });
  scene_add_polygon (scene, wall, NULL, 4);
  scene_finish (scene);
  render_area (scene, &shot, &all, pixel);
  g_assert_cmpmem (pixel, 3, "\200\100\0", 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/raytracer/render/" path, function)
  CASE ("each-pixel-is-the-same-alone", test_each_pixel_is_the_same_alone);
  CASE ("scene-made-twice-gives-the-same-picture", test_scene_made_twice_gives_the_same_picture);
  CASE ("up-is-up-and-left-is-left", test_up_is_up_and_left_is_left);
  CASE ("what-is-nearer-than-hither-is-not-seen", test_what_is_nearer_than_hither_is_not_seen);
  CASE ("samples-are-averaged", test_samples_are_averaged);
  return g_test_run ();
}
