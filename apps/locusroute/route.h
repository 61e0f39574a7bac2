/* route.h - the cost array, and the search for a wire's cheapest way through it
 *
 * The cost array has for each place the number of segments that run through the place. The cost of
 * a way is the sum over its places, and a segment takes the cheapest way. A way has at most two
 * bends. There are two kinds of ways:
 *
 *   by a column    along the channel of the first pin to a column between the pins, across at this
 *                  column, and along the channel of the last pin
 *   by a channel   across at the column of the first pin to a channel between the pins or next to
 *                  them, along this channel, and across at the column of the last pin
 *
 * The number *bend* names a way: the column, or the number of columns plus the channel.
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

/* Adds @change to all places that @segment runs through. Does nothing for a segment without a
 * way. */
void costs_lay (Costs *self, const Segment *segment, gint32 change);

/* Moves @segment to the way @bend, and changes the places of both ways. */
void costs_relay (Costs *self, Segment *segment, gint32 bend);

/* Returns: the sum of all places on the way of @segment, which must have one */
gint64 costs_of_way (const Costs *self, const Segment *segment);

/* Returns: the number of tracks that all channels need together. A channel needs as many tracks as
 * segments run through its fullest place */
gint64 costs_height (const Costs *self);

/* Returns: how often two segments run through the same place, added up over all places. The lower
 * this number, the better are the ways */
gint64 costs_crowding (const Costs *self);

/* Whether @bend names a possible way between the pins of @segment. */
gboolean route_may_bend (const Costs *costs, const Segment *segment, int bend);

/* Whether @segments may be the segments of some wires, wire after wire, in a grid of this size: all
 * pins are in the grid, and all bends are possible. @costs: its counts are not read */
gboolean route_is_possible (const Costs *costs, const Segment *segments, gsize n);

/**
 * route_segment:
 * @segment: a segment of the circuit; its bend is not read
 * @n_looked_at: (inout): increased by the number of places that were looked at
 *
 * Returns: the bend of the cheapest way; if several are equally cheap, the lowest bend
 */
int route_segment (const Costs *costs, const Segment *segment, gint64 *n_looked_at);

/**
 * route_wires:
 * @costs: the cost array, which includes the old ways of @segments
 * @segments: (array length=n): all segments of some wires
 * @ret_bends: (out) (array length=n): the bends of the new ways of @segments
 *
 * Finds new ways for each wire, as if the other wires kept their old ways. For each wire, removes
 * the old ways of its segments from a copy of the array. Then routes the segments one after the
 * other, and adds each new way to the copy.
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
