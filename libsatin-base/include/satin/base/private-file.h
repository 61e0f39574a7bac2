/* private-file.h - opens files that hold secrets, keys and passwords
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/**
 * satin_private_file_open:
 * @path: of the file
 * @what: what it is called in messages: "secret file", "key"
 * @error: %SATIN_ERROR_NOT_FOUND when there is no such file; %SATIN_ERROR_SECRET when it cannot be
 *   opened, is not a plain file, belongs to another user than this one and root, or gives others
 * any right
 *
 * Opens a file for reading if it is for its owner alone. It never waits for a writer.
 *
 * Returns: a descriptor, to be closed, or -1 with @error set
 */
SATIN_API int satin_private_file_open (const char *path, const char *what, GError **error);

/**
 * satin_private_file_read:
 * @path: of the file
 * @what: as for satin_private_file_open()
 * @max_bytes: the file may be so long
 * @ret_bytes: (out): how long it is
 * @error: as for satin_private_file_open(); %SATIN_ERROR_SECRET, too, when it is longer or cannot
 * be read
 *
 * Reads the file that it has checked, whatever takes its place meanwhile.
 *
 * Returns: (transfer full) (nullable): what is in it, and a 0; for satin_private_free()
 */
SATIN_API char *satin_private_file_read (const char *path, const char *what, gsize max_bytes,
                                         gsize *ret_bytes, GError **error);

/* Overwrites @n_bytes and frees them; @data: (transfer full) (nullable). */
SATIN_API void satin_private_free (gpointer data, gsize n_bytes);

G_END_DECLS
