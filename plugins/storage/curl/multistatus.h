/* multistatus.h - parses the list of files that a WebDAV server sends (RFC 4918)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

/**
 * multistatus_parse:
 * @text: (array length=n_bytes): the answer to a PROPFIND. The bytes come from outside, so they may
 *   contain anything
 * @error: %SATIN_ERROR_FORMAT when @text is not the XML of such an answer
 *
 * Calls @func for each plain file that has a length, and a name that is valid in a storage.
 *
 * Returns: %TRUE when the whole answer was parsed
 */
gboolean multistatus_parse (const char *text, gsize n_bytes, SatinStorageEntryFunc func,
                            gpointer user_data, GError **error);

G_END_DECLS
