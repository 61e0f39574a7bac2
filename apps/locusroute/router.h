/* router.h - routes a circuit: batch after batch, iteration after iteration
 *
 * The router says which wires come next, and lays them on the ways that it is told; who finds
 * these, route_wires() or jobs all over the world, is not its concern.
 *
 * Threads: the one that made it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "route.h"

G_BEGIN_DECLS

/**
 * Router:
 * @circuit: (borrowed): its segments get their ways
 * @costs: what all ways laid so far cost
 * @counts: (owned): of @costs
 * @batch: wires that are routed against the same costs, 1 or more
 * @n_iterations: how often each wire is routed
 * @iteration: how often all wires were
 * @n_done: segments that were routed in this iteration
 * @n_next: segments of the batch
 * @report: (owned): a line for each iteration: how good the ways are
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
 * @ret_segments: (out) (array length=ret_n): all segments of the wires to be routed, 1 or more;
 * valid until router_take()
 *
 * Returns: %FALSE when all is done
 */
gboolean router_next (Router *self, const Segment **ret_segments, gsize *ret_n);

/* Rips out their old ways and lays @bends. */
void router_take (Router *self, const gint32 *bends);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Router, router_clear)

G_END_DECLS
