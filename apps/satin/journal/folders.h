/* folders.h - where the journals of runs are kept
 *
 *   $XDG_STATE_HOME/satin/runs/      or ~/.local/state/satin/runs/
 *     2026-11-23T18-40-12-fib/       a run: when it began (local time), the program
 *       run.avro                     its journal
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
 * Makes a folder. If @folder is %NULL, also makes `latest` point to the new folder, and removes the
 * oldest folders while there are more than 500, or all together have more than a gigabyte.
 *
 * Returns: (transfer full): its path
 */
char *journal_folder_new (const char *folder, const char *program, GError **error);

/**
 * journal_find:
 * @run: (nullable): the path of a folder or a file; or the name of a folder in
 *   journal_folders_base(), or the beginning of such a name, with or without the time; %NULL or
 *   "latest" for the latest run
 * @error: %SATIN_ERROR_NOT_FOUND; the message says what to do
 *
 * Finds the journal of a run.
 *
 * Returns: (transfer full): the path of the file
 */
char *journal_find (const char *run, GError **error);

/* Lists the names of the folders of all runs, the oldest first. Returns: (transfer full)
 * (element-type utf8) */
GPtrArray *journal_folders_list (void);

G_END_DECLS
