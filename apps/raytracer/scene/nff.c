/* nff.c - reads the Neutral File Format, one element after the other
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "nff.h"

#include "../../common/words.h"
#include "polygon.h"

#define MAX_COORDINATE 1e9
#define MAX_INTENSITY  1e6
#define MAX_SHINE      1e9
#define MIN_INDEX      0.01
#define MAX_INDEX      100

typedef struct
{
  AppWords words;
  Scene *scene;
  gboolean has_viewpoint;
} Reader;

/* Reads three numbers, each from @low to @high. */
static gboolean
read_vector (AppWords *words, const char *what, double low, double high, Vector *ret_vector,
             GError **error)
{
  Vector read;

  if (!app_words_number (words, what, low, high, &read.x, error)
      || !app_words_number (words, what, low, high, &read.y, error)
      || !app_words_number (words, what, low, high, &read.z, error))
    return FALSE;
  *ret_vector = read;
  return TRUE;
}

static gboolean
read_point (Reader *self, const char *what, Vector *ret_point, GError **error)
{
  return read_vector (&self->words, what, -MAX_COORDINATE, MAX_COORDINATE, ret_point, error);
}

static gboolean
read_colour (Reader *self, const char *what, Vector *ret_colour, GError **error)
{
  return read_vector (&self->words, what, 0, MAX_INTENSITY, ret_colour, error);
}

static gboolean
fail (Reader *self, const char *message, GError **error)
{
  return app_words_fail (&self->words, SATIN_ERROR_FORMAT, message, error);
}

static gboolean
is_same (Vector a, Vector b)
{
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

static gboolean
read_viewpoint (Reader *self, GError **error)
{
  AppWords *words = &self->words;
  Viewpoint *view = &self->scene->viewpoint;
  gint64 width, height;

  if (self->has_viewpoint)
    return fail (self, "a second viewpoint, leave one 'v'", error);
  if (!app_words_expect (words, "from", error)
      || !read_point (self, "coordinates to look from", &view->from, error)
      || !app_words_expect (words, "at", error)
      || !read_point (self, "coordinates to look at", &view->at, error))
    return FALSE;
  if (is_same (view->from, view->at))
    return fail (self, "'at' must not be the same point as 'from'", error);
  if (!app_words_expect (words, "up", error)
      || !read_point (self, "upward direction", &view->up, error))
    return FALSE;
  if (is_same (vector_cross (view->up, vector_subtract (view->at, view->from)), (Vector){ 0 }))
    return fail (self, "'up' must not point along the view", error);
  if (!app_words_expect (words, "angle", error)
      || !app_words_number (words, "angle in degrees", 0.001, 179, &view->angle_degrees, error)
      || !app_words_expect (words, "hither", error)
      || !app_words_number (words, "distance of the hither plane", 0, MAX_COORDINATE, &view->hither,
                            error)
      || !app_words_expect (words, "resolution", error)
      || !app_words_integer (words, "width in pixels", 1, SCENE_MAX_PIXELS, &width, error)
      || !app_words_integer (words, "height in pixels", 1, SCENE_MAX_PIXELS, &height, error))
    return FALSE;
  view->width = (guint)width;
  view->height = (guint)height;
  self->has_viewpoint = TRUE;
  return TRUE;
}

static gboolean
read_background (Reader *self, GError **error)
{
  return read_colour (self, "background colour", &self->scene->background, error);
}

static gboolean
read_light (Reader *self, GError **error)
{
  Vector position, colour;
  gboolean has_colour;

  if (self->scene->lights->len == SCENE_MAX_LIGHTS)
    return app_words_fail (&self->words, SATIN_ERROR_LIMIT,
                           "more than " G_STRINGIFY (SCENE_MAX_LIGHTS) " lights", error);
  if (!read_point (self, "coordinates of a light", &position, error))
    return FALSE;
  has_colour = app_words_has_more_in_line (&self->words);
  if (has_colour && !read_colour (self, "colour of a light", &colour, error))
    return FALSE;
  scene_add_light (self->scene, position, has_colour ? &colour : NULL);
  return TRUE;
}

static gboolean
read_surface (Reader *self, GError **error)
{
  AppWords *words = &self->words;
  Surface surface;

  if (!read_colour (self, "surface colour", &surface.colour, error)
      || !app_words_number (words, "Kd", 0, MAX_INTENSITY, &surface.diffuse, error)
      || !app_words_number (words, "Ks", 0, MAX_INTENSITY, &surface.specular, error)
      || !app_words_number (words, "Shine", 0, MAX_SHINE, &surface.shine, error)
      || !app_words_number (words, "T", 0, 1, &surface.transmittance, error)
      || !app_words_number (words, "index of refraction", 0, MAX_INDEX, &surface.index, error))
    return FALSE;
  if (surface.transmittance > 0 && surface.index < MIN_INDEX)
    return app_words_refuse (words, "index of refraction of at least " G_STRINGIFY (MIN_INDEX),
                             error);
  scene_add_surface (self->scene, &surface);
  return TRUE;
}

static gboolean
read_radius (Reader *self, const char *what, double *ret_radius, GError **error)
{
  double radius;

  if (!app_words_number (&self->words, what, -MAX_COORDINATE, MAX_COORDINATE, &radius, error))
    return FALSE;
  *ret_radius = fabs (radius);
  return TRUE;
}

static gboolean
read_cone (Reader *self, GError **error)
{
  Vector base, apex;
  double base_radius, apex_radius;

  if (!read_point (self, "coordinates of a cone's base", &base, error)
      || !read_radius (self, "radius at a cone's base", &base_radius, error)
      || !read_point (self, "coordinates of a cone's apex", &apex, error)
      || !read_radius (self, "radius at a cone's apex", &apex_radius, error))
    return FALSE;
  if (is_same (base, apex))
    return fail (self, "base and apex of a cone must not be the same point", error);
  if (base_radius == 0 && apex_radius == 0)
    return fail (self, "one radius of a cone must not be 0", error);
  scene_add_cone (self->scene, base, base_radius, apex, apex_radius);
  return TRUE;
}

static gboolean
read_sphere (Reader *self, GError **error)
{
  Vector centre;
  double radius;

  if (!read_point (self, "coordinates of a sphere", &centre, error)
      || !read_radius (self, "radius of a sphere", &radius, error))
    return FALSE;
  if (radius == 0)
    return app_words_refuse (&self->words, "radius of a sphere, not 0", error);
  scene_add_sphere (self->scene, centre, radius);
  return TRUE;
}

static gboolean
read_corners (Reader *self, gboolean has_normals, GError **error)
{
  Vector corners[POLYGON_MAX_CORNERS], normals[POLYGON_MAX_CORNERS];
  gint64 n;

  if (!app_words_integer (&self->words, "number of corners", 3, POLYGON_MAX_CORNERS, &n, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      if (!read_point (self, "coordinates of a corner", &corners[i], error))
        return FALSE;
      if (!has_normals)
        continue;
      if (!read_point (self, "normal at a corner", &normals[i], error))
        return FALSE;
      if (vector_length (normals[i]) == 0)
        return fail (self, "the normal at a corner must not be 0 0 0", error);
    }
  scene_add_polygon (self->scene, corners, has_normals ? normals : NULL, (guint)n);
  return TRUE;
}

static gboolean
read_polygon (Reader *self, GError **error)
{
  return read_corners (self, FALSE, error);
}

static gboolean
read_patch (Reader *self, GError **error)
{
  return read_corners (self, TRUE, error);
}

static const struct
{
  const char *keyword;
  gboolean (*read) (Reader *self, GError **error);
  gboolean needs_surface;
} elements[] = {
  { "v", read_viewpoint, FALSE }, { "b", read_background, FALSE }, { "l", read_light, FALSE },
  { "f", read_surface, FALSE },   { "c", read_cone, TRUE },        { "s", read_sphere, TRUE },
  { "p", read_polygon, TRUE },    { "pp", read_patch, TRUE },
};

/* Reads the element whose keyword was the last word read. */
static gboolean
read_element (Reader *self, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    {
      if (strcmp (self->words.word, elements[i].keyword) != 0)
        continue;
      if (elements[i].needs_surface && self->scene->surfaces->len == 0)
        return app_words_refuse (&self->words, "a surface ('f') before the first object", error);
      return elements[i].read (self, error);
    }
  return app_words_refuse (&self->words, "one of v b l f c s p pp", error);
}

Scene *
nff_read (const char *file, const char *text, gsize n_text, GError **error)
{
  g_autoptr (Scene) scene = scene_new ();
  Reader reader = { .scene = scene };

  if (n_text > NFF_MAX_BYTES)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s: larger than %d MiB", file,
                   NFF_MAX_BYTES >> 20);
      return NULL;
    }
  app_words_init (&reader.words, file, text, n_text);
  while (app_words_next (&reader.words))
    {
      if (!read_element (&reader, error))
        return NULL;
      if (scene->primitives->len > SCENE_MAX_PRIMITIVES)
        {
          app_words_fail (&reader.words, SATIN_ERROR_LIMIT, "too many objects", error);
          return NULL;
        }
    }
  if (!reader.has_viewpoint)
    {
      app_words_refuse (&reader.words, "a viewpoint ('v')", error);
      return NULL;
    }
  scene_finish (scene);
  return g_steal_pointer (&scene);
}
