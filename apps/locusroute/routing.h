/* routing.h - the ways of all wires as a shared object: who routes a wire tells all others
 *
 * A replica has the segments of the circuit, their ways and what these cost. A way comes with the
 * number of its round, and the latest one stays: replicas that have heard the same are the same,
 * however often and in whatever order they have. What one has not heard yet makes
 * its ways a little worse, and nothing wrong.
 *
 * Threads: as libsatin-so says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

#include "route.h"

G_BEGIN_DECLS

/* @rounds: of each segment, when it was routed last; 0 when it was not */
SATIN_OBJECT_PACKED (routing, (int, n_channels), (int, n_columns),
                     (array_record, segments, Segment), (array_int, rounds))

/**
 * routing_state:
 * @costs: what all ways cost together
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

/* The segments from @first on go the ways @bends, found in round @round, from 1. */
SATIN_METHOD_DECLARE (routing, lay, (int, first), (int, round), (array_int, bends))

G_END_DECLS
