/* sight.h - what a worker is seen to do by another thread, while it works
 *
 * The worker takes no part in this: it may be in a job that never ends. So a sight may be wrong if
 * the worker works on meanwhile. If two sights are the same, the worker counts as having been in
 * that job all the time; only another job with the same arguments in the same slot looks the same.
 * What a job calls without a slot, by SATIN_CALL or by the sync of a typed job, counts as part of
 * that job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "workers/pool.h"

/**
 * Sight:
 * @n_jobs: how many jobs the worker had synced
 * @task: the general form of the newest job's task
 * @slot: where that job is; for comparison only
 * @job: (nullable): the root job or imported job that the worker runs; for comparison only, because
 *   that job may be gone; %NULL when the newest job from elsewhere is another worker's
 * @n_args: bytes of @args
 * @args: the arguments, as the slot has them
 */
typedef struct
{
  guint64 n_jobs;
  const SatinTask *task;
  gconstpointer slot;
  const Job *job;
  gsize n_args;
  guint8 args[SATIN_ARGS_MAX_BYTES] __attribute__ ((aligned (16)));
} Sight;

/* Looks at a worker. Returns: %FALSE when it runs nothing, or its memory changes meanwhile, or this
 * system does not let a process copy its own memory. Threads: any. Cost: O(slots of the newest job
 * from elsewhere that it runs) */
gboolean sight_take (const Worker *worker, Sight *ret_sight);

gboolean sight_is_same (const Sight *a, const Sight *b);

/* Returns: (transfer full): task and arguments in words; without those arguments that lie elsewhere
 * in memory */
char *sight_describe (const Sight *self);
