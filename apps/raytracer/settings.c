/* settings.c - reads the options of the ray tracer
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include "shade.h"

#define DEFAULT_SCENE "balls:4"
#define DEFAULT_DEPTH 5
/* README.md has the measurements behind this choice. */
#define DEFAULT_TILE 32

/* Returns: %FALSE when @text is not WIDTHxHEIGHT */
static gboolean
parse_size (const char *text, Shot *ret_shot)
{
  g_auto (GStrv) parts = g_strsplit (text, "x", 0);
  guint64 width, height;

  if (g_strv_length (parts) != 2
      || !g_ascii_string_to_unsigned (parts[0], 10, 1, SCENE_MAX_PIXELS, &width, NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, SCENE_MAX_PIXELS, &height, NULL))
    return FALSE;
  ret_shot->width = (gint)width;
  ret_shot->height = (gint)height;
  return TRUE;
}

static gboolean
check_numbers (Settings *self, const char *size, GError **error)
{
  if (size != NULL && !parse_size (size, &self->shot))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--size is '%s', but must be WIDTHxHEIGHT, each from 1 to %d", size,
                   SCENE_MAX_PIXELS);
      return FALSE;
    }
  return app_range_check ("--samples", self->shot.samples, 1, RENDER_MAX_SAMPLES, error)
         && app_range_check ("--depth", self->shot.depth, 0, SHADE_MAX_DEPTH, error)
         && app_range_check ("--tile", self->tile, 1, SCENE_MAX_TILE, error);
}

static gboolean
read_source (Settings *self, const char *scene, const char *file, GError **error)
{
  if (scene != NULL && file != NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--scene %s and the file %s are two scenes: give one of them", scene, file);
      return FALSE;
    }
  if (file != NULL)
    return source_load (file, &self->source, error);
  return source_generate (scene != NULL ? scene : DEFAULT_SCENE, &self->source, error);
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_autofree char *scene = NULL, *size = NULL, *file = NULL, *pixel_time = NULL;
  Shot *shot = &ret_settings->shot;
  const GOptionEntry entries[] = {
    { "scene", 0, 0, G_OPTION_ARG_STRING, &scene, "A generated scene; balls:4 if none is given",
      "balls:LEVELS" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &ret_settings->output, "Write the picture as PNG",
      "FILE" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &size, "Size in pixels instead of the scene's own",
      "WIDTHxHEIGHT" },
    { "samples", 0, 0, G_OPTION_ARG_INT, &shot->samples, "N x N rays for each pixel; 1", "N" },
    { "depth", 0, 0, G_OPTION_ARG_INT, &shot->depth, "How often a ray is mirrored or refracted; 5",
      "N" },
    { "tile", 0, 0, G_OPTION_ARG_INT, &ret_settings->tile, "Largest side of one job's part; 32",
      "PIXELS" },
    { "pixel-time", 0, 0, G_OPTION_ARG_STRING, &pixel_time, "Time of a pixel in a simulation; 0",
      "TIME" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[SCENE.nff]", "Draws a scene by following rays of light.", entries };

  *ret_settings =
      (Settings){ .shot = { .samples = 1, .depth = DEFAULT_DEPTH }, .tile = DEFAULT_TILE };
  if (!app_options_parse (&usage, argv, n_argv, &ret_settings->common, &file, error))
    return FALSE;
  if (ret_settings->common.is_help)
    return TRUE;
  return check_numbers (ret_settings, size, error)
         && app_charge_parse ("--pixel-time", pixel_time, &ret_settings->pixel_us, error)
         && read_source (ret_settings, scene, file, error);
}

void
settings_clear (Settings *self)
{
  g_free (self->output);
  satin_record_clear (&SceneSource_record, &self->source);
}
