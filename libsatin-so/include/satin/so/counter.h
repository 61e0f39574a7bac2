/* counter.h - satin_counter: a number that all add to
 *
 *   SatinObject n_seen = SATIN_NEW (satin_counter, "positions seen", NULL, 0);
 *   ...
 *   SATIN_COUNT (n_seen, 1);
 *   ...
 *   gint64 n = satin_counter_sum (SATIN_READ (satin_counter, n_seen));
 *
 * Each node has a total of its own in it, which only grows, so what is told twice counts once. A
 * job that runs again, because its node was lost, counts again: for figures, not for results.
 *
 * Its version is the sum, so a job may wait until so much has been counted.
 *
 * Threads: as a state of satin/so/type.h. Docs: docs/objects.md
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/so/share.h>

G_BEGIN_DECLS

/* clang-format off */
/* What one node has added. */
SATIN_RECORD (SatinTotal, (long, origin), (long, total))
SATIN_OBJECT_TYPE_DECLARE (satin_counter, (array_record, totals, SatinTotal))
/* @origin and @total are filled in by the type. */
SATIN_METHOD_DECLARE (satin_counter, add, (long, amount), (long, origin), (long, total))
/* clang-format on */

/* Adds @AMOUNT, 0 or more, to the counter @ID. Inside a task. */
#define SATIN_COUNT(ID, AMOUNT) SATIN_UPDATE (ID, satin_counter, add, AMOUNT, 0, 0)

/* All that was added. Threads: any. */
SATIN_API gint64 satin_counter_sum (const satin_counter_state *state);

G_END_DECLS
