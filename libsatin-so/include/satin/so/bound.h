/* bound.h - satin_minimum and satin_maximum: the best value so far, with what reaches it
 *
 *   SatinObject best = SATIN_NEW (satin_minimum, "shortest tour", G_MAXINT64, NULL, 0);
 *   ...
 *   if (length_at_least > SATIN_READ (satin_minimum, best)->value)
 *     return;
 *   ...
 *   SATIN_UPDATE (best, satin_minimum, improve, length, cities, n_cities);
 *
 * Its *witness* is any bytes that tell how the value is reached. Of two witnesses of the best value
 * the smaller one stays, the shorter one first, then in the order of bytes; a value without one
 * counts as larger. So all replicas agree, whoever was first.
 *
 * Prune strictly: what can only reach the best value as well is not to be dropped. The value may be
 * here without having been found in this run's jobs, when the node that found it was lost and the
 * job runs again; and the witness that stays is the smallest only if all are found.
 *
 * Threads: as a state of satin/so/type.h. Docs: docs/objects.md
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/so/type.h>

G_BEGIN_DECLS

/* clang-format off */
/* A value and its witness: the state, what it begins with, and what improves it. */
SATIN_RECORD (SatinBound, (long, value), (bytes, witness))
/* clang-format on */

/* The states of both types, as they travel and in memory, and what improves them. */
typedef SatinBound satin_minimum_packed;
typedef SatinBound satin_minimum_state;
typedef SatinBound satin_minimum_improve_args;
typedef SatinBound satin_maximum_packed;
typedef SatinBound satin_maximum_state;
typedef SatinBound satin_maximum_improve_args;

/* The types, and the method of each that improves the bound. */
SATIN_API SatinObjectType satin_minimum_type;
SATIN_API SatinMethod satin_minimum_improve_method;
SATIN_API SatinObjectType satin_maximum_type;
SATIN_API SatinMethod satin_maximum_improve_method;

G_END_DECLS
