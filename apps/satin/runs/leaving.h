/* leaving.h - asks nodes of a run to leave, and waits until they have
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "session.h"

G_BEGIN_DECLS

/**
 * LeavingOptions:
 * @hub: the URI of the run's hub
 * @deadline_us: how long the nodes may take to leave
 * @left: called for each node that has left
 */
typedef struct
{
  const char *hub; /* (borrowed) */
  gint64 deadline_us;
  void (*left) (SatinNodeId id, gpointer user_data);
  gpointer user_data;
} LeavingOptions;

/* Parses the value of --deadline, an option of @command. @text: (nullable): %NULL: the default */
gboolean leaving_parse_deadline (const char *command, const char *text, gint64 *ret_deadline_us,
                                 GError **error);

/* Adds the members of the cluster @label to @nodes, including those that are already leaving.
 * @error: %SATIN_ERROR_NOT_FOUND when no node was added */
gboolean leaving_add_cluster (GArray *nodes, const SatinRunStatus *status, const char *label,
                              GError **error);

/**
 * leaving_choose:
 * @words: (array zero-terminated=1): numbers of nodes and labels of clusters
 * @error: %SATIN_ERROR_NOT_FOUND; the message names the node or cluster that the run does not have,
 *   or the node that is gone already
 *
 * Returns: (transfer full) (element-type SatinNodeId) (nullable): each node once
 */
GArray *leaving_choose (const SatinRunStatus *status, char **words, GError **error);

gboolean leaving_contains (const GArray *nodes, SatinNodeId id);

/* Asks @nodes to leave. @ret_status: (out): free it with satin_record_clear() */
gboolean leaving_say (Session *session, const LeavingOptions *options, const GArray *nodes,
                      SatinRunStatus *ret_status, GError **error);

/**
 * leaving_wait:
 * @nodes: (inout) (element-type SatinNodeId): each node is removed when it has left
 * @error: %SATIN_ERROR_NODE_LOST when a node died before it left, %SATIN_ERROR_TIMEOUT when a node
 *   is still there 10 s after the deadline; else as for leaving_say()
 *
 * Waits until all nodes have left, and meanwhile repeats the request to leave.
 */
gboolean leaving_wait (Session *session, const LeavingOptions *options, GArray *nodes,
                       GError **error);

G_END_DECLS
