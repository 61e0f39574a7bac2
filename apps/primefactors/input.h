/* input.h - which numbers are to be divided: one, those of a file, or all of a range
 *
 * A file has numbers, separated by any white space; what follows a '#' in a line is a
 * comment.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

#define PRIMEFACTORS_MAX_NUMBERS 10000
#define PRIMEFACTORS_MAX_BYTES   (1 << 20) /* a file */

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
 * @operand: (nullable): NUMBER, FROM..TO or a file
 * @ret_input: (out caller-allocates): untouched on failure
 * @error: %SATIN_ERROR_INVALID for a wrong number or range; as app_file_read() for a file, and
 *   %SATIN_ERROR_FORMAT with file name, line and what was expected; %SATIN_ERROR_LIMIT for too many
 *   numbers
 *
 * Returns: %TRUE on success
 */
gboolean prime_input_parse (const char *operand, PrimeInput *ret_input, GError **error);

void prime_input_clear (PrimeInput *self);

G_END_DECLS
