/* node-command.h - what is started as a node of a run: here, and on machines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "node-environment.h"
#include "options.h"

#include <satin/adapt.h>

G_BEGIN_DECLS

/* Returns: (transfer full) (array zero-terminated=1): the parts of a node beside "net". @is_kept:
 * it is not one that adaptation may send away */
char **run_start_parts (const RunOptions *options, gboolean is_kept);

/* What all nodes of a run are told alike; the caller adds the rest. @parts: borrowed */
NodeEnvironment run_start_environment (const RunOptions *options, const char *hub_uri,
                                       gboolean has_secret, char **parts);

typedef struct _RunStart RunStart;

/**
 * run_start_new:
 * @secret: (nullable): of the run
 * @error: when a plugin that a node would load is not here
 *
 * What a machine is to run: the program, as a node that tells the hub the machine's name. The
 * program comes with Satin's files (files.h), for those who bring them along; where they lie
 * beside it, they are what it uses.
 *
 * Returns: (transfer full): run_start_free()
 */
RunStart *run_start_new (const RunOptions *options, const char *hub_uri, const SatinSecret *secret,
                         GError **error);
const SatinStart *run_start_get (const RunStart *self);
void run_start_free (RunStart *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunStart, run_start_free)

G_END_DECLS
