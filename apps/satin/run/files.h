/* files.h - finds the files of Satin that a node needs on a machine without Satin
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "options.h"

G_BEGIN_DECLS

/**
 * run_files_find:
 * @error: set when a plugin that the nodes need is not on this host
 *
 * Finds the plugins, and Satin's own libraries. Other libraries, such as GLib, must be installed on
 * the machine.
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): paths; no two have the same name
 */
char **run_files_find (const RunOptions *options, GError **error);

G_END_DECLS
