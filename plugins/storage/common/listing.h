/* listing.h - what an FTP server tells of the files in a folder
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

/**
 * listing_parse:
 * @text: (array length=n_bytes): what MLSD sent (RFC 3659): a line "fact=value;...; name" for each
 *   entry. Bytes from outside: anything may be in it
 *
 * Calls @func for each plain file whose name may name a file of a storage. Lines that say
 * nothing of that kind are passed over.
 */
void listing_parse (const char *text, gsize n_bytes, SatinStorageEntryFunc func,
                    gpointer user_data);

/**
 * listing_parse_facts:
 * @line: one such line, up to its name or not
 * @ret_size_bytes: (out): the size it tells; untouched when it tells none
 *
 * Returns: %TRUE when it is a plain file with a size
 */
gboolean listing_parse_facts (const char *line, guint64 *ret_size_bytes);

G_END_DECLS
