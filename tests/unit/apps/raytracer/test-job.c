/* test-job.c - jobs of raytracer refuse pictures and areas that only a damaged node sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../wrong-job.h"

#include <satin/base/peers.h>

#include "raytracer/raytracer.c"
#undef main

/* What a message has beside a result, at most. */
#define MESSAGE_REST_BYTES ((gsize)256 << 10)

static const Shot shot = { 8, 6, 1, 1 };
static const Area whole = { 0, 0, 8, 6 };

static SceneSource
make_source (void)
{
  SceneSource source;
  g_assert_true (source_generate ("balls:0", &source, NULL));
  return source;
}

static void
test_wrong_areas_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  SceneSource source = make_source ();
  Pixels pixels = { 0 };
  g_assert_true (satin_run (workers, &pixels, draw_area, NULL, shot, whole, 4, 0, source));
  g_assert_cmpuint (pixels.n_rgb, ==, area_bytes (&whole));
  satin_record_clear (&Pixels_record, &pixels);

#define AREA_REFUSED(REASON, TILE, ...)                                                            \
  ASSERT_REFUSED (workers, REASON, &pixels, draw_area, shot, ((Area){ __VA_ARGS__ }), TILE, 0,     \
                  source)
  AREA_REFUSED ("width of the area", 4, 0, 0, 0, 6);
  AREA_REFUSED ("width of the area", 4, 0, 0, G_MAXINT32, 6);
  AREA_REFUSED ("height of the area", 4, 0, 0, 8, -1);
  AREA_REFUSED ("left edge", 4, 1, 0, 8, 6);
  AREA_REFUSED ("left edge", 4, G_MININT32, 0, 8, 6);
  AREA_REFUSED ("upper edge", 4, 0, 1, 8, 6);
  /* A pixel cannot be cut, so the job would have parts for ever. */
  AREA_REFUSED ("tile", 0, 0, 0, 1, 1);
  AREA_REFUSED ("tile", -1, 0, 0, 8, 6);
  satin_record_clear (&SceneSource_record, &source);
}

static void
test_wrong_shots_are_refused (void)
{
  g_autoptr (SatinWorkers) workers = make_one_worker ();
  SceneSource source = make_source ();
  Pixels pixels = { 0 };
#define SHOT_REFUSED(REASON, ...)                                                                  \
  ASSERT_REFUSED (workers, REASON, &pixels, draw_area, ((Shot){ __VA_ARGS__ }), whole, 4, 0, source)
  SHOT_REFUSED ("width", 0, 6, 1, 1);
  SHOT_REFUSED ("height", 8, SCENE_MAX_PIXELS + 1, 1, 1);
  SHOT_REFUSED ("samples", 8, 6, G_MAXINT32, 1);
  /* So many mirrors would overflow the stack. */
  SHOT_REFUSED ("depth", 8, 6, 1, -1);
  satin_record_clear (&SceneSource_record, &source);
}

/* The parts of the largest picture are jobs, whose results must fit into messages. */
static void
test_parts_can_leave_a_node (void)
{
  const Area all = { 0, 0, SCENE_MAX_PIXELS, SCENE_MAX_PIXELS };
  for (gint tile = 1; tile <= SCENE_MAX_TILE; tile++)
    {
      Area parts[4];
      guint n = split (&all, tile, parts);
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (area_bytes (&parts[i]), <, SATIN_MESSAGE_MAX_BYTES - MESSAGE_REST_BYTES);
    }
}

/* Another node may return too few pixels. */
static void
test_missing_pixels_are_refused (void)
{
  static const guint8 rgb[12];
  const Area area = { 0, 0, 2, 2 }, areas[] = { { 0, 0, 1, 2 }, { 1, 0, 1, 2 } };
  const Pixels parts[] = { { rgb, 6 }, { rgb, 3 } }, nothing = { 0 };
  Pixels pixels = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_false (join (&area, areas, parts, 2, &pixels, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
  g_assert_null (pixels.rgb);
  g_clear_error (&error);
  g_assert_false (check_pixels (&whole, &nothing, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_JOB);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-raytracer-job/" path, function)
  CASE ("wrong-areas-are-refused", test_wrong_areas_are_refused);
  CASE ("wrong-shots-are-refused", test_wrong_shots_are_refused);
  CASE ("parts-can-leave-a-node", test_parts_can_leave_a_node);
  CASE ("missing-pixels-are-refused", test_missing_pixels_are_refused);
  return g_test_run ();
}
