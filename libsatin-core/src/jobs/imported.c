/* imported.c - jobs of other nodes, on the workers here
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* How long results wait while more imported jobs wait for a worker here, so that several results
 * travel together. */
#define GATHER_US ((gint64)2000)
/* How often the loop checks whether jobs with hints wait while no worker is free for them. */
#define STUCK_US ((gint64)20000)

void
imported_free (ImportedJob *self)
{
  if (self->newer != NULL)
    self->newer->older = self->older;
  else
    self->jobs->imported_jobs = self->older;
  if (self->older != NULL)
    self->older->newer = self->newer;
  g_hash_table_remove (self->jobs->import_ids, &self->import_id);
  hints_unref (self->jobs->pool, self->job.hints);
  satin_record_clear (slot_task (&self->job.slot)->args, slot_arguments (&self->job.slot));
  g_clear_pointer (&self->encoded, g_bytes_unref);
  g_clear_error (&self->error);
  g_free (self);
}

/* Gives up the hints of a job that goes back to its owner. */
static void
give_hints_back (SatinWorkers *pool, gpointer hints)
{
  if (hints == NULL)
    return;
  pool->recovery_ops->tell (hints, SATIN_AGAIN_GIVEN_BACK, 0);
  pool->recovery_ops->unref (hints);
}

void
imported_give_back (ImportedJob *self)
{
  give_hints_back (self->jobs->pool, g_steal_pointer (&self->job.hints));
  imported_free (self);
}

guint64
jobs_get_import_id (const Job *job)
{
  return ((const ImportedJob *)job)->import_id;
}

guint64
jobs_find_import_id (const Jobs *self, const Job *job)
{
  const ImportedJob *imported = self->imported_jobs;
  while (imported != NULL && &imported->job != job)
    imported = imported->older;
  return imported != NULL ? imported->import_id : 0;
}

gint64
jobs_get_begun_us (const Jobs *self, guint64 import_id)
{
  const ImportedJob *imported = g_hash_table_lookup (self->import_ids, &import_id);
  return imported != NULL ? SATIN_LOAD_RELAXED (&imported->begun_us) : 0;
}

static void free_stuck (gpointer data);

/* Queues the job for the workers. */
void
jobs_submit_imported (Jobs *self, ImportedJob *imported, gpointer hints)
{
  imported->job.hints = hints;
  if (hints_are_bound (self->pool, hints) && self->stuck_timer == 0 && self->steal != NULL)
    self->stuck_timer = satin_loop_timer_add (self->loop, STUCK_US, free_stuck, self);
  pool_submit (self->pool, &imported->job);
  pool_need_spare (self->pool, hints);
}

/* Returns a job with hints to its owner, which can run it in its spawner's sync. Here the job must
 * wait until a worker runs nothing, but the jobs that the workers run may be long, or may even wait
 * for this job. An orphan stays here, because it has no owner unless a node adopts it. */
static void
move_stuck (Jobs *self, ImportedJob *imported)
{
  gpointer hints = imported->has_come_with_hints ? NULL : imported->job.hints;
  if (self->steal != NULL && steal_return_import (self->steal, imported->import_id, hints))
    {
      imported_give_back (imported);
      return;
    }
  jobs_submit_imported (self, imported, g_steal_pointer (&imported->job.hints));
}

static void
free_stuck (gpointer data)
{
  Jobs *self = data;
  SatinWorkers *pool = self->pool;
  self->stuck_timer = 0;
  gboolean is_busy = SATIN_LOAD_RELAXED (&pool->n_free) == 0 && !pool_may_begin_bound (pool);
  for (int n = SATIN_LOAD_RELAXED (&pool->n_inbox_bound); is_busy && n > 0; n--)
    {
      ImportedJob *imported = (ImportedJob *)pool_next_bound_job (pool);
      if (imported != NULL)
        move_stuck (self, imported);
    }
  if (SATIN_LOAD_RELAXED (&pool->n_inbox_bound) > 0 && self->stuck_timer == 0)
    self->stuck_timer = satin_loop_timer_add (self->loop, STUCK_US, free_stuck, self);
}

/* Reports the end of an imported job to stealing. */
static void
imported_over (ImportedJob *self)
{
  StealOutcome outcome = {
    .status = STEAL_OK,
    .result = self->encoded,
    .code = SATIN_ERROR_JOB,
    .ran_us = self->job.ran_us,
  };
  if (self->error != NULL)
    steal_outcome_set_error (&outcome, self->error);
  if (self->jobs->steal != NULL)
    steal_finished (self->jobs->steal, self->import_id, &outcome);
  imported_free (self);
}

/* On the loop. */
static void
tell_over (gpointer data)
{
  Jobs *self = data;
  satin_loop_timer_cancel (self->loop, &self->gather_timer);
  g_autoptr (GPtrArray) fresh = g_ptr_array_new ();
  pthread_mutex_lock (&self->lock);
  GPtrArray *over = self->over;
  self->over = g_steal_pointer (&fresh);
  self->is_gathering = FALSE;
  pthread_mutex_unlock (&self->lock);
  for (guint i = 0; i < over->len; i++)
    imported_over (g_ptr_array_index (over, i));
  g_ptr_array_unref (over);
}

static void
gather_over (gpointer data)
{
  Jobs *self = data;
  self->gather_timer = 0;
  tell_over (self);
}

/* On the loop: waits a little, because more jobs may end soon. */
static void
begin_gathering (gpointer data)
{
  Jobs *self = data;
  if (self->gather_timer == 0)
    self->gather_timer = satin_loop_timer_add (self->loop, GATHER_US, gather_over, self);
}

/* On the worker: the loop reports the result at once if no imported job waits here, else a little
 * later. */
static void
add_over (Jobs *self, ImportedJob *imported)
{
  gboolean is_last = SATIN_LOAD_RELAXED (&self->pool->n_inbox) == 0;
  pthread_mutex_lock (&self->lock);
  g_ptr_array_add (self->over, imported);
  gboolean was_gathering = self->is_gathering;
  self->is_gathering = TRUE;
  pthread_mutex_unlock (&self->lock);
  if (is_last)
    satin_loop_post (self->loop, tell_over, self);
  else if (!was_gathering)
    satin_loop_post (self->loop, begin_gathering, self);
}

/* On the worker. */
static void
imported_begin (Job *job)
{
  ImportedJob *self = (ImportedJob *)job;
  Jobs *jobs = self->jobs;
  gint64 now_us = jobs->pool->ops->now_us ();
  SATIN_STORE_RELAXED (&self->begun_us, MAX (now_us, 1));
  if (SATIN_LOAD_RELAXED (&jobs->pool->n_inbox) > 0
      || SATIN_LOAD_RELAXED (&jobs->mean_us) > SHORT_US)
    return;
  SATIN_STORE_RELAXED (&jobs->is_dry, 1);
  jobs_call_for_work (jobs);
}

/* Workers may overwrite each other's value: it is only an estimate. */
static void
note_duration (Jobs *self, gint64 duration_us)
{
  gint64 mean_us = SATIN_LOAD_RELAXED (&self->mean_us);
  SATIN_STORE_RELAXED (&self->mean_us, (7 * mean_us + duration_us) / 8);
}

/* Adds the job's name to @error, which says why its owner could not read the result. */
static void
refuse_result (ImportedJob *self, GError **error)
{
  const SatinTask *task = slot_task (&self->job.slot);
  g_autofree char *job = task_describe (task, slot_arguments (&self->job.slot));
  g_prefix_error (error, "%s: its result cannot leave the node that ran the job: ", job);
}

/* On the worker, right after the job. The result is encoded here, to spare the loop. */
static void
imported_done (Job *job, GError *error)
{
  ImportedJob *self = (ImportedJob *)job;
  const SatinTask *task = slot_task (&job->slot);
  gint64 took_us = self->jobs->pool->ops->now_us () - self->begun_us;
  note_duration (self->jobs, took_us);
  if (error == NULL)
    {
      pool_note_sample (self->jobs->pool, task, slot_arguments (&job->slot), took_us);
      self->encoded = jobs_encode_result (task, job->slot.result, &error);
      satin_record_clear (task->result, job->slot.result);
      if (error != NULL)
        refuse_result (self, &error);
    }
  self->error = error;
  add_over (self->jobs, self);
}

/* Returns: a job whose arguments must still be filled in */
static ImportedJob *
imported_new (Jobs *jobs, const SatinTask *task, guint64 import_id)
{
  gsize result_bytes = (task->result->size_bytes + 15) & ~(gsize)15;
  gsize args_bytes = task->args->size_bytes;
  gboolean is_in_slot = args_bytes <= SATIN_SLOT_ARGS_BYTES;
  ImportedJob *self =
      g_malloc0 (sizeof (ImportedJob) + result_bytes + (is_in_slot ? 0 : args_bytes));
  SatinSlot *slot = &self->job.slot;
  slot->task = (guintptr)task;
  slot->result = self + 1;
  if (!is_in_slot)
    slot->args[0] = (guintptr)(self + 1) + result_bytes;
  self->job.is_remote = TRUE;
  self->job.begin = imported_begin;
  self->job.done = imported_done;
  self->jobs = jobs;
  self->import_id = import_id;
  self->older = jobs->imported_jobs;
  if (self->older != NULL)
    self->older->newer = self;
  jobs->imported_jobs = self;
  g_hash_table_replace (jobs->import_ids, &self->import_id, self);
  return self;
}

gboolean
jobs_give (gpointer data, int task_number, GBytes *args, guint64 import_id, gpointer hints)
{
  Jobs *self = data;
  const SatinTask *task = task_number >= 0 ? task_at (task_number) : NULL;
  if (task == NULL)
    {
      give_hints_back (self->pool, hints);
      return FALSE;
    }
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (args, &n_bytes);
  ImportedJob *imported = imported_new (self, task, import_id);
  imported->job.hints = hints;
  imported->has_come_with_hints = hints != NULL;
  if (!satin_record_decode (task->args, bytes, n_bytes, slot_arguments (&imported->job.slot), NULL))
    {
      imported_give_back (imported);
      return FALSE;
    }
  SATIN_STORE_RELAXED (&self->is_dry, 0);
  jobs_admit_imported (self, imported, g_steal_pointer (&imported->job.hints));
  return TRUE;
}

/* Ends an aborted job that no worker has. */
void
jobs_drop_imported (ImportedJob *self)
{
  g_clear_error (&self->error);
  self->error =
      g_error_new_literal (SATIN_ERROR, SATIN_ERROR_ABORTED, "nobody wants the result any more");
  imported_over (self);
}

/* Ends the job if no worker has begun it; else sets the flag in its slot. If the job was stolen on,
 * the flag is enough: steal_drop_under() finds the job and tells the thief. */
void
jobs_abort (gpointer data, guint64 import_id)
{
  Jobs *self = data;
  ImportedJob *imported = g_hash_table_lookup (self->import_ids, &import_id);
  if (imported == NULL)
    return;
  if (jobs_take_waiting (self, imported) || pool_abort_job (self->pool, &imported->job))
    jobs_drop_imported (imported);
}

/* The root job stays, because it has no owner. */
void
jobs_give_back (gpointer data, void (*func) (guint64 import_id, gpointer user_data),
                gpointer user_data)
{
  Jobs *self = data;
  jobs_drop_waiting (self, func, user_data);
  for (int n = SATIN_LOAD_RELAXED (&self->pool->n_inbox); n > 0; n--)
    {
      Job *job = pool_next_job (self->pool, JOBS_ALL);
      if (job == NULL)
        break;
      if (!job->is_remote)
        {
          pool_submit (self->pool, job);
          continue;
        }
      ImportedJob *imported = (ImportedJob *)job;
      func (imported->import_id, user_data);
      imported_give_back (imported);
    }
}
