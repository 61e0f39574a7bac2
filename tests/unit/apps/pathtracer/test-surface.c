/* test-surface.c - the surfaces of the path tracer obey physics, and are drawn as they scatter
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "light/colour.h"
#include "light/surface.h"

static const Vector normal = { 0, 0, 1 };

/* A direction at @degrees from the normal. */
static Vector
tilted (double degrees)
{
  return vector (sin (degrees * G_PI / 180), 0, cos (degrees * G_PI / 180));
}

/* The surface of @material, which has no texture and needs no scene. */
static Surface
make (const Material *material, Vector out)
{
  const Hit hit = { .flat = normal, .normal = normal, .material = material };
  return surface_make (NULL, &hit, out);
}

static Material
make_material (double base, double specular, double metallic, double roughness)
{
  return (Material){
    { base, base, base }, { specular, specular, specular }, metallic, roughness, { 0, 0, 0 }, -1
  };
}

/* Returns: a direction of the half sphere above the surface, all equally likely */
static Vector
draw_uniform (Random *random)
{
  double x, y;
  random_circle (random, &x, &y);
  double z = 1 - x * x - y * y, scale = sqrt (1 + z);
  return vector (x * scale, y * scale, z);
}

/* Returns: which share of uniform light the surface returns, by uniform directions; @ret_density:
 * (out): the integral of the density of surface_draw() */
static double
integrate (const Surface *surface, Vector out, guint n, double *ret_density)
{
  Random random = random_begin (1, 2);
  double sum = 0, densities = 0, density;
  for (guint i = 0; i < n; i++)
    {
      sum += surface_value (surface, out, draw_uniform (&random), &density).x;
      densities += density;
    }
  *ret_density = 2 * G_PI * densities / n;
  return 2 * G_PI * sum / n;
}

/* The same, by directions of surface_draw(). */
static double
draw_many (const Surface *surface, Vector out, guint n)
{
  Random random = random_begin (3, 4);
  double sum = 0;
  for (guint i = 0; i < n; i++)
    {
      Scattering drawn;
      if (surface_draw (surface, out, &random, &drawn))
        sum += drawn.weight.x;
    }
  return sum / n;
}

static void
test_drawing_agrees_with_the_value (void)
{
  static const double roughnesses[] = { 0.5, 0.7, 1 }, angles[] = { 5, 40, 75 };
  for (guint i = 0; i < 18; i++)
    {
      Material material = make_material (0.8, 0.04, i % 2, roughnesses[i / 6]);
      Vector out = tilted (angles[i / 2 % 3]);
      Surface surface = make (&material, out);
      double density, share = integrate (&surface, out, 200000, &density);
      double drawn = draw_many (&surface, out, 50000);
      g_test_message ("metallic %g, roughness %g, %g degrees: %.4f %.4f, density %.4f",
                      material.metallic, material.roughness, angles[i / 2 % 3], share, drawn,
                      density);
      g_assert_cmpfloat_with_epsilon (share, drawn, 0.02);
      /* Some drawn directions lie below the surface. */
      g_assert_cmpfloat (density, <=, 1.02);
    }
}

static void
test_no_surface_returns_more_than_it_receives (void)
{
  static const double speculars[] = { 0, 0.04, 0.5, 1 };
  for (guint i = 0; i < 4; i++)
    for (double metallic = 0; metallic <= 1; metallic += 0.5)
      for (double roughness = 0; roughness <= 1; roughness += 0.2)
        for (double degrees = 0; degrees < 89; degrees += 17)
          {
            Material material = make_material (1, speculars[i], metallic, roughness);
            Vector out = tilted (degrees);
            Surface surface = make (&material, out);
            double share = draw_many (&surface, out, 4000);
            if (share > 1.01)
              g_test_message ("specular %g, metallic %g, roughness %g, %g degrees", speculars[i],
                              metallic, roughness, degrees);
            g_assert_cmpfloat (share, <=, 1.01);
          }
}

static void
test_a_white_wall_returns_everything (void)
{
  Material material = make_material (1, 0, 0, 1);
  Surface surface = make (&material, tilted (30));
  g_assert_cmpfloat_with_epsilon (draw_many (&surface, tilted (30), 1000), 1, 1e-9);
}

static void
test_both_directions_are_equal (void)
{
  Random random = random_begin (5, 6);
  Material material = make_material (0.7, 0.04, 0.3, 0.4);
  for (guint i = 0; i < 1000; i++)
    {
      Vector a = draw_uniform (&random), b = draw_uniform (&random);
      Surface one = make (&material, a), other = make (&material, b);
      double density;
      double there = surface_value (&one, a, b, &density).y / b.z;
      double back = surface_value (&other, b, a, &density).y / a.z;
      g_assert_cmpfloat_with_epsilon (there, back, 1e-9 * MAX (there, 1));
    }
}

static void
test_a_mirror_mirrors (void)
{
  Material material = make_material (0.9, 0.04, 1, 0);
  Vector out = tilted (50);
  Surface surface = make (&material, out);
  Random random = random_begin (7, 8);
  for (guint i = 0; i < 1000; i++)
    {
      Scattering drawn;
      g_assert_true (surface_draw (&surface, out, &random, &drawn));
      g_assert_cmpfloat (vector_dot (drawn.direction, vector (-out.x, 0, out.z)), >, 0.99);
    }
}

static void
test_nothing_comes_from_below (void)
{
  Material material = make_material (0.9, 0.04, 0.5, 0.5);
  Surface surface = make (&material, tilted (50));
  double density;
  g_assert_cmpfloat (colour_max (surface_value (&surface, tilted (50), tilted (120), &density)), ==,
                     0);
  g_assert_cmpfloat (density, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-pathtracer-surface/" path, function)
  CASE ("drawing-agrees-with-the-value", test_drawing_agrees_with_the_value);
  CASE ("no-surface-returns-more-than-it-receives", test_no_surface_returns_more_than_it_receives);
  CASE ("a-white-wall-returns-everything", test_a_white_wall_returns_everything);
  CASE ("both-directions-are-equal", test_both_directions_are_equal);
  CASE ("a-mirror-mirrors", test_a_mirror_mirrors);
  CASE ("nothing-comes-from-below", test_nothing_comes_from_below);
  return g_test_run ();
}
