/* look.h - looks ahead: which literal divides a cube of a formula into two halves that are easier
 *
 * For each of some variables, the look assumes both values in turn, and propagates units. A value
 * that leads to a conflict is impossible in this cube, so the variable gets the other value. For
 * all other variables, the look measures how much each value shortens the clauses. It chooses the
 * variable for which the product of both measures is greatest; their sum counts a little, too.
 *
 * The same formula and cube always give the same choice, on any machine.
 *
 * Threads: one at a time.
 *
 * Source: Heule and van Maaren, "Look-Ahead Based SAT Solvers", Handbook of Satisfiability, 2009;
 * Heule, Kullmann, Wieringa and Biere, "Cube and Conquer", HVC 2011.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/formula/formula.h"

G_BEGIN_DECLS

/* A formula with its occurrences, and the values of variables. */
typedef struct _Look Look;

typedef enum
{
  LOOK_SPLIT,   /* there is a literal that divides the cube */
  LOOK_REFUTED, /* the cube has no model */
  LOOK_NOTHING, /* each clause has a true literal, so there is nothing to divide */
} LookAnswer;

/**
 * look_new:
 * @formula: its literals must stay valid
 *
 * Returns: (transfer full): free with look_free()
 */
Look *look_new (const Formula *formula);
void look_free (Look *self);

/**
 * look_ahead:
 * @cube: (array length=n_cube): literals that are assumed to be true
 * @n_candidates: number of variables that are tried, 1 or more
 * @ret_literal: (out): with %LOOK_SPLIT, the literal that divides the cube: in one half it is true,
 *   in the other half it is false
 * @failed: (element-type gint32): the literals that are impossible in the cube are appended, in the
 *   order in which they were found
 *
 * With %LOOK_REFUTED, unit propagation finds the conflict, once it knows that the failed literals
 * are false. In the same way it refutes each failed literal, once it knows that those before it are
 * false.
 */
LookAnswer look_ahead (Look *self, const gint32 *cube, gsize n_cube, guint n_candidates,
                       gint32 *ret_literal, GArray *failed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Look, look_free)

G_END_DECLS
