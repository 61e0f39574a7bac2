/* adapter.h - one node's share of adapting a run: it tells what it did, and the master decides
 *
 * Once in a period each node tells what it did. The figures of a cluster go to one node of it, and
 * from there in one message to the master's node, the *coordinator*, so that this hears little
 * however large the run is:
 *
 *   node --figures--> first of its cluster --figures--> coordinator: census, decision
 *        <---plan----                      <---plan----      | look, ask      | leave
 *                                                            v                v
 *                                                          fleet       nodes that are to go
 *
 * A plan comes back the same way: when the next period ends, which job to measure the node's speed
 * by, and what the adaptation has learnt. The first of each cluster keeps that, and hands it to
 * whoever is the coordinator after this one. What it asks for carries its term (fleet.h); nodes
 * that leave say so themselves: so nothing that was under way is done twice.
 *
 * Threads: the loop's.
 * Source: 003 ch. 4. Differs: it is elected, with the master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/node.h>
#include <satin/base/run.h>
#include <satin/core/workers.h>

G_BEGIN_DECLS

/**
 * SatinAdapterOptions:
 * @adaptation: the plugin that decides, with its parameters, "learning"; %NULL: nobody decides, and
 *   figures are told all the same
 * @period_us: above 0
 * @benchmark_share: of its time that a node may measure its speed, in [0, 1]; 0: never
 * @is_kept: this node is never sent away
 * @leave_us: how long a node that is sent away may take
 *
 * How a node takes part in adaptation.
 */
typedef struct
{
  const char *adaptation;
  gint64 period_us;
  double benchmark_share;
  gboolean is_kept;
  gint64 leave_us;
} SatinAdapterOptions;

/**
 * SatinAdapterHost:
 * @figures: all figures of this node, as satin_node_figures() tells them
 * @decided: (nullable): on the coordinator, after each period, in words for people; @is_change: it
 * asks for machines or sends nodes away
 *
 * What an adapter asks of the node that it runs on.
 */
typedef struct
{
  gsize struct_size;
  void (*figures) (SatinFigureFunc add, gpointer add_data, gpointer user_data);
  void (*decided) (const char *text, gboolean is_change, gpointer user_data);
} SatinAdapterHost;

/* The adapter of one node. */
typedef struct _SatinAdapter SatinAdapter;

/**
 * satin_adapter_new:
 * @workers: (nullable): whose speed is measured
 *
 * Returns: (transfer full): satin_adapter_free(); %NULL with @error when the plugin cannot be had
 */
SATIN_API SatinAdapter *satin_adapter_new (SatinLoop *loop, SatinWorkers *workers,
                                           const SatinAdapterOptions *options,
                                           const SatinAdapterHost *host, gpointer user_data,
                                           GError **error);

/* Once each; then it begins. */
SATIN_API void satin_adapter_set_peers (SatinAdapter *self, SatinPeers *peers);
/* The run, borrowed. Call it once; the adapter begins when it has the peers too. */
SATIN_API void satin_adapter_set_run (SatinAdapter *self, SatinRun *run);

/* Before the peers and the run are gone. @self: (nullable) */
SATIN_API void satin_adapter_free (SatinAdapter *self);

/* "adapt.periods", "adapt.messages" (as the coordinator, sent and received), "adapt.asked",
 * "adapt.removed", "adapt.benchmarks", "adapt.benchmark-us", "adapt.efficiency-permille". */
SATIN_API void satin_adapter_figures (const SatinAdapter *self, SatinFigureFunc add,
                                      gpointer user_data);
/* What it waits for: the state of the fleet. */
SATIN_API void satin_adapter_waits (const SatinAdapter *self, SatinWaitFunc add,
                                    gpointer user_data);

G_END_DECLS
