/* latency.h - the latency of a peer: the lowest of its recent measurements
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The shortest time between two measurements of a link in use. */
#define NET_LATENCY_PING_US ((gint64)15 * 1000000)
/* Half of the time for which measurements count (the window). A measurement counts in the half in
 * which it was made and in the next one. */
#define NET_LATENCY_HALF_US ((gint64)2 * 60 * 1000000)

/* The recent measurements of one peer. The structure is small, because a node has hundreds of
 * peers. All zero is the initial state. */
typedef struct
{
  gint64 since_us;            /* when the newer half began */
  guint32 older_us, newer_us; /* the lowest measurement of each half, 0: none */
} NetLatency;

/**
 * net_latency_note:
 * @latency_us: the latency one way, 1 or more
 *
 * Notes a measurement. A measurement is too high if the ping waited behind other messages, so the
 * lowest of several measurements is taken. A path may also become slower, so a measurement counts
 * for at most two halves of the window.
 *
 * Returns: the lowest measurement in the window, microseconds
 */
gint64 net_latency_note (NetLatency *self, gint64 now_us, gint64 latency_us);

G_END_DECLS
