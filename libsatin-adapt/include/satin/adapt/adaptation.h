/* adaptation.h - the interface of an adaptation plugin, which decides which nodes a run should have
 *
 * Once in a period the coordinator of the adaptation (adapter.h) shows a census to the plugin and
 * carries out the plugin's decision. The decision depends only on the census and on the plugin's
 * memory: what it has learnt so far. The coordinator passes the memory on to its successor.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/census.h>
#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* The largest size of a plugin's memory. */
#define SATIN_MEMORY_MAX_BYTES ((gsize)256 << 10)

/* Why a node should leave. */
typedef enum
{
  SATIN_REMOVE_BAD = 1,  /* the run is inefficient, and this node is among the worst */
  SATIN_REMOVE_FAR,      /* the link of its cluster is too slow for the run */
  SATIN_REMOVE_REPLACED, /* a better node has come, or will take its place */
} SatinRemoveReason;

/* A node that should leave, and why. */
typedef struct
{
  SatinNodeId id;
  SatinRemoveReason reason;
} SatinRemoval;

/**
 * SatinAsk:
 * @cluster: index of the cluster in the census, or %SATIN_ANY_CLUSTER
 * @n_machines: how many machines, 1 or more
 *
 * Machines to ask for, of one cluster.
 */
typedef struct
{
  guint cluster;
  guint n_machines;
} SatinAsk;

/**
 * SatinDecision:
 * @asks: (element-type SatinAsk): machines to ask for
 * @removals: (element-type SatinRemoval): nodes that should leave in good order
 *
 * A decision. When both are empty, nothing changes.
 */
typedef struct
{
  GArray *asks;
  GArray *removals;
} SatinDecision;

/* Makes @self an empty decision. Free its content with satin_decision_clear(). */
SATIN_API void satin_decision_init (SatinDecision *self);
/* Frees the content of @self, which may be used again after satin_decision_init(). */
SATIN_API void satin_decision_clear (SatinDecision *self);
/* Adds a #SatinAsk with these fields to the decision. */
SATIN_API void satin_decision_ask (SatinDecision *self, guint cluster, guint n_machines);
/* Adds the removal of node @id. */
SATIN_API void satin_decision_remove (SatinDecision *self, SatinNodeId id,
                                      SatinRemoveReason reason);

/* Adds the removals of all nodes of @cluster (its index in the census) for which
 * satin_census_counts() is true. The caller makes sure that none of these nodes is kept. */
SATIN_API void satin_decision_remove_cluster (SatinDecision *self, const SatinCensus *census,
                                              guint cluster, SatinRemoveReason reason);

/* Returns: the reason as a text for people, such as "slow or badly connected" */
SATIN_API const char *satin_remove_reason_text (SatinRemoveReason reason);

/**
 * SatinAdaptationOps:
 * @open: returns a handle, or %NULL with an error
 * @decide: fills the empty @decision. The asks and removals must leave the run between n_least and
 *   n_most nodes. A decision never removes a node that is kept, and never asks for more machines
 *   than are offered
 * @close: frees the handle
 * @save: (nullable): (transfer full): returns the plugin's memory, at most %SATIN_MEMORY_MAX_BYTES
 * @load: (nullable): takes over the memory that another handle, maybe with other parameters, has
 *   saved. The next census may come from another clock. So @now_us of that census counts as the
 *   time of the last decision before the memory was saved. %SATIN_ERROR_FORMAT,
 *   %SATIN_ERROR_TRUNCATED or %SATIN_ERROR_LIMIT for invalid bytes, which change nothing
 *
 * The operations of a plugin of kind "adaptation".
 */
typedef struct
{
  gsize struct_size;
  gpointer (*open) (const SatinParams *params, GError **error);
  void (*decide) (gpointer adaptation, const SatinCensus *census, SatinDecision *decision);
  void (*close) (gpointer adaptation);
  GBytes *(*save) (gpointer adaptation);
  gboolean (*load) (gpointer adaptation, GBytes *memory, GError **error);
} SatinAdaptationOps;

/* The operations that an adaptation must have. This is checked when the plugin is loaded. */
static const SatinRequired satin_adaptation_required[] = {
  SATIN_REQUIRED (SatinAdaptationOps, open),
  SATIN_REQUIRED (SatinAdaptationOps, decide),
  SATIN_REQUIRED (SatinAdaptationOps, close),
  { NULL, 0 }
};

/* An open adaptation. */
typedef struct
{
  SatinAdaptationOps ops; /* an operation that the plugin does not have is %NULL */
  gpointer handle;        /* (owned) */
} SatinAdaptation;

/**
 * satin_adaptation_open:
 * @text: a plugin's name and its parameters, "learning:max=0.6"
 *
 * Opens an adaptation.
 *
 * Returns: (transfer full) (nullable): %NULL with @error, which names the plugin
 */
SATIN_API SatinAdaptation *satin_adaptation_open (const char *text, GError **error);
/* Closes the adaptation. @self: (nullable) */
SATIN_API void satin_adaptation_close (SatinAdaptation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinAdaptation, satin_adaptation_close)

G_END_DECLS
