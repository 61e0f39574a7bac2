/* program.h - what a program says of its tasks and their results
 *
 * A checkpoint stores the program's table of tasks with the results. So other programs can read the
 * results, and a later build of the program can tell what has changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/base/record.h>

G_BEGIN_DECLS

/* The longest version of a program's results, bytes. */
#define SATIN_RESULTS_VERSION_MAX_BYTES ((gsize)64)

/* clang-format off */
/* A task. @arguments, @result: indexes into the types of the table. */
SATIN_RECORD (SatinTaskForm, (string, name), (int, arguments), (int, result))
/* A program's tasks, ordered by name. @results_version: of satin_program_set_results_version();
 * empty when the program has none. */
SATIN_RECORD (SatinTaskTable, (string, results_version), (array_record, types, SatinRecordForm),
              (array_record, tasks, SatinTaskForm))
/* clang-format on */

/**
 * satin_program_set_results_version:
 * @version: 1 to 64 printable ASCII characters: "3"
 *
 * Declares that the results of jobs stay right across builds of the program, as long as the version
 * stays the same. Raise it with each change after which a task gives another result for the same
 * arguments. If another build with the same version and the same tasks has written a checkpoint, a
 * run continues from it without asking. A run refuses a checkpoint with another version.
 *
 *   satin_program_set_results_version ("3");
 *   return satin_main (argc, argv, start);
 *
 * Threads: the main thread, before satin_main(); the last call counts.
 */
SATIN_API void satin_program_set_results_version (const char *version);

/**
 * satin_program_get_tasks:
 * @ret_table: (out caller-allocates): the tasks of this program; clear it with
 *   satin_record_clear()
 *
 * Returns the program's table of tasks. Threads: any, after the start of main.
 */
SATIN_API void satin_program_get_tasks (SatinTaskTable *ret_table);

G_END_DECLS
