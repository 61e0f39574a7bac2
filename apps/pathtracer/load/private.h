/* private.h - a scene that is being read, for the files of this folder
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <assimp/scene.h>

#include "../scene/data.h"
#include "files.h"

/* No node of a file's tree is deeper than this. */
#define IMPORT_MAX_DEPTH 256

/**
 * Import:
 * @path: (borrowed): the scene's file
 * @files: (borrowed)
 * @scene: (borrowed): what Assimp has read
 * @is_gltf: the file is glTF, else OBJ
 * @places: (owned) of float, as the other arrays are those of #SceneData
 * @texture_names: (owned): (owned) name to index of the texture plus 1, as a pointer
 * @camera_place: the place of the camera's node, if @has_camera_place
 * @notes: (owned) of (owned) char *: what has no effect
 */
typedef struct
{
  const char *path;
  SceneFiles *files;
  const struct aiScene *scene;
  gboolean is_gltf;
  GArray *places;
  GArray *normals;
  GArray *texture_places;
  GArray *corners;
  GArray *surfaces;
  GArray *materials;
  GArray *textures;
  GHashTable *texture_names;
  Camera camera;
  GPtrArray *notes;
} Import;

/* Adds a note, unless there is one with the same text. @text: (transfer full) */
void import_note (Import *self, char *text);

/* Reads all materials, and the textures that they name. @error: as for import_scene() */
gboolean import_materials (Import *self, GError **error);

/* Reads a texture. @name: "*N" for one inside the file, else a path relative to the scene's file.
 * @ret_index: (out): its index; -1 when it has no effect, with a note. @error: as for
 * import_scene() */
gboolean import_texture (Import *self, const char *name, gint32 *ret_index, GError **error);

/* Reads the tree of nodes: each with its meshes, and the first camera. @error: as for
 * import_scene() */
gboolean import_nodes (Import *self, GError **error);
