/* json.h - whether a JSON text from outside is safe to parse
 *
 * Parsers of JSON call themselves for what is in brackets, and make an object of each value. So a
 * text of a stranger is looked at before it is parsed.
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
 * @max_depth: most brackets that may be open at the same time
 * @max_values: most values that may follow others, in all arrays and objects together
 *
 * Does not tell whether @text is JSON, which is the parser's work. But outside of strings it lets
 * nothing pass that JSON does not know, such as comments and strings in single quotes: parsers
 * that do know them would find other brackets than this function does.
 *
 * Returns: whether a parser needs no more than that for it
 */
SATIN_API gboolean satin_json_is_bounded (const char *text, gsize n_bytes, guint max_depth,
                                          gsize max_values);

G_END_DECLS
