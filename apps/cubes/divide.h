/* divide.h - divides a formula into cubes, before any of them is searched
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/formula/formula.h"

G_BEGIN_DECLS

/* Where to stop dividing. @n_cubes: there are this many cubes; @depth: a cube has this many
 * literals; @n_candidates: as for look_ahead() */
typedef struct
{
  guint n_cubes;
  guint depth;
  guint n_candidates;
} DivideLimits;

/**
 * divide:
 * @cubes: (element-type gint32): the cubes are appended, with a 0 after each
 * @refuted: (element-type gint32): clauses are appended, with a 0 after each: the negations of
 * cubes that the look refuted
 * @proof: (nullable): parts of a proof of these clauses are appended (proof.h)
 *
 * Divides the shortest cube again and again. A model of the formula is in one of @cubes.
 */
void divide (const Formula *formula, const DivideLimits *limits, GArray *cubes, GArray *refuted,
             GByteArray *proof);

/* Appends a part of a proof that unit propagation refutes a cube, once it knows that the literals
 * @failed are false. */
void divide_prove (GByteArray *proof, const gint32 *cube, gsize n_cube, const GArray *failed);

/* Appends the clause that not all literals of @cube are true, and a 0. */
void divide_append_negated (GArray *clauses, const gint32 *cube, gsize n_cube);

G_END_DECLS
