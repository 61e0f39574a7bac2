/* raytracer.c - draws a picture: jobs cut it into quarters until the parts are small
 *
 * The arguments of a job are a part of the picture, and the scene (scene/source.h). The result of
 * the job is the pixels of that part. No job needs the pixels of another job. So the picture has
 * the same bytes however it is cut and wherever its parts are drawn.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
#include "../common/picture.h"

#include "render.h"
#include "settings.h"
#include "shade.h"
#include "scene/source.h"

#define BYTES_PER_PIXEL 3
#define DIGEST_SHOWN    16

/* Red, green and blue of each pixel of an area, line by line from the top. */
SATIN_RECORD (Pixels, (bytes, rgb))

static gsize
area_bytes (const Area *area)
{
  return (gsize)area->width * (gsize)area->height * BYTES_PER_PIXEL;
}

/* Cuts @area in half along each side that is longer than @tile. Returns: the number of parts: 1, 2
 * or 4 */
static guint
split (const Area *area, gint tile, Area *ret_parts)
{
  gint middle_x = area->width > tile ? area->width / 2 : area->width;
  gint middle_y = area->height > tile ? area->height / 2 : area->height;
  guint n = 0;

  for (gint y = 0; y < area->height; y = y == 0 ? middle_y : area->height)
    for (gint x = 0; x < area->width; x = x == 0 ? middle_x : area->width)
      ret_parts[n++] = (Area){ area->x + x, area->y + y, x == 0 ? middle_x : area->width - middle_x,
                               y == 0 ? middle_y : area->height - middle_y };
  return n;
}

static gboolean
check_arguments (const Shot *shot, const Area *area, int tile, GError **error)
{
  return app_argument_check ("width", shot->width, 1, SCENE_MAX_PIXELS, error)
         && app_argument_check ("height", shot->height, 1, SCENE_MAX_PIXELS, error)
         && app_argument_check ("number of samples", shot->samples, 1, RENDER_MAX_SAMPLES, error)
         && app_argument_check ("depth", shot->depth, 0, SHADE_MAX_DEPTH, error)
         && app_argument_check ("width of the area", area->width, 1, shot->width, error)
         && app_argument_check ("height of the area", area->height, 1, shot->height, error)
         && app_argument_check ("left edge", area->x, 0, shot->width - area->width, error)
         && app_argument_check ("upper edge", area->y, 0, shot->height - area->height, error)
         && app_argument_check ("tile", tile, 1, SCENE_MAX_TILE, error);
}

/* Checks the pixels of @area, which may come from another node. */
static gboolean
check_pixels (const Area *area, const Pixels *pixels, GError **error)
{
  if (pixels->n_rgb == area_bytes (area))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
               "an area of %dx%d has %" G_GSIZE_FORMAT " bytes of pixels", area->width,
               area->height, pixels->n_rgb);
  return FALSE;
}

/* Copies the pixels of @part to their place in the pixels of @whole. */
static void
paste (const Area *whole, guint8 *rgb, const Area *part, const guint8 *part_rgb)
{
  gsize line = (gsize)part->width * BYTES_PER_PIXEL;

  for (gint y = 0; y < part->height; y++)
    {
      gsize pixel =
          (gsize)(part->y - whole->y + y) * (gsize)whole->width + (gsize)(part->x - whole->x);
      memcpy (rgb + pixel * BYTES_PER_PIXEL, part_rgb + (gsize)y * line, line);
    }
}

/* Puts the pixels of the @n parts of @area together. */
static gboolean
join (const Area *area, const Area *areas, const Pixels *parts, guint n, Pixels *ret_whole,
      GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!check_pixels (&areas[i], &parts[i], error))
      return FALSE;
  guint8 *rgb = g_malloc (area_bytes (area));
  for (guint i = 0; i < n; i++)
    paste (area, rgb, &areas[i], parts[i].rgb);
  *ret_whole = (Pixels){ rgb, area_bytes (area) };
  return TRUE;
}

/* Draws @area in plain C. */
static Pixels
draw (const Scene *scene, const Shot *shot, const Area *area)
{
  guint8 *rgb = g_malloc (area_bytes (area));

  render_area (scene, shot, area, rgb);
  return (Pixels){ rgb, area_bytes (area) };
}

SATIN_TASK (draw_area, (record, Pixels), (record, shot, Shot), (record, area, Area), (int, tile),
            (int, pixel_us), (record, source, SceneSource))
{
  Pixels parts[4] = { 0 }, whole = { 0 };
  Area areas[4];
  GError *error = NULL;
  if (!check_arguments (&shot, &area, tile, &error))
    {
      satin_fail (error);
      return whole;
    }
  guint n = split (&area, tile, areas);
  if (n == 1)
    {
      const Scene *scene = source_scene (&source, &error);
      if (scene == NULL)
        {
          satin_fail (error);
          return whole;
        }
      satin_charge ((gint64)area.width * area.height * pixel_us * 1000);
      return draw (scene, &shot, &area);
    }

  for (guint i = 0; i < n; i++)
    SATIN_SPAWN (&parts[i], draw_area, shot, areas[i], tile, pixel_us, source);
  if (SATIN_SYNC () && !join (&area, areas, parts, n, &whole, &error))
    satin_fail (error);
  for (guint i = 0; i < n; i++)
    satin_record_clear (&Pixels_record, &parts[i]);
  return whole;
}

/* ---- the root ---- */

/* Returns: the shot of the settings, with the scene's own size if the settings have no size */
static Shot
shot_of (const Settings *settings, const Scene *scene)
{
  Shot shot = settings->shot;
  if (shot.width == 0)
    {
      shot.width = (gint)scene->viewpoint.width;
      shot.height = (gint)scene->viewpoint.height;
    }
  return shot;
}

static void
print_result (const Shot *shot, const Scene *scene, const Pixels *pixels)
{
  g_autofree char *digest =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, pixels->rgb, pixels->n_rgb);
  g_print ("raytracer: %dx%d, %u primitives, digest %.*s\n", shot->width, shot->height,
           scene->primitives->len, DIGEST_SHOWN, digest);
}

static gboolean
write_picture (AppOutput *file, const Shot *shot, const Pixels *pixels, GError **error)
{
  return file == NULL
         || picture_write (file, (guint)shot->width, (guint)shot->height, pixels->rgb, error);
}

/* Reads all options and files, so that errors are found before work starts.
 * Returns: (nullable): the scene; %NULL with @error set, or without @error for --help */
static const Scene *
prepare (const SatinString *argv, gsize n_argv, Settings *ret_settings, AppOutput **ret_file,
         GError **error)
{
  if (!settings_read (argv, n_argv, ret_settings, error) || ret_settings->common.is_help)
    return NULL;
  const Scene *scene = source_scene (&ret_settings->source, error);
  if (scene == NULL || ret_settings->output == NULL)
    return scene;
  *ret_file = app_output_open ("picture", ret_settings->output, error);
  return *ret_file != NULL ? scene : NULL;
}

SATIN_TASK (raytracer_main, (int), (array_string, argv))
{
  g_auto (Settings) settings = { 0 };
  g_autoptr (AppOutput) file = NULL;
  GError *error = NULL;
  const Scene *scene = prepare (argv, n_argv, &settings, &file, &error);
  if (scene == NULL)
    {
      if (error != NULL)
        satin_fail (error);
      return 0;
    }

  Shot shot = shot_of (&settings, scene);
  Area all = { 0, 0, shot.width, shot.height };
  Pixels pixels = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  if (settings.common.is_sequential)
    pixels = draw (scene, &shot, &all);
  else
    /* A whole picture may be too large for the result of a job. */
    pixels = SATIN_CALL (draw_area, shot, all, settings.tile, settings.pixel_us, settings.source);
  SATIN_SYNC_OR_RETURN (0);

  if (settings.common.is_timed)
    app_print_time ("raytracer", g_get_monotonic_time () - started_us, 0, 0);
  if (check_pixels (&all, &pixels, &error) && write_picture (file, &shot, &pixels, &error))
    print_result (&shot, scene, &pixels);
  else
    satin_fail (error);
  satin_record_clear (&Pixels_record, &pixels);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--output=");
  satin_argument_is_free ("-o=");
  return satin_main (argc, argv, raytracer_main);
}
