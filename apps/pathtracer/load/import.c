/* import.c - reads a scene with Assimp, and makes arrays of what it has read
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <string.h>

#include "import.h"
#include "private.h"

#define STEPS                                                                                      \
  (aiProcess_Triangulate | aiProcess_JoinIdenticalVertices | aiProcess_ValidateDataStructure)

void
import_note (Import *self, char *text)
{
  if (g_ptr_array_find_with_equal_func (self->notes, text, g_str_equal, NULL))
    g_free (text);
  else
    g_ptr_array_add (self->notes, text);
}

static void
texture_clear (gpointer data)
{
  satin_record_clear (&Texture_record, data);
}

static void
import_init (Import *self, const char *path, SceneFiles *files)
{
  *self = (Import){ .path = path, .files = files };
  self->is_gltf = !g_str_has_suffix (path, ".obj");
  self->places = g_array_new (FALSE, FALSE, sizeof (float));
  self->normals = g_array_new (FALSE, FALSE, sizeof (float));
  self->texture_places = g_array_new (FALSE, FALSE, sizeof (float));
  self->corners = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->surfaces = g_array_new (FALSE, FALSE, sizeof (gint32));
  self->materials = g_array_new (FALSE, FALSE, sizeof (Material));
  self->textures = g_array_new (FALSE, FALSE, sizeof (Texture));
  g_array_set_clear_func (self->textures, texture_clear);
  self->texture_names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->notes = g_ptr_array_new_with_free_func (g_free);
}

static void
import_clear (Import *self)
{
  GArray *const arrays[] = { self->places,   self->normals,   self->texture_places, self->corners,
                             self->surfaces, self->materials, self->textures };
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_unref (arrays[i]);
  g_hash_table_unref (self->texture_names);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
}

/* Returns: a record whose arrays are those of the import */
static SceneData
as_data (const Import *self)
{
  return (SceneData){
    .places = (const float *)self->places->data,
    .n_places = self->places->len,
    .normals = (const float *)self->normals->data,
    .n_normals = self->normals->len,
    .texture_places = (const float *)self->texture_places->data,
    .n_texture_places = self->texture_places->len,
    .corners = (const gint32 *)self->corners->data,
    .n_corners = self->corners->len,
    .surfaces = (const gint32 *)self->surfaces->data,
    .n_surfaces = self->surfaces->len,
    .materials = (const Material *)self->materials->data,
    .n_materials = self->materials->len,
    .textures = (const Texture *)self->textures->data,
    .n_textures = self->textures->len,
    .camera = self->camera,
  };
}

static gboolean
check_data (const SceneData *data, GError **error)
{
  if (!scene_data_check (data, error))
    return FALSE;
  gsize n_bytes = (data->n_places + data->n_normals + data->n_texture_places) * sizeof (float)
                  + (data->n_corners + data->n_surfaces) * sizeof (gint32);
  for (gsize i = 0; i < data->n_textures; i++)
    n_bytes += data->textures[i].n_rgb;
  if (n_bytes <= SCENE_MAX_BYTES)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "the scene takes %" G_GSIZE_FORMAT " MiB, but at most %" G_GSIZE_FORMAT
               " MiB can be sent to a node: use smaller textures or fewer triangles",
               n_bytes >> 20, SCENE_MAX_BYTES >> 20);
  return FALSE;
}

static gboolean
read_all (Import *self, SceneData *ret_data, GError **error)
{
  if (!import_materials (self, error) || !import_nodes (self, error))
    return FALSE;
  SceneData data = as_data (self);
  if (!check_data (&data, error))
    return FALSE;
  satin_record_copy (&SceneData_record, &data, ret_data);
  return TRUE;
}

/* Assimp's messages may have several lines. Returns: (transfer full): the first line */
static char *
first_line (const char *text)
{
  return g_strndup (text, strcspn (text, "\r\n"));
}

static gboolean
check_name (const char *path, GError **error)
{
  if (g_str_has_suffix (path, ".obj") || g_str_has_suffix (path, ".gltf")
      || g_str_has_suffix (path, ".glb"))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s is no scene: give a file whose name ends with .obj, .gltf or .glb", path);
  return FALSE;
}

gboolean
import_scene (const char *path, SceneData *ret_data, GPtrArray **ret_notes, GError **error)
{
  g_autoptr (SceneFiles) files = scene_files_new ();
  if (!check_name (path, error) || scene_files_read (files, path, error) == NULL)
    return FALSE;
  const struct aiScene *scene = aiImportFileEx (path, STEPS, scene_files_get_io (files));
  gboolean is_read = scene_files_check (files, error);
  if (is_read && scene == NULL)
    {
      g_autofree char *reason = first_line (aiGetErrorString ());
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is malformed: %s", path, reason);
    }
  if (is_read && scene != NULL)
    {
      Import import;
      import_init (&import, path, files);
      import.scene = scene;
      is_read = read_all (&import, ret_data, error);
      if (is_read)
        *ret_notes = g_steal_pointer (&import.notes);
      else
        g_prefix_error (error, "%s: ", path);
      import_clear (&import);
    }
  else
    is_read = FALSE;
  if (scene != NULL)
    aiReleaseImport (scene);
  return is_read;
}
