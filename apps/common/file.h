/* file.h - reads the whole input file of an application, which must be text
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/**
 * app_file_read:
 * @what: what the file is, for messages: "scene file"
 * @path: the file's path
 * @max_bytes: a larger file is refused before it is read, and a pipe or device with more bytes
 * after so many; below %G_MAXSIZE
 * @ret_text: (out) (transfer full): the file's bytes, with a NUL behind them; untouched on failure
 * @ret_n_text: (out): number of bytes, 1 or more; untouched on failure
 * @error: %SATIN_ERROR_NOT_FOUND when there is no such file, %SATIN_ERROR_INVALID when it is a
 *   folder, %SATIN_ERROR_LIMIT when it is too large, %SATIN_ERROR_FORMAT when it is empty or not
 *   text, %SATIN_ERROR_IO when it cannot be read; also the errors of satin_input_add()
 *
 * Reads the file, and records it as an input of the run (satin_input_add()) under its path.
 *
 * Returns: %TRUE on success
 */
gboolean app_file_read (const char *what, const char *path, gsize max_bytes, char **ret_text,
                        gsize *ret_n_text, GError **error);

G_END_DECLS
