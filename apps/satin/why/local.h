/* local.h - nodes that are processes of this machine, without the help of a hub
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* Lists the processes of this user that are nodes of runs and have the same runtime directory
 * (XDG_RUNTIME_DIR). Returns: (transfer full) (element-type gint64): their numbers, rising */
GArray *local_nodes_list (void);

/**
 * local_node_dump:
 * @error: %SATIN_ERROR_NOT_FOUND when the process writes no dumps; %SATIN_ERROR_TIMEOUT when it did
 *   not write one in time, with the state of the process
 *
 * Makes the node in a process of this machine write its dump (SIGQUIT), reads it and removes it. If
 * there was a dump of this process before, the new one replaces it and stays. A process that writes
 * no dumps does not get the signal.
 *
 * Returns: (transfer full) (nullable): the text
 */
char *local_node_dump (gint64 pid, GError **error);

G_END_DECLS
