/* solver.h - finds out whether a formula can be satisfied, by learning from conflicts
 *
 * The search decides one variable after the other. After each decision it assigns all literals that
 * the clauses then imply. A conflict is a clause whose literals have all become false. From each
 * conflict, the search learns a clause that follows from the formula. Then it goes back to the
 * first level (solver-state.h) at which the learned clause implies a literal.
 *
 * The search can be limited to a cube, which is a list of literals that are assumed to be true. The
 * literals of the cube are only the first decisions. So all learned clauses follow from the formula
 * alone, and searches of other cubes can use them. The search can also be limited to a number of
 * conflicts.
 *
 * The same formula, cube and clauses always give the same search, on any machine.
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
  SOLVER_UNKNOWN,       /* the search gave up at its limit of conflicts */
  SOLVER_SATISFIABLE,   /* there is a model */
  SOLVER_UNSATISFIABLE, /* there is no model in the cube */
} SolverAnswer;

/* As a number of conflicts: the search ends only with an answer. */
#define SOLVER_NO_LIMIT G_MAXINT64

/**
 * solver_new:
 * @formula: read during the call only
 *
 * Returns: (transfer full): free with solver_free()
 */
Solver *solver_new (const Formula *formula);
void solver_free (Solver *self);

/**
 * solver_search:
 * @cube: (array length=n_cube): literals that are assumed to be true
 * @n_conflicts: 1 or more; after this many conflicts the search gives up
 *
 * Searches for a model in the cube, with the clauses that earlier calls have learned, too.
 */
SolverAnswer solver_search (Solver *self, const gint32 *cube, gsize n_cube, gint64 n_conflicts);

/**
 * solver_get_model:
 * @ret_model: (out) (array length=n_variables): for each variable whether it is true
 *
 * Call it after %SOLVER_SATISFIABLE.
 */
void solver_get_model (const Solver *self, guint8 *ret_model);

/* Chooses the variable that divides the cube: the most active one (order.h) that is not assigned.
 * Call it after %SOLVER_UNKNOWN. Returns: the literal of that variable that the search would have
 * tried first */
gint32 solver_choose_split (const Solver *self);

/* Returns: the number of conflicts of all searches together */
gint64 solver_count_conflicts (const Solver *self);

/* Returns: the number of learned clauses that the solver keeps now */
guint solver_count_learned (const Solver *self);

/**
 * solver_export:
 * @max_length: the most literals of one clause
 * @max_literals: the most literals of all clauses together, including the 0 after each
 *
 * Collects clauses that the solver has learned or imported. All of them follow from the formula
 * alone.
 *
 * Returns: (transfer full) (element-type gint32): the short clauses first, in the form of
 *   #Formula.literals
 */
GArray *solver_export (const Solver *self, gsize max_length, gsize max_literals);

/**
 * solver_export_new:
 * @max_length: the most literals of one clause
 *
 * Collects the clauses that the solver has learned or imported since the last call.
 *
 * Returns: (transfer full) (element-type gint32): like solver_export(), in any order
 */
GArray *solver_export_new (Solver *self, gsize max_length);

/**
 * solver_import:
 * @literals: (array length=n_literals): in the form of #Formula.literals: clauses that follow from
 *   the same formula
 *
 * Adds clauses of another search. Call it while the solver is not searching. If this solver has had
 * no conflict yet, it then decides the variables of these clauses earlier than the rest.
 */
void solver_import (Solver *self, const gint32 *literals, gsize n_literals);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Solver, solver_free)

G_END_DECLS
