/* counter.h - satin_counter: a number to which all nodes add
 *
 *   SatinObject n_seen = SATIN_NEW (satin_counter, "positions seen", NULL, 0);
 *   ...
 *   SATIN_COUNT (n_seen, 1);
 *   ...
 *   gint64 n = satin_counter_sum (SATIN_READ (satin_counter, n_seen));
 *
 * The counter has a total for each node: the sum of what that node has added. An update carries the
 * new total, and a total only grows; so an update that arrives twice counts once. A job that runs
 * again because its node was lost adds again. So use a counter for statistics, not for results.
 *
 * The version of the object is the sum, so a job may wait until the sum has reached a number.
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
/* The total of one node. */
SATIN_RECORD (SatinTotal, (long, origin), (long, total))
SATIN_OBJECT_TYPE_DECLARE (satin_counter, (array_record, totals, SatinTotal))
/* The caller gives @amount; the type fills in @origin (the node) and @total (the node's new
 * total). */
SATIN_METHOD_DECLARE (satin_counter, add, (long, amount), (long, origin), (long, total))
/* clang-format on */

/* Adds @AMOUNT, 0 or more, to the counter @ID. Use it inside a task. */
#define SATIN_COUNT(ID, AMOUNT) SATIN_UPDATE (ID, satin_counter, add, AMOUNT, 0, 0)

/* The sum of all totals. Threads: any. */
SATIN_API gint64 satin_counter_sum (const satin_counter_state *state);

G_END_DECLS
