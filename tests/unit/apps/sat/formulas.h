/* formulas.h - formulas for the tests of the solver, and ways to find their answers without it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "solver.h"

/* The most variables of a formula for formulas_has_model(). */
#define FORMULAS_MAX_VARIABLES 20

/* Returns: the formula of @text, in the DIMACS format; free it with satin_record_clear() */
Formula formulas_read (const char *text);

/* Returns: a formula of a kind from generate.h; free it with satin_record_clear() */
Formula formulas_make (const char *kind);

/* Returns: a small formula with three literals in a clause, which may have a model; free it with
 * satin_record_clear(). @number: any number; equal numbers give equal formulas */
Formula formulas_draw (guint number);

/* Returns: whether an assignment in which @cube holds satisfies the formula, found by trying all
 * assignments */
gboolean formulas_has_model (const Formula *formula, const gint32 *cube, gsize n_cube);

/* Searches without a limit. */
SolverAnswer formulas_solve (const Formula *formula);

/* A formula that is cleared at the end of its scope, with g_auto(). */
typedef Formula TestFormula;

static inline void
formulas_clear (Formula *formula)
{
  satin_record_clear (&Formula_record, formula);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestFormula, formulas_clear)
