/* adaptation.h - which nodes a run should have: what an adaptation plugin decides
 *
 * Once in a period the coordinator shows the plugin a census and does what it says. The plugin is a
 * function of what it is shown and of its memory, which the coordinator hands on to its successor.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/census.h>
#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* Most bytes of a memory. */
#define SATIN_MEMORY_MAX_BYTES ((gsize)256 << 10)

/* Why a node is to go. */
typedef enum
{
  SATIN_REMOVE_BAD = 1,  /* the run is inefficient, and this is among the worst */
  SATIN_REMOVE_FAR,      /* the link of its cluster is too slow for the run */
  SATIN_REMOVE_REPLACED, /* a better one has come */
} SatinRemoveReason;

/* One node that is to go, and why. */
typedef struct
{
  SatinNodeId id;
  SatinRemoveReason reason;
} SatinRemoval;

/**
 * SatinAsk:
 * @cluster: its place among the clusters of the census, or %SATIN_ANY_CLUSTER
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
 * @removals: (element-type SatinRemoval): nodes to send away in good order
 *
 * Both empty: all stays as it is.
 */
typedef struct
{
  GArray *asks;
  GArray *removals;
} SatinDecision;

/* Makes @self empty. satin_decision_clear() frees what it holds. */
SATIN_API void satin_decision_init (SatinDecision *self);
/* Frees what @self holds. It may be used again after satin_decision_init(). */
SATIN_API void satin_decision_clear (SatinDecision *self);
/* Asks for @n_machines, 1 or more, of @cluster, its place in the census or %SATIN_ANY_CLUSTER. */
SATIN_API void satin_decision_ask (SatinDecision *self, guint cluster, guint n_machines);
/* Sends the node @id away in good order. */
SATIN_API void satin_decision_remove (SatinDecision *self, SatinNodeId id,
                                      SatinRemoveReason reason);

/* Likewise all nodes of @cluster that count. */
SATIN_API void satin_decision_remove_cluster (SatinDecision *self, const SatinCensus *census,
                                              guint cluster, SatinRemoveReason reason);

/* "slow or badly connected", "the link of its cluster is too slow", "a better one has come" */
SATIN_API const char *satin_remove_reason_text (SatinRemoveReason reason);

/**
 * SatinAdaptationOps:
 * @decide: @decision is empty; what it asks for and removes keeps the run between n_least and
 * n_most nodes, never removes a kept one or asks for more than is offered
 * @save: (nullable): (transfer full): its memory, at most %SATIN_MEMORY_MAX_BYTES
 * @load: (nullable): takes over what another handle, maybe with other parameters, has saved;
 *   %SATIN_ERROR_FORMAT for bytes that are none, which change nothing
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

/* What each adaptation must have; the host looks when it loads the plugin. */
static const SatinRequired satin_adaptation_required[] = {
  SATIN_REQUIRED (SatinAdaptationOps, open),
  SATIN_REQUIRED (SatinAdaptationOps, decide),
  SATIN_REQUIRED (SatinAdaptationOps, close),
  { NULL, 0 }
};

/* An open adaptation. */
typedef struct
{
  SatinAdaptationOps ops; /* complete: what the plugin does not have is NULL */
  gpointer handle;        /* (owned) */
} SatinAdaptation;

/**
 * satin_adaptation_open:
 * @text: a plugin's name and its parameters, "learning:max=0.6"
 *
 * Returns: (transfer full) (nullable): %NULL with @error, which names the plugin
 */
SATIN_API SatinAdaptation *satin_adaptation_open (const char *text, GError **error);
/* @self: (nullable) */
SATIN_API void satin_adaptation_close (SatinAdaptation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinAdaptation, satin_adaptation_close)

G_END_DECLS
