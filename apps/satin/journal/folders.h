/* folders.h - where the journals of runs are kept
 *
 *   $XDG_STATE_HOME/satin/runs/      or ~/.local/state/satin/runs/
 *     2026-11-23T18-40-12-fib/       a run: when it began (local time), the program
 *       run.avro                     its journal
 *     latest                         a link to the newest
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

#define JOURNAL_FILE "run.avro"

/* The folder of all runs. Returns: (transfer full) */
char *journal_folders_base (void);

/**
 * journal_folder_new:
 * @folder: (nullable): the folder for this run; %NULL for a new one among those of all runs, which
 *   is named for now and @program
 * @program: the program's name
 * @error: %SATIN_ERROR_IO
 *
 * Makes a folder. With %NULL for @folder it also points `latest` to it, and removes the oldest
 * folders until the others have less than a gigabyte.
 *
 * Returns: (transfer full): its path
 */
char *journal_folder_new (const char *folder, const char *program, GError **error);

/**
 * journal_find:
 * @run: (nullable): a folder or a file; or the name of a folder among those of all runs, or how it
 *   begins; %NULL for the latest
 * @error: %SATIN_ERROR_NOT_FOUND with the cure
 *
 * Finds the journal of a run.
 *
 * Returns: (transfer full): the path of the file
 */
char *journal_find (const char *run, GError **error);

/* The names of all folders, the oldest first. Returns: (transfer full) (element-type utf8) */
GPtrArray *journal_folders_list (void);

G_END_DECLS
