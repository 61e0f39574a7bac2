/* test-path.c - light in scenes whose radiance is known
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "light/path.h"
#include "quads.h"

static const Vector black = { 0, 0, 0 };

/* Returns: the mean of @n paths, of which only the green colour counts */
static double
mean (const Scene *scene, Vector sky, Vector from, Vector direction, guint n_bounces, guint n)
{
  double sum = 0;
  for (guint i = 0; i < n; i++)
    {
      Random random = random_begin (7, i);
      sum += path_trace (scene, sky, from, vector_normalise (direction), n_bounces, &random).y;
    }
  return sum / n;
}

static void
assert_near (double value, double expected, double tolerance)
{
  g_test_message ("%.6f, expected %.6f", value, expected);
  g_assert_cmpfloat_with_epsilon (value, expected, tolerance);
}

/* In a closed box whose walls emit E and return the share A of what they receive, the radiance is
 * E / (1 - A) everywhere. */
static void
test_furnace (void)
{
  static const double shares[] = { 0, 0.3, 0.5, 0.8 };
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      Quads quads = { 0 };
      quads_add_box (&quads, quads_lambert (shares[i], 0.25));
      g_autoptr (Scene) scene = quads_scene (&quads);
      double expected = 0.25 / (1 - shares[i]);
      assert_near (mean (scene, black, black, vector (1, 0.3, 0.2), 1000, 20000), expected,
                   0.01 * expected);
    }
}

/* Each bounce adds its term of the series E (1 + A + A^2 ...). */
static void
test_bounces_are_terms_of_the_series (void)
{
  Quads quads = { 0 };
  quads_add_box (&quads, quads_lambert (0.5, 1));
  g_autoptr (Scene) scene = quads_scene (&quads);
  for (guint n = 0; n < 4; n++)
    assert_near (mean (scene, black, black, vector (0.2, 1, -0.4), n, 20000), 2 - pow (0.5, n),
                 0.015);
}

/* The share of the half sphere above a place, weighted by the cosine, that a parallel rectangle
 * covers whose corner is above the place: its sides are @a and @b times the distance. */
static double
form_factor (double a, double b)
{
  double side_a = sqrt (1 + a * a), side_b = sqrt (1 + b * b);
  return (a / side_a * atan (b / side_a) + b / side_b * atan (a / side_b)) / (2 * G_PI);
}

/* A floor below a square lamp: the floor returns the share 0.5 of its irradiance. */
static void
test_square_lamp (void)
{
  static const double halves[] = { 0.05, 0.5, 1, 4 };
  for (guint i = 0; i < G_N_ELEMENTS (halves); i++)
    {
      double half = halves[i];
      Quads quads = { 0 };
      quads_add (&quads, vector (-9, 0, -9), vector (18, 0, 0), vector (0, 0, 18),
                 quads_lambert (0.5, 0));
      quads_add (&quads, vector (-half, 1, -half), vector (2 * half, 0, 0), vector (0, 0, 2 * half),
                 quads_lambert (0, 3));
      g_autoptr (Scene) scene = quads_scene (&quads);
      double expected = 0.5 * 3 * 4 * form_factor (half, half);
      assert_near (mean (scene, black, vector (0, 0.5, 0), vector (0, -1, 0), 1, 40000), expected,
                   0.01 * expected);
    }
}

/* The lamp covers a quarter of what is seen from a place at one of its corners. */
static void
test_lamp_beside_the_place (void)
{
  Quads quads = { 0 };
  quads_add (&quads, vector (-9, 0, -9), vector (18, 0, 0), vector (0, 0, 18),
             quads_lambert (1, 0));
  quads_add (&quads, vector (0, 2, 0), vector (3, 0, 0), vector (0, 0, 1), quads_lambert (0, 1));
  g_autoptr (Scene) scene = quads_scene (&quads);
  double expected = form_factor (1.5, 0.5);
  assert_near (mean (scene, black, vector (0, 1, 0), vector (0, -1, 0), 1, 40000), expected,
               0.01 * expected);
}

/* A screen between lamp and floor takes all light. */
static void
test_shadow_is_black (void)
{
  Quads quads = { 0 };
  quads_add (&quads, vector (-9, 0, -9), vector (18, 0, 0), vector (0, 0, 18),
             quads_lambert (1, 0));
  quads_add (&quads, vector (-1, 3, -1), vector (2, 0, 0), vector (0, 0, 2), quads_lambert (0, 1));
  quads_add (&quads, vector (-8, 2, -8), vector (16, 0, 0), vector (0, 0, 16),
             quads_lambert (0, 0));
  g_autoptr (Scene) scene = quads_scene (&quads);
  g_assert_cmpfloat (mean (scene, black, vector (0, 1, 0), vector (0, -1, 0), 1, 2000), ==, 0);
}

static void
test_sky_is_seen_and_reflected (void)
{
  Quads quads = { 0 };
  quads_add (&quads, vector (-9, 0, -9), vector (18, 0, 0), vector (0, 0, 18),
             quads_lambert (0.4, 0));
  g_autoptr (Scene) scene = quads_scene (&quads);
  const Vector sky = { 2, 2, 2 };
  g_assert_cmpfloat (mean (scene, sky, vector (0, 1, 0), vector (0, 1, 0), 5, 10), ==, 2);
  assert_near (mean (scene, sky, vector (0, 1, 0), vector (1, -1, 0), 5, 1000), 0.8, 1e-9);
}

/* A white plate under a white sky is as bright as the sky, or darker, whatever it is made of. */
static void
test_nothing_is_brighter_than_its_light (void)
{
  static const double numbers[] = { 0, 0.1, 0.3, 0.6, 1 };
  for (guint i = 0; i < 2 * G_N_ELEMENTS (numbers) * G_N_ELEMENTS (numbers); i++)
    {
      Quads quads = { 0 };
      Material material = quads_lambert (1, 0);
      double height = 0.05 + numbers[i / 2 % 5];
      material.specular = vector (0.04, 0.04, 0.04);
      material.metallic = i % 2;
      material.roughness = numbers[i / 10];
      quads_add (&quads, vector (-9, 0, -9), vector (18, 0, 0), vector (0, 0, 18), material);
      g_autoptr (Scene) scene = quads_scene (&quads);
      double seen =
          mean (scene, vector (1, 1, 1), vector (0, height, 0), vector (1, -height, 0), 1, 4000);
      g_test_message ("metallic %g, roughness %g, height %g: %.4f", material.metallic,
                      material.roughness, height, seen);
      g_assert_cmpfloat (seen, <=, 1.01);
      if (material.roughness == 0)
        g_assert_cmpfloat (seen, >=, 0.9);
    }
}

/* Paths of one pixel and sample are the same; those of others differ. */
static void
test_path_depends_on_pixel_and_sample_only (void)
{
  Random first = random_begin (3, 5), again = random_begin (3, 5), other = random_begin (5, 3);
  double number = random_share (&first);
  g_assert_cmpfloat (random_share (&again), ==, number);
  g_assert_cmpfloat (random_share (&other), !=, number);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-pathtracer-path/" path, function)
  CASE ("furnace-has-the-radiance-of-the-series", test_furnace);
  CASE ("bounces-are-terms-of-the-series", test_bounces_are_terms_of_the_series);
  CASE ("square-lamp-has-its-irradiance", test_square_lamp);
  CASE ("lamp-beside-the-place-has-its-irradiance", test_lamp_beside_the_place);
  CASE ("shadow-is-black", test_shadow_is_black);
  CASE ("sky-is-seen-and-reflected", test_sky_is_seen_and_reflected);
  CASE ("nothing-is-brighter-than-its-light", test_nothing_is_brighter_than_its_light);
  CASE ("path-depends-on-pixel-and-sample-only", test_path_depends_on_pixel_and_sample_only);
  return g_test_run ();
}
