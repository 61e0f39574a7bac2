/* solver.h - finds out whether a formula can be satisfied, by learning from conflicts
 *
 * The search decides one variable after the other and draws the conclusions; from each conflict it
 * learns a clause that follows from the formula, and goes back to where that would have said
 * something. It can be held to a cube, a list of literals that are to be true: these are
 * decided first, so that what is learned follows from the formula alone, whatever the
 * cube, and can be told to searches of other cubes. It can be held to a number of conflicts.
 *
 * The same formula, cube and clauses give the same search each time, on any machine.
 *
 * Threads: one at a time.
 *
 * Source: Marques-Silva and Sakallah, "GRASP", IEEE Transactions on Computers 48(5), 1999;
 * Moskewicz et al., "Chaff", DAC 2001; Een and Sorensson, "An Extensible SAT-solver", SAT 2003;
 * Audemard and Simon, "Predicting Learnt Clauses Quality in Modern SAT Solvers", IJCAI 2009.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "formula/formula.h"

G_BEGIN_DECLS

typedef struct _Solver Solver;

typedef enum
{
  SOLVER_UNKNOWN,       /* the conflicts were used up */
  SOLVER_SATISFIABLE,   /* there is a model */
  SOLVER_UNSATISFIABLE, /* there is none in the cube */
} SolverAnswer;

/* As many conflicts as it takes. */
#define SOLVER_NO_LIMIT G_MAXINT64

/**
 * solver_new:
 * @formula: not used afterwards
 *
 * Returns: (transfer full): free with solver_free()
 */
Solver *solver_new (const Formula *formula);
void solver_free (Solver *self);

/**
 * solver_search:
 * @cube: (array length=n_cube): literals that are to be true
 * @n_conflicts: the search ends after so many, above 0
 *
 * Goes on with what was learned before, if it was called before.
 */
SolverAnswer solver_search (Solver *self, const gint32 *cube, gsize n_cube, gint64 n_conflicts);

/**
 * solver_get_model:
 * @ret_model: (out) (array length=n_variables): of each variable whether it is true
 *
 * After %SOLVER_SATISFIABLE.
 */
void solver_get_model (const Solver *self, guint8 *ret_model);

/* After %SOLVER_UNKNOWN: which variable divides the cube best. Returns: its literal, of the sign
 * that the search would have tried first */
gint32 solver_choose_split (const Solver *self);

/* How many conflicts all its searches had. */
gint64 solver_count_conflicts (const Solver *self);

/* How many learned clauses it keeps now. */
guint solver_count_learned (const Solver *self);

/**
 * solver_export:
 * @max_length: longest clause, literals
 * @max_literals: of all of them, with the 0 behind each
 *
 * What it has learned, and what it was told: clauses that follow from the formula alone.
 *
 * Returns: (transfer full) (element-type gint32): the short ones first, in the form of
 * #Formula.literals
 */
GArray *solver_export (const Solver *self, gsize max_length, gsize max_literals);

/**
 * solver_export_new:
 * @max_length: longest clause, literals
 *
 * What it has learned or was told since it was last asked this.
 *
 * Returns: (transfer full) (element-type gint32): as solver_export(), in any order
 */
GArray *solver_export_new (Solver *self, gsize max_length);

/**
 * solver_import:
 * @literals: (array length=n_literals): what solver_export() of the same formula gave
 *
 * Between two searches. One that has not begun prefers their variables.
 */
void solver_import (Solver *self, const gint32 *literals, gsize n_literals);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Solver, solver_free)

G_END_DECLS
