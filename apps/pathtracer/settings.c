/* settings.c - reads the options of the path tracer
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include "light/path.h"
#include "owners.h"

#define DEFAULT_WIDTH   640
#define DEFAULT_HEIGHT  480
#define DEFAULT_SAMPLES 64
#define DEFAULT_BOUNCES 8
#define DEFAULT_TILE    32

#define MAX_STOPS 30

/* Texts of options that are more than a number. */
typedef struct
{
  char *size; /* (owned) (nullable), as all others */
  char *sky;
  char *eye;
  char *at;
  char *fov;
  char *exposure;
  char *pixel_time;
} Texts;

static void
texts_clear (Texts *self)
{
  g_free (self->size);
  g_free (self->sky);
  g_free (self->eye);
  g_free (self->at);
  g_free (self->fov);
  g_free (self->exposure);
  g_free (self->pixel_time);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Texts, texts_clear)

static gboolean
parse_size (const char *text, Shot *ret_shot, GError **error)
{
  guint64 width, height;
  if (text == NULL)
    return TRUE;
  g_auto (GStrv) parts = g_strsplit (text, "x", 0);
  if (g_strv_length (parts) == 2
      && g_ascii_string_to_unsigned (parts[0], 10, 1, SCENE_MAX_PIXELS, &width, NULL)
      && g_ascii_string_to_unsigned (parts[1], 10, 1, SCENE_MAX_PIXELS, &height, NULL))
    {
      ret_shot->width = (gint)width;
      ret_shot->height = (gint)height;
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "--size is '%s', but must be WIDTHxHEIGHT, each from 1 to %d", text,
               SCENE_MAX_PIXELS);
  return FALSE;
}

/* Returns: %FALSE when @text is not a number from @min to @max */
static gboolean
parse_number (const char *text, double min, double max, double *ret_number)
{
  char *end;
  double number = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !(number >= min && number <= max))
    return FALSE;
  *ret_number = number;
  return TRUE;
}

/* Reads three numbers with commas between them. @text: (nullable): leaves @ret_vector as it is */
static gboolean
parse_vector (const char *option, const char *text, double min, double max, Vector *ret_vector,
              GError **error)
{
  if (text == NULL)
    return TRUE;
  g_auto (GStrv) parts = g_strsplit (text, ",", 0);
  Vector value;
  if (g_strv_length (parts) == 3 && parse_number (parts[0], min, max, &value.x)
      && parse_number (parts[1], min, max, &value.y) && parse_number (parts[2], min, max, &value.z))
    {
      *ret_vector = value;
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s is '%s', but must be three numbers from %g to %g, with commas between them",
               option, text, min, max);
  return FALSE;
}

static gboolean
check_camera (Settings *self, const Texts *texts, GError **error)
{
  Shot *shot = &self->shot;
  if ((texts->eye == NULL) != (texts->at == NULL))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "--eye and --at belong together: give both, or none");
      return FALSE;
    }
  if (texts->fov != NULL
      && !parse_number (texts->fov, SCENE_MIN_DEGREES, SCENE_MAX_DEGREES, &shot->degrees))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--fov is '%s', but must be from 1 to 170 degrees", texts->fov);
      return FALSE;
    }
  self->has_camera = texts->eye != NULL;
  Vector way = vector_subtract (shot->at, shot->eye);
  /* The camera shows the y axis above. */
  if (!self->has_camera || way.x != 0 || way.z != 0)
    return TRUE;
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                       "--at is above, below or at --eye: move one of them to the side");
  return FALSE;
}

static gboolean
parse_exposure (const char *text, double *ret_exposure, GError **error)
{
  double stops = 0;
  if (text != NULL && !parse_number (text, -MAX_STOPS, MAX_STOPS, &stops))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--exposure is '%s', but must be from -%d to %d", text, MAX_STOPS, MAX_STOPS);
      return FALSE;
    }
  /* A float no longer has the last bits, which depend on the mathematical library. */
  *ret_exposure = (double)(float)exp2 (stops);
  return TRUE;
}

static gboolean
check_owners (const Settings *self, GError **error)
{
  gint64 n_tiles = (gint64)area_n_tiles (self->shot.width, self->tile)
                   * area_n_tiles (self->shot.height, self->tile);
  if (self->owners == NULL || n_tiles <= OWNERS_MAX_TILES)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "--owners shows at most %d tiles, but the picture has %" G_GINT64_FORMAT
               ": give a larger --tile",
               OWNERS_MAX_TILES, n_tiles);
  return FALSE;
}

static gboolean
check (Settings *self, const Texts *texts, GError **error)
{
  if (self->scene == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "no scene: give an .obj, .gltf or .glb file");
      return FALSE;
    }
  return parse_size (texts->size, &self->shot, error)
         && parse_vector ("--sky", texts->sky, 0, SCENE_MAX_EMISSION, &self->shot.sky, error)
         && parse_vector ("--eye", texts->eye, -SCENE_MAX_PLACE, SCENE_MAX_PLACE, &self->shot.eye,
                          error)
         && parse_vector ("--at", texts->at, -SCENE_MAX_PLACE, SCENE_MAX_PLACE, &self->shot.at,
                          error)
         && check_camera (self, texts, error)
         && parse_exposure (texts->exposure, &self->shot.exposure, error)
         && check_owners (self, error)
         && app_charge_parse ("--pixel-time", texts->pixel_time, &self->pixel_us, error);
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_auto (Texts) texts = { 0 };
  Shot *shot = &ret_settings->shot;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &ret_settings->output, "Write the picture as PNG",
      "FILE" },
    { "owners", 0, 0, G_OPTION_ARG_FILENAME, &ret_settings->owners,
      "Show in this PNG file, once a second, which node has made which part", "FILE" },
    { "size", 0, 0, G_OPTION_ARG_STRING, &texts.size, "Size in pixels; 640x480", "WIDTHxHEIGHT" },
    { "sky", 0, 0, G_OPTION_ARG_STRING, &texts.sky,
      "Light that comes from outside the scene; 0,0,0, or 1,1,1 for a scene without lamps",
      "R,G,B" },
    { "eye", 0, 0, G_OPTION_ARG_STRING, &texts.eye, "Place of the camera", "X,Y,Z" },
    { "at", 0, 0, G_OPTION_ARG_STRING, &texts.at, "Place that the camera looks at", "X,Y,Z" },
    { "fov", 0, 0, G_OPTION_ARG_STRING, &texts.fov,
      "Angle of the view from top to bottom; that of the file, or 40", "DEGREES" },
    { "exposure", 0, 0, G_OPTION_ARG_STRING, &texts.exposure,
      "Makes the picture 2 to the power of N as bright; 0", "N" },
    { "pixel-time", 0, 0, G_OPTION_ARG_STRING, &texts.pixel_time,
      "Time of a pixel in a simulation; 0", "TIME" },
    G_OPTION_ENTRY_NULL,
  };
  const AppNumber numbers[] = {
    { "samples", "Paths for each pixel", 1, RENDER_MAX_SAMPLES, DEFAULT_SAMPLES, &shot->n_samples },
    { "bounces", "How often a path is scattered, at most", 0, PATH_MAX_BOUNCES, DEFAULT_BOUNCES,
      &shot->n_bounces },
    { "tile", "Side of one job's part, in pixels", 1, SCENE_MAX_TILE, DEFAULT_TILE,
      &ret_settings->tile },
    APP_NUMBER_NULL,
  };
  const AppUsage usage = { "SCENE.obj|.gltf|.glb", "Draws a scene by following paths of light.",
                           entries, numbers };

  *ret_settings = (Settings){ .shot = { .width = DEFAULT_WIDTH,
                                        .height = DEFAULT_HEIGHT,
                                        .sky = { -1, -1, -1 },
                                        .up = { 0, 1, 0 } } };
  return app_options_parse (&usage, argv, n_argv, &ret_settings->common, &ret_settings->scene,
                            error)
         && (ret_settings->common.is_help || check (ret_settings, &texts, error));
}

void
settings_clear (Settings *self)
{
  g_free (self->scene);
  g_free (self->output);
  g_free (self->owners);
}
