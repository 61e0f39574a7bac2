/* router.h - routes a circuit: batch after batch, iteration after iteration
 *
 * The router says which wires to route next. The caller finds their ways, by route_wires() in plain
 * C or by jobs on many nodes, and gives the ways to the router, which adds them to the cost array.
 *
 * Threads: the thread that called router_init().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "route.h"

G_BEGIN_DECLS

/**
 * Router:
 * @circuit: (borrowed): the router sets the bends of its segments
 * @costs: the cost array with all ways that were added so far
 * @counts: (owned): the array in @costs
 * @batch: number of wires that are routed with the same costs, 1 or more
 * @n_iterations: how often to route each wire
 * @iteration: number of complete iterations
 * @n_done: number of segments that were routed in this iteration
 * @n_next: number of segments in the current batch
 * @report: (owned): a line for each iteration, which says how good the ways are
 */
typedef struct
{
  Circuit *circuit;
  Costs costs;
  gint32 *counts;
  int batch;
  int n_iterations;
  int iteration;
  gsize n_done;
  gsize n_next;
  GString *report;
} Router;

void router_init (Router *self, Circuit *circuit, int batch, int n_iterations);
void router_clear (Router *self);

/**
 * router_next:
 * @ret_segments: (out) (array length=ret_n): all segments of the next wires, 1 or more; valid until
 *   router_take()
 *
 * Returns: %FALSE when all iterations are done
 */
gboolean router_next (Router *self, const Segment **ret_segments, gsize *ret_n);

/**
 * router_take:
 * @bends: (array length=n): the new ways of the segments that router_next() returned
 * @error: %SATIN_ERROR_JOB when they are not the ways of these segments
 *
 * Replaces the ways of these segments. Returns: %TRUE on success
 */
gboolean router_take (Router *self, const gint32 *bends, gsize n, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Router, router_clear)

G_END_DECLS
