/* file.h - reads an application's input file, a text, whole
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
 * @path: where it is
 * @max_bytes: a larger one is refused before it is read
 * @ret_text: (out) (transfer full): its bytes, with a NUL behind them; untouched on failure
 * @ret_n_text: (out): how many, 1 or more; untouched on failure
 * @error: %SATIN_ERROR_NOT_FOUND when there is none, %SATIN_ERROR_INVALID when it is a folder,
 *   %SATIN_ERROR_LIMIT when it is too large, %SATIN_ERROR_FORMAT when it is empty or no text,
 *   %SATIN_ERROR_IO when it cannot be read; as for satin_input_add(), too
 *
 * Names the file to the run as an input, by its path.
 *
 * Returns: %TRUE on success
 */
gboolean app_file_read (const char *what, const char *path, gsize max_bytes, char **ret_text,
                        gsize *ret_n_text, GError **error);

G_END_DECLS
