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
 * @path: the file's path
 * @what: the file's name in messages: "secret file", "key"
 * @error: %SATIN_ERROR_NOT_FOUND when there is no such file; %SATIN_ERROR_SECRET when it cannot be
 *   opened, is not a regular file, belongs to neither this user nor root, or gives other users any
 *   right
 *
 * Opens a file for reading, if only its owner may use it. The call does not wait at a named pipe.
 *
 * Returns: a file descriptor, which the caller closes; -1 with @error set
 */
SATIN_API int satin_private_file_open (const char *path, const char *what, GError **error);

/**
 * satin_private_file_read:
 * @path: the file's path
 * @what: as for satin_private_file_open()
 * @max_bytes: the largest size of the file
 * @ret_bytes: (out): size of the file; untouched on failure
 * @error: as for satin_private_file_open(); also %SATIN_ERROR_SECRET when the file is larger or
 *   cannot be read
 *
 * Checks a file and reads that same file, even if another one takes its place meanwhile.
 *
 * Returns: (transfer full) (nullable): the bytes of the file and a 0; free with
 *   satin_private_free()
 */
SATIN_API char *satin_private_file_read (const char *path, const char *what, gsize max_bytes,
                                         gsize *ret_bytes, GError **error);

/* Overwrites @n_bytes at @data and frees them. @data: (transfer full) (nullable). */
SATIN_API void satin_private_free (gpointer data, gsize n_bytes);

G_END_DECLS
