/* test-polygon.c - tests that the triangles of a polygon cover the polygon and nothing else
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scene/polygon.h"

#include <string.h>

static double
area (const Vector *corners, guint a, guint b, guint c)
{
  Vector cross = vector_cross (vector_subtract (corners[b], corners[a]),
                               vector_subtract (corners[c], corners[a]));
  return vector_length (cross) / 2;
}

/* Cuts the polygon. Returns: the sum of the areas of the *@ret_n triangles */
static double
cut_area (const Vector *corners, guint n_corners, guint *ret_n)
{
  g_autofree guint *cut = g_new (guint, 3 * n_corners);
  double sum = 0;
  *ret_n = polygon_cut (corners, n_corners, cut);
  for (guint i = 0; i < *ret_n; i++)
    sum += area (corners, cut[3 * i], cut[3 * i + 1], cut[3 * i + 2]);
  return sum;
}

static void
test_square_is_two_triangles (void)
{
  const Vector square[] = { { 0, 0, 7 }, { 2, 0, 7 }, { 2, 2, 7 }, { 0, 2, 7 } };
  guint n;
  g_assert_cmpfloat_with_epsilon (cut_area (square, 4, &n), 4, 1e-12);
  g_assert_cmpuint (n, ==, 2);
}

/* An L. A fan of triangles from its first corner would cover the notch. */
static const Vector notched[] = { { 3, 1, 0 }, { 1, 1, 0 }, { 1, 3, 0 },
                                  { 0, 3, 0 }, { 0, 0, 0 }, { 3, 0, 0 } };

static void
test_notch_of_a_concave_polygon_is_not_covered (void)
{
  guint n;
  g_assert_cmpfloat_with_epsilon (cut_area (notched, 6, &n), 5, 1e-12);
  g_assert_cmpuint (n, ==, 4);
}

static void
test_order_of_the_corners_does_not_matter (void)
{
  Vector turned[6];
  guint n;
  for (guint i = 0; i < 6; i++)
    turned[i] = notched[5 - i];
  g_assert_cmpfloat_with_epsilon (cut_area (turned, 6, &n), 5, 1e-12);
}

static void
test_triangles_turn_as_the_polygon_does (void)
{
  guint cut[12];
  guint n = polygon_cut (notched, 6, cut);
  for (guint i = 0; i < n; i++)
    {
      Vector a = notched[cut[3 * i]], b = notched[cut[3 * i + 1]], c = notched[cut[3 * i + 2]];
      Vector cross = vector_cross (vector_subtract (b, a), vector_subtract (c, a));
      /* The corners of the L are counterclockwise. */
      g_assert_cmpfloat (cross.z, >, 0);
    }
}

/* A star around the origin with random radii is a simple polygon, mostly concave. Its area is the
 * sum of the areas of its wedges. */
static void
test_random_stars_keep_their_area (void)
{
  for (guint round = 0; round < 200; round++)
    {
      Vector corners[40];
      guint n_corners = (guint)g_test_rand_int_range (3, 41), n;
      double expected = 0;
      Vector x = vector_normalise (vector (1, g_test_rand_double_range (-1, 1), 0.3));
      Vector y = vector_normalise (vector_cross (vector (0, 0.2, 1), x));
      for (guint i = 0; i < n_corners; i++)
        {
          double angle = 2 * G_PI * i / n_corners, radius = g_test_rand_double_range (0.2, 2);
          corners[i] = vector_add (vector_scale (x, radius * cos (angle)),
                                   vector_scale (y, radius * sin (angle)));
        }
      for (guint i = 0; i < n_corners; i++)
        {
          Vector wedge[] = { { 0, 0, 0 }, corners[i], corners[(i + 1) % n_corners] };
          expected += area (wedge, 0, 1, 2);
        }
      g_assert_cmpfloat_with_epsilon (cut_area (corners, n_corners, &n), expected, 1e-9);
      g_assert_cmpuint (n, ==, n_corners - 2);
    }
}

static void
test_corner_within_an_edge_does_no_harm (void)
{
  const Vector square[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 },
                            { 2, 2, 0 }, { 1, 2, 0 }, { 0, 2, 0 } };
  guint n;
  g_assert_cmpfloat_with_epsilon (cut_area (square, 6, &n), 4, 1e-12);
}

static void
test_corners_on_one_line_give_nothing (void)
{
  const Vector line[] = { { 0, 0, 0 }, { 1, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 } };
  guint n;
  g_assert_cmpfloat (cut_area (line, 4, &n), ==, 0);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_crossing_polygon_ends (void)
{
  Vector corners[POLYGON_MAX_CORNERS];
  guint n;
  for (guint i = 0; i < 100; i++)
    corners[i] = vector (g_test_rand_double (), g_test_rand_double (), 0);
  cut_area (corners, 100, &n);
  g_assert_cmpuint (n, <=, 98);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/raytracer/polygon/" path, function)
  CASE ("square-is-two-triangles", test_square_is_two_triangles);
  CASE ("notch-of-a-concave-polygon-is-not-covered",
        test_notch_of_a_concave_polygon_is_not_covered);
  CASE ("order-of-the-corners-does-not-matter", test_order_of_the_corners_does_not_matter);
  CASE ("triangles-turn-as-the-polygon-does", test_triangles_turn_as_the_polygon_does);
  CASE ("random-stars-keep-their-area", test_random_stars_keep_their_area);
  CASE ("corner-within-an-edge-does-no-harm", test_corner_within_an_edge_does_no_harm);
  CASE ("corners-on-one-line-give-nothing", test_corners_on_one_line_give_nothing);
  CASE ("crossing-polygon-ends", test_crossing_polygon_ends);
  return g_test_run ();
}
