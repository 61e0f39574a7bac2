/* exchange.h - exchanges short clauses between the searches of one formula, through a shared set
 *
 * Every learned clause follows from the formula alone, so every search may use it. Each element of
 * the set is the record of one clause, with the literals in rising order. So a clause that two
 * searches have learned is in the set only once.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so/set.h>

#include "solver.h"

G_BEGIN_DECLS

/* When the set has this many clauses, searches add no more. */
#define EXCHANGE_MAX_CLAUSES 5000

/* One search's side of the exchange: it knows which clauses the search has sent and received. */
typedef struct _Exchange Exchange;

/**
 * exchange_new:
 * @solver: (borrowed)
 * @n_variables: number of variables of the formula
 * @max_length: the most literals of a clause that is sent
 *
 * Returns: (transfer full): free with exchange_free()
 */
Exchange *exchange_new (Solver *solver, gint32 n_variables, gsize max_length);
void exchange_free (Exchange *self);

/* Records clauses that the solver has from elsewhere, so that exchange_tell() does not return them.
 * @literals: in the form of #Formula.literals */
void exchange_know (Exchange *self, const gint32 *literals, gsize n_literals);

/**
 * exchange_hear:
 * @set: the shared set; the elements of the last call are its first elements
 *
 * Reads the new elements of @set, and gives the solver the clauses that other searches have
 * learned. Skips elements that are not valid clauses. Call it while the solver is not searching.
 */
void exchange_hear (Exchange *self, const satin_set_state *set);

/**
 * exchange_tell:
 * @set: the shared set as it is now
 *
 * Collects the short clauses that the solver has learned since the last call, without clauses that
 * are in @set or were sent or received before.
 *
 * Returns: (transfer full) (element-type SatinSetItem): the elements to add to the set; valid until
 *   the next exchange_hear()
 */
GArray *exchange_tell (Exchange *self, const satin_set_state *set);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Exchange, exchange_free)

G_END_DECLS
