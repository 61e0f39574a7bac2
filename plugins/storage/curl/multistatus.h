/* multistatus.h - what a WebDAV server tells of the files in a folder (RFC 4918)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

/**
 * multistatus_parse:
 * @text: (array length=n_bytes): the answer to a PROPFIND. Bytes from outside: anything may be in
 * it
 * @error: %SATIN_ERROR_FORMAT when it is no XML of that kind
 *
 * Calls @func for each plain file with a length whose name may name a file of a storage.
 *
 * Returns: %TRUE when all was read
 */
gboolean multistatus_parse (const char *text, gsize n_bytes, SatinStorageEntryFunc func,
                            gpointer user_data, GError **error);

G_END_DECLS
