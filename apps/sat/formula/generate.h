/* generate.h - formulas of known kinds, of any size, the same each time
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "formula.h"

/* What generate_formula() understands, for the help text. */
#define GENERATE_KINDS "uniform:VARS,CLAUSES,K,SEED pigeon:HOLES parity:N,SEED factor:NUMBER"

/**
 * generate_formula:
 * @text: what the user wrote, of #GENERATE_KINDS
 * @ret_formula: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_INVALID
 *
 * uniform: each clause has K different variables of VARS, drawn with equal chances, each true or
 * false. Of three literals, those of 4.26 clauses a variable are hard, and half of them
 * satisfiable.
 *
 * pigeon: HOLES + 1 pigeons do not fit into HOLES holes. Unsatisfiable, and hard for
 * all that conclude from clauses.
 *
 * parity: a graph of N corners, each with three edges drawn by chance; an edge is a variable, and
 * of each corner's edges an even number is true, but of one corner's. Unsatisfiable, as each edge
 * has two ends.
 *
 * factor: a circuit that multiplies two numbers above 1, and the NUMBER it should give. Satisfiable
 * unless that is a prime.
 *
 * Returns: %TRUE on success
 */
gboolean generate_formula (const char *text, Formula *ret_formula, GError **error);
