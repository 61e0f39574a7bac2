/* inbox.c - jobs from outside: root jobs, and imported jobs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

static gboolean
is_root_job (const Job *job)
{
  return job->is_bound && !job->is_remote;
}

/* Adds @n to the counts that include @job. Call it with the lock held. */
static void
count_job (SatinWorkers *self, const Job *job, int n)
{
  SATIN_ADD (&self->n_inbox, n);
  if (job->is_bound)
    SATIN_ADD (&self->n_inbox_bound, n);
  if (is_root_job (job))
    SATIN_ADD (&self->n_inbox_roots, n);
}

/* Queues a job from outside and wakes a worker for it. A root job that runs again comes first,
 * because it may show that the other jobs are not needed. Threads: any. */
void
pool_submit (SatinWorkers *self, Job *job)
{
  job->is_bound = hints_are_bound (self, job->hints);
  pthread_mutex_lock (&self->lock);
  gboolean is_first = self->inbox == NULL || is_root_job (job);
  gboolean is_last = self->inbox == NULL || !is_first;
  job->next = is_first ? self->inbox : NULL;
  *(is_first ? &self->inbox : &self->inbox_last->next) = job;
  if (is_last)
    self->inbox_last = job;
  count_job (self, job, 1);
  pthread_mutex_unlock (&self->lock);
  pool_wake_one (self);
}

/* Takes the oldest job out for which @may_be is true, or only the job @wanted (nullable). Returns:
 * (nullable) */
static Job *
next_job (SatinWorkers *self, gboolean (*may_be) (const Job *job), const Job *wanted)
{
  pthread_mutex_lock (&self->lock);
  Job *before = NULL;
  Job *job = self->inbox;
  while (job != NULL && (!may_be (job) || (wanted != NULL && job != wanted)))
    {
      before = job;
      job = job->next;
    }
  if (job != NULL)
    {
      *(before != NULL ? &before->next : &self->inbox) = job->next;
      if (self->inbox_last == job)
        self->inbox_last = before;
      count_job (self, job, -1);
    }
  pthread_mutex_unlock (&self->lock);
  return job;
}

static gboolean
is_any_job (const Job *job)
{
  return TRUE;
}

static gboolean
is_plain_job (const Job *job)
{
  return !job->is_bound;
}

static gboolean
is_bound_job (const Job *job)
{
  return job->is_bound;
}

static gboolean
is_bound_imported (const Job *job)
{
  return job->is_bound && job->is_remote;
}

/* Takes the oldest job of @kind out, or returns %NULL. Threads: any. */
Job *
pool_next_job (SatinWorkers *self, JobsKind kind)
{
  static gboolean (*const may_be[]) (const Job *job) = {
    [JOBS_UNBOUND] = is_plain_job,
    [JOBS_ALL] = is_any_job,
    [JOBS_BOUND] = is_bound_job,
    [JOBS_ROOT] = is_root_job,
  };
  return next_job (self, may_be[kind], NULL);
}

/* Takes the oldest bound imported job out, or returns %NULL. Threads: any. */
Job *
pool_next_bound_job (SatinWorkers *self)
{
  return next_job (self, is_bound_imported, NULL);
}

/* Takes @job out. Threads: any. Returns: FALSE when a worker has begun it */
gboolean
pool_remove_job (SatinWorkers *self, const Job *job)
{
  return next_job (self, is_any_job, job) != NULL;
}

/* Aborts @job. Threads: any. Returns: whether no worker had begun it, so done() will not be
 * called */
gboolean
pool_abort_job (SatinWorkers *self, Job *job)
{
  SATIN_OR (&job->slot.state, STATE_ABORTED);
  if (pool_remove_job (self, job))
    return TRUE;
  for (guint i = 0; i < pool_count_workers (self); i++)
    {
      worker_ask (&self->workers[i], WANT_ABORT);
      pool_wake_worker (self, i);
    }
  return FALSE;
}
