/* routing.h - the ways of all wires as a shared object: each job reports its ways to all nodes
 *
 * A replica has the segments of the circuit, their ways and the cost array. Each way comes with the
 * number of its round, and the latest one stays. So replicas that received the same updates are
 * equal, however often and in whatever order the updates came. An update that is still missing
 * makes the node's next ways a little worse, but not wrong.
 *
 * Threads: as libsatin-so says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

#include "route.h"

G_BEGIN_DECLS

/* @rounds: for each segment the round in which it was routed last; 0: not yet */
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

/* Sets the ways of the segments from @first on to @bends, which were found in round @round, from
 * 1. */
SATIN_METHOD_DECLARE (routing, lay, (int, first), (int, round), (array_int, bends))

G_END_DECLS
