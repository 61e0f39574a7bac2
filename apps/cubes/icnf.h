/* icnf.h - formulas with cubes, in the iCNF format and in the DIMACS format
 *
 *   c a comment
 *   p inccnf          or, as in the DIMACS format: p cnf VARIABLES CLAUSES
 *   1 -3 0            a clause: its literals and a 0
 *   a -2 3 0          a cube: an a, its literals and a 0; cubes come after all clauses
 *
 * The program march_cu writes a file that has only cubes; icnf_read_cubes() reads such a file.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/formula/formula.h"

G_BEGIN_DECLS

#define ICNF_MAX_BYTES (64 * 1024 * 1024)

/* The most cubes that a file may have, or that a run begins with. */
#define ICNF_MAX_CUBES 1000000

/**
 * icnf_read:
 * @file: name of the file, for messages
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @cubes: (element-type gint32): the cubes are appended, with a 0 after each; none of them has a
 *   variable twice
 * @ret_formula: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT when @text is not a formula, with file name, line and what was
 *   expected; %SATIN_ERROR_LIMIT when @text is too large, or has too many literals or cubes
 *
 * Returns: %TRUE on success
 */
gboolean icnf_read (const char *file, const char *text, gsize n_text, GArray *cubes,
                    Formula *ret_formula, GError **error);

/* Reads cubes of a formula with @n_variables variables: lines that begin with "a", and comments.
 * The other arguments are as for icnf_read(). */
gboolean icnf_read_cubes (const char *file, const char *text, gsize n_text, gint32 n_variables,
                          GArray *cubes, GError **error);

/* Reads the file at @path with icnf_read(). @error: also as for app_file_read() */
gboolean icnf_load (const char *path, GArray *cubes, Formula *ret_formula, GError **error);

/* Reads the file at @path with icnf_read_cubes(). @error: also as for app_file_read() */
gboolean icnf_load_cubes (const char *path, gint32 n_variables, GArray *cubes, GError **error);

/* Returns: (transfer full): cubes, with a 0 after each, as text: one on each line */
char *icnf_cubes_to_text (const gint32 *cubes, gsize n_cubes);

G_END_DECLS
