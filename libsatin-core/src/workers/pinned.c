/* pinned.c - tasks whose jobs stay on their node, as the workers see them
 *
 * The loop decides (jobs/task-shipping.c). Workers look here before they put jobs out, so that jobs
 * that must stay are not taken out of the deque in vain.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"
#include "tasks/task.h"

/**
 * pool_pin:
 * @least_bytes: jobs with arguments from this size on stay
 *
 * Threads: the loop's
 */
void
pool_pin (SatinWorkers *self, const SatinTask *task, gsize least_bytes)
{
  if (self->pinned == NULL)
    /* Release: a thread that sees the table sees zeros in it. */
    SATIN_STORE (&self->pinned, g_new0 (gsize, task_count ()));
  SATIN_STORE_RELAXED (&self->pinned[task_index (task)], least_bytes + 1);
}

/* Threads: the loop's */
void
pool_unpin (SatinWorkers *self, const SatinTask *task)
{
  if (self->pinned == NULL)
    return;
  SATIN_STORE_RELAXED (&self->pinned[task_index (task)], (gsize)0);
  for (guint i = 0; i < pool_count_workers (self); i++)
    if (SATIN_LOAD_RELAXED (&self->workers[i].want) & WANT_EXPORT)
      worker_ask (&self->workers[i], WANT_AGAIN);
}

/* Whether jobs of the task, from some size on, stay. Threads: the loop's */
gboolean
pool_is_task_pinned (SatinWorkers *self, const SatinTask *task)
{
  return self->pinned != NULL && SATIN_LOAD_RELAXED (&self->pinned[task_index (task)]) > 0;
}

/* Whether the job in @slot must stay on this node. Threads: any */
gboolean
pool_is_pinned (SatinWorkers *self, SatinSlot *slot)
{
  const gsize *pinned = SATIN_LOAD (&self->pinned);
  const SatinTask *task = slot_task (slot);
  if (pinned == NULL || task_index (task) < 0)
    return FALSE;
  gsize least_bytes = SATIN_LOAD_RELAXED (&pinned[task_index (task)]);
  return least_bytes > 0
         && task_measure (task->args, satin_slot_args (slot, task->args->size_bytes))
                >= least_bytes - 1;
}
