/* sleep.c - a worker without work: how long it looks for work, and how it sleeps
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

#define SLEEP_MAX_US ((gint64)250000)

/* How long a worker that had work looks for more before it sleeps. It yields its core after each
 * try. Waking takes as long as a steal from another node. If several workers are woken at once,
 * some may share a core for milliseconds while other cores are idle. */
#define PATIENCE_US ((gint64)50000)
/* If it takes longer than this until a worker gets its core back, another process needs the
 * core. */
#define CROWDED_US ((gint64)1000)

void
worker_idle_begin (Worker *self)
{
  SatinWorkers *pool = self->pool;
  gint64 now_us = pool->ops->now_us ();
  SATIN_STORE_RELAXED (&self->figures.idle_since_us, MAX (now_us, 1)); /* 0 means busy */
  worker_give_turn (self);
}

/* Tells stealing between nodes that this worker found no work here. */
void
worker_call_for_work (Worker *self)
{
  const PoolOutside *outside = SATIN_LOAD (&self->pool->outside);
  if (outside != NULL)
    outside->hungry (outside->user_data);
}

void
worker_idle_end (Worker *self, SatinSlot *head)
{
  worker_take_turn (self, head);
  gint64 idle_us = self->pool->ops->now_us () - self->figures.idle_since_us;
  SATIN_STORE_RELAXED (&self->figures.idle_us, self->figures.idle_us + MAX (idle_us, 0));
  SATIN_STORE_RELAXED (&self->figures.idle_since_us, (gint64)0);
  self->aside_us += MAX (idle_us, 0);
}

static gboolean
is_settled (const guintptr *state)
{
  guintptr word = SATIN_LOAD (state) & ~(guintptr)STATE_FLAGS;
  return word == STATE_DONE || word == STATE_FAILED || word == STATE_QUEUED_EXPORT;
}

/* Whether the inbox has a job that may run on top of a waiting frame. */
static gboolean
has_plain_job (SatinWorkers *pool)
{
  return SATIN_LOAD (&pool->n_inbox) > SATIN_LOAD (&pool->n_inbox_bound);
}

static gboolean
has_reason_to_wake (Worker *self, const guintptr *state)
{
  SatinWorkers *pool = self->pool;
  return (state != NULL && is_settled (state)) || SATIN_LOAD (&pool->is_stopping)
         || (worker_may_begin (self)
             && ((state == NULL && SATIN_LOAD (&pool->n_inbox) > 0)
                 || (has_plain_job (pool) && worker_may_nest (self))))
         || (SATIN_LOAD_RELAXED (&self->want) & (WANT_WALK | WANT_INLET | WANT_ABORT));
}

static void
ask_all_others (Worker *self)
{
  for (guint i = 0; i < pool_count_workers (self->pool); i++)
    if (i != self->index)
      worker_ask (&self->pool->workers[i], WANT_WORK);
}

/**
 * worker_sleep:
 * @state: (nullable): a slot's state; the worker also wakes when the slot's job has ended or came
 *   back
 *
 * Asks all other workers for work, and sleeps until woken, at most 250 ms. If the stack has no room
 * for another job, asks nobody: only @state and wishes wake the worker. Else two such workers would
 * wake each other without end, because each has jobs that the other cannot run.
 */
void
worker_sleep (Worker *self, const guintptr *state)
{
  SatinWorkers *pool = self->pool;
  gboolean wants_work = worker_may_nest (self);
  SATIN_STORE_RELAXED (&self->park, 0);
  if (wants_work)
    SATIN_ADD (&pool->n_asleep, 1);
  SATIN_OR (&(wants_work ? pool->asleep : pool->parked)[self->index / 64],
            (guint64)1 << self->index % 64);
  /* Pairs with pool_wake_one(): whoever adds a job that this worker does not see below sees that
   * this worker sleeps. */
  satin_fence ();
  if (wants_work)
    ask_all_others (self);
  if (!has_reason_to_wake (self, state))
    pool->ops->wait (&self->park, SLEEP_MAX_US);
  pool_end_sleep (pool, self->index);
}

/**
 * worker_is_patient:
 * @patience: all 0 when the worker last had work
 * @n_tries: fruitless tries since then
 *
 * Returns: whether to go on looking for work; FALSE: to sleep
 */
gboolean
worker_is_patient (Worker *self, Patience *patience, guint n_tries)
{
  const SatinThreadOps *ops = self->pool->ops;
  if (patience->is_over || n_tries >= ops->max_tries)
    return FALSE;
  gint64 now_us = ops->now_us ();
  if (patience->until_us == 0)
    patience->until_us = now_us + PATIENCE_US;
  else if (now_us >= patience->until_us || now_us - patience->looked_us > CROWDED_US)
    patience->is_over = TRUE;
  patience->looked_us = now_us;
  return !patience->is_over;
}
