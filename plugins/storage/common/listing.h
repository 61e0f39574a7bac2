/* listing.h - parses the list of files that an FTP server sends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

/**
 * listing_parse:
 * @text: (array length=n_bytes): the answer to MLSD (RFC 3659): a line "fact=value;...; name" for
 *   each entry. The bytes come from outside, so they may contain anything
 *
 * Calls @func for each plain file that has a size and a name that is valid in a storage. All other
 * lines are ignored.
 */
void listing_parse (const char *text, gsize n_bytes, SatinStorageEntryFunc func,
                    gpointer user_data);

/**
 * listing_parse_facts:
 * @line: a line of the answer to MLSD, with or without the name
 * @ret_size_bytes: (out): the size in @line; untouched when there is none
 *
 * Returns: %TRUE when @line describes a plain file with a size
 */
gboolean listing_parse_facts (const char *line, guint64 *ret_size_bytes);

G_END_DECLS
