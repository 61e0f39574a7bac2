/* sync.c - the slow paths of spawn and sync
 *
 * The fast path comes here when the deque is full, when another thread has a wish (limit and join
 * are poisoned then), when the worker itself makes its spawns or syncs slow
 * (worker_restore_limits()), or when a slot was public. A worker whose child was stolen steals back
 * from the thief, then runs other jobs, as long as its stack has room. If there is nothing to run
 * it sleeps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"
#include "tasks/task.h"

#include <string.h>

/* After the first number of fruitless tries a waiting worker counts as idle; after the second it
 * sleeps as soon as its patience ends (sleep.c). */
#define IDLE_TRIES  64
#define SLEEP_TRIES 256

/* Fills a slot like the fast path of a spawn. */
void
worker_fill_slot (Worker *self, SatinSlot *slot, const SatinTask *task, gconstpointer args)
{
  memcpy (satin_slot_take_args (&self->fast, slot, task->args->size_bytes), args,
          task->args->size_bytes);
  slot->task = (guintptr)task;
}

static void
charge_spawn (Worker *self)
{
  const SatinThreadOps *ops = self->pool->ops;
  if (ops->spawn_ns > 0)
    ops->charge (ops->spawn_ns);
}

/* Runs a child of the frame on top. If another child has failed before, its error is kept. */
static void
run_child (Worker *self, const SatinTask *task, SatinSlot *slot, SatinSlot *head)
{
  GError *first = worker_set_error_aside (self);
  task->run (&self->fast, slot, head);
  worker_merge_error (self, first, slot);
}

/* Runs a job at its spawn because the deque is full. @copy: a slot outside the deque. */
static void
run_inline (Worker *self, SatinSlot *copy, const SatinTask *task, gconstpointer args,
            SatinSlot *head)
{
  worker_attend (self, MIN (head, self->end));
  if (task->args->size_bytes <= SATIN_SLOT_ARGS_BYTES)
    memcpy (copy->args, args, task->args->size_bytes);
  else
    copy->args[0] = (guintptr)args;
  copy->task = (guintptr)task;
  GError *first = worker_set_error_aside (self);
  task->run (&self->fast, copy, head);
  worker_merge_error (self, first, head);
}

/* Queues the job in @slot, unless the hints of the frame know where its result is. Returns: the new
 * head */
SatinSlot *
worker_spawn (Worker *self, SatinSlot *slot, gpointer result)
{
  slot->result = result;
  charge_spawn (self);
  worker_look_up (self, slot);
  worker_attend (self, slot + 1);
  return slot + 1;
}

/**
 * satin_spawn_slow:
 * @slot: where the job would go: at or above the limit, maybe behind the deque's end
 * @args: its arguments
 *
 * Queues the job, or runs it if there is no room. In a frame that is being left, does nothing.
 *
 * Returns: the new head: behind @slot if the job is queued, else @slot
 */
SatinSlot *
satin_spawn_slow (SatinWorker *worker, SatinSlot *slot, const SatinTask *task, gconstpointer args,
                  gpointer result)
{
  Worker *self = worker_from (worker);
  if (worker_unwinds (self, slot))
    return slot;
  if (worker_has_room (self, slot))
    {
      worker_fill_slot (self, slot, task, args);
      return worker_spawn (self, slot, result);
    }
  SatinSlot copy = { .result = result };
  run_inline (self, &copy, task, args, slot);
  SATIN_STORE_RELAXED (&worker->n_jobs, worker->n_jobs + 1);
  return slot;
}

/**
 * satin_typed_spawn_slow:
 * @slot: where the job would go: at or above the limit, maybe behind the deque's end
 * @args: its arguments
 *
 * Queues the job, or runs it and keeps the result for the typed sync. In a frame that is being
 * left, drops the job.
 */
void
satin_typed_spawn_slow (SatinWorker *worker, SatinSlot *slot, const SatinTask *task,
                        gconstpointer args)
{
  Worker *self = worker_from (worker);
  gboolean is_left = worker_unwinds (self, slot);
  if (is_left && slot < self->end)
    slot_drop (slot, SATIN_SLOT_QUEUED);
  if (is_left)
    return;
  if (worker_has_room (self, slot))
    {
      worker_fill_slot (self, slot, task, args);
      charge_spawn (self);
      worker_look_past (self, slot);
      worker_attend (self, slot + 1);
      return;
    }
  Inlined inlined = { .slot = slot };
  run_inline (self, &inlined.copy, task, args, slot);
  if (self->inlined == NULL)
    self->inlined = g_array_new (FALSE, FALSE, sizeof (Inlined));
  g_array_append_val (self->inlined, inlined);
  worker_restore_limits (self);
}

static inline guintptr
state_word (const SatinSlot *slot)
{
  /* Acquire: with DONE comes the result. */
  return SATIN_LOAD (&slot->state) & ~(guintptr)STATE_FLAGS;
}

/* Runs one other job while another worker or node has the awaited child. Returns: whether there was
 * a job */
static gboolean
help (Worker *self, guintptr word, guint n_tries, SatinSlot *head)
{
  if (!worker_may_nest (self) || !worker_may_begin (self))
    return FALSE;
  if (word >= STATE_WORDS_END && worker_steal_from (self, (Worker *)word, head))
    return TRUE;
  if (worker_run_inbox (self, head) || worker_steal_queued (self, head))
    return TRUE;
  /* Random jobs only after a while: they may be long, and the child may be done soon. */
  return n_tries % IDLE_TRIES == IDLE_TRIES - 1 && worker_steal_random (self, head);
}

/* Runs the job in @slot, which came back undone, unless another thread has taken it by now. */
static void
run_reclaimed (Worker *self, SatinSlot *slot, SatinSlot *head)
{
  QueuedExport queued = { .slot = slot, .task = slot_task (slot)->plain, .owner = self };
  if (pool_reclaim (self->pool, slot, (guintptr)self, &queued.hints))
    worker_run_slot (self, &queued, head);
}

/* Whether a waiting worker counts as idle. Jobs are sent to idle workers, so a worker whose stack
 * is half full does not count as idle, unless another worker waits for a turn. */
static gboolean
may_idle (Worker *self)
{
  return worker_may_nest (self) || pool_is_turn_wanted (self->pool);
}

/* Waits until the job in @slot has ended, which another worker or node has. Meanwhile runs other
 * jobs. Returns: the final state word of the slot */
static guintptr
wait_for_slot (Worker *self, SatinSlot *slot, SatinSlot *head)
{
  guint n_tries = 0;
  Patience patience = { 0 };
  gboolean is_idle = FALSE;
  guintptr word;
  while ((word = state_word (slot)) != STATE_DONE && word != STATE_FAILED)
    {
      if (word == STATE_QUEUED_EXPORT)
        {
          if (is_idle)
            worker_idle_end (self, head);
          is_idle = FALSE;
          run_reclaimed (self, slot, head);
          continue;
        }
      if (word != STATE_PUBLIC && n_tries == 0)
        slot_set_flag (slot, word, STATE_JOINED);
      if (word != STATE_PUBLIC && help (self, word, n_tries, head))
        {
          n_tries = 1;
          patience = (Patience){ 0 };
          if (is_idle)
            worker_idle_end (self, head);
          is_idle = FALSE;
          continue;
        }
      n_tries++;
      if (n_tries > IDLE_TRIES && is_idle != may_idle (self))
        {
          is_idle = !is_idle;
          if (is_idle)
            {
              worker_idle_begin (self);
              worker_call_for_work (self);
            }
          else
            worker_idle_end (self, head);
        }
      worker_attend_below (self, head, slot);
      if (n_tries > MIN (SLEEP_TRIES, self->pool->ops->max_tries)
          && !worker_is_patient (self, &patience, n_tries)
          && slot_set_flag (slot, word, STATE_PARKED))
        worker_sleep (self, &slot->state);
      else
        self->pool->ops->relax (n_tries);
    }
  if (is_idle)
    worker_idle_end (self, head);
  return word;
}

/* Waits until the job in @slot has ended elsewhere, and takes over its error. */
void
worker_join (Worker *self, SatinSlot *slot, SatinSlot *head)
{
  worker_attend_below (self, head, slot);
  if (wait_for_slot (self, slot, head) != STATE_FAILED)
    return;
  if (SATIN_LOAD (&slot->state) & STATE_ABORTED)
    g_error_free (slot->result);
  else
    worker_fail (self, slot->result);
}

/* The job in @slot has ended on another worker or node: calls its inlet, unless that has run
 * already. */
static void
end_stolen (Worker *self, SatinSlot *slot, SatinSlot *head)
{
  guintptr flags = SATIN_LOAD (&slot->state) & STATE_FLAGS;
  /* The job may have been dropped before a thief took it, or its frame may be left. */
  if ((flags & STATE_ABORTED) || worker_unwinds (self, slot) || slot_is_dropped (slot))
    {
      slot_drop (slot, SATIN_SLOT_DONE);
      return;
    }
  guintptr task = (guintptr)slot_task (slot);
  if (flags & STATE_HEARD)
    {
      slot->task = task | SATIN_SLOT_RUNNING;
      worker_child_ended (self, slot, head);
    }
  slot->task = task | SATIN_SLOT_DONE;
}

/* Waits for a claimed slot, and lowers split to it. */
static void
join_stolen (Worker *self, SatinSlot *slot, SatinSlot *head)
{
  GError *first = worker_set_error_aside (self);
  worker_join (self, slot, head);
  worker_lower_split (self, slot - self->fast.slots);
  end_stolen (self, slot, head);
  worker_merge_error (self, first, slot);
  /* A typed job's result lies in its slot until the next spawn. */
  worker_attend_below (self, head, slot);
}

/* Whether the owner still has the job in @slot. Takes it back if it is public. */
static gboolean
is_ours (Worker *self, SatinSlot *slot)
{
  return (guint32)(slot - self->fast.slots) >= self->split || worker_take_back (self, slot);
}

static void
sync_slot (Worker *self, SatinSlot *slot, SatinSlot *head)
{
  if (!is_ours (self, slot))
    {
      join_stolen (self, slot, head);
      return;
    }
  worker_attend_below (self, head, slot + 1);
  /* The slot may be published now. */
  if (!is_ours (self, slot))
    {
      join_stolen (self, slot, head);
      return;
    }
  const SatinTask *task = slot_task (slot);
  if (!task->is_exported && worker_unwinds (self, slot))
    {
      slot_drop (slot, SATIN_SLOT_DONE);
      return;
    }
  slot->task = (guintptr)task | SATIN_SLOT_RUNNING;
  run_child (self, task, slot, head);
  slot->task = (guintptr)task | SATIN_SLOT_DONE;
}

/**
 * satin_sync_slow:
 * @slot: the newest child that was not synced, below join
 * @head: behind the frame's newest slot: nothing below may be overwritten
 *
 * Runs the job, or waits for the thief that has it, and marks the slot as done.
 */
void
satin_sync_slow (SatinWorker *worker, SatinSlot *slot, SatinSlot *head)
{
  Worker *self = worker_from (worker);
  worker_unwinds (self, slot);
  sync_slot (self, slot, head);
  worker_unwinds (self, slot);
  worker_look_again (self, slot, head);
}

/* Returns: (nullable): a slot with the result, if the job for @slot ran at its spawn */
static SatinSlot *
take_inlined (Worker *self, SatinSlot *slot)
{
  if (self->inlined == NULL || self->inlined->len == 0)
    return NULL;
  guint last = self->inlined->len - 1;
  Inlined *newest = &g_array_index (self->inlined, Inlined, last);
  if (newest->slot != slot)
    return NULL;
  self->taken = newest->copy;
  g_array_set_size (self->inlined, last);
  worker_restore_limits (self);
  return &self->taken;
}

/* Returns %NULL, so that the caller runs the typed job. If another child has failed, runs the job
 * here, to keep that error apart, and returns @slot. */
static SatinSlot *
run_typed_child (Worker *self, SatinSlot *slot)
{
  if (self->fast.error == NULL)
    return NULL;
  const SatinTask *task = slot_task (slot);
  slot->task = (guintptr)task | SATIN_SLOT_RUNNING; /* no thief may get it now */
  run_child (self, task, slot, slot + 1);
  slot->task = (guintptr)task | SATIN_SLOT_DONE;
  return slot;
}

/* Syncs a typed job in a frame that is being left: waits if the job was stolen. Returns: a slot
 * with a result of zeros */
static SatinSlot *
leave_typed (Worker *self, SatinSlot *slot)
{
  if (!is_ours (self, slot))
    join_stolen (self, slot, slot + 1);
  memset (&self->taken, 0, sizeof self->taken);
  return &self->taken;
}

/**
 * satin_typed_sync_slow:
 * @slot: the slot of the newest job
 *
 * Returns: (nullable): a slot that holds the result until the next spawn or sync; %NULL when the
 *   caller must run the job in @slot itself
 */
SatinSlot *
satin_typed_sync_slow (SatinWorker *worker, SatinSlot *slot)
{
  Worker *self = worker_from (worker);
  SatinSlot *inlined = take_inlined (self, slot);
  if (inlined != NULL)
    return inlined;
  if (worker_unwinds (self, slot))
    return leave_typed (self, slot);
  if (is_ours (self, slot))
    {
      worker_attend (self, slot + 1);
      if (is_ours (self, slot))
        return run_typed_child (self, slot);
    }
  join_stolen (self, slot, slot + 1);
  return slot;
}

/* Sets the error that waits for the next sync, unless there is one. @error: (transfer full) */
void
worker_fail (Worker *self, GError *error)
{
  if (self->fast.error != NULL)
    {
      g_error_free (error);
      return;
    }
  self->fast.error = error;
  worker_restore_limits (self);
}

/* Whether the frame on top is the root job's own, or looks like it: a job of the same task that
 * runs on top of the root job's frames without a border. */
static gboolean
is_root_frame (const Worker *self, const SatinTask *task)
{
  const Border *border = self->border;
  return border != NULL && border->below == NULL && self->has_root
         && slot_task (border->source) == task;
}

/**
 * satin_worker_fail:
 * @head: the head of the frame on top
 * @task: (nullable): the task of that frame; %NULL if it is an inlet's
 * @args: (nullable): the arguments of its job
 * @error: (transfer full)
 *
 * Makes the job on top fail. If that job was aborted, drops @error, unless an inlet keeps it.
 */
void
satin_worker_fail (SatinWorker *worker, SatinSlot *head, const SatinTask *task, gconstpointer args,
                   GError *error)
{
  g_return_if_fail (error != NULL);
  Worker *self = worker_from (worker);
  if (task != NULL && !is_root_frame (self, task))
    task_name_failure (task, args, &error);
  if (!worker_unwinds (self, head) || !worker_keep_inlet_failure (self, head, error))
    worker_fail (self, error);
}

/* Drops the results of typed jobs that ran at their spawn in the frame that begins at @base. */
static void
forget_inlined (Worker *self, const SatinSlot *base)
{
  while (self->inlined != NULL && self->inlined->len > 0
         && g_array_index (self->inlined, Inlined, self->inlined->len - 1).slot >= base)
    g_array_set_size (self->inlined, self->inlined->len - 1);
}

/**
 * satin_frame_left:
 * @base: the base of the frame on top, whose body has returned
 * @head: behind its newest slot, which was not synced
 * @name: a name for the frame, "task fib"
 *
 * Aborts the frame's jobs, waits for the jobs that others have, and makes the frame fail.
 */
void
satin_frame_left (SatinWorker *worker, SatinSlot *base, SatinSlot *head, const char *name)
{
  Worker *self = worker_from (worker);
  SatinSlot *last = MAX (MIN (head, self->end), base);
  forget_inlined (self, base);
  worker_abort_frame (self, base, last, NULL, NULL, last);
  satin_frame_sync (worker, base, last, NULL, NULL);
  GError *error = NULL;
  g_set_error (&error, SATIN_ERROR, SATIN_ERROR_JOB,
               "%s returned without a SATIN_SYNC after its last spawn: sync before each return",
               name);
  if (!worker_unwinds (self, base) || !worker_keep_inlet_failure (self, base, error))
    worker_fail (self, error);
}

/**
 * satin_worker_take_error:
 * @base: the base of the frame on top, which has synced
 *
 * Returns: %TRUE when no error waits; else %FALSE with @error set. A frame that is being left gets
 *   a copy of the error at each call
 */
gboolean
satin_worker_take_error (SatinWorker *worker, SatinSlot *base, GError **error)
{
  if (worker_unwinds (worker_from (worker), base))
    {
      g_propagate_error (error, g_error_copy (worker->error));
      return FALSE;
    }
  if (worker->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&worker->error));
  worker_restore_limits (worker_from (worker));
  return FALSE;
}
