/* node-command.h - makes the command that starts a node: on this host, or on a machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "node-environment.h"
#include "options.h"

#include <satin/adapt.h>

G_BEGIN_DECLS

/* Lists the parts of a node other than "net". @is_kept: adaptation never sends the node away.
 * Returns: (transfer full) (array zero-terminated=1) */
char **run_start_parts (const RunOptions *options, gboolean is_kept);

/* Fills in the fields that are the same for all nodes of a run; the caller sets the others. @parts:
 * (borrowed) */
NodeEnvironment run_start_environment (const RunOptions *options, const char *hub_uri,
                                       gboolean has_secret, char **parts);

typedef struct _RunStart RunStart;

/**
 * run_start_new:
 * @secret: (nullable): the run's secret
 * @error: set when a plugin that the nodes need is not on this host
 *
 * Makes the command that starts the program on a machine, as a node that joins with the machine's
 * name. The command comes with a list of Satin's files (files.h), which some provisioners copy to
 * the machine. If these files lie beside the program there, the node uses them.
 *
 * Returns: (transfer full): free it with run_start_free()
 */
RunStart *run_start_new (const RunOptions *options, const char *hub_uri, const SatinSecret *secret,
                         GError **error);
const SatinStart *run_start_get (const RunStart *self);
void run_start_free (RunStart *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunStart, run_start_free)

G_END_DECLS
