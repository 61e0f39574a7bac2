/* exchange.h - exchanges short clauses between the searches of one formula, through a shared set
 *
 * Every learned clause follows from the formula alone, so it is true for every search. An element
 * of the set is a clause: its literals in rising order, in the encoding of records. So a clause
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

/* A set with this many clauses gets no more. */
#define EXCHANGE_MAX_CLAUSES 5000

/* The clauses that one search has sent and received. */
typedef struct _Exchange Exchange;

/**
 * exchange_new:
 * @solver: (borrowed)
 * @n_variables: number of variables of the formula
 * @max_length: longer clauses are not sent, literals
 *
 * Returns: (transfer full): free with exchange_free()
 */
Exchange *exchange_new (Solver *solver, gint32 n_variables, gsize max_length);
void exchange_free (Exchange *self);

/* Notes clauses that the solver has received in another way, so that they are not sent. @literals:
 * as #Formula.literals */
void exchange_know (Exchange *self, const gint32 *literals, gsize n_literals);

/**
 * exchange_hear:
 * @set: the set; it has all that it had at the last call, and its contents may be invalid
 *
 * Gives the solver the clauses that others have learned. Call it between two searches. Elements
 * that are not clauses of the formula are skipped.
 */
void exchange_hear (Exchange *self, const satin_set_state *set);

/**
 * exchange_tell:
 * @set: the set as it is now
 *
 * Collects the clauses that the solver has learned since the last call and that are not in @set.
 *
 * Returns: (transfer full) (element-type SatinSetItem): the elements to add to the set; valid until
 *   the next exchange_hear()
 */
GArray *exchange_tell (Exchange *self, const satin_set_state *set);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Exchange, exchange_free)

G_END_DECLS
