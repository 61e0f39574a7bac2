/* test-tour.c - tests how tours are checked, brought into a standard order, and drawn
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tour.h"

#include <string.h>
#include <unistd.h>
#include <glib/gstdio.h>

#define N 4

/* A square with sides of 1, and diagonals of 2. */
static const gint32 between[N * N] = { 0, 1, 2, 1, 1, 0, 1, 2, 2, 1, 0, 1, 1, 2, 1, 0 };
static const Distances square = { N, between, N *N };

static void
test_right_tour_passes (void)
{
  static const gint32 tour[N] = { 2, 3, 0, 1 };
  g_autoptr (GError) error = NULL;
  g_assert_true (tour_check (&square, tour, 4, &error));
  g_assert_no_error (error);
}

static void
test_wrong_tour_is_refused (void)
{
  static const struct
  {
    gint32 tour[N];
    gint32 length;
    const char *message;
  } wrongs[] = {
    { { 0, 1, 2, 3 }, 3, "the tour that was found has not the length 3 but 4" },
    { { 0, 2, 1, 3 }, 4, "the tour that was found has not the length 4 but 6" },
    { { 0, 1, 2, 1 }, 4, "the tour that was found does not pass each city once" },
    { { 0, 1, 2, 4 }, 4, "the tour that was found does not pass each city once" },
    { { 0, 1, 2, -1 }, 4, "the tour that was found does not pass each city once" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (tour_check (&square, wrongs[i].tour, wrongs[i].length, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
      g_assert_cmpstr (error->message, ==, wrongs[i].message);
    }
}

static void
test_every_start_and_direction_is_turned_to_one (void)
{
  static const gint32 turned[N] = { 0, 1, 2, 3 };
  for (gint32 start = 0; start < N; start++)
    for (gint32 direction = -1; direction <= 1; direction += 2)
      {
        gint32 tour[N];
        for (gint32 i = 0; i < N; i++)
          tour[i] = (start + direction * i + N) % N;
        tour_turn (tour, N);
        g_assert_cmpmem (tour, sizeof tour, turned, sizeof turned);
      }
}

/* Draws the cities at @points. Returns: (transfer full): the picture */
static char *
draw (Point *points, char *name)
{
  static const gint32 tour[N] = { 0, 1, 2, 3 };
  const Instance instance = { name, square, points };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  char *picture = NULL;
  close (g_file_open_tmp ("satin-tour-XXXXXX", &path, NULL));
  g_autoptr (AppOutput) output = app_output_open ("picture", path, &error);
  g_assert_no_error (error);
  g_assert_true (tour_draw (&instance, tour, output, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &picture, NULL, NULL));
  g_unlink (path);
  return picture;
}

static void
test_picture_has_the_tour_upright (void)
{
  Point points[N] = { { 1, 1 }, { 1, 2 }, { 3, 2 }, { 3, 1 } };
  g_autofree char *picture = draw (points, (char *)"box");
  g_assert_nonnull (strstr (picture, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1040\" "
                                     "height=\"540\">"));
  g_assert_nonnull (strstr (picture, " points=\"20,520 20,20 1020,20 1020,520\"/>"));
  g_assert_nonnull (strstr (picture, "<title>4</title>"));
}

static void
test_one_place_for_all_cities_is_drawn (void)
{
  Point points[N] = { { 7, 7 }, { 7, 7 }, { 7, 7 }, { 7, 7 } };
  g_autofree char *picture = draw (points, (char *)"heap");
  g_assert_nonnull (strstr (picture, " points=\"20,20 20,20 20,20 20,20\"/>"));
}

static void
test_name_is_escaped (void)
{
  Point points[N] = { { 1, 1 }, { 1, 2 }, { 3, 2 }, { 3, 1 } };
  g_autofree char *picture = draw (points, (char *)"<&>");
  g_assert_nonnull (strstr (picture, "<title>&lt;&amp;&gt;, a tour of length 4</title>"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/apps/tsp/tour/" path, function)
  CASE ("right-tour-passes", test_right_tour_passes);
  CASE ("wrong-tour-is-refused", test_wrong_tour_is_refused);
  CASE ("every-start-and-direction-is-turned-to-one",
        test_every_start_and_direction_is_turned_to_one);
  CASE ("picture-has-the-tour-upright", test_picture_has_the_tour_upright);
  CASE ("one-place-for-all-cities-is-drawn", test_one_place_for_all_cities_is_drawn);
  CASE ("name-is-escaped", test_name_is_escaped);
  return g_test_run ();
}
