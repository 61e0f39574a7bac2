/* exchange.h - the shortest learned clauses, in a shared set
 *
 * An element of the set is one clause: its literals in rising order, 4 bytes each, the lowest byte
 * first. So a clause that two searches have learned is in the set only once.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so/set.h>

G_BEGIN_DECLS

/* When the set has this many clauses, searches add no more. */
#define EXCHANGE_MAX_CLAUSES 5000

/* Returns: (transfer full) (element-type gint32): the clauses of @set, with a 0 after each; without
 * elements that are no clauses of @n_variables variables */
GArray *exchange_get (const satin_set_state *set, gint32 n_variables);

/**
 * exchange_new_items:
 * @clauses: (element-type gint32): with a 0 after each
 * @ret_bytes: (out) (transfer full): what the items point to
 *
 * Returns: (transfer full) (element-type SatinSetItem): the clauses that are not in @set yet, as
 * many as @set has room for
 */
GArray *exchange_new_items (const satin_set_state *set, const GArray *clauses,
                            GByteArray **ret_bytes);

G_END_DECLS
