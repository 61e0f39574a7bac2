/* parse.h - parses values that people write
 *
 * Each function accepts a text only if the whole text has the form that the function's name says.
 * Otherwise the function fails with %SATIN_ERROR_INVALID and leaves its result untouched.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/params.h>

gboolean satin_parse_int (const char *text, gint64 *ret_value, GError **error);
gboolean satin_parse_boolean (const char *text, gboolean *ret_value, GError **error);
gboolean satin_parse_double (const char *text, double *ret_value, GError **error);
