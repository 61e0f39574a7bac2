/* json.h - whether a JSON text from outside is safe to parse
 *
 * A JSON parser recurses for each nested bracket and makes an object for each value. So the caller
 * checks a text from a stranger before it parses the text.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/api.h>

G_BEGIN_DECLS

/**
 * satin_json_is_bounded:
 * @text: (array length=n_bytes): need not end with a zero byte
 * @max_depth: how many brackets may be open at the same time
 * @max_values: how many commas may stand outside of strings; each separates two values
 *
 * Checks that a parser of @text needs no deep recursion and makes no more objects than allowed.
 *
 * The function does not check that @text is valid JSON; the parser does that. But outside of
 * strings the function accepts only letters, digits, blanks, brackets and the characters "+-.,:".
 * So it refuses comments and strings in single quotes: a parser that accepts these would see other
 * brackets than this function does.
 *
 * Returns: %TRUE when @text is within both limits
 */
SATIN_API gboolean satin_json_is_bounded (const char *text, gsize n_bytes, guint max_depth,
                                          gsize max_values);

G_END_DECLS
