/* route.h - the cost array, and the cheapest way for a wire through it
 *
 * The cost array has for each place how many segments run through it. A segment may go any way with
 * two bends at most: along its first channel, across at a column between its pins, and along the
 * other channel; or across at its first column to a channel (between those of its pins, or one
 * beyond), along that and across at its last column. It goes the way on which there is least.
 *
 * A way is named by its bend: a column, or the number of columns plus a channel.
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
 * @counts: (array): what runs through each place, channel by channel; (borrowed)
 */
typedef struct
{
  int n_channels;
  int n_columns;
  gint32 *counts;
} Costs;

/* Adds @change in all places that @segment runs through. One that has no way yet runs nowhere. */
void costs_lay (Costs *self, const Segment *segment, gint32 change);

/* What all places on the way of @segment have, together. @segment has one. */
gint64 costs_of_way (const Costs *self, const Segment *segment);

/* The tracks that all channels need: of each, the most that run through one of its places. */
gint64 costs_height (const Costs *self);

/* How often two segments run through the same place: what the ways cost together. */
gint64 costs_crowding (const Costs *self);

/* Whether @bend names a way of @segment; its own bend does not matter. */
gboolean route_may_bend (const Costs *costs, const Segment *segment, int bend);

/**
 * route_segment:
 * @segment: between pins of the array; its bend does not matter
 * @n_looked_at: (inout): grows by the places that were looked at
 *
 * Returns: the bend of the cheapest way; of several the first, columns first
 */
int route_segment (const Costs *costs, const Segment *segment, gint64 *n_looked_at);

/**
 * route_wires:
 * @costs: with the old ways of @segments
 * @segments: (array length=n): all segments of some wires
 * @ret_bends: (out) (array length=n): their new ways
 *
 * Finds new ways for wires that know nothing of each other's: each is ripped out of a copy, and its
 * segments are routed and laid there one after the other.
 *
 * Returns: how many places were looked at
 */
gint64 route_wires (const Costs *costs, const Segment *segments, gsize n, gint32 *ret_bends);

/* How many of the @n segments, from the first on, are of the first half of the wires; all, if it is
 * one wire. */
gsize route_half (const Segment *segments, gsize n);

/* How many segments from the first on are of the first @n_wires wires; @n if there are fewer. */
gsize route_batch (const Segment *segments, gsize n, int n_wires);

G_END_DECLS
