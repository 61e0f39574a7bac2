/* test-area.c - the picture is cut into whole tiles, and put together again
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "area.h"

#include <satin/base/peers.h>
#include <string.h>

#include "scene/data.h"

/* What a message has beside the pixels of a result, at most. */
#define MESSAGE_REST_BYTES ((gsize)256 << 10)

/* Cuts @area down to its tiles, and counts for each pixel how often it is in a tile. */
static void
count_pixels (const Area *area, gint tile, gint width, guint8 *counts)
{
  Area parts[AREA_MAX_PARTS];
  guint n = area_cut (area, tile, parts);
  for (guint i = 0; n > 1 && i < n; i++)
    count_pixels (&parts[i], tile, width, counts);
  if (n > 1)
    return;
  g_assert_cmpint (area->x % tile, ==, 0);
  g_assert_cmpint (area->y % tile, ==, 0);
  g_assert_cmpint (area->width, <=, tile);
  g_assert_cmpint (area->height, <=, tile);
  for (gint y = area->y; y < area->y + area->height; y++)
    for (gint x = area->x; x < area->x + area->width; x++)
      counts[y * width + x]++;
}

static void
test_each_pixel_is_in_one_tile (void)
{
  for (gint width = 1; width <= 40; width += 3)
    for (gint height = 1; height <= 40; height += 7)
      for (gint tile = 1; tile <= 64; tile = tile * 2 + 1)
        {
          const Area all = { 0, 0, width, height };
          g_autofree guint8 *counts = g_new0 (guint8, (gsize)(width * height));
          count_pixels (&all, tile, width, counts);
          for (gint i = 0; i < width * height; i++)
            g_assert_cmpuint (counts[i], ==, 1);
        }
}

/* The parts of the largest picture are jobs, whose results must fit into messages. */
static void
test_parts_can_leave_a_node (void)
{
  const Area all = { 0, 0, SCENE_MAX_PIXELS, SCENE_MAX_PIXELS };
  for (gint tile = 1; tile <= SCENE_MAX_TILE; tile++)
    {
      Area parts[AREA_MAX_PARTS];
      guint n = area_cut (&all, tile, parts);
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (area_bytes (&parts[i]), <, SATIN_MESSAGE_MAX_BYTES - MESSAGE_REST_BYTES);
    }
}

static void
test_parts_come_to_their_place (void)
{
  const Area whole = { 4, 2, 3, 2 }, part = { 5, 3, 2, 1 };
  static const guint8 part_rgb[] = { 1, 2, 3, 4, 5, 6 };
  guint8 rgb[18] = { 0 };
  static const guint8 expected[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6 };
  area_paste (&whole, rgb, &part, part_rgb);
  g_assert_cmpmem (rgb, sizeof rgb, expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-pathtracer-area/" path, function)
  CASE ("each-pixel-is-in-one-tile", test_each_pixel_is_in_one_tile);
  CASE ("parts-can-leave-a-node", test_parts_can_leave_a_node);
  CASE ("parts-come-to-their-place", test_parts_come_to_their_place);
  return g_test_run ();
}
