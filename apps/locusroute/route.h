/* route.h - the cost array, and the search for a wire's cheapest way through it
 *
 * The cost array has for each place how many segments run through it. A segment takes the way with
 * the smallest sum. A way has at most two bends. It goes along the channel of its first pin, across
 * at a column between its pins, and along the channel of its last pin. Or it goes across at its
 * first column, along a channel between its pins or one beyond, and across at its last column.
 *
 * The number *bend* names a way: the column at which it crosses, or the number of columns plus the
 * channel along which it runs.
 *
 * Threads: any; one at a time for each array.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "circuit.h"

G_BEGIN_DECLS

/**
 * Costs:
 * @n_channels: 1 or more
 * @n_columns: 1 or more
 * @counts: (borrowed) (array): how many segments run through each place, channel by channel
 */
typedef struct
{
  int n_channels;
  int n_columns;
  gint32 *counts;
} Costs;

/* Adds @change to all places that @segment runs through. A segment without a way changes
 * nothing. */
void costs_lay (Costs *self, const Segment *segment, gint32 change);

/* Returns: the sum of all places on the way of @segment, which must have one */
gint64 costs_of_way (const Costs *self, const Segment *segment);

/* Returns: the number of tracks that all channels need together. A channel needs as many as run
 * through its fullest place. */
gint64 costs_height (const Costs *self);

/* Returns: how often two segments run through the same place, which measures how good the ways
 * are */
gint64 costs_crowding (const Costs *self);

/* Whether @bend names a possible way of @segment. The bend of @segment does not matter. */
gboolean route_may_bend (const Costs *costs, const Segment *segment, int bend);

/**
 * route_segment:
 * @segment: a segment of the circuit; its bend does not matter
 * @n_looked_at: (inout): increased by the number of places that were looked at
 *
 * Returns: the bend of the cheapest way; of equal ones the first, columns before channels
 */
int route_segment (const Costs *costs, const Segment *segment, gint64 *n_looked_at);

/**
 * route_wires:
 * @costs: includes the old ways of @segments
 * @segments: (array length=n): all segments of some wires
 * @ret_bends: (out) (array length=n): the bends of their new ways
 *
 * Finds a new way for each wire, independent of the new ways of the others. It takes the wire out
 * of a copy of the array. Then it routes the wire's segments one after the other, and adds each to
 * the copy.
 *
 * Returns: number of places that were looked at
 */
gint64 route_wires (const Costs *costs, const Segment *segments, gsize n, gint32 *ret_bends);

/* Returns: how many of the @n segments, from the first on, belong to the first half of the wires;
 * @n if there is only one wire */
gsize route_half (const Segment *segments, gsize n);

/* Returns: how many segments, from the first on, belong to the first @n_wires wires; @n if there
 * are fewer wires */
gsize route_batch (const Segment *segments, gsize n, int n_wires);

G_END_DECLS
