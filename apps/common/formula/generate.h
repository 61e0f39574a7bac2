/* generate.h - generates formulas of known kinds, always the same for the same text
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "formula.h"

/* The kinds that generate_formula() understands, for the help text. */
#define GENERATE_KINDS                                                                             \
  "uniform:VARS,CLAUSES,K,SEED pigeon:HOLES parity:N,SEED factor:NUMBER waerden:J,K,N "            \
  "schur:COLOURS,N pythagoras:N"

/**
 * generate_formula:
 * @text: one of #GENERATE_KINDS, as the user writes it
 * @ret_formula: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_INVALID
 *
 * uniform: each clause has K different random variables of VARS, each true or false at random. For
 * K = 3, formulas with 4.26 clauses for each variable are hard, and half of them are satisfiable.
 *
 * pigeon: HOLES + 1 pigeons do not fit into HOLES holes. Unsatisfiable, and hard for all solvers
 * that derive clauses from clauses.
 *
 * parity: a random graph of N corners, with three edges at each corner. Each edge is a variable. At
 * one corner an odd number of edges must be true, at all other corners an even number.
 * Unsatisfiable, because each true edge has two ends, so the numbers of all corners have an even
 * sum.
 *
 * factor: a circuit that multiplies two numbers above 1, with NUMBER as its result. Satisfiable
 * unless NUMBER is a prime.
 *
 * waerden, schur, pythagoras: colourings of the numbers from 1 to N, see colouring.h.
 *
 * Returns: %TRUE on success
 */
gboolean generate_formula (const char *text, Formula *ret_formula, GError **error);
