/* nff.h - reads a scene in the Neutral File Format of the Standard Procedural Databases
 *
 *   v from X Y Z at X Y Z up X Y Z angle DEGREES hither DISTANCE resolution WIDTH HEIGHT
 *   b R G B                              background
 *   l X Y Z [R G B]                      light
 *   f R G B Kd Ks SHINE T INDEX          surface of the objects that follow
 *   c X Y Z RADIUS  X Y Z RADIUS         cone or cylinder without end caps
 *   s X Y Z RADIUS                       sphere
 *   p N  X Y Z ...                       polygon, N corners
 *   pp N  X Y Z NX NY NZ ...             patch: polygon with a normal at each corner
 *   # ...                                comment
 *
 * White space separates the words. Here, both sides of every surface are visible. So a negative
 * radius, with which the format makes only the inside visible, means the same as a positive radius.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>
#include "scene.h"

#define NFF_MAX_BYTES (64 * 1024 * 1024)

/**
 * nff_read:
 * @file: name of the file, for messages
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @error: %SATIN_ERROR_FORMAT for text that is not a scene, with file name, line and what was
 *   expected; %SATIN_ERROR_LIMIT when the file or something in it is too large
 *
 * Returns: (transfer full): the finished scene
 */
Scene *nff_read (const char *file, const char *text, gsize n_text, GError **error);
