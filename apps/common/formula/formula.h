/* formula.h - a formula in conjunctive normal form, as it travels with a job
 *
 * Literals are numbers as in the DIMACS format: the literal 3 says that variable 3 is true, and -3
 * says that variable 3 is false. The first variable is 1. A clause is a list of literals, of which
 * at least one must be true, and a 0 at the end.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

#define FORMULA_MAX_VARIABLES 1000000

/* The most literals of all clauses together, including the 0 after each clause. A job that leaves
 * its node carries the formula: at most 24 MiB of the 46 MiB that its arguments may take. */
#define FORMULA_MAX_LITERALS 8388608

/* @literals: the literals of all clauses, with a 0 after each clause; their variables are at most
 * @n_variables */
SATIN_RECORD (Formula, (int, n_variables), (array_int, literals))

/* One clause of a formula. @literals: (borrowed from the formula) */
typedef struct
{
  const gint32 *literals;
  gsize n_literals;
} Clause;

/* Finds the clause that begins at @literals[*@at], and moves *@at to the next clause. *@at is 0 for
 * the first clause. Returns: %FALSE when there are no more clauses */
gboolean formula_next (const gint32 *literals, gsize n_literals, gsize *at, Clause *ret_clause);

guint formula_count_clauses (const Formula *self);

/* Returns: whether @model has a value for each variable, and makes every clause true. @model:
 * (array length=n_model): for each variable whether it is true; the first element is variable 1 */
gboolean formula_is_satisfied (const Formula *self, const guint8 *model, gsize n_model);

/**
 * formula_check_job:
 * @cube: (array length=n_cube): literals
 * @given: (array length=n_given): clauses in the form of #Formula.literals
 * @error: %SATIN_ERROR_JOB, with what is wrong
 *
 * Checks what a job gets, which may come from a damaged node. A literal is an index of arrays, so
 * each one must be a literal of the formula. Cost: O(literals).
 */
gboolean formula_check_job (const Formula *self, const gint32 *cube, gsize n_cube,
                            const gint32 *given, gsize n_given, GError **error);

G_END_DECLS
