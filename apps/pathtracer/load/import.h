/* import.h - reads a scene from an OBJ or glTF file, with Assimp
 *
 * Threads: a worker, inside the root job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../scene/data.h"

G_BEGIN_DECLS

/**
 * import_scene:
 * @path: a file whose name ends with .obj, .gltf or .glb
 * @ret_data: (out caller-allocates): a scene that scene_data_check() accepts; free it with
 *   satin_record_clear()
 * @ret_notes: (out) (transfer full) (element-type utf8): what is in the file and has no effect, a
 *   line for each kind; untouched on failure
 * @error: %SATIN_ERROR_INVALID for another kind of file, or when the file is malformed or has no
 *   triangles; %SATIN_ERROR_LIMIT when the scene is too large; also the errors of
 *   scene_files_read(), for all files that @path refers to
 *
 * Returns: %TRUE on success
 */
gboolean import_scene (const char *path, SceneData *ret_data, GPtrArray **ret_notes,
                       GError **error);

G_END_DECLS
