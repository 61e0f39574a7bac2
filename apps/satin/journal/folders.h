/* folders.h - where the journals of runs are kept
 *
 *   $XDG_STATE_HOME/satin/runs/      or ~/.local/state/satin/runs/
 *     2026-11-23T18-40-12-fib/       a run: when it began (local time), and its program
 *       run.avro                     the journal of the run
 *       run-dump.txt                 the dumps of its nodes when it stood still (why/stall.h)
 *     latest                         a link to the folder of the newest run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

#define JOURNAL_FILE "run.avro"

/* Returns: (transfer full): the folder in which the folders of all runs are */
char *journal_folders_base (void);

/**
 * journal_folder_new:
 * @folder: (nullable): the folder for this run; %NULL for a new folder in journal_folders_base(),
 *   whose name has the time and @program
 * @program: the program's name
 * @error: %SATIN_ERROR_IO
 *
 * Makes a folder. If @folder is %NULL, also makes `latest` point to the new folder. In that case,
 * if there are more than 500 folders of runs, or all together have more than a gigabyte, the oldest
 * ones are removed first, but none that was written to in the last hour.
 *
 * Returns: (transfer full): its path
 */
char *journal_folder_new (const char *folder, const char *program, GError **error);

/**
 * journal_find:
 * @run: (nullable): the beginning of the name of a folder in journal_folders_base(), or of the
 *   program part of such a name; or the path of a folder or a file. %NULL and "latest": the latest
 *   run
 * @error: %SATIN_ERROR_NOT_FOUND; or %SATIN_ERROR_IO when this user may not read the path
 *
 * Finds the journal of a run. If several names fit, the newest run counts. Names win over paths
 * without a slash.
 *
 * Returns: (transfer full): the path of the file
 */
char *journal_find (const char *run, GError **error);

/* Lists the names of the folders of all runs, the oldest first. Returns: (transfer full)
 * (element-type utf8) */
GPtrArray *journal_folders_list (void);

G_END_DECLS
