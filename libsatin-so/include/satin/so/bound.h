/* bound.h - satin_minimum and satin_maximum: the best value so far, with a witness
 *
 *   SatinObject best = SATIN_NEW (satin_minimum, "shortest tour", G_MAXINT64, NULL, 0);
 *   ...
 *   if (length_at_least > SATIN_READ (satin_minimum, best)->value)
 *     return;
 *   ...
 *   SATIN_UPDATE (best, satin_minimum, improve, length, cities, n_cities);
 *
 * The *witness* is any bytes that say how the value is reached. If two witnesses reach the best
 * value, the smaller witness stays: the shorter one, or among witnesses of equal length the first
 * in the order of bytes. A value without a witness loses against the same value with one. So all
 * replicas agree, whichever witness was found first.
 *
 * Prune strictly: do not drop a branch that may reach the best value exactly. When the node that
 * found the best value was lost and its job runs again, the object has that value before the job
 * has found it again, and strict pruning lets the job find it. Also, the smallest witness is known
 * only if all witnesses are found.
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
/* A value and its witness: the state of both types, their initial value, and the arguments of
 * improve. */
SATIN_RECORD (SatinBound, (long, value), (bytes, witness))
/* clang-format on */

/* The records, states and arguments of both types. */
typedef SatinBound satin_minimum_packed;
typedef SatinBound satin_minimum_state;
typedef SatinBound satin_minimum_improve_args;
typedef SatinBound satin_maximum_packed;
typedef SatinBound satin_maximum_state;
typedef SatinBound satin_maximum_improve_args;

/* The types. The method improve of each replaces its value and witness by better ones. */
SATIN_API SatinObjectType satin_minimum_type;
SATIN_API SatinMethod satin_minimum_improve_method;
SATIN_API SatinObjectType satin_maximum_type;
SATIN_API SatinMethod satin_maximum_improve_method;

G_END_DECLS
