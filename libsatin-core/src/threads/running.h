/* running.h - the job that a worker was in when it stopped
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "workers/pool.h"

/* @slot: (borrowed): the slot of the newest job that the thread is in
 * @import_id: the imported job that it descends from, or is; 0: it descends from the root job */
typedef struct _Running
{
  const SatinSlot *slot;
  guint64 import_id;
} Running;

/* Returns: FALSE when the worker runs nothing, or its job cannot be found. Threads: any, while the
 * worker's thread stands still */
gboolean worker_find_running (const Worker *self, Running *ret_running);
/* Returns: (transfer full): task and arguments in words */
char *running_describe (const Running *self);
