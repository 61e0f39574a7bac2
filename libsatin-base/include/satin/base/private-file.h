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

G_END_DECLS
