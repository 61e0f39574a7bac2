/* input.h - the numbers to factorise: one number, the numbers of a file, or all numbers of a range
 *
 * In a file, white space separates the numbers. A comment goes from '#' to the end of its line.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

#define PRIMEFACTORS_MAX_NUMBERS 10000
#define PRIMEFACTORS_MAX_BYTES   (1 << 20) /* of a file */

/**
 * PrimeInput:
 * @numbers: (owned) (nullable): gint64, 1 or more each; %NULL for a range
 * @from: first number of the range
 * @to: last number of the range
 */
typedef struct
{
  GArray *numbers;
  gint64 from;
  gint64 to;
} PrimeInput;

/**
 * prime_input_parse:
 * @operand: (nullable): a number, FROM..TO or the path of a file
 * @ret_input: (out caller-allocates): untouched on failure
 * @error: %SATIN_ERROR_INVALID for a wrong number or range. For a file: as for app_file_read();
 *   %SATIN_ERROR_FORMAT with file name, line and what was expected; %SATIN_ERROR_LIMIT for too many
 *   numbers
 *
 * Returns: %TRUE on success
 */
gboolean prime_input_parse (const char *operand, PrimeInput *ret_input, GError **error);

void prime_input_clear (PrimeInput *self);

G_END_DECLS
