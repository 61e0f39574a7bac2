/* picture.h - writes a picture as a PNG file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "output.h"

/**
 * picture_write:
 * @file: the open output file
 * @rgb: 3 * @width * @height bytes, line by line from the top
 * @error: %SATIN_ERROR_IO when the system or libpng refuses
 *
 * Replaces the contents of the file by the picture. Call it once.
 */
gboolean picture_write (AppOutput *file, guint width, guint height, const guint8 *rgb,
                        GError **error);
