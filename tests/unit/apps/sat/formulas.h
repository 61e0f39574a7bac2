/* formulas.h - formulas for the tests of the solver, and their answers without it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "solver.h"

/* Of a formula that formulas_has_model() is asked of. */
#define FORMULAS_MAX_VARIABLES 20

/* Returns: what @text says, in the DIMACS format; free with satin_record_clear() */
Formula formulas_read (const char *text);

/* Returns: one of a kind that generate.h knows; likewise */
Formula formulas_make (const char *kind);

/* Small formulas of three literals a clause, some of which have a model; likewise. @number: any */
Formula formulas_draw (guint number);

/* Whether one of all assignments in which @cube holds satisfies it, each tried. */
gboolean formulas_has_model (const Formula *formula, const gint32 *cube, gsize n_cube);

/* Searches all of it. */
SolverAnswer formulas_solve (const Formula *formula);

/* A formula that is cleared where its name ends. */
typedef Formula TestFormula;

static inline void
formulas_clear (Formula *formula)
{
  satin_record_clear (&Formula_record, formula);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestFormula, formulas_clear)
