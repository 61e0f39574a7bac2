/* files.h - the files of Satin that a node of a run needs, for machines that have none
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "options.h"

G_BEGIN_DECLS

/**
 * run_files_find:
 * @error: when a plugin that a node would load is not here
 *
 * Plugins and Satin's own libraries. The libraries of others, such as GLib, must be there.
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): paths, each name once
 */
char **run_files_find (const RunOptions *options, GError **error);

G_END_DECLS
