/* files.h - the files of a scene: read once, within a bound, and named to the run
 *
 * Assimp opens files through the functions of this reader, also those that the scene's file refers
 * to. So each of them is an input of the run.
 *
 * Threads: a worker, inside the root job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <assimp/cfileio.h>
#include <satin/base/error.h>

G_BEGIN_DECLS

/* Bytes of all files of a scene. */
#define FILES_MAX_BYTES ((gsize)256 << 20)

typedef struct _SceneFiles SceneFiles;

SceneFiles *scene_files_new (void);
void scene_files_free (SceneFiles *self);

/**
 * scene_files_read:
 * @path: the file's path
 * @error: %SATIN_ERROR_NOT_FOUND when there is no such file; %SATIN_ERROR_INVALID when it is no
 *   regular file; %SATIN_ERROR_LIMIT when the files are too large together; %SATIN_ERROR_IO when it
 *   cannot be read; also the errors of satin_input_add()
 *
 * Returns: (transfer none) (nullable): the bytes of the file, read by an earlier call or now
 */
GBytes *scene_files_read (SceneFiles *self, const char *path, GError **error);

/* The functions through which Assimp opens files. Returns: (transfer none) */
struct aiFileIO *scene_files_get_io (SceneFiles *self);

/* Fails if a file that Assimp wanted could not be read. @error: of scene_files_read() for the first
 * of them */
gboolean scene_files_check (const SceneFiles *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SceneFiles, scene_files_free)

G_END_DECLS
