/* worker.c - a worker's life between jobs: attending to others, and stealing
 *
 * An idle worker looks at the inbox, at random victims, spins a little, yields for
 * a while, and then sleeps. Before it sleeps it leaves its wish for work on every other
 * worker, so that the next spawn anywhere publishes and wakes it; then it uses no
 * processor at all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

#define SPIN_TRIES  64
#define SLEEP_TRIES 512
#define AWAKE_TRIES 8 /* when woken for work: it is there, or somebody else has it */

/* xorshift64*: cheap, and every worker has its own. */
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
 * Makes @victim come by at its next spawn or sync.
 *
 * Threads: any
 */
void
worker_ask (Worker *victim, int want)
{
  if (SATIN_LOAD_RELAXED (&victim->want) & want)
    return;
  /* First the wish, then the poison: the owner restores the limits, fences and reads the wish
   * (worker_restore_limits), so a poison that it overwrote is never a lost wish. The order of the
   * wish alone does not keep later stores behind it on all processors. tests: memory-order. */
  SATIN_OR (&victim->want, want);
  satin_fence ();
  SATIN_STORE_RELAXED (&victim->fast.limit, POISONED_LIMIT);
  SATIN_STORE_RELAXED (&victim->fast.join, POISONED_JOIN);
}

/* Those outside the pool who wait for jobs hear that some are there. */
static void
tell_outside (SatinWorkers *pool)
{
  const PoolOutside *outside = SATIN_LOAD (&pool->outside);
  if (outside != NULL && SATIN_LOAD_RELAXED (&pool->is_wanted_outside)
      && SATIN_EXCHANGE (&pool->is_wanted_outside, 0))
    outside->published (outside->user_data);
}

/* Publishes for those who want work, as long as somebody does: a job for each that is idle, as the
 * owner may not come here again for a long time. */
static void
give_work (Worker *self, SatinSlot *head)
{
  SatinWorkers *pool = self->pool;
  guint n_idle = (guint)MAX (pool_count_idle (pool), 1);
  gboolean is_published = worker_count_public (self) < n_idle && worker_publish (self, head);
  guint n_public = worker_count_public (self);
  /* What was published may be stolen by now; the limits must know of it all the same. */
  if (!is_published && n_public == 0)
    return; /* the wish stays, so the next spawn comes here */
  SATIN_AND (&self->want, ~WANT_WORK);
  pool_wake_one (pool);
  if (n_public < n_idle || SATIN_LOAD_RELAXED (&pool->n_asleep) > 0)
    SATIN_OR (&self->want, WANT_WORK); /* until all are awake and have something to take */
  worker_restore_limits (self);
}

/* Puts jobs out for other nodes; typed ones can only be published. */
static void
give_queued (Worker *self, SatinSlot *head)
{
  gboolean has_typed;
  if (!worker_export (self, head, &has_typed) && !worker_has_public (self)
      && (!has_typed || !worker_publish (self, head)))
    return; /* the wish stays */
  SATIN_AND (&self->want, ~WANT_EXPORT);
  tell_outside (self->pool);
  worker_restore_limits (self);
}

/**
 * worker_attend:
 * @head: after the newest slot
 *
 * What every slow path does first: looks what others want.
 */
void
worker_attend (Worker *self, SatinSlot *head)
{
  int want = worker_restore_limits (self);
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
    give_queued (self, head);
  if (want & WANT_WORK)
    give_work (self, head);
}

/* Whether the stack leaves room for somebody else's job on top of what runs. */
gboolean
worker_may_nest (Worker *self)
{
  /* A sanitizer may keep variables elsewhere. */
  const char *here = __builtin_frame_address (0);
  return (gsize)(here - self->stack_low) > self->stack_bytes / 2;
}

/* Another job begins on top of a frame whose failed child may wait for its sync: it is not to see
 * that. Returns: (transfer full) (nullable): for worker_take_error_back() */
GError *
worker_set_error_aside (Worker *self)
{
  GError *outer = g_steal_pointer (&self->fast.error);
  self->n_outer_errors += outer != NULL;
  if (outer != NULL)
    worker_restore_limits (self);
  return outer;
}

/* That job has ended. Returns: (transfer full) (nullable): its own failure */
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

/* Likewise, when of the two failures the first counts. */
void
worker_merge_error (Worker *self, GError *first)
{
  if (first == NULL)
    return;
  g_autoptr (GError) second G_GNUC_UNUSED = worker_take_error_back (self, first);
}

/**
 * worker_run_slot:
 * @queued: a job that was taken, with the general or typed task; its hints (transfer full)
 * @head: where this worker's deque is free
 *
 * Runs another's job and tells its owner.
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
    g_clear_error (&error); /* its owner knows that */
  if (error != NULL)
    slot_set_error (slot, error);
  pool_settle (self->pool, slot, error != NULL ? STATE_FAILED : STATE_DONE, queued->owner);
}

/* Counts the workers that run nothing: with -1 when a job begins at the bottom, with 1 when it
 * ends. */
static void
count_free (Worker *self, const SatinSlot *head, int n)
{
  if (worker_is_at_bottom (self, head) && self->index < self->pool->n_regular)
    SATIN_ADD (&self->pool->n_free, n);
}

/* As worker_run_slot(), by a worker that may be idle until then. */
void
worker_run_stolen (Worker *self, const QueuedExport *queued, SatinSlot *head)
{
  SATIN_STORE_RELAXED (&self->figures.n_stolen, self->figures.n_stolen + 1);
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

/* Takes one job from @victim and runs it, or asks it to publish. Returns: whether a job was run */
gboolean
worker_steal_from (Worker *self, Worker *victim, SatinSlot *head)
{
  SATIN_STORE_RELAXED (&self->figures.n_tried, self->figures.n_tried + 1);
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
  QueuedExport queued = { .slot = slot, .task = slot_task (slot)->plain, .owner = victim };
  worker_run_stolen (self, &queued, head);
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

/* Runs a job that came from outside. */
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
  self->aside_us = aside_us + took_us; /* for whatever is below it */
  job->done (job, error);
  if (was_idle)
    worker_idle_begin (self);
}

/* Runs one that is there. */
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

/* A spare worker runs the root job, and comes before all others then. */
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

/* A spare worker runs one with hints. */
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
  worker_run_stolen (self, &queued, head);
  return TRUE;
}

/* The thread of a worker. */
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
 * Says that the running job takes that much time, where time does not pass by itself.
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
