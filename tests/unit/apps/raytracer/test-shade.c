/* test-shade.c - tests light, shadow, mirrors and glass with values computed by hand
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shade.h"

#define EPSILON 1e-9

static const Vector blue = { 0, 0.25, 1 };
static const Vector white = { 1, 1, 1 };

static void
add_wall (Scene *scene, double z, const Surface *surface)
{
  const Vector corners[] = { { -50, -50, z }, { 50, -50, z }, { 50, 50, z }, { -50, 50, z } };
  scene_add_surface (scene, surface);
  scene_add_polygon (scene, corners, NULL, 4);
}

/* A blue sky, and a wall at 0 that scatters half of the light. */
static Scene *
scene_with_wall (void)
{
  Scene *scene = scene_new ();
  scene->background = blue;
  add_wall (scene, 0, &(const Surface){ .colour = { 1, 1, 0.5 }, .diffuse = 0.5, .index = 1 });
  return scene;
}

static Vector
see (Scene *scene, Vector from, Vector direction, guint depth)
{
  if (scene->nodes == NULL)
    scene_finish (scene);
  Ray ray = ray_new (from, vector_normalise (direction));
  return shade_ray (scene, &ray, 0, depth);
}

static void
assert_colour (Vector a, double red, double green, double blue_part)
{
  g_assert_cmpfloat_with_epsilon (a.x, red, EPSILON);
  g_assert_cmpfloat_with_epsilon (a.y, green, EPSILON);
  g_assert_cmpfloat_with_epsilon (a.z, blue_part, EPSILON);
}

static void
test_nothing_is_the_background (void)
{
  g_autoptr (Scene) scene = scene_with_wall ();
  assert_colour (see (scene, vector (0, 0, 1), vector (0, 0, 1), 5), 0, 0.25, 1);
}

static void
test_scattered_light_goes_with_the_cosine (void)
{
  g_autoptr (Scene) scene = scene_with_wall ();
  scene_add_light (scene, vector (0, 0, 3), &white);
  assert_colour (see (scene, vector (0, 1, 1), vector (0, -1, -1), 5), 0.5, 0.5, 0.25);
  /* The point is 4 beside the light and 3 below it: the cosine is 3 / 5. */
  assert_colour (see (scene, vector (4, 1, 1), vector (0, -1, -1), 5), 0.3, 0.3, 0.15);
}

static void
test_lights_without_colour_share_their_brightness (void)
{
  g_autoptr (Scene) scene = scene_with_wall ();
  for (guint i = 0; i < 4; i++)
    scene_add_light (scene, vector (0, 0, 3), NULL);
  /* There are four lights, each with a brightness of 1 / sqrt (4). */
  assert_colour (see (scene, vector (0, 1, 1), vector (0, -1, -1), 5), 1, 1, 0.5);
}

static void
test_light_behind_the_wall_does_not_count (void)
{
  g_autoptr (Scene) scene = scene_with_wall ();
  scene_add_light (scene, vector (0, 0, -3), &white);
  assert_colour (see (scene, vector (0, 1, 1), vector (0, -1, -1), 5), 0, 0, 0);
}

static void
test_both_sides_of_a_wall_are_lit (void)
{
  g_autoptr (Scene) scene = scene_with_wall ();
  scene_add_light (scene, vector (0, 0, -3), &white);
  assert_colour (see (scene, vector (0, 1, -1), vector (0, -1, 1), 5), 0.5, 0.5, 0.25);
}

static void
test_opaque_things_throw_a_full_shadow (void)
{
  g_autoptr (Scene) scene = scene_with_wall ();
  scene_add_light (scene, vector (0, 0, 3), &white);
  scene_add_sphere (scene, vector (0, 0, 2), 0.25);
  assert_colour (see (scene, vector (0, 1, 1), vector (0, -1, -1), 5), 0, 0, 0);
}

static void
test_things_beyond_the_light_throw_no_shadow (void)
{
  g_autoptr (Scene) scene = scene_with_wall ();
  scene_add_light (scene, vector (0, 0, 3), &white);
  scene_add_sphere (scene, vector (0, 0, 4), 0.25);
  assert_colour (see (scene, vector (0, 1, 1), vector (0, -1, -1), 5), 0.5, 0.5, 0.25);
}

static void
test_each_surface_of_glass_weakens_the_light (void)
{
  const Surface glass = { .transmittance = 0.5, .index = 1.5 };
  g_autoptr (Scene) scene = scene_with_wall ();
  scene_add_light (scene, vector (0, 0, 3), &white);
  scene_add_surface (scene, &glass);
  scene_add_sphere (scene, vector (0, 0, 2), 0.25);
  assert_colour (see (scene, vector (0, 1, 1), vector (0, -1, -1), 5), 0.125, 0.125, 0.0625);
}

static void
test_highlight_is_brightest_in_the_mirrored_direction (void)
{
  const Surface shiny = { .specular = 0.5, .shine = 4, .index = 1 };
  g_autoptr (Scene) scene = scene_new ();
  scene_add_light (scene, vector (3, 0, 3), &white);
  add_wall (scene, 0, &shiny);
  assert_colour (see (scene, vector (-1, 0, 1), vector (1, 0, -1), 5), 0.5, 0.5, 0.5);
  /* From straight above, the angle to the mirrored direction is 45 degrees: 0.5 * cos^4 = 0.125. */
  assert_colour (see (scene, vector (0, 0, 1), vector (0, 0, -1), 5), 0.125, 0.125, 0.125);
}

static void
test_mirror_shows_what_is_before_it (void)
{
  const Surface mirror = { .specular = 0.8, .index = 1 };
  g_autoptr (Scene) scene = scene_new ();
  scene->background = blue;
  add_wall (scene, 0, &mirror);
  assert_colour (see (scene, vector (0, 1, 1), vector (0, -1, -1), 5), 0, 0.2, 0.8);
}

static void
test_depth_ends_the_rays_between_mirrors (void)
{
  const Surface mirror = { .specular = 1, .index = 1 };
  g_autoptr (Scene) scene = scene_new ();
  scene->background = blue;
  add_wall (scene, 0, &mirror);
  add_wall (scene, 1, &mirror);
  /* Between two reflections the ray goes 30 aside, so it leaves the mirrors after the second
   * one. */
  assert_colour (see (scene, vector (0, 0, 0.5), vector (30, 0, -1), 2), 0, 0.25, 1);
  assert_colour (see (scene, vector (0, 0, 0.5), vector (30, 0, -1), 1), 0, 0, 0);
}

static void
test_refraction_follows_snell (void)
{
  double sine = sin (G_PI / 6), inside = sine / 1.5;
  Vector refracted;
  g_assert_true (
      shade_refract (vector (sine, 0, -cos (G_PI / 6)), vector (0, 0, 1), 1 / 1.5, &refracted));
  assert_colour (refracted, inside, 0, -sqrt (1 - inside * inside));
}

static void
test_straight_ray_is_not_bent (void)
{
  Vector refracted;
  g_assert_true (shade_refract (vector (0, 0, -1), vector (0, 0, 1), 1.5, &refracted));
  assert_colour (refracted, 0, 0, -1);
}

static void
test_total_reflection_begins_at_the_critical_angle (void)
{
  double critical = asin (1 / 1.5);
  Vector refracted = { 7, 7, 7 };
  g_assert_true (shade_refract (vector (sin (critical - 1e-6), 0, -cos (critical - 1e-6)),
                                vector (0, 0, 1), 1.5, &refracted));
  refracted = vector (7, 7, 7);
  g_assert_false (shade_refract (vector (sin (critical + 1e-6), 0, -cos (critical + 1e-6)),
                                 vector (0, 0, 1), 1.5, &refracted));
  assert_colour (refracted, 7, 7, 7);
}

static void
test_totally_reflected_light_is_not_lost (void)
{
  /* The ray starts in water, whose flat surface is at 0 with the sky above. */
  const Surface water = { .transmittance = 0.75, .specular = 0.25, .index = 1.5 };
  g_autoptr (Scene) scene = scene_new ();
  scene->background = blue;
  add_wall (scene, 0, &water);
  assert_colour (see (scene, vector (0, 0, -1), vector (5, 0, 1), 5), 0, 0.25, 1);
}

static void
test_glass_of_index_1_does_not_bend (void)
{
  const Surface air = { .transmittance = 1, .index = 1 };
  g_autoptr (Scene) scene = scene_with_wall ();
  scene_add_light (scene, vector (0, 0.1, 3), &white);
  scene_add_surface (scene, &air);
  scene_add_sphere (scene, vector (0, 0, 2), 0.5);
  /* The ray goes through the sphere to a point of the wall where the cosine is 3 / 5. */
  assert_colour (see (scene, vector (-4, 0.1, 4), vector (8, 0, -4), 5), 0.3, 0.3, 0.15);
}

/* A ray that goes through a glass ball is bent twice. */
static void
test_glass_ball_turns_the_picture_round (void)
{
  const Surface glass = { .transmittance = 1, .index = 1.5 };
  const Surface bright = { .colour = { 1, 0, 0 }, .diffuse = 1, .index = 1 };
  const Vector half[] = { { 0, 50, -9 }, { 0, -50, -9 }, { 50, -50, -9 }, { 50, 50, -9 } };
  g_autoptr (Scene) scene = scene_new ();
  scene->background = blue;
  scene_add_light (scene, vector (0, 0, 1000), &white);
  scene_add_surface (scene, &bright);
  scene_add_polygon (scene, half, NULL, 4);
  scene_add_surface (scene, &glass);
  scene_add_sphere (scene, vector (0, 0, 0), 1);
  /* The red half is on the right, but it is seen on the left. */
  g_assert_cmpfloat (see (scene, vector (-0.5, 0, 5), vector (0, 0, -1), 5).x, >, 0.9);
  assert_colour (see (scene, vector (0.5, 0, 5), vector (0, 0, -1), 5), 0, 0.25, 1);
}

static void
test_power_is_that_of_the_library (void)
{
  for (guint i = 0; i < 2000; i++)
    {
      double base = g_test_rand_double_range (0.01, 1);
      double exponent = (double)g_test_rand_int_range (0, 200 * 4096) / 4096;
      double power = pow (base, exponent);
      g_assert_cmpfloat_with_epsilon (shade_power (base, exponent), power, 1e-12 * power + 1e-300);
    }
}

static void
test_power_of_borders_is_exact (void)
{
  g_assert_cmpfloat (shade_power (0.3, 0), ==, 1);
  g_assert_cmpfloat (shade_power (0, 10), ==, 0);
  g_assert_cmpfloat (shade_power (1, 1e9), ==, 1);
  g_assert_cmpfloat (shade_power (0.5, 3), ==, 0.125);
  g_assert_cmpfloat (shade_power (0.25, 1.5), ==, 0.125);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/raytracer/shade/" path, function)
  CASE ("nothing-is-the-background", test_nothing_is_the_background);
  CASE ("scattered-light-goes-with-the-cosine", test_scattered_light_goes_with_the_cosine);
  CASE ("lights-without-colour-share-their-brightness",
        test_lights_without_colour_share_their_brightness);
  CASE ("light-behind-the-wall-does-not-count", test_light_behind_the_wall_does_not_count);
  CASE ("both-sides-of-a-wall-are-lit", test_both_sides_of_a_wall_are_lit);
  CASE ("opaque-things-throw-a-full-shadow", test_opaque_things_throw_a_full_shadow);
  CASE ("things-beyond-the-light-throw-no-shadow", test_things_beyond_the_light_throw_no_shadow);
  CASE ("each-surface-of-glass-weakens-the-light", test_each_surface_of_glass_weakens_the_light);
  CASE ("highlight-is-brightest-in-the-mirrored-direction",
        test_highlight_is_brightest_in_the_mirrored_direction);
  CASE ("mirror-shows-what-is-before-it", test_mirror_shows_what_is_before_it);
  CASE ("depth-ends-the-rays-between-mirrors", test_depth_ends_the_rays_between_mirrors);
  CASE ("refraction-follows-snell", test_refraction_follows_snell);
  CASE ("straight-ray-is-not-bent", test_straight_ray_is_not_bent);
  CASE ("total-reflection-begins-at-the-critical-angle",
        test_total_reflection_begins_at_the_critical_angle);
  CASE ("totally-reflected-light-is-not-lost", test_totally_reflected_light_is_not_lost);
  CASE ("glass-of-index-1-does-not-bend", test_glass_of_index_1_does_not_bend);
  CASE ("glass-ball-turns-the-picture-round", test_glass_ball_turns_the_picture_round);
  CASE ("power-is-that-of-the-library", test_power_is_that_of_the_library);
  CASE ("power-of-borders-is-exact", test_power_of_borders_is_exact);
  return g_test_run ();
}
