/* picture.h - the PNG file that the picture goes to
 *
 * Threads: the one that made it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

typedef struct _PictureFile PictureFile;

/**
 * picture_file_open:
 * @path: what is there is kept until the picture is written
 * @error: %SATIN_ERROR_IO when it cannot be written to
 *
 * Returns: (transfer full): free with picture_file_free()
 */
PictureFile *picture_file_open (const char *path, GError **error);

/**
 * picture_file_write:
 * @rgb: 3 * @width * @height bytes, line by line from the top
 * @error: %SATIN_ERROR_IO when the system or libpng refuses
 *
 * Replaces what is in the file. Called once.
 */
gboolean picture_file_write (PictureFile *self, guint width, guint height, const guint8 *rgb,
                             GError **error);

/* Removes the file if it was made here and nothing was written. */
void picture_file_free (PictureFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PictureFile, picture_file_free)
