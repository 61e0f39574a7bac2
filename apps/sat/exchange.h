/* exchange.h - short clauses that the searches of one formula tell each other, by way of a set
 *
 * All that is learned follows from the formula alone, so it is true for every search. An element of
 * the set is a clause: its literals, the smallest first, in the encoding of records. So a clause
 * that two searches have learned is one element.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so/set.h>

#include "solver.h"

G_BEGIN_DECLS

/* Nothing is told to a set that has so many clauses. */
#define EXCHANGE_MAX_CLAUSES 5000

/* What one search has told and heard. */
typedef struct _Exchange Exchange;

/**
 * exchange_new:
 * @solver: (borrowed)
 * @n_variables: of its formula
 * @max_length: longer clauses are not told, literals
 *
 * Returns: (transfer full): free with exchange_free()
 */
Exchange *exchange_new (Solver *solver, gint32 n_variables, gsize max_length);
void exchange_free (Exchange *self);

/* The search was told these clauses, of the form of #Formula.literals, on another way. */
void exchange_know (Exchange *self, const gint32 *literals, gsize n_literals);

/**
 * exchange_hear:
 * @set: has what it had the last time, and maybe more; from anywhere
 *
 * Between two searches: tells the solver what others have learned. What is no clause of the formula
 * is left out.
 */
void exchange_hear (Exchange *self, const satin_set_state *set);

/**
 * exchange_tell:
 * @set: what is there already
 *
 * What the solver has learned since the last time and nobody has told.
 *
 * Returns: (transfer full) (element-type SatinSetItem): to be added to the set; valid as long as
 *   @self
 */
GArray *exchange_tell (Exchange *self, const satin_set_state *set);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Exchange, exchange_free)

G_END_DECLS
