/* dimacs.h - formulas in the DIMACS format, as SAT competitions use it
 *
 *   c a comment
 *   p cnf VARIABLES CLAUSES
 *   1 -3 0            a clause: its literals and a 0, on any number of lines
 *   %                 ends the formula, in files of some collections; text may follow it
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "formula.h"

#define DIMACS_MAX_BYTES (64 * 1024 * 1024)

/**
 * dimacs_read:
 * @file: name of the file, for messages
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @ret_formula: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT when @text is not a formula, or a number in its line "p cnf" is too
 *   large: with file name, line and what was expected; %SATIN_ERROR_LIMIT when the text is larger
 *   than %DIMACS_MAX_BYTES, or has more than %FORMULA_MAX_LITERALS literals, with the 0s
 *
 * Returns: %TRUE on success
 */
gboolean dimacs_read (const char *file, const char *text, gsize n_text, Formula *ret_formula,
                      GError **error);

/* Like dimacs_read(), but reads the file at @path. @error: also as for app_file_read() */
gboolean dimacs_load (const char *path, Formula *ret_formula, GError **error);

/* Returns: (transfer full): the formula as text, one clause on each line */
char *dimacs_to_text (const Formula *formula);

/* Writes the formula to a file. @error: %SATIN_ERROR_IO */
gboolean dimacs_save (const Formula *formula, const char *path, GError **error);
