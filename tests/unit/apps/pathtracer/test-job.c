/* test-job.c - jobs of pathtracer refuse pictures, areas and objects that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../wrong-job.h"

#include "pathtracer/pathtracer.c"
#undef main

static const Shot shot = { 8, 6, 1, 1, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, -1 }, { 0, 1, 0 }, 40, 1 };
static const Area whole = { 0, 0, 8, 6 };

static void
test_wrong_areas_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  Part part = { 0 };
#define AREA_REFUSED(REASON, TILE, ...)                                                            \
  ASSERT_REFUSED (workers, REASON, &part, draw_area, shot, ((Area){ __VA_ARGS__ }), TILE, 0, 0, 0)
  AREA_REFUSED ("width of the area", 4, 0, 0, 0, 6);
  AREA_REFUSED ("width of the area", 4, 0, 0, G_MAXINT32, 6);
  AREA_REFUSED ("height of the area", 4, 0, 0, 8, -1);
  AREA_REFUSED ("left edge", 4, 1, 0, 8, 6);
  AREA_REFUSED ("left edge", 4, G_MININT32, 0, 8, 6);
  AREA_REFUSED ("left edge in its tile", 4, 1, 0, 4, 4);
  AREA_REFUSED ("upper edge in its tile", 4, 0, 1, 4, 4);
  AREA_REFUSED ("upper edge", 4, 0, 1, 8, 6);
  /* A pixel cannot be cut, so the job would have parts for ever. */
  AREA_REFUSED ("tile", 0, 0, 0, 1, 1);
  AREA_REFUSED ("tile", -1, 0, 0, 8, 6);
}

static void
test_wrong_shots_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  Part part = { 0 };
#define SHOT_REFUSED(REASON, ...)                                                                  \
  ASSERT_REFUSED (workers, REASON, &part, draw_area, ((Shot){ __VA_ARGS__ }), whole, 4, 0, 0, 0)
  SHOT_REFUSED ("width", 0, 6, 1, 1);
  SHOT_REFUSED ("height", 8, SCENE_MAX_PIXELS + 1, 1, 1);
  SHOT_REFUSED ("samples", 8, 6, G_MAXINT32, 1);
  SHOT_REFUSED ("bounces", 8, 6, 1, -1);
}

static void
test_missing_objects_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  Part part = { 0 };
  ASSERT_REFUSED (workers, "the scene is not here", &part, draw_area, shot, whole, 8, 0, 77, 0);
  ASSERT_REFUSED (workers, "the object with the owners is not here", &part, draw_area, shot, whole,
                  8, 0, 77, 78);
  ASSERT_REFUSED (workers, "time of a pixel", &part, draw_area, shot, whole, 8, -1, 77, 0);
}

/* Another node may return too few pixels, or owners of too few tiles. */
static void
test_missing_pixels_are_refused (void)
{
  static const guint8 rgb[12];
  static const gint32 nodes[2];
  const Area area = { 0, 0, 2, 2 }, areas[] = { { 0, 0, 1, 2 }, { 1, 0, 1, 2 } };
  const Part few_pixels[] = { { rgb, 6, nodes, 2 }, { rgb, 3, nodes, 2 } };
  const Part few_owners[] = { { rgb, 6, nodes, 2 }, { rgb, 6, nodes, 1 } };
  const Part right[] = { { rgb, 6, nodes, 2 }, { rgb, 6, nodes, 2 } };
  Part part = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_false (join (&area, 1, TRUE, areas, few_pixels, 2, &part, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_clear_error (&error);
  g_assert_false (join (&area, 1, TRUE, areas, few_owners, 2, &part, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_assert_null (part.rgb);
  g_clear_error (&error);
  g_assert_true (join (&area, 1, TRUE, areas, right, 2, &part, &error));
  g_assert_cmpuint (part.n_nodes, ==, 4);
  satin_record_clear (&Part_record, &part);
}

static void
test_owners_come_to_their_place (void)
{
  const Area area = { 0, 0, 40, 30 }, areas[] = { { 0, 0, 32, 30 }, { 32, 0, 8, 30 } };
  static const gint32 one[] = { 1, 2, 3, 4 }, two[] = { 5, 6 };
  gint32 nodes[6];
  paste_nodes (&area, nodes, &areas[0], one, 16);
  paste_nodes (&area, nodes, &areas[1], two, 16);
  const gint32 expected[] = { 1, 2, 5, 3, 4, 6 };
  g_assert_cmpmem (nodes, sizeof nodes, expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-pathtracer-job/" path, function)
  CASE ("wrong-areas-are-refused", test_wrong_areas_are_refused);
  CASE ("wrong-shots-are-refused", test_wrong_shots_are_refused);
  CASE ("missing-objects-are-refused", test_missing_objects_are_refused);
  CASE ("missing-pixels-are-refused", test_missing_pixels_are_refused);
  CASE ("owners-come-to-their-place", test_owners_come_to_their_place);
  return g_test_run ();
}
