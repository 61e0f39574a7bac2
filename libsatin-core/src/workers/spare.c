/* spare.c - spare workers: more stacks than processors, for jobs with hints
 *
 * A job with hints must begin where no waiting frame lies below it (hints.c), so a worker that
 * waits in a sync cannot run it. After losses all workers may wait for such jobs. Therefore a node
 * may start one spare worker for each worker: a thread with its own stack. A spare worker runs such
 * jobs in place of a worker that waits. It also runs the root job again after the loss of the
 * master, while other workers run remaining jobs of the lost master's root job: only the new root
 * job shows which of these are needed.
 *
 * No more workers run at a time than without spare workers: there is one *turn* for each regular
 * worker. A worker that becomes idle gives its turn up. A worker that has work again takes a free
 * turn, or the turn of a worker that comes after it in the order; that worker gives the turn up at
 * its next safe point. The worker with the root job is first in the order, then comes the worker
 * with the lower index: more jobs wait for a job that began earlier.
 *
 *   worker 0   runs ......| waits in a sync ................| wants a turn | goes on ...
 *   spare 1    -----------| runs a job with hints ..........................| has no turn ...
 *
 * Turns are ignored until a spare worker was started. Only recovery starts one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

#define REST_US ((gint64)250000)

static gboolean
has_bit (const guint64 *bits, guint index)
{
  return (SATIN_LOAD (&bits[index / 64]) & (guint64)1 << index % 64) != 0;
}

static void
set_bit (guint64 *bits, guint index)
{
  SATIN_OR (&bits[index / 64], (guint64)1 << index % 64);
}

/* Returns: whether the bit had been set */
static gboolean
clear_bit (guint64 *bits, guint index)
{
  guint64 bit = (guint64)1 << index % 64;
  return (SATIN_AND (&bits[index / 64], ~bit) & bit) != 0;
}

/* Returns: the number of the lowest set bit; @end when none below @end is set */
static guint
find_bit (const guint64 *bits, guint end)
{
  for (guint i = 0; i < (end + 63) / 64; i++)
    {
      guint64 word = SATIN_LOAD (&bits[i]);
      if (word != 0)
        return MIN (i * 64 + __builtin_ctzll (word), end);
    }
  return end;
}

/* ---- turns ---- */

/* Whether worker @a gets a turn before worker @b. */
static gboolean
comes_before (const SatinWorkers *pool, guint a, guint b)
{
  guint rooted = SATIN_LOAD (&pool->rooted);
  return a != b && (a + 1 == rooted || (b + 1 != rooted && a < b));
}

/* Returns: of the workers that wait for a turn, the worker that gets a turn first; the number of
 * workers when none waits */
static guint
find_wanting (const SatinWorkers *pool)
{
  guint rooted = SATIN_LOAD (&pool->rooted);
  if (rooted > 0 && has_bit (pool->wanting, rooted - 1))
    return rooted - 1;
  return find_bit (pool->wanting, pool_count_workers (pool));
}

/**
 * pool_is_turn_wanted:
 *
 * Whether a worker waits for a turn.
 */
gboolean
pool_is_turn_wanted (const SatinWorkers *self)
{
  return SATIN_LOAD (&self->n_spares) > 0 && find_wanting (self) < pool_count_workers (self);
}

/**
 * worker_may_begin:
 *
 * Whether this worker has a turn, or can take one: a turn is free, and no worker that comes before
 * this one waits for it.
 */
gboolean
worker_may_begin (const Worker *self)
{
  SatinWorkers *pool = self->pool;
  if (SATIN_LOAD (&pool->n_spares) == 0 || SATIN_LOAD_RELAXED (&self->figures.idle_since_us) == 0)
    return TRUE;
  return pool_count_idle (pool) > 0 && !comes_before (pool, find_wanting (pool), self->index);
}

static gboolean
take_turn (Worker *self)
{
  SatinWorkers *pool = self->pool;
  int n_idle = SATIN_LOAD (&pool->n_idle);
  if (SATIN_LOAD (&pool->n_spares) > 0 && comes_before (pool, find_wanting (pool), self->index))
    return FALSE;
  while (n_idle > SATIN_LOAD (&pool->n_spares))
    if (SATIN_CAS (&pool->n_idle, &n_idle, n_idle - 1))
      return TRUE;
  return FALSE;
}

/* Of the workers that have a turn and come after this one, asks the worker with the highest index
 * to give its turn up. */
static void
ask_for_turn (Worker *self)
{
  SatinWorkers *pool = self->pool;
  for (guint i = pool_count_workers (pool); i-- > 0;)
    if (comes_before (pool, self->index, i)
        && SATIN_LOAD_RELAXED (&pool->workers[i].figures.idle_since_us) == 0)
      {
        worker_ask (&pool->workers[i], WANT_TURN);
        return;
      }
}

static void
wait_for_turn (Worker *self, SatinSlot *head)
{
  SatinWorkers *pool = self->pool;
  SATIN_STORE_RELAXED (&self->park, 0);
  set_bit (pool->wanting, self->index);
  ask_for_turn (self);
  gboolean is_free = pool_count_idle (pool) > 0;
  guint first = find_wanting (pool);
  if (is_free && first != self->index)
    pool->ops->wake (&pool->workers[first].park);
  if ((!is_free || first != self->index) && !SATIN_LOAD (&pool->is_stopping)
      && !(SATIN_LOAD_RELAXED (&self->want) & WANT_WALK))
    pool->ops->wait (&self->park, REST_US);
  clear_bit (pool->wanting, self->index);
  if (SATIN_LOAD_RELAXED (&self->want) & WANT_WALK)
    worker_attend (self, head);
}

/* Takes a turn. If none is free, waits until another worker gives its turn up. */
void
worker_take_turn (Worker *self, SatinSlot *head)
{
  while (!take_turn (self))
    wait_for_turn (self, head);
}

/* Gives the turn up. If there are spare workers, wakes the first worker that waits for a turn. If
 * none does, wakes a spare worker for a bound job, or else a sleeping worker for another job. */
void
worker_give_turn (Worker *self)
{
  SatinWorkers *pool = self->pool;
  SATIN_ADD (&pool->n_idle, 1);
  if (SATIN_LOAD (&pool->n_spares) == 0)
    return;
  guint wanting = find_wanting (pool);
  if (wanting < pool_count_workers (pool))
    pool->ops->wake (&pool->workers[wanting].park);
  else if (pool_count_bound (pool) > 0)
    pool_call_spare (pool);
  else if (SATIN_LOAD (&pool->n_inbox) > 0 || SATIN_LOAD_RELAXED (&pool->n_queued_exports) > 0)
    pool_wake_one (pool);
}

/* At a safe point: gives the turn up if a worker that comes before this one waits for a turn. */
void
worker_pass_turn (Worker *self, SatinSlot *head)
{
  SATIN_AND (&self->want, ~WANT_TURN);
  if (!comes_before (self->pool, find_wanting (self->pool), self->index)
      || SATIN_LOAD_RELAXED (&self->figures.idle_since_us) != 0)
    return;
  worker_idle_begin (self);
  worker_idle_end (self, head);
}

/* ---- spare workers ---- */

static gboolean
has_resting (SatinWorkers *self)
{
  guint n = pool_count_workers (self);
  return find_bit (self->resting, n) < n;
}

/**
 * pool_may_begin_bound:
 *
 * Whether a spare worker could run a job with hints now, or be started for it.
 */
gboolean
pool_may_begin_bound (SatinWorkers *self)
{
  return pool_count_idle (self) > 0
         && (has_resting (self) || pool_count_workers (self) < SATIN_LOAD_RELAXED (&self->n_most));
}

/* Wakes a spare worker that has nothing to do. */
void
pool_call_spare (SatinWorkers *self)
{
  guint n = pool_count_workers (self);
  guint index = find_bit (self->resting, n);
  if (index < n && clear_bit (self->resting, index))
    self->ops->wake (&self->workers[index].park);
}

/**
 * pool_need_spare:
 * @hints: (nullable): the hints of a job that was queued; not dereferenced, as they may be freed
 *
 * If the job is bound, wakes a spare worker for it, or starts one if none rests.
 *
 * Threads: the loop's
 */
void
pool_need_spare (SatinWorkers *self, gconstpointer hints)
{
  if (!hints_are_bound (self, hints))
    return;
  g_autoptr (GError) error = NULL;
  guint index = pool_count_workers (self);
  if (has_resting (self))
    {
      pool_call_spare (self);
      return;
    }
  if (index >= self->n_most)
    return;
  if (!worker_start_spare (self, index, &error))
    {
      g_message ("%s", error->message);
      /* No more spare workers are started. */
      SATIN_STORE_RELAXED (&self->n_most, pool_count_workers (self));
    }
}

static void
rest (Worker *self)
{
  SatinWorkers *pool = self->pool;
  SATIN_STORE_RELAXED (&self->park, 0);
  set_bit (pool->resting, self->index);
  if (!SATIN_LOAD (&pool->is_stopping) && !(SATIN_LOAD_RELAXED (&self->want) & WANT_WALK)
      && SATIN_LOAD (&pool->n_inbox_roots) == 0
      && !(pool_count_bound (pool) > 0 && worker_may_begin (self)))
    pool->ops->wait (&self->park, REST_US);
  clear_bit (pool->resting, self->index);
}

/* The main function of a spare worker's thread. */
void
spare_main (Worker *self)
{
  SatinWorkers *pool = self->pool;
  SatinSlot *base = self->fast.slots;
  /* worker_start_spare() wakes this worker when other threads may see it. */
  while (pool_count_workers (pool) <= self->index)
    pool->ops->wait (&self->park, REST_US);
  while (!SATIN_LOAD_RELAXED (&pool->is_stopping))
    {
      worker_attend (self, base);
      if (!worker_run_root (self, base)
          && (!worker_may_begin (self) || !worker_run_bound (self, base)))
        {
          rest (self);
          continue;
        }
      /* Asks other nodes for work. A worker that waits in a sync has asked before the job began
       * that has ended here, and does not ask again. */
      worker_call_for_work (self);
    }
}

/* Wakes the workers that rest or wait for a turn, so that they serve the wishes of others. */
void
pool_wake_spares (SatinWorkers *self)
{
  guint n = pool_count_workers (self);
  for (guint i = 0; i < n; i++)
    if (has_bit (self->resting, i) || has_bit (self->wanting, i))
      self->ops->wake (&self->workers[i].park);
}
