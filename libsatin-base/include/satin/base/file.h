/* file.h - opens files that hold secrets, keys and passwords; writes files that a user has named
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

/* A user may name a device, a pipe or a symbolic link. If such a thing were replaced by a file, as
 * g_file_set_contents() does, the reader of a pipe would get nothing, and a device would be gone.
 */

/**
 * satin_output_file_is_replaceable:
 * @path: the file's path
 *
 * Whether another file may take the place of @path: it is a regular file, or there is nothing yet.
 * A symbolic link is not replaceable, whatever it leads to.
 *
 * Returns: %TRUE when another file may be renamed to @path
 */
SATIN_API gboolean satin_output_file_is_replaceable (const char *path);

/**
 * satin_output_file_write:
 * @path: the file's path
 * @what: what the file holds, for messages: "report", "figures"
 * @bytes: (array length=n_bytes): the new contents
 * @n_bytes: number of bytes, 0 or more
 * @error: %SATIN_ERROR_IO when the file cannot be written
 *
 * Replaces a regular file as a whole: readers see the old contents or the new ones, and the old
 * ones stay when the new ones cannot be written. A device or a pipe is written to, and so is the
 * file at the end of a symbolic link, whose old contents are removed first. If @path leads to
 * standard output, as /dev/stdout does, the bytes follow what was printed before. The call waits
 * until a named pipe has a reader.
 *
 * Returns: %TRUE when all bytes were written
 */
SATIN_API gboolean satin_output_file_write (const char *path, const char *what, gconstpointer bytes,
                                            gsize n_bytes, GError **error);

G_END_DECLS
