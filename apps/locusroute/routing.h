/* routing.h - the ways of all wires as a shared object: each job reports its ways to all nodes
 *
 * A replica has the segments of the circuit, their ways and the cost array. A round is an iteration
 * over all wires. An update carries its round, and each segment keeps the way of the latest round.
 * So replicas that received the same updates are equal, however often and in whatever order the
 * updates came. If a node does not have an update yet, its next ways become a little worse, but not
 * wrong.
 *
 * Threads: as libsatin-so says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

#include "route.h"

G_BEGIN_DECLS

/* @rounds: for each segment the round of its way; 0: the segment has no way yet */
SATIN_OBJECT_PACKED (routing, (int, n_channels), (int, n_columns),
                     (array_record, segments, Segment), (array_int, rounds))

/**
 * routing_state:
 * @costs: the cost array with all ways
 * @segments: (array length=n_segments) (owned)
 * @rounds: (array length=n_segments) (owned)
 */
typedef struct
{
  Costs costs;
  Segment *segments;
  gint32 *rounds;
  gsize n_segments;
} routing_state;

/* Sets the ways of the segments from @first on. @bends: their ways; @round: the round in which
 * these were found, from 1 */
SATIN_METHOD_DECLARE (routing, lay, (int, first), (int, round), (array_int, bends))

G_END_DECLS
