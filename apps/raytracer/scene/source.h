/* source.h - where a scene comes from, in the form in which it travels with a job
 *
 * A generated scene travels as its name only, a scene from a file as the text of the file. The text
 * is passed by reference, so only a job that leaves the node carries it. Every process makes a
 * scene and its tree of boxes once, and keeps them until the process ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>
#include "scene.h"

/* @name: "balls:N" if @text is empty, else the file's name; @digest: SHA-256 of the name and the
 * text, in hexadecimal; @text: the contents of the file */
SATIN_RECORD (SceneSource, (string, name), (string, digest), (bytes, text))

/**
 * source_generate:
 * @name: "balls:N"
 * @ret_source: (out caller-allocates): free with satin_record_clear()
 * @error: %SATIN_ERROR_INVALID when there is no such scene
 */
gboolean source_generate (const char *name, SceneSource *ret_source, GError **error);

/**
 * source_load:
 * @path: an NFF file
 * @ret_source: (out caller-allocates): free with satin_record_clear()
 * @error: as for app_file_read()
 */
gboolean source_load (const char *path, SceneSource *ret_source, GError **error);

/**
 * source_scene:
 * @error: %SATIN_ERROR_FORMAT for a digest that is not that of @source, %SATIN_ERROR_INVALID for an
 *   unknown name, or as for nff_read()
 *
 * Finds the scene of @source, or makes it if this process has not made it yet.
 *
 * Threads: any. While one thread makes a scene, the other threads wait.
 *
 * Returns: (transfer none): the finished scene, valid until the process ends
 */
const Scene *source_scene (const SceneSource *source, GError **error);
