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
 * @hub: its URI
 * @deadline_us: how long they may take
 * @left: one of them has left
 */
typedef struct
{
  const char *hub; /* (borrowed) */
  gint64 deadline_us;
  void (*left) (SatinNodeId id, gpointer user_data);
  gpointer user_data;
} LeavingOptions;

/* Reads what --deadline of @command says; %NULL: the default. */
gboolean leaving_parse_deadline (const char *command, const char *text, gint64 *ret_deadline_us,
                                 GError **error);

/* The members of a cluster, those that leave already too. %SATIN_ERROR_NOT_FOUND when it has none.
 */
gboolean leaving_add_cluster (GArray *nodes, const SatinRunStatus *status, const char *label,
                              GError **error);

/**
 * leaving_choose:
 * @words: (array zero-terminated=1): numbers of nodes and labels of clusters
 * @error: %SATIN_ERROR_NOT_FOUND with what the run has not got
 *
 * Returns: (transfer full) (element-type SatinNodeId) (nullable): each once
 */
GArray *leaving_choose (const SatinRunStatus *status, char **words, GError **error);

gboolean leaving_contains (const GArray *nodes, SatinNodeId id);

/* Asks them to leave. @ret_status: (out): free it with satin_record_clear() */
gboolean leaving_say (Session *session, const LeavingOptions *options, const GArray *nodes,
                      SatinRunStatus *ret_status, GError **error);

/**
 * leaving_wait:
 * @nodes: (element-type SatinNodeId): empty at the end
 * @error: %SATIN_ERROR_NODE_LOST when one of them did not leave but was lost,
 *   %SATIN_ERROR_TIMEOUT when one is there long after the deadline
 *
 * Waits until all have left, and asks them again meanwhile.
 */
gboolean leaving_wait (Session *session, const LeavingOptions *options, GArray *nodes,
                       GError **error);

G_END_DECLS
