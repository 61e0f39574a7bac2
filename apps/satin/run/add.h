/* add.h - asks the `satin run` that holds a hub for more nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "runs/session.h"

G_BEGIN_DECLS

/* The word of the request. Its payload is a RunAdd. */
#define RUN_ADD_WORD "add-nodes"

/* clang-format off */
SATIN_RECORD (RunAdd, (int, n_nodes), (string, cluster))
/* clang-format on */

/**
 * run_add_say:
 * @hub: the URI of the hub
 * @cluster: the cluster label of the new nodes, "" for none
 * @ret_status: (out): the status of the run; free it with satin_record_clear()
 * @error: why the nodes will not be started
 *
 * Asks for @n_nodes more nodes, and waits for the answer.
 */
gboolean run_add_say (Session *session, const char *hub, guint n_nodes, const char *cluster,
                      SatinRunStatus *ret_status, GError **error);

G_END_DECLS
