/* adaptation.h - what an adaptation plugin decides: which nodes a run should have
 *
 * Once in a period the coordinator shows a census to the plugin and carries out its decision. The
 * decision depends only on the census and on the plugin's memory. The coordinator passes the memory
 * on to its successor.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/census.h>
#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* The largest size of a memory. */
#define SATIN_MEMORY_MAX_BYTES ((gsize)256 << 10)

/* Why a node should leave. */
typedef enum
{
  SATIN_REMOVE_BAD = 1,  /* the run is inefficient, and this node is among the worst */
  SATIN_REMOVE_FAR,      /* the link of its cluster is too slow for the run */
  SATIN_REMOVE_REPLACED, /* a better node has come */
} SatinRemoveReason;

/* A node that should leave, and why. */
typedef struct
{
  SatinNodeId id;
  SatinRemoveReason reason;
} SatinRemoval;

/**
 * SatinAsk:
 * @cluster: the place of a cluster in the census, or %SATIN_ANY_CLUSTER
 * @n_machines: 1 or more
 *
 * Machines to ask for.
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

/* Makes @self an empty decision. satin_decision_clear() frees its content. */
SATIN_API void satin_decision_init (SatinDecision *self);
/* Frees the content of @self. It may be used again after satin_decision_init(). */
SATIN_API void satin_decision_clear (SatinDecision *self);
/* Adds an ask: @n_machines, 1 or more, of @cluster, its place in the census or %SATIN_ANY_CLUSTER.
 */
SATIN_API void satin_decision_ask (SatinDecision *self, guint cluster, guint n_machines);
/* Adds the removal of node @id. */
SATIN_API void satin_decision_remove (SatinDecision *self, SatinNodeId id,
                                      SatinRemoveReason reason);

/* Adds the removals of all nodes of @cluster that count. */
SATIN_API void satin_decision_remove_cluster (SatinDecision *self, const SatinCensus *census,
                                              guint cluster, SatinRemoveReason reason);

/* The reason for people: "slow or badly connected", "the link of its cluster is too slow", "a
 * better one has come". */
SATIN_API const char *satin_remove_reason_text (SatinRemoveReason reason);

/**
 * SatinAdaptationOps:
 * @open: returns a handle, or %NULL with an error
 * @decide: fills the empty @decision. Its asks and removals keep the run between n_least and n_most
 *   nodes. It never removes a node that is kept, or asks for more machines than are offered
 * @close: frees the handle
 * @save: (nullable): (transfer full): returns its memory, at most %SATIN_MEMORY_MAX_BYTES
 * @load: (nullable): takes over the memory that another handle, maybe with other parameters, has
 *   saved. %SATIN_ERROR_FORMAT for invalid bytes, which change nothing
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

/* The operations that an adaptation must have. The host checks them when it loads the plugin. */
static const SatinRequired satin_adaptation_required[] = {
  SATIN_REQUIRED (SatinAdaptationOps, open),
  SATIN_REQUIRED (SatinAdaptationOps, decide),
  SATIN_REQUIRED (SatinAdaptationOps, close),
  { NULL, 0 }
};

/* An open adaptation. */
typedef struct
{
  SatinAdaptationOps ops; /* one that the plugin does not have is NULL */
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
