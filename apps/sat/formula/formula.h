/* formula.h - a formula in conjunctive normal form, as it travels with a job
 *
 * Literals are those of the DIMACS format: variables are numbered from 1, and -3 says that
 * variable 3 is false. A clause is its literals, at least one of which must hold, and a 0.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

#define FORMULA_MAX_VARIABLES 1000000

/* Most literals of all clauses together, with the 0 behind each. So a formula leaves its node in 24
 * MiB, which a job has room for. */
#define FORMULA_MAX_LITERALS 8388608

/* @literals: of each clause, and a 0 behind it; none is beyond @n_variables */
SATIN_RECORD (Formula, (int, n_variables), (array_int, literals))

/* One clause of a formula. @literals: (borrowed from it) */
typedef struct
{
  const gint32 *literals;
  gsize n_literals;
} Clause;

/* Finds the clause that begins at @literals[*@at], and sets *@at behind it; *@at is 0 at first.
 * Returns: %FALSE when there is no further one */
gboolean formula_next (const gint32 *literals, gsize n_literals, gsize *at, Clause *ret_clause);

guint formula_count_clauses (const Formula *self);

/* Whether @model, which says of each variable whether it is true, makes every clause hold.
 * @model: (array length=n_model): the first is variable 1 */
gboolean formula_is_satisfied (const Formula *self, const guint8 *model, gsize n_model);

G_END_DECLS
