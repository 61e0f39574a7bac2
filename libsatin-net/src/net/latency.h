/* latency.h - how far a peer is, as it was measured lately
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* A link that is used is measured so often. */
#define NET_LATENCY_PING_US ((gint64)15 * 1000000)
/* Half of the window: what was measured before the half that came before is forgotten. */
#define NET_LATENCY_HALF_US ((gint64)2 * 60 * 1000000)

/* A node has hundreds of these. All zero is the beginning. */
typedef struct
{
  gint64 since_us;            /* when the newer half began */
  guint32 older_us, newer_us; /* the least of each half, 0: nothing was measured */
} NetLatency;

/**
 * net_latency_note:
 * @latency_us: one way, 1 or more
 *
 * A message may wait behind others: the least of several measurements is what the way takes. But a
 * way may become longer, so they count for two halves of a window at most.
 *
 * Returns: the least in the window
 */
gint64 net_latency_note (NetLatency *self, gint64 now_us, gint64 latency_us);

G_END_DECLS
