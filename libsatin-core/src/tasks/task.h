/* task.h - the program's table of tasks, for the rest of the library
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/worker.h>

const SatinTask *task_at (guint index);
guint task_count (void);
int task_index (const SatinTask *task);
const SatinTask *task_find (const char *name);
gboolean task_may_use_side (void);
gboolean task_has_objects (const SatinTask *task);
gsize task_measure (const SatinRecord *record, gconstpointer data);
char *task_describe (const SatinTask *task, gconstpointer args);
void task_name_failure (const SatinTask *task, gconstpointer args, GError **error);
