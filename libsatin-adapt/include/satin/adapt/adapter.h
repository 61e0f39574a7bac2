/* adapter.h - one node's share of adapting a run: each node reports figures, the master decides
 *
 * Once in a period each node reports figures. The figures of a cluster go to its *first* node: the
 * node with the lowest number, not counting the coordinator and nodes that are leaving. The first
 * node sends them in one message to the master's node, the *coordinator*. So the coordinator
 * receives few messages, however large the run is:
 *
 *   node --figures--> first of its cluster --figures--> coordinator: census, decision
 *        <---plan----                      <---plan----      | look, ask      | leave
 *                                                            v                v
 *                                                          fleet       nodes that must leave
 *
 * A plan comes back the same way. The plan says when the next period ends and which job measures a
 * node's speed. The plan for the first node of a cluster also contains the memory of the adaptation
 * plugin. That node keeps the memory, and sends it to a new coordinator. What the coordinator asks
 * of the fleet carries the coordinator's term (fleet.h), and nodes that leave announce that
 * themselves. So a new coordinator repeats nothing that was already begun.
 *
 * Threads: the loop's.
 * Source: 003 ch. 4. Differs: the coordinator is elected: it is the master's node.
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
 * @adaptation: (nullable): the plugin that decides, with its parameters, "learning". With %NULL
 *   nothing is decided, but nodes still report figures
 * @period_us: the length of a period, above 0
 * @benchmark_share: the share of its time in which a node may measure its speed, in [0, 1]; 0:
 *   never
 * @is_kept: this node is never removed
 * @leave_us: how long a node that is removed may take to leave
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
 * @figures: reports all figures of this node, as satin_node_figures() does
 * @decided: (nullable): called on the coordinator after each period. @text: the efficiency and the
 *   decision, for people. @is_change: whether the coordinator asks for machines or removes nodes
 *
 * The functions that an adapter needs from its node.
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
 * @workers: (nullable): the workers that measure the node's speed
 * @options: copied
 * @host: (borrowed): outlives the adapter
 *
 * Returns: (transfer full): free it with satin_adapter_free(); %NULL with @error when the plugin
 *   cannot be opened
 */
SATIN_API SatinAdapter *satin_adapter_new (SatinLoop *loop, SatinWorkers *workers,
                                           const SatinAdapterOptions *options,
                                           const SatinAdapterHost *host, gpointer user_data,
                                           GError **error);

/* Sets the peers (borrowed) through which other nodes are reached. Call it once; the adapter begins
 * when it has the run too. */
SATIN_API void satin_adapter_set_peers (SatinAdapter *self, SatinPeers *peers);
/* Sets the run (borrowed). Call it once; the adapter begins when it has the peers too. */
SATIN_API void satin_adapter_set_run (SatinAdapter *self, SatinRun *run);

/* Frees the adapter. Call it while the peers and the run are still there. @self: (nullable) */
SATIN_API void satin_adapter_free (SatinAdapter *self);

/* Reports figures: "adapt.periods", "adapt.messages" (as the coordinator, sent and received),
 * "adapt.asked", "adapt.removed", "adapt.benchmarks", "adapt.benchmark-us",
 * "adapt.efficiency-permille". */
SATIN_API void satin_adapter_figures (const SatinAdapter *self, SatinFigureFunc add,
                                      gpointer user_data);
/* Reports what the adapter waits for: the state of the fleet. */
SATIN_API void satin_adapter_waits (const SatinAdapter *self, SatinWaitFunc add,
                                    gpointer user_data);

G_END_DECLS
