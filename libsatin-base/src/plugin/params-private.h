/* params-private.h - the check of a parameter table that comes from a plugin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/params.h>

/**
 * satin_params_check_table:
 * @table: (array zero-terminated=1): from a plugin
 * @error: %SATIN_ERROR_INVALID, naming the row: a key has other characters than small letters and
 *   dashes, or occurs twice; a type is unknown; a default does not have the type; the help is
 *   missing
 *
 * Threads: any. Cost: O(rows^2). Returns: %TRUE when satin_params_parse() can use it
 */
gboolean satin_params_check_table (const SatinParam *table, GError **error);
