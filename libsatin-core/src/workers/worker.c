/* worker.c - a worker's life between jobs: serving the wishes of other threads, and stealing
 *
 * An idle worker looks at the inbox, at random victims and at the export queue: it spins a little,
 * yields for a while, and then sleeps. Before it sleeps it leaves its wish for work with every
 * other worker. So the next spawn anywhere publishes jobs and wakes the worker, and meanwhile it
 * uses no processor time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

#define SPIN_TRIES  64
#define SLEEP_TRIES 512
#define AWAKE_TRIES 8 /* after a wake: work is there, or another worker has taken it */

/* xorshift64*: cheap, and each worker has its own state. */
static guint32
random_below (Worker *self, guint32 n)
{
  self->random ^= self->random >> 12;
  self->random ^= self->random << 25;
  self->random ^= self->random >> 27;
  return (guint32)(((self->random * G_GUINT64_CONSTANT (2685821657736338717)) >> 32) * n >> 32);
}

/**
 * worker_ask:
 * @want: a WANT_ bit
 *
 * Makes @victim take the slow path at its next spawn or sync.
 *
 * Threads: any
 */
void
worker_ask (Worker *victim, int want)
{
  if (SATIN_LOAD_RELAXED (&victim->want) & want)
    return;
  /* First the wish, then the poison. The owner restores the limits, fences, and reads the wish
   * (worker_restore_limits). So if it overwrites this poison it sees the wish. The memory order of
   * SATIN_OR alone does not keep later stores behind it on all processors. Tests: memory-order. */
  SATIN_OR (&victim->want, want);
  satin_fence ();
  SATIN_STORE_RELAXED (&victim->fast.limit, POISONED_LIMIT);
  SATIN_STORE_RELAXED (&victim->fast.join, POISONED_JOIN);
}

/* Tells stealing between nodes that jobs can be taken, if it waits for that. */
static void
tell_outside (SatinWorkers *pool)
{
  const PoolOutside *outside = SATIN_LOAD (&pool->outside);
  if (outside != NULL && SATIN_LOAD_RELAXED (&pool->is_wanted_outside)
      && SATIN_EXCHANGE (&pool->is_wanted_outside, 0))
    outside->published (outside->user_data);
}

/* Takes a wish back that is about to be served. If it comes again meanwhile, that is a new wish. */
static void
begin_serving (Worker *self, int want)
{
  SATIN_AND (&self->want, ~want);
  self->want_at_spawn &= ~want;
  self->is_search_cut = FALSE;
}

/* There is nothing to give: the wish stays, and the next spawn comes here. If the search was not
 * over, the next sync does, too. */
static void
serve_at_spawn (Worker *self, int want)
{
  SATIN_OR (&self->want, want);
  if (!self->is_search_cut)
    self->want_at_spawn |= want;
}

/* Publishes jobs for workers that want work, unless as many jobs are public as workers are idle.
 * @end: nothing is queued from here on */
static void
give_work (Worker *self, SatinSlot *end)
{
  SatinWorkers *pool = self->pool;
  guint n_idle = (guint)MAX (pool_count_idle (pool), 1);
  begin_serving (self, WANT_WORK);
  gboolean is_published = worker_count_public (self) < n_idle && worker_publish (self, end);
  guint n_public = worker_count_public (self);
  /* The published jobs may be stolen by now. */
  if (!is_published && n_public == 0)
    {
      serve_at_spawn (self, WANT_WORK);
      return;
    }
  pool_wake_one (pool);
  if (n_public < n_idle && !is_published)
    serve_at_spawn (self, WANT_WORK);
  else if (n_public < n_idle || SATIN_LOAD_RELAXED (&pool->n_asleep) > 0)
    SATIN_OR (&self->want, WANT_WORK); /* until all are awake and have jobs to take */
}

/* Puts jobs out for other nodes. Typed jobs can only be published. @end: as for give_work() */
static void
give_queued (Worker *self, SatinSlot *end)
{
  gboolean has_typed;
  begin_serving (self, WANT_EXPORT);
  if (!worker_export (self, end, &has_typed) && !worker_has_public (self)
      && (!has_typed || !worker_publish (self, end)))
    serve_at_spawn (self, WANT_EXPORT);
  else
    tell_outside (self->pool);
}

/**
 * worker_attend_below:
 * @head: behind the newest slot
 * @end: @head, or a slot from which on all jobs have begun. Jobs for others are searched below it,
 *   because the search is bounded: behind a sync of many jobs lie only slots that are done
 *
 * The first step of every slow path: serves the wishes of other threads.
 */
void
worker_attend_below (Worker *self, SatinSlot *head, SatinSlot *end)
{
  int want = worker_restore_limits (self);
  if (want & WANT_AGAIN)
    {
      SATIN_AND (&self->want, ~WANT_AGAIN);
      self->want_at_spawn &= WANT_CHARGE;
    }
  if (want & WANT_REFRESH)
    {
      SATIN_AND (&self->want, ~WANT_REFRESH);
      worker_refresh (self);
    }
  if (want & WANT_WALK)
    {
      SATIN_AND (&self->want, ~WANT_WALK);
      worker_walk (self, head);
    }
  if (want & WANT_TURN)
    worker_pass_turn (self, head);
  if (want & WANT_INLET)
    worker_run_inlets (self, head);
  if (want & WANT_ABORT)
    worker_heed_aborts (self, head);
  if (want & WANT_EXPORT)
    give_queued (self, end);
  if (want & WANT_WORK)
    give_work (self, end);
  if (want & ~WANT_CHARGE)
    worker_restore_limits (self);
}

/* Serves the wishes of other threads where any slot below @head may be queued. */
void
worker_attend (Worker *self, SatinSlot *head)
{
  worker_attend_below (self, head, head);
}

/* Whether another job may begin on top of the frames on the stack: half of the stack is free. */
gboolean
worker_may_nest (Worker *self)
{
  /* Not the address of a variable: a sanitizer may keep variables elsewhere. */
  const char *here = __builtin_frame_address (0);
  return (gsize)(here - self->stack_low) > self->stack_bytes / 2;
}

/* Sets the waiting error of the frames below aside, because a job that begins on top of them must
 * not see it. Returns: (transfer full) (nullable): that error, for worker_take_error_back() */
GError *
worker_set_error_aside (Worker *self)
{
  GError *outer = g_steal_pointer (&self->fast.error);
  self->n_outer_errors += outer != NULL;
  if (outer != NULL)
    worker_restore_limits (self);
  return outer;
}

/* Restores @outer, because the job on top has ended. Returns: (transfer full) (nullable): the error
 * of that job */
GError *
worker_take_error_back (Worker *self, GError *outer)
{
  GError *error = self->fast.error;
  self->fast.error = outer;
  self->n_outer_errors -= outer != NULL;
  if (error != NULL || outer != NULL)
    worker_restore_limits (self);
  return error;
}

/* Like worker_take_error_back(), but of two errors it keeps only @first, and none of them if the
 * frame on top was aborted meanwhile. @slot: as for worker_unwinds() */
void
worker_merge_error (Worker *self, GError *first, const SatinSlot *slot)
{
  if (first == NULL)
    return;
  g_autoptr (GError) second G_GNUC_UNUSED = worker_take_error_back (self, first);
  if (worker_unwinds (self, slot))
    worker_leave_top (self);
}

/**
 * worker_run_slot:
 * @queued: a job that this worker has taken, with its general or typed task; (transfer full) of its
 *   hints
 * @head: where this worker's deque is free
 *
 * Runs the job, which may be another worker's, unless it was aborted, and settles its slot.
 */
void
worker_run_slot (Worker *self, const QueuedExport *queued, SatinSlot *head)
{
  SatinSlot *slot = queued->slot;
  Border border;
  if (SATIN_LOAD (&slot->state) & STATE_ABORTED)
    {
      hints_unref (self->pool, queued->hints);
      pool_settle (self->pool, slot, STATE_DONE, queued->owner);
      return;
    }
  GError *outer = worker_set_error_aside (self);
  head = worker_set_border (self, queued->owner, slot, head);
  worker_begin_border (self, &border, slot, head);
  worker_run_task (self, queued->task, slot, head, queued->hints);
  GError *error = worker_end_border (self, outer);
  if (border.aborted != NULL)
    g_clear_error (&error); /* its owner knows that it was aborted */
  if (error != NULL)
    slot_set_error (slot, error);
  pool_settle (self->pool, slot, error != NULL ? STATE_FAILED : STATE_DONE, queued->owner);
}

/* Changes the count of workers that run nothing: @n is -1 when a job begins at the bottom, 1 when
 * it ends. */
static void
count_free (Worker *self, const SatinSlot *head, int n)
{
  if (worker_is_at_bottom (self, head) && self->index < self->pool->n_regular)
    SATIN_ADD (&self->pool->n_free, n);
}

static void
count_try (Worker *self)
{
  SATIN_STORE_RELAXED (&self->figures.n_tried, self->figures.n_tried + 1);
}

/* Like worker_run_slot(), for a worker that may count as idle until then. */
static void
run_taken (Worker *self, const QueuedExport *queued, SatinSlot *head)
{
  gboolean was_idle = SATIN_LOAD_RELAXED (&self->figures.idle_since_us) != 0;
  if (was_idle)
    worker_idle_end (self, head);
  count_free (self, head, -1);
  worker_leave_looking (self);
  worker_run_slot (self, queued, head);
  worker_return_to_looking (self);
  count_free (self, head, 1);
  if (was_idle)
    worker_idle_begin (self);
}

static void
run_stolen (Worker *self, const QueuedExport *queued, SatinSlot *head)
{
  SATIN_STORE_RELAXED (&self->figures.n_stolen, self->figures.n_stolen + 1);
  run_taken (self, queued, head);
}

/* Runs a job that this worker has taken out of the export queue. If it is another worker's job,
 * that counts as a steal, and as a try that has won: looks into an empty queue are not counted. */
void
worker_run_queued (Worker *self, const QueuedExport *queued, SatinSlot *head)
{
  if (queued->owner == self)
    {
      run_taken (self, queued, head);
      return;
    }
  count_try (self);
  run_stolen (self, queued, head);
}

/* Takes one job from @victim and runs it, or asks @victim to publish jobs. Returns: whether a job
 * was run */
gboolean
worker_steal_from (Worker *self, Worker *victim, SatinSlot *head)
{
  count_try (self);
  SatinSlot *slot = worker_claim_oldest (victim);
  if (slot == NULL)
    {
      if (!worker_has_public (victim))
        worker_ask (victim, WANT_WORK);
      return FALSE;
    }
  slot_take (slot, (guintptr)self);
  if (worker_has_public (victim))
    pool_wake_one (self->pool);
  else if (SATIN_LOAD_RELAXED (&victim->want) & WANT_WORK)
    worker_ask (victim, WANT_AGAIN); /* others want work, too */
  QueuedExport queued = { .slot = slot, .task = slot_task (slot)->plain, .owner = victim };
  run_stolen (self, &queued, head);
  return TRUE;
}

gboolean
worker_steal_random (Worker *self, SatinSlot *head)
{
  SatinWorkers *pool = self->pool;
  if (pool_count_workers (pool) < 2)
    return FALSE;
  guint victim = (self->index + 1 + random_below (self, pool_count_workers (pool) - 1))
                 % pool_count_workers (pool);
  return worker_steal_from (self, &pool->workers[victim], head);
}

/* Runs a job that came from outside the deques. */
static void
run_job (Worker *self, Job *job, SatinSlot *head)
{
  gboolean was_idle = SATIN_LOAD_RELAXED (&self->figures.idle_since_us) != 0;
  gboolean is_root = !job->is_remote && head == self->fast.slots;
  if (is_root)
    SATIN_STORE (&self->pool->rooted, self->index + 1);
  if (was_idle)
    worker_idle_end (self, head);
  SATIN_STORE_RELAXED (&self->figures.n_outside, self->figures.n_outside + 1);
  GError *outer_error = worker_set_error_aside (self);
  SatinSlot *outer = self->outside;
  SatinSlot *bottom = head;
  Border border;
  count_free (self, bottom, -1);
  worker_leave_looking (self);
  head = worker_set_border (self, NULL, job, head);
  worker_begin_border (self, &border, &job->slot, head);
  gint64 begun_us = self->pool->ops->now_us ();
  gint64 aside_us = self->aside_us;
  self->outside = job->is_remote ? head : NULL;
  self->has_root |= is_root;
  if (job->begin != NULL)
    job->begin (job);
  worker_run_job (self, job, head);
  self->outside = outer;
  self->has_root &= !is_root;
  if (is_root)
    SATIN_STORE (&self->pool->rooted, 0);
  GError *error = worker_end_border (self, outer_error);
  worker_return_to_looking (self);
  count_free (self, bottom, 1);
  gint64 took_us = self->pool->ops->now_us () - begun_us;
  job->ran_us = took_us - (self->aside_us - aside_us);
  self->aside_us = aside_us + took_us; /* for jobs below it on the stack */
  job->done (job, error);
  if (was_idle)
    worker_idle_begin (self);
}

/* Runs a job of the inbox. Returns: whether there was one */
gboolean
worker_run_inbox (Worker *self, SatinSlot *head)
{
  if (SATIN_LOAD_RELAXED (&self->pool->n_inbox) == 0)
    return FALSE;
  Job *job = pool_next_job (self->pool, worker_is_at_bottom (self, head) ? JOBS_ALL : JOBS_UNBOUND);
  if (job != NULL)
    run_job (self, job, head);
  return job != NULL;
}

/* Runs the root job on a spare worker. Meanwhile this worker gets a turn before all others.
 * Returns: whether there was a root job */
gboolean
worker_run_root (Worker *self, SatinSlot *head)
{
  if (SATIN_LOAD (&self->pool->n_inbox_roots) == 0)
    return FALSE;
  Job *job = pool_next_job (self->pool, JOBS_ROOT);
  if (job != NULL)
    run_job (self, job, head);
  return job != NULL;
}

/* Runs a bound job on a spare worker. Returns: whether there was one */
gboolean
worker_run_bound (Worker *self, SatinSlot *head)
{
  QueuedExport queued;
  Job *job = pool_next_job (self->pool, JOBS_BOUND);
  if (job != NULL)
    {
      run_job (self, job, head);
      return TRUE;
    }
  if (!pool_take_queued (self->pool, (guintptr)self, JOBS_BOUND, &queued))
    return FALSE;
  worker_run_queued (self, &queued, head);
  return TRUE;
}

/* The main function of a worker's thread. */
void
worker_main (Worker *self)
{
  SatinWorkers *pool = self->pool;
  SatinSlot *base = self->fast.slots;
  guint n_tries = 0;
  Patience patience = { 0 };
  worker_idle_begin (self);
  count_free (self, base, 1);
  while (!SATIN_LOAD_RELAXED (&pool->is_stopping))
    {
      worker_attend (self, base);
      if (worker_may_begin (self)
          && (worker_run_inbox (self, base) || worker_steal_random (self, base)
              || worker_steal_queued (self, base)))
        {
          n_tries = 0;
          patience = (Patience){ 0 };
          continue;
        }
      n_tries++;
      if (n_tries == SPIN_TRIES)
        worker_call_for_work (self);
      if (n_tries < MIN (SLEEP_TRIES, pool->ops->max_tries)
          || worker_is_patient (self, &patience, n_tries))
        {
          pool->ops->relax (n_tries);
          continue;
        }
      worker_sleep (self, NULL);
      n_tries = MIN (SLEEP_TRIES, pool->ops->max_tries) - AWAKE_TRIES;
    }
}

gboolean
satin_worker_is_local (SatinWorker *worker, SatinSlot *base)
{
  return worker_from (worker)->outside != base;
}

/**
 * satin_worker_charge:
 * @duration_ns: 0 or more
 *
 * Adds to the time that the running job takes, in a world where time does not pass by itself.
 */
void
satin_worker_charge (SatinWorker *worker, gint64 duration_ns)
{
  const SatinThreadOps *ops = worker_from (worker)->pool->ops;
  if (ops->charge != NULL)
    ops->charge (duration_ns);
}

gint64
satin_worker_now_us (SatinWorker *worker)
{
  return worker_from (worker)->pool->ops->now_us ();
}
