/* dump.c - the jobs of this node, and what it waits for
 *
 * A worker in a job that does not end says nothing. So the node looks at its workers whenever it is
 * asked for its figures. When it sees a worker in the same job as the time before, the worker
 * counts as having been in this job meanwhile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "tasks/task.h"
#include "threads/sight.h"

/* A worker's job is listed when the worker was in it at two looks that are this far apart. */
#define LONG_US ((gint64)100000)

/* What a worker was last seen to do. */
typedef struct _WorkerSight
{
  Sight sight; /* its task is NULL when the worker was seen to do nothing */
  gint64 since_us;
} WorkerSight;

static void
look_at (WorkerSight *self, const Worker *worker, gint64 now_us)
{
  Sight sight;
  if (!sight_take (worker, &sight))
    self->sight.task = NULL;
  else if (self->sight.task == NULL || !sight_is_same (&self->sight, &sight))
    *self = (WorkerSight){ sight, now_us };
}

void
member_look_at_workers (SatinMembership *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  if (self->sights == NULL)
    self->sights = g_new0 (WorkerSight, self->workers->n_most);
  for (guint i = 0; i < pool_count_workers (self->workers); i++)
    look_at (&self->sights[i], &self->workers->workers[i], now_us);
}

/* Returns: the import id of the job from outside, 0 for the root job, -1 when it is not known */
static gint64
find_under (const SatinMembership *self, const Job *job)
{
  guint64 import_id = jobs_find_import_id (self->jobs, job);
  return import_id != 0 ? (gint64)import_id : job == &self->root_job ? 0 : -1;
}

static void
add_running (SatinMembership *self, SatinJobFunc add, gpointer add_data)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  member_look_at_workers (self);
  for (guint i = 0; i < pool_count_workers (self->workers); i++)
    {
      const WorkerSight *sight = &self->sights[i];
      if (sight->sight.task == NULL || now_us - sight->since_us < LONG_US)
        continue;
      g_autofree char *text = sight_describe (&sight->sight);
      const SatinJobState job = { .state = SATIN_JOB_RUNNING,
                                  .job = text,
                                  .age_us = now_us - sight->since_us,
                                  .worker = (gint32)i,
                                  .under = find_under (self, sight->sight.job) };
      add (&job, add_data);
    }
}

static void
add_root (SatinMembership *self, SatinJobFunc add, gpointer add_data)
{
  if (!self->is_root_started || SATIN_LOAD (&self->is_root_over))
    return;
  SatinSlot *slot = &self->root_job.slot;
  const SatinTask *task = self->entry->root;
  g_autofree char *text = task_describe (task, satin_slot_args (slot, task->args->size_bytes));
  const SatinJobState job = { .state = SATIN_JOB_ROOT,
                              .job = text,
                              .age_us = satin_loop_now_us (self->loop) - self->root_since_us,
                              .worker = -1 };
  add (&job, add_data);
}

/* Passes imported jobs on, after correcting their state. */
typedef struct
{
  SatinMembership *member;
  SatinJobFunc add;
  gpointer add_data;
} Passing;

static void
pass_import (const SatinJobState *import, gpointer user_data)
{
  const Passing *self = user_data;
  SatinJobState job = *import;
  /* A job that was stolen on has not begun here either, but is not queued here: another node has
   * it. */
  guint64 import_id = (guint64)import->import_id;
  if (jobs_get_begun_us (self->member->jobs, import_id) == 0
      && !steal_has_exports_under (self->member->steal, import_id))
    job.state = SATIN_JOB_QUEUED;
  self->add (&job, self->add_data);
}

static void
add_jobs (SatinJobFunc add, gpointer add_data, gpointer user_data)
{
  SatinMembership *self = user_data;
  if (self->is_over)
    return;
  Passing passing = { self, add, add_data };
  gint64 now_us = satin_loop_now_us (self->loop);
  add_root (self, add, add_data);
  add_running (self, add, add_data);
  if (self->steal == NULL)
    return;
  steal_foreach_import (self->steal, now_us, pass_import, &passing);
  steal_foreach_export (self->steal, now_us, add, add_data);
}

static void
add_waits (SatinWaitFunc add, gpointer add_data, gpointer user_data)
{
  SatinMembership *self = user_data;
  if (self->steal != NULL)
    steal_waits (self->steal, add, add_data);
  leave_waits (&self->leave, add, add_data);
}

static guint
count_busy (gpointer user_data)
{
  const SatinWorkers *workers = ((SatinMembership *)user_data)->workers;
  guint n = 0;
  for (guint i = 0; i < pool_count_workers (workers); i++)
    n += SATIN_LOAD_RELAXED (&workers->workers[i].figures.idle_since_us) == 0;
  return n;
}

const SatinInsight member_insight = { .count_busy = count_busy,
                                      .jobs = add_jobs,
                                      .waits = add_waits };
