/* params-private.h - the check of a parameter table that comes from a plugin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/params.h>

/**
 * satin_params_check_table:
 * @table: (array zero-terminated=1): from a plugin
 * @error: %SATIN_ERROR_INVALID, with the key of the row: the key does not begin with a small
 *   letter, has other characters than small letters and dashes, or occurs twice; the type is
 *   unknown; the default does not have the type; or the help is missing
 *
 * Threads: any. Cost: O(rows^2). Returns: %TRUE when satin_params_parse() can use it
 */
gboolean satin_params_check_table (const SatinParam *table, GError **error);
