/* frontier.c - the walk over the finished children of unfinished frames
 *
 * Frames follow each other in the deque. A frame's sync runs its newest slots first. So a frame
 * consists of queued or stolen slots, then the slot that is running or awaited, then done slots;
 * the next frame begins behind them. That is enough to find where each frame ends. A stolen slot
 * that is done but not joined counts as stolen there. A task that was called as a plain function
 * shares its caller's frame here, because it is part of the same job.
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
      return SATIN_FRONTIER_DONE;
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
      return SATIN_FRONTIER_DONE;
    case SATIN_SLOT_QUEUED:
      break;
    }
  gboolean is_out = slot_task (slot)->is_exported || worker_is_claimed (self, index);
  return is_out ? state_of_stolen (slot) : SATIN_FRONTIER_QUEUED;
}

/* Whether the owner waits for this slot in a sync. Then later frames lie on top of its frame. */
static gboolean
is_joined (Worker *self, guint32 index)
{
  SatinSlot *slot = &self->fast.slots[index];
  return slot_mark (slot) == SATIN_SLOT_QUEUED && worker_is_claimed (self, index)
         && (SATIN_LOAD_RELAXED (&slot->state) & STATE_JOINED);
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

/* Returns: (nullable): the result; %NULL while an error waits for a sync, because it is not known
 * which result is undefined */
static gconstpointer
result_of_slot (Worker *self, SatinSlot *slot)
{
  return has_undefined (self) ? NULL : slot_result (slot);
}

/* Calls @func for each slot below @head. */
static void
walk_slots (Worker *self, SatinSlot *head_slot, SatinFrontierFunc func, gpointer user_data)
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
          continue;
        }
      is_any = TRUE;
      SatinFrontierState state = state_of_slot (self, i);
      if (is_after_running && slot_mark (slot) != SATIN_SLOT_DONE)
        {
          depth++;
          is_after_running = FALSE;
        }
      SatinFrontierJob job = {
        .task = slot_task (slot)->plain,
        .state = state,
        .depth = depth,
        .args = arguments_of_slot (self, i),
        .result = state == SATIN_FRONTIER_DONE ? result_of_slot (self, slot) : NULL,
      };
      func (&job, self->index, user_data);
      if (state == SATIN_FRONTIER_RUNNING || is_joined (self, i))
        is_after_running = TRUE;
    }
}

/* Whether the job's result is in its place. A slot marked as running may have a result too: another
 * node has ended its job, but the owner, which waits for it in a sync, still runs another job. */
static gboolean
has_result (Worker *self, guint32 index)
{
  SatinSlot *slot = &self->fast.slots[index];
  if (slot_mark (slot) == SATIN_SLOT_RUNNING && slot_task (slot)->is_exported)
    return !slot_is_dropped (slot) && state_of_stolen (slot) == SATIN_FRONTIER_DONE;
  return state_of_slot (self, index) == SATIN_FRONTIER_DONE;
}

/* Gives the results of general tasks below @head to the walk's save. */
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
  if (walk->func == NULL)
    save_slots (self, head, walk);
  else
    walk_slots (self, head, walk->func, walk->user_data);
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

/**
 * pool_save:
 * @is_end: the workers stop for good, and cannot be joined any more
 * @save: called on each worker at its next safe point, for each finished child there
 * @done: called once, on the last worker
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

/* The share of the root job that is done, added up frame by frame over its worker's stack. */
typedef struct
{
  gboolean is_over; /* the frames above are not part of the root job */
  gboolean has_running;
  guint depth;
  double weight; /* of the current frame */
  double done;   /* in the frames below */
  guint n_jobs;  /* in the current frame */
  guint n_done;
} Share;

typedef struct
{
  SatinWorkers *pool;
  guint n_workers;
  Share shares[];
} Progress;

/* Ends the current frame. The next frame is that of its running child. */
static void
share_close_frame (Share *self)
{
  if (self->n_jobs == 0)
    return;
  self->done += self->weight * self->n_done / self->n_jobs;
  self->weight /= self->n_jobs;
  self->n_jobs = self->n_done = 0;
  self->has_running = FALSE;
}

static void
progress_job (const SatinFrontierJob *job, guint worker, gpointer user_data)
{
  Progress *self = user_data;
  Share *share = &self->shares[worker];
  if (share->is_over || !self->pool->workers[worker].has_root)
    return;
  if (job->depth != share->depth)
    {
      /* Above an awaited job lie frames of another worker's job. */
      share->is_over = !share->has_running;
      share_close_frame (share);
      if (share->is_over)
        return;
    }
  share->depth = job->depth;
  share->has_running |= job->state == SATIN_FRONTIER_RUNNING;
  share->n_jobs++;
  share->n_done += job->state == SATIN_FRONTIER_DONE;
}

/* Keeps the largest share. Normally only one worker has a root job at the bottom of its stack. */
static void
progress_done (gpointer user_data)
{
  Progress *self = user_data;
  double best = 0;
  for (guint i = 0; i < self->n_workers; i++)
    {
      share_close_frame (&self->shares[i]);
      best = MAX (best, self->shares[i].done);
    }
  pthread_mutex_lock (&self->pool->lock);
  self->pool->progress = MAX (self->pool->progress, best);
  self->pool->is_progress_asked = FALSE;
  pthread_mutex_unlock (&self->pool->lock);
  g_free (self);
}

double
satin_workers_progress (SatinWorkers *self)
{
  g_return_val_if_fail (self != NULL, 0);
  pthread_mutex_lock (&self->lock);
  double progress = self->progress;
  gboolean is_asked = self->is_progress_asked;
  self->is_progress_asked = TRUE;
  pthread_mutex_unlock (&self->lock);
  if (is_asked)
    return progress;
  guint n_most = SATIN_LOAD_RELAXED (&self->n_most);
  Progress *fresh = g_malloc0 (sizeof (Progress) + n_most * sizeof (Share));
  fresh->pool = self;
  fresh->n_workers = n_most;
  for (guint i = 0; i < pool_count_workers (self); i++)
    fresh->shares[i].weight = 1;
  satin_workers_walk (self, progress_job, progress_done, fresh);
  return progress;
}
