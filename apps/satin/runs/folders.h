/* folders.h - reads and removes the private folders of runs, and writes their files
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "folder.h"

G_BEGIN_DECLS

#define RUN_INFO_FOLDER "satin-run-"
#define RUN_INFO_FILE   "info"

/* The parent of all private folders: XDG_RUNTIME_DIR, or /tmp when that is not set, cannot be used
 * or has a path that is too long for sockets. */
const char *run_info_base (void);

/* Returns: (transfer full): the text of an info file */
char *run_info_to_json (const RunInfo *info);

/* Returns: (transfer full) (nullable): the contents of @text; %NULL when it is no info file */
RunInfo *run_info_parse (const char *text);
void run_info_free (RunInfo *self);

/* Writes a secret into a new file that only its owner may read. */
gboolean run_info_write_secret (const char *path, const SatinSecret *secret, GError **error);

/* Removes a folder and the files in it. Removes symbolic links themselves, not their targets. */
void run_info_remove_folder (const char *path);

/* Removes this user's folders whose commands are dead. */
void run_info_sweep (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunInfo, run_info_free)

G_END_DECLS
