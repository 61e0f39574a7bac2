/* params-private.h - the check of a parameter table that comes from outside
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/params.h>

/**
 * satin_params_check_table:
 * @table: (array zero-terminated=1): from a plugin
 * @error: %SATIN_ERROR_INVALID, naming the row: a key that is not small letters and dashes or
 *   stands twice, an unknown type, a default that is not of the type, no help
 *
 * Threads: any. Cost: O(rows^2). Returns: %TRUE when satin_params_parse() can use it
 */
gboolean satin_params_check_table (const SatinParam *table, GError **error);
