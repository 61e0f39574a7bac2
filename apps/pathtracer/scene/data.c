/* data.c - checks a scene that comes from a file or from another node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "data.h"

static gboolean
refuse (GError **error, const char *what, gsize index)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "the scene is malformed: %s %" G_GSIZE_FORMAT, what, index);
  return FALSE;
}

static gboolean
check_count (const char *what, gsize n, gsize max, GError **error)
{
  if (n <= max)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "the scene has %" G_GSIZE_FORMAT " %s, but at most %" G_GSIZE_FORMAT
               " are possible: simplify it",
               n, what, max);
  return FALSE;
}

static gboolean
check_counts (const SceneData *data, GError **error)
{
  gsize n_vertices = data->n_places / 3;
  if (data->n_places != n_vertices * 3 || data->n_normals != data->n_places
      || data->n_texture_places != n_vertices * 2 || data->n_corners != data->n_surfaces * 3)
    return refuse (error, "its arrays do not fit each other, vertices:", n_vertices);
  if (data->n_surfaces == 0)
    return refuse (error, "number of triangles:", 0);
  return check_count ("triangles", data->n_surfaces, SCENE_MAX_TRIANGLES, error)
         && check_count ("vertices", n_vertices, SCENE_MAX_VERTICES, error)
         && check_count ("materials", data->n_materials, SCENE_MAX_MATERIALS, error)
         && check_count ("textures", data->n_textures, SCENE_MAX_TEXTURES, error);
}

/* The comparisons are false for a value that is not a number. */
static gboolean
is_within (double value, double min, double max)
{
  return value >= min && value <= max;
}

static gboolean
is_vector_within (const Vector *value, double min, double max)
{
  return is_within (value->x, min, max) && is_within (value->y, min, max)
         && is_within (value->z, min, max);
}

static gboolean
check_floats (const char *what, const float *values, gsize n, double max, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!is_within (values[i], -max, max))
      return refuse (error, what, i);
  return TRUE;
}

static gboolean
check_triangles (const SceneData *data, GError **error)
{
  gint32 n_vertices = (gint32)(data->n_places / 3);
  for (gsize i = 0; i < data->n_corners; i++)
    if (data->corners[i] < 0 || data->corners[i] >= n_vertices)
      return refuse (error, "a vertex is missing, triangle", i / 3);
  for (gsize i = 0; i < data->n_surfaces; i++)
    if (data->surfaces[i] < 0 || (gsize)data->surfaces[i] >= data->n_materials)
      return refuse (error, "its material is missing, triangle", i);
  return TRUE;
}

static gboolean
check_material (const Material *material, gsize n_textures)
{
  return is_vector_within (&material->base, 0, 1) && is_vector_within (&material->specular, 0, 1)
         && is_within (material->metallic, 0, 1) && is_within (material->roughness, 0, 1)
         && is_vector_within (&material->emission, 0, SCENE_MAX_EMISSION) && material->texture >= -1
         && material->texture < (gint32)n_textures;
}

static gboolean
check_texture (const Texture *texture)
{
  return texture->width >= 1 && texture->width <= SCENE_MAX_TEXTURE_SIDE && texture->height >= 1
         && texture->height <= SCENE_MAX_TEXTURE_SIDE
         && texture->n_rgb == 3 * (gsize)texture->width * (gsize)texture->height;
}

static gboolean
check_parts (const SceneData *data, GError **error)
{
  for (gsize i = 0; i < data->n_materials; i++)
    if (!check_material (&data->materials[i], data->n_textures))
      return refuse (error, "a number is out of its range, material", i);
  for (gsize i = 0; i < data->n_textures; i++)
    if (!check_texture (&data->textures[i]))
      return refuse (error, "its size is wrong, texture", i);
  const Camera *camera = &data->camera;
  if (camera->is_given
      && (!is_vector_within (&camera->eye, -SCENE_MAX_PLACE, SCENE_MAX_PLACE)
          || !is_vector_within (&camera->at, -2 * SCENE_MAX_PLACE, 2 * SCENE_MAX_PLACE)
          || !is_vector_within (&camera->up, -2, 2)
          || !is_within (camera->degrees, SCENE_MIN_DEGREES, SCENE_MAX_DEGREES)))
    return refuse (error, "a number is out of its range, camera", 0);
  return TRUE;
}

gboolean
scene_data_check (const SceneData *data, GError **error)
{
  return check_counts (data, error)
         && check_floats ("a place is no number or too far away, coordinate", data->places,
                          data->n_places, SCENE_MAX_PLACE, error)
         && check_floats ("a normal is no number, coordinate", data->normals, data->n_normals, 2,
                          error)
         && check_floats ("a place in a texture is no number, coordinate", data->texture_places,
                          data->n_texture_places, SCENE_MAX_PLACE, error)
         && check_triangles (data, error) && check_parts (data, error);
}
