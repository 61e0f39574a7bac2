/* test-distance.c - tests distances, which TSPLIB defines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "distance.h"

#include <math.h>

static void
test_plane_rounds_to_the_nearest (void)
{
  g_assert_cmpint (distance_euclidean ((Point){ 0, 0 }, (Point){ 3, 4 }), ==, 5);
  g_assert_cmpint (distance_euclidean ((Point){ 0, 0 }, (Point){ 1, 1 }), ==, 1);
  g_assert_cmpint (distance_euclidean ((Point){ 0, 0 }, (Point){ 1.5, 0 }), ==, 2);
  g_assert_cmpint (distance_euclidean ((Point){ -1, -1 }, (Point){ 1, 1 }), ==, 3);
}

static void
test_angles_are_degrees_and_minutes (void)
{
  g_assert_cmpfloat_with_epsilon (distance_radians (180), 3.141592, 1e-12);
  g_assert_cmpfloat_with_epsilon (distance_radians (10.30), 3.141592 * 10.5 / 180, 1e-12);
  g_assert_cmpfloat_with_epsilon (distance_radians (-5.21), -3.141592 * 5.35 / 180, 1e-12);
}

static Point
point_at (double latitude, double longitude)
{
  return (Point){ distance_radians (longitude), distance_radians (latitude) };
}

/* In the published matrix of burma14, the second and the third city are 153 and 510 km from the
 * first city. */
static void
test_globe_has_the_published_distances (void)
{
  Point first = point_at (16.47, 96.10);
  g_assert_cmpint (distance_geographic (first, point_at (16.47, 94.44)), ==, 153);
  g_assert_cmpint (distance_geographic (first, point_at (20.09, 92.54)), ==, 510);
}

static void
test_globe_has_a_kilometre_between_equal_places (void)
{
  Point point = point_at (47.11, 8.15);
  g_assert_cmpint (distance_geographic (point, point), ==, 1);
}

static void
test_globe_ends_at_the_antipodes (void)
{
  g_assert_cmpint (distance_geographic (point_at (90, 0), point_at (-90, 0)), >=, 20037);
  g_assert_cmpint (distance_geographic (point_at (90, 0), point_at (-90, 0)), <=, 20039);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/tsp/distance/" path, function)
  CASE ("plane-rounds-to-the-nearest", test_plane_rounds_to_the_nearest);
  CASE ("angles-are-degrees-and-minutes", test_angles_are_degrees_and_minutes);
  CASE ("globe-has-the-published-distances", test_globe_has_the_published_distances);
  CASE ("globe-has-a-kilometre-between-equal-places",
        test_globe_has_a_kilometre_between_equal_places);
  CASE ("globe-ends-at-the-antipodes", test_globe_ends_at_the_antipodes);
  return g_test_run ();
}
