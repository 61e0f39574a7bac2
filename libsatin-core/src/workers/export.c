/* export.c - handing out jobs from all over a deque, for other nodes
 *
 * A steal by another node is expensive, so the thief should get many jobs at once, even if each
 * frame of a deep stack has only one job to spare. The public part is one range of slots, but an
 * export takes single slots from anywhere. When asked, the owner replaces the task in such a slot
 * by its *exported twin*, whose run function is satin_run_exported(). So a sync that comes to the
 * slot finds out whether the job is still here, and the fast path pays nothing. Until a node or a
 * worker takes the job, it is in the *export queue*, and the owner may take it back.
 *
 *   private --export--> QUEUED --owner's sync--> runs here, as if never exported
 *                         +---taken by another node or an idle worker here--> REMOTE or that worker
 *
 * Typed jobs stay: their sync does not look at the task.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#include "pool.h"

/* From the oldest queued slot on, an export looks at this many slots at most, and collects this
 * many jobs at most. It exports half of the jobs that it has collected. */
#define EXPORT_SCAN 1024
#define EXPORT_MAX  128

/* Adds the queued slots from @first on to @found, the oldest first, except typed jobs and jobs that
 * must stay on this node. Returns: how many were added */
static guint
collect (Worker *self, guint32 first, guint32 head, SatinSlot **found, gboolean *ret_has_typed)
{
  guint n = 0;
  guint32 last = MIN (head, first + EXPORT_SCAN);
  for (guint32 i = first; i < last && n < EXPORT_MAX; i++)
    {
      SatinSlot *slot = &self->fast.slots[i];
      if (!slot_is_queued (slot))
        continue;
      if (slot_task (slot)->is_typed)
        *ret_has_typed = TRUE;
      else if (!pool_is_pinned (self->pool, slot))
        found[n++] = slot;
    }
  return n;
}

/* Takes the slot out of the export queue: @state replaces its state, and its flags stay. Returns:
 * FALSE when another thread was first */
static gboolean
take_slot (SatinSlot *slot, guintptr state)
{
  guintptr old = SATIN_LOAD (&slot->state);
  while ((old & ~(guintptr)STATE_FLAGS) == STATE_QUEUED_EXPORT)
    if (SATIN_CAS (&slot->state, &old, state | (old & STATE_FLAGS)))
      return TRUE;
  return FALSE;
}

/* Removes the entry at @i, with the lock held. Returns: (transfer full) (nullable): its hints */
static gpointer
remove_entry (SatinWorkers *self, guint i)
{
  gpointer hints = g_array_index (self->export_queue, QueuedExport, i).hints;
  if (hints != NULL)
    SATIN_SUB (&self->n_queued_hinted, 1);
  if (hints_are_bound (self, hints))
    SATIN_SUB (&self->n_queued_bound, 1);
  if (g_array_index (self->export_queue, QueuedExport, i).stays)
    SATIN_SUB (&self->n_queued_staying, 1);
  g_array_remove_index (self->export_queue, i);
  SATIN_STORE_RELAXED (&self->n_queued_exports, (int)self->export_queue->len);
  return hints;
}

static void
append_entry (SatinWorkers *self, const QueuedExport *queued)
{
  if (queued->hints != NULL)
    SATIN_ADD (&self->n_queued_hinted, 1);
  if (hints_are_bound (self, queued->hints))
    SATIN_ADD (&self->n_queued_bound, 1);
  if (queued->stays)
    SATIN_ADD (&self->n_queued_staying, 1);
  g_array_append_val (self->export_queue, *queued);
  SATIN_STORE_RELAXED (&self->n_queued_exports, (int)self->export_queue->len);
}

/* Drops the entries for jobs that this worker has taken back: a slot may hold another job when it
 * is put out again. Call it with the pool's lock held. */
static void
drop_stale (Worker *self)
{
  GArray *queued = self->pool->export_queue;
  for (guint i = queued->len; i-- > 0;)
    {
      const QueuedExport *entry = &g_array_index (queued, QueuedExport, i);
      if (entry->owner == self && !slot_is_in_export_queue (entry->slot))
        hints_unref (self->pool, remove_entry (self->pool, i));
    }
}

/**
 * worker_export:
 * @head: behind the newest slot
 * @ret_has_typed: (out): whether there are typed jobs among the oldest queued ones
 *
 * Puts half of the oldest queued jobs into the export queue. Typed jobs, and jobs that must stay on
 * this node, do not count.
 *
 * Threads: the owner, at a safe point. Returns: whether it has put any job into the queue
 */
gboolean
worker_export (Worker *self, SatinSlot *head_slot, gboolean *ret_has_typed)
{
  SATIN_INJECT_NO_MEMORY ("export", *ret_has_typed = TRUE; return FALSE);
  SatinSlot *found[EXPORT_MAX];
  *ret_has_typed = FALSE;
  guint32 first = self->split;
  guint32 head = head_slot - self->fast.slots;
  if (first < head)
    first = worker_find_queued (self, first, head);
  guint n = first < head ? collect (self, first, head, found, ret_has_typed) : 0;
  n = (n + 1) / 2;
  SatinWorkers *pool = self->pool;
  QueuedExport queued = { .owner = self, .slot = n > 0 ? found[0] : NULL };
  queued.base = n > 0 ? worker_find_base (self, found[0], NULL, NULL) : NULL;
  pthread_mutex_lock (&pool->lock);
  drop_stale (self);
  for (guint i = 0; i < n; i++)
    {
      const SatinTask *task = slot_task (found[i]);
      queued.base = worker_find_base (self, found[i], queued.slot, queued.base);
      queued.slot = found[i];
      queued.task = task->plain;
      /* Relaxed: a thief may read the word meanwhile, when it looks for the path to a slot above
       * (path.c). */
      SATIN_STORE_RELAXED (&found[i]->task, (guintptr)task->twin);
      /* Release: a thread that takes the slot sees its contents. */
      SATIN_STORE (&found[i]->state, state_for_task (STATE_QUEUED_EXPORT, task));
      append_entry (pool, &queued);
    }
  pthread_mutex_unlock (&pool->lock);
  return n > 0;
}

/* Wakes a sleeping worker. Also tells stealing between nodes that a job is queued, if that was
 * asked for and the job may leave this node. */
static void
tell_of_queued (SatinWorkers *self, gboolean stays)
{
  const PoolOutside *outside = SATIN_LOAD (&self->outside);
  if (!stays && outside != NULL && SATIN_EXCHANGE (&self->is_wanted_outside, 0))
    outside->published (outside->user_data);
  pool_wake_one (self);
}

/**
 * pool_add_queued:
 * @queued: a job that came back, or that its owner has just spawned; (transfer full) of its hints
 *
 * Puts a job into the export queue.
 *
 * Threads: the thread that has the job
 */
void
pool_add_queued (SatinWorkers *self, const QueuedExport *queued)
{
  pthread_mutex_lock (&self->lock);
  /* Removes an entry that the owner's sync has left behind: it may be for another task. */
  for (guint i = self->export_queue->len; i-- > 0;)
    if (g_array_index (self->export_queue, QueuedExport, i).slot == queued->slot)
      hints_unref (self, remove_entry (self, i));
  append_entry (self, queued);
  pool_settle (self, queued->slot, STATE_QUEUED_EXPORT, queued->owner);
  gboolean is_bound = hints_are_bound (self, queued->hints);
  pthread_mutex_unlock (&self->lock);
  tell_of_queued (self, queued->stays);
  if (is_bound && pool_count_idle (self) > 0)
    pool_call_spare (self);
}

/**
 * pool_take_queued:
 * @state: who takes the job: %STATE_REMOTE or a worker
 * @kind: which jobs count
 * @ret_queued: (out): the job; (transfer full) of its hints
 *
 * Takes the oldest job of @kind out of the export queue. %STATE_REMOTE gets no job that stays on
 * this node.
 *
 * Threads: any. Returns: FALSE when there is none
 */
gboolean
pool_take_queued (SatinWorkers *self, guintptr state, JobsKind kind, QueuedExport *ret_queued)
{
  gboolean is_taken = FALSE;
  if (SATIN_LOAD_RELAXED (&self->n_queued_exports) == 0)
    return FALSE;
  pthread_mutex_lock (&self->lock);
  for (guint i = 0; !is_taken && i < self->export_queue->len;)
    {
      *ret_queued = g_array_index (self->export_queue, QueuedExport, i);
      gboolean is_other =
          kind != JOBS_ALL && hints_are_bound (self, ret_queued->hints) != (kind == JOBS_BOUND);
      if (is_other || (ret_queued->stays && state == STATE_REMOTE))
        {
          i++;
          continue;
        }
      /* This fails if the owner has taken the job back. The entry is removed all the same. */
      is_taken = take_slot (ret_queued->slot, state);
      gpointer hints = remove_entry (self, i);
      if (!is_taken)
        hints_unref (self, hints);
    }
  pthread_mutex_unlock (&self->lock);
  return is_taken;
}

/**
 * pool_reclaim:
 * @slot: a slot of the calling worker
 * @state: its new state
 * @ret_hints: (out) (transfer full) (nullable): the hints of its job
 *
 * Takes the job of this slot out of the export queue. Threads: the slot's owner.
 *
 * Returns: FALSE when the job is not in the queue
 */
gboolean
pool_reclaim (SatinWorkers *self, SatinSlot *slot, guintptr state, gpointer *ret_hints)
{
  *ret_hints = NULL;
  /* Acquire: the number of entries with hints is at least as new as the state. */
  if ((SATIN_LOAD (&slot->state) & ~(guintptr)STATE_FLAGS) != STATE_QUEUED_EXPORT)
    return FALSE;
  if (SATIN_LOAD (&self->n_queued_hinted) == 0)
    return take_slot (slot, state);
  pthread_mutex_lock (&self->lock);
  gboolean is_taken = take_slot (slot, state);
  for (guint i = 0; is_taken && i < self->export_queue->len; i++)
    if (g_array_index (self->export_queue, QueuedExport, i).slot == slot)
      {
        *ret_hints = remove_entry (self, i);
        break;
      }
  pthread_mutex_unlock (&self->lock);
  return is_taken;
}

void
pool_clear_export_queue (SatinWorkers *self)
{
  for (guint i = self->export_queue->len; i-- > 0;)
    hints_unref (self, remove_entry (self, i));
  g_array_unref (self->export_queue);
}

/**
 * worker_steal_queued:
 *
 * Runs a job of the export queue on this worker, which has nothing else to do.
 *
 * Returns: whether there was one
 */
gboolean
worker_steal_queued (Worker *self, SatinSlot *head)
{
  QueuedExport queued;
  JobsKind kind = worker_is_at_bottom (self, head) ? JOBS_ALL : JOBS_UNBOUND;
  if (!pool_take_queued (self->pool, (guintptr)self, kind, &queued))
    return FALSE;
  worker_run_queued (self, &queued, head);
  return TRUE;
}

/* The run function of the exported twins of tasks without an inlet. It runs when the owner's sync
 * comes to an exported slot. */
void
satin_run_exported (SatinWorker *worker, SatinSlot *slot, SatinSlot *head)
{
  Worker *self = worker_from (worker);
  gpointer hints;
  if (pool_reclaim (self->pool, slot, STATE_OURS, &hints))
    worker_run_task (self, slot_task (slot)->plain, slot, head, hints);
  else
    worker_join (self, slot, head);
}
