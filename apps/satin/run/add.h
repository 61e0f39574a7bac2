/* add.h - what another command asks the `satin run` that holds a hub for: more nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "runs/session.h"

G_BEGIN_DECLS

/* The word, with a RunAdd. */
#define RUN_ADD_WORD "add-nodes"

/* clang-format off */
SATIN_RECORD (RunAdd, (int, n_nodes), (string, cluster))
/* clang-format on */

/**
 * run_add_say:
 * @hub: that the run's holder has
 * @cluster: of the new nodes, "" for none
 * @ret_status: (out): free it with satin_record_clear()
 * @error: why there will be no nodes
 *
 * Asks for nodes.
 */
gboolean run_add_say (Session *session, const char *hub, guint n_nodes, const char *cluster,
                      SatinRunStatus *ret_status, GError **error);

G_END_DECLS
