/* hints.c - running a lost job again with hints about its descendants
 *
 * A job that runs again has *hints*, a handle of the part that recovers. While its frame spawns,
 * every spawn takes the slow path and asks the hints about the child, by its number in the frame.
 * If another node has the child, or its result is known, the child does not run. If descendants of
 * the child are known, it goes into the export queue with hints of its own. All other children run
 * at full speed: the first spawn of a frame above the job's frame on the stack switches the asking
 * off, and the sync of the oldest child of the job's frame, which is slow, switches it on again.
 *
 * With a part that recovers, the root job of a run hears of each sync of its frame that went well,
 * and of the first spawn after a sync. A frame that spawns after a sync iterates, and its finished
 * children are worth a backup (root-backup.c). That costs one slow spawn and one slow sync for each
 * iteration.
 *
 * A job with hints may wait for an orphan, and a frame below it on the stack might be what the
 * orphan waits for. So it is *bound*: it begins only at the bottom of the stack of a worker or
 * spare worker (spare.c), or in its spawner's sync. Jobs are not bound if everything to which hints
 * lead is on this node.
 *
 * Threads: the worker that owns the deque, except where stated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/pool.h"

#include <string.h>

void
hints_unref (SatinWorkers *pool, gpointer hints)
{
  if (hints != NULL)
    pool->recovery_ops->unref (hints);
}

/* Whether a job with @hints (nullable) must begin at the bottom of a stack. */
gboolean
hints_are_bound (const SatinWorkers *pool, gconstpointer hints)
{
  return hints != NULL && !pool->has_all_hinted;
}

/* ---- how long jobs with hints run ---- */

/* Goes on measuring how long a job with hints runs. A root job without hints, which only hears of
 * its syncs, is not measured. */
static void
go_on (const Worker *self, Looking *looking)
{
  if (looking->hints == NULL)
    return;
  looking->since_us = self->pool->ops->now_us ();
  looking->idle_us = self->figures.idle_us;
}

static void
stop (const Worker *self, Looking *looking)
{
  if (looking->hints == NULL)
    return;
  gint64 idle_us = self->figures.idle_us - looking->idle_us;
  looking->ran_us += self->pool->ops->now_us () - looking->since_us - idle_us;
}

/* Stops the clock of the watched frame, because another job begins on top of it. That job may have
 * nothing to do with the frame. */
void
worker_leave_looking (Worker *self)
{
  if (self->looking != NULL && self->looking->n_on_top++ == 0)
    stop (self, self->looking);
}

/* Starts the clock of the watched frame again, because the job on top has ended. */
void
worker_return_to_looking (Worker *self)
{
  if (self->looking != NULL && --self->looking->n_on_top == 0)
    go_on (self, self->looking);
}

/* ---- running jobs with hints ---- */

static void
run_looking (Worker *self, const SatinTask *task, SatinSlot *slot, SatinSlot *head,
             Looking *looking)
{
  looking->base = head;
  looking->is_spawning = looking->hints != NULL;
  looking->outer = self->looking;
  worker_leave_looking (self);
  self->looking = looking;
  worker_restore_limits (self);
  go_on (self, looking);
  task->run (&self->fast, slot, head);
  stop (self, looking);
  self->looking = looking->outer;
  worker_restore_limits (self);
  worker_return_to_looking (self);
  if (looking->hints != NULL)
    self->pool->recovery_ops->tell (looking->hints, SATIN_AGAIN_RAN, MAX (looking->ran_us, 0));
  hints_unref (self->pool, looking->hints);
}

/**
 * worker_run_task:
 * @slot: the slot of the job
 * @head: where its children go
 * @hints: (nullable) (transfer full): the job's hints
 *
 * Runs the job. If it has hints, its spawns ask them.
 */
void
worker_run_task (Worker *self, const SatinTask *task, SatinSlot *slot, SatinSlot *head,
                 gpointer hints)
{
  if (hints == NULL)
    {
      task->run (&self->fast, slot, head);
      return;
    }
  Looking looking = { .hints = hints };
  run_looking (self, task, slot, head, &looking);
}

/* Like worker_run_task(), for a job that came from outside the deques. */
void
worker_run_job (Worker *self, Job *job, SatinSlot *head)
{
  const SatinTask *task = slot_task (&job->slot);
  gpointer hints = g_steal_pointer (&job->hints);
  Looking looking = { .hints = hints, .job = job };
  if (job->synced != NULL)
    run_looking (self, task, &job->slot, head, &looking);
  else
    worker_run_task (self, task, &job->slot, head, hints);
}

/* Marks the slot's job as exported, so that its sync does not simply run it. */
static void
take_exported (Worker *self, SatinSlot *slot, guintptr state)
{
  const SatinTask *task = slot_task (slot);
  worker_forget_landmarks (self, slot);
  SATIN_STORE (&slot->state, state_for_task (state, task));
  slot->task = (guintptr)task->twin;
}

static void
put_into_export_queue (Worker *self, SatinSlot *slot, gpointer hints)
{
  const SatinTask *task = slot_task (slot);
  QueuedExport queued = { .slot = slot, .task = task->plain, .owner = self, .hints = hints };
  take_exported (self, slot, (guintptr)self);
  pool_add_queued (self->pool, &queued);
}

static void
leave_to_holder (Worker *self, SatinSlot *slot, const SatinLook *look)
{
  const PoolOutside *outside = SATIN_LOAD (&self->pool->outside);
  const SatinTask *task = slot_task (slot);
  take_exported (self, slot, STATE_REMOTE);
  outside->held (self, slot, task->plain, look, outside->user_data);
}

/* Returns: FALSE when the result cannot be read */
static gboolean
fill_in (Worker *self, SatinSlot *slot, GBytes *result)
{
  const SatinTask *task = slot_task (slot);
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (result, &n_bytes);
  g_autofree gpointer decoded = g_malloc0 (MAX (task->result->size_bytes, 1));
  if (!satin_record_decode (task->result, bytes, n_bytes, decoded, NULL))
    return FALSE;
  if (slot->result != NULL)
    memcpy (slot->result, decoded, task->result->size_bytes);
  take_exported (self, slot, STATE_DONE);
  return TRUE;
}

/* Whether the spawn into @slot belongs to the watched frame itself, not to a frame above it: while
 * a frame spawns, none of its children runs. */
static gboolean
is_of_frame (const Looking *self, const SatinSlot *slot)
{
  return slot == self->base || (slot > self->base && slot_mark (slot - 1) == SATIN_SLOT_QUEUED);
}

/* Notes that the frame on top spawns into @slot. Returns: whether to ask the hints. If FALSE, they
 * are not asked again before the watched frame has synced */
static gboolean
note_spawn (Worker *self, const SatinSlot *slot)
{
  Looking *looking = self->looking;
  if (looking == NULL || !looking->is_spawning)
    return FALSE;
  if (looking->job != NULL)
    looking->job->goes_on (looking->job);
  if (looking->hints != NULL && is_of_frame (looking, slot))
    return TRUE;
  looking->is_spawning = FALSE;
  worker_restore_limits (self);
  return FALSE;
}

/* Like worker_look_up(), for a typed job: hints are not asked about it. */
void
worker_look_past (Worker *self, const SatinSlot *slot)
{
  note_spawn (self, slot);
}

/**
 * worker_look_up:
 * @slot: a slot that was just filled
 *
 * If the frame that spawned has hints, asks them about this child and acts on the answer.
 */
void
worker_look_up (Worker *self, SatinSlot *slot)
{
  if (!note_spawn (self, slot))
    return;
  const Looking *looking = self->looking;
  const SatinChild child = { slot - looking->base, slot_task (slot), slot_arguments (slot) };
  SatinLook look = { 0 };
  self->pool->recovery_ops->look (looking->hints, &child, &look);
  switch (look.kind)
    {
    case SATIN_LOOK_INSIDE:
      put_into_export_queue (self, slot, look.hints);
      break;
    case SATIN_LOOK_HELD:
      leave_to_holder (self, slot, &look);
      break;
    case SATIN_LOOK_RESULT:
      fill_in (self, slot, look.result);
      g_bytes_unref (look.result);
      break;
    case SATIN_LOOK_NOTHING:
      break;
    }
}

/**
 * worker_look_again:
 * @slot: a slot whose sync is done
 * @head: behind the newest slot of its frame
 *
 * If the slot is the oldest of the watched frame, that frame has synced, and its next spawns are
 * slow.
 */
void
worker_look_again (Worker *self, SatinSlot *slot, SatinSlot *head)
{
  Looking *looking = self->looking;
  if (looking == NULL || slot != looking->base)
    return;
  if (looking->job != NULL && self->fast.error == NULL)
    looking->job->synced (looking->job, slot, head);
  looking->is_spawning = TRUE;
  worker_restore_limits (self);
}
