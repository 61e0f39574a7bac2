/* running.h - what a worker that stands still was doing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "workers/pool.h"

/* @slot: (borrowed): of the newest job that its thread is in
 * @import_id: of the imported job that it is, or descends from; 0: it descends from the root job */
typedef struct _Running
{
  const SatinSlot *slot;
  guint64 import_id;
} Running;

/* Returns: FALSE when the worker runs nothing, or it cannot be told.
 * Threads: any, while the worker's thread stands still */
gboolean worker_find_running (const Worker *self, Running *ret_running);
/* Task and arguments in words. Returns: (transfer full) */
char *running_describe (const Running *self);
