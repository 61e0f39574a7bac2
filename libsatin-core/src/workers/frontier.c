/* frontier.c - the walk over the finished children of unfinished frames
 *
 * Frames follow each other in the deque. A frame's sync runs its newest slots first. So a frame
 * consists of queued or stolen slots, then the slot that is running or awaited, then done slots;
 * the next frame begins behind them. That is enough to find where each frame ends. For this, a
 * stolen slot that is done but not joined counts as stolen. A task that was called as a plain
 * function shares its caller's frame here, because it is part of the same job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

static SatinFrontierState
state_of_stolen (SatinSlot *slot)
{
  /* Acquire: with DONE comes the result. */
  guintptr state = SATIN_LOAD (&slot->state);
  if (state & STATE_ABORTED)
    return SATIN_FRONTIER_ABORTED; /* even if it is done, it may have no result */
  switch (state & ~(guintptr)STATE_FLAGS)
    {
    case STATE_DONE:
      return slot_has_lost_result (slot) ? SATIN_FRONTIER_ABORTED : SATIN_FRONTIER_DONE;
    case STATE_QUEUED_EXPORT:
      return SATIN_FRONTIER_QUEUED;
    default:
      return SATIN_FRONTIER_STOLEN;
    }
}

static SatinFrontierState
state_of_slot (Worker *self, guint32 index)
{
  SatinSlot *slot = &self->fast.slots[index];
  if (slot_is_dropped (slot))
    return SATIN_FRONTIER_ABORTED;
  switch (slot_mark (slot))
    {
    case SATIN_SLOT_RUNNING:
      return SATIN_FRONTIER_RUNNING;
    case SATIN_SLOT_DONE:
    case SATIN_SLOT_MARKS:
      return slot_has_lost_result (slot) ? SATIN_FRONTIER_ABORTED : SATIN_FRONTIER_DONE;
    case SATIN_SLOT_QUEUED:
      break;
    }
  gboolean is_out = slot_task (slot)->is_exported || worker_is_claimed (self, index);
  return is_out ? state_of_stolen (slot) : SATIN_FRONTIER_QUEUED;
}

/* Whether the owner waits for this claimed slot in a sync. Then later frames lie on top of the
 * slot's frame. */
static gboolean
is_joined (Worker *self, guint32 index)
{
  SatinSlot *slot = &self->fast.slots[index];
  return slot_mark (slot) == SATIN_SLOT_QUEUED && worker_is_claimed (self, index)
         && (SATIN_LOAD_RELAXED (&slot->state) & STATE_JOINED);
}

/* Whether another worker or node has this exported job, for which its owner waits in a sync. */
static gboolean
is_awaited (Worker *self, guint32 index)
{
  SatinSlot *slot = &self->fast.slots[index];
  return slot_mark (slot) == SATIN_SLOT_RUNNING && slot_task (slot)->is_exported
         && state_of_stolen (slot) == SATIN_FRONTIER_STOLEN
         && (SATIN_LOAD_RELAXED (&slot->state) & ~(guintptr)STATE_FLAGS) != STATE_OURS;
}

/* Returns: (nullable): the arguments; %NULL when a thief may overwrite them with a typed job's
 * result */
static gconstpointer
arguments_of_slot (Worker *self, guint32 index)
{
  SatinSlot *slot = &self->fast.slots[index];
  gboolean may_change = slot_task (slot)->is_typed && index < self->split;
  return may_change ? NULL : slot_arguments (slot);
}

/* Whether the result in a done slot may be undefined, because its job failed or was aborted. */
static gboolean
has_undefined (const Worker *self)
{
  return self->fast.error != NULL || self->n_outer_errors > 0 || worker_has_aborted (self);
}

/* Returns: (nullable): the result; %NULL while an error waits for a sync or frames are aborted,
 * because it is not known then which result is undefined */
static gconstpointer
result_of_slot (Worker *self, SatinSlot *slot)
{
  return has_undefined (self) ? NULL : slot_result (slot);
}

/* See pool.h. */
void
worker_foreach_slot (Worker *self, SatinSlot *head_slot, WorkerSlotFunc func, gpointer user_data)
{
  guint32 head = head_slot - self->fast.slots;
  guint depth = 0;
  gboolean is_any = FALSE;
  gboolean is_after_running = FALSE;
  for (guint32 i = 0; i < head; i++)
    {
      SatinSlot *slot = &self->fast.slots[i];
      if (worker_has_border (self, i))
        {
          depth += is_any;
          is_any = is_after_running = FALSE;
          func (self, &(WorkerSlot){ .slot = slot, .depth = depth, .is_border = TRUE }, user_data);
          continue;
        }
      is_any = TRUE;
      SatinFrontierState state = state_of_slot (self, i);
      if (is_after_running && slot_mark (slot) != SATIN_SLOT_DONE)
        {
          depth++;
          is_after_running = FALSE;
        }
      WorkerSlot at = {
        .slot = slot, .depth = depth, .state = state, .is_awaited = is_awaited (self, i)
      };
      func (self, &at, user_data);
      if (state == SATIN_FRONTIER_RUNNING || is_joined (self, i))
        is_after_running = TRUE;
    }
}

/* Gives a slot to the walk's func, unless it is a border. */
static void
show_slot (Worker *self, const WorkerSlot *at, gpointer user_data)
{
  const Walk *walk = user_data;
  if (at->is_border)
    return;
  SatinFrontierJob job = {
    .task = slot_task (at->slot)->plain,
    .state = at->state,
    .depth = at->depth,
    .args = arguments_of_slot (self, at->slot - self->fast.slots),
    .result = at->state == SATIN_FRONTIER_DONE ? result_of_slot (self, at->slot) : NULL,
  };
  walk->func (&job, self->index, walk->user_data);
}

/* Whether the job's result is in its place. A slot marked as running may have a result too: another
 * worker or node has ended its job, but the owner, whose sync waits for that job, still runs
 * another job. */
static gboolean
has_result (Worker *self, guint32 index)
{
  SatinSlot *slot = &self->fast.slots[index];
  if (slot_mark (slot) == SATIN_SLOT_RUNNING && slot_task (slot)->is_exported)
    return !slot_is_dropped (slot) && state_of_stolen (slot) == SATIN_FRONTIER_DONE;
  return state_of_slot (self, index) == SATIN_FRONTIER_DONE;
}

/* Gives the results of general tasks below @head to the walk's save, unless a result may be
 * undefined. */
static void
save_slots (Worker *self, const SatinSlot *head, const Walk *walk)
{
  if (has_undefined (self))
    return;
  for (guint32 i = 0; i < head - self->fast.slots; i++)
    {
      SatinSlot *slot = &self->fast.slots[i];
      if (worker_has_border (self, i) || !has_result (self, i))
        continue;
      const SatinTask *task = slot_task (slot)->plain;
      if (!task->is_typed)
        walk->save (self, slot, task, slot->result, walk->user_data);
    }
}

/* Blocks the worker's thread for ever: its frames do not go on. */
static void
stop_for_good (Worker *self)
{
  for (;;)
    {
      SATIN_STORE_RELAXED (&self->park, 0);
      self->pool->ops->wait (&self->park, G_USEC_PER_SEC);
    }
}

/* Begins the next walk: asks every worker. Call it with the lock held. */
static void
begin_walk (SatinWorkers *self)
{
  guint n = pool_count_workers (self);
  self->n_walking = n;
  for (guint i = 0; i < n; i++)
    worker_ask (&self->workers[i], WANT_WALK);
}

static void
wake_all (SatinWorkers *self)
{
  for (guint i = 0; i < pool_count_workers (self); i++)
    pool_wake_worker (self, i);
  pool_wake_spares (self);
}

/**
 * worker_walk:
 * @head: behind the newest slot
 *
 * Does this worker's part of the current walk. The last worker ends the walk.
 *
 * Threads: the owner, at a safe point
 */
void
worker_walk (Worker *self, SatinSlot *head)
{
  SatinWorkers *pool = self->pool;
  pthread_mutex_lock (&pool->lock);
  Walk *walk = g_queue_peek_head (&pool->walks);
  pthread_mutex_unlock (&pool->lock);
  if (walk == NULL)
    return;
  gboolean is_end = walk->is_end;
  if (walk->see != NULL)
    worker_foreach_slot (self, head, walk->see, walk->user_data);
  else if (walk->func != NULL)
    worker_foreach_slot (self, head, show_slot, walk);
  else
    save_slots (self, head, walk);
  pthread_mutex_lock (&pool->lock);
  gboolean is_last = --pool->n_walking == 0;
  gboolean is_more = FALSE;
  if (is_last)
    {
      g_queue_pop_head (&pool->walks);
      is_more = !g_queue_is_empty (&pool->walks);
      if (is_more)
        begin_walk (pool);
    }
  pthread_mutex_unlock (&pool->lock);
  if (is_more)
    wake_all (pool);
  if (is_last)
    {
      walk->done (walk->user_data);
      g_free (walk);
    }
  if (is_end)
    stop_for_good (self);
}

static void
add_walk (SatinWorkers *self, const Walk *walk)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_first = g_queue_is_empty (&self->walks);
  g_queue_push_tail (&self->walks, g_memdup2 (walk, sizeof *walk));
  if (is_first)
    begin_walk (self);
  pthread_mutex_unlock (&self->lock);
  if (is_first)
    wake_all (self);
}

void
satin_workers_walk (SatinWorkers *self, SatinFrontierFunc func, void (*done) (gpointer user_data),
                    gpointer user_data)
{
  g_return_if_fail (self != NULL && func != NULL && done != NULL);
  Walk walk = { .func = func, .done = done, .user_data = user_data };
  add_walk (self, &walk);
}

/* See pool.h. */
void
pool_see (SatinWorkers *self, WorkerSlotFunc see, void (*done) (gpointer user_data),
          gpointer user_data)
{
  Walk walk = { .see = see, .done = done, .user_data = user_data };
  add_walk (self, &walk);
}

/**
 * pool_save:
 * @is_end: the workers stop for good, and cannot be joined any more
 * @save: called on each worker at its next safe point, for each finished child there
 * @done: called once, on the last worker; or in satin_workers_free(), if that ends the walk
 *
 * Threads: any
 */
void
pool_save (SatinWorkers *self, gboolean is_end, PoolSaveFunc save,
           void (*done) (gpointer user_data), gpointer user_data)
{
  Walk walk = { .save = save, .is_end = is_end, .done = done, .user_data = user_data };
  add_walk (self, &walk);
}

static void
save_nothing (Worker *worker, SatinSlot *slot, const SatinTask *task, gconstpointer result,
              gpointer user_data)
{
}

static void
forget (gpointer user_data)
{
}

/* Stops the workers for good, each at its next safe point. Threads: any */
void
pool_stop (SatinWorkers *self)
{
  pool_save (self, TRUE, save_nothing, forget, NULL);
}
