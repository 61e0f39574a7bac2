/* exported.c - jobs of this node that other nodes have
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#include "private.h"

#include <string.h>

/* Sets the final state of the job's slot, and so tells the worker that waits for it. */
static void
settle (const ExportedJob *exported, guintptr state)
{
  SATIN_INJECT_BUG ("deliver-twice",
                    pool_settle (exported->owner->pool, exported->slot, state, exported->owner));
  pool_settle (exported->owner->pool, exported->slot, state, exported->owner);
}

/* Records that another node has @job, or is about to get it. */
static ExportedJob *
exported_new (Jobs *self, ExportedJob job)
{
  ExportedJob *exported = g_memdup2 (&job, sizeof job);
  g_hash_table_insert (self->exported, exported->slot, exported);
  return exported;
}

static void
exported_free (Jobs *self, ExportedJob *exported)
{
  jobs_forget_progress (self, exported);
  g_hash_table_remove (self->exported, exported->slot);
  g_free (exported);
}

gboolean
jobs_is_aborted (gpointer jobs, gpointer handle)
{
  const ExportedJob *exported = handle;
  return (SATIN_LOAD (&exported->slot->state) & STATE_ABORTED) != 0;
}

/* Frees an aborted job. */
static void
drop (Jobs *self, ExportedJob *exported, gpointer hints)
{
  hints_unref (self->pool, hints);
  if (exported->imported != NULL)
    jobs_drop_imported (exported->imported);
  else
    settle (exported, STATE_DONE);
  exported_free (self, exported);
}

/* Queues the job here again, or frees it if it was aborted. @stays: whether a job of this node must
 * not leave the node again; an imported job may */
static void
put_back (Jobs *self, ExportedJob *exported, gpointer hints, gboolean stays)
{
  if (jobs_is_aborted (self, exported))
    {
      drop (self, exported, hints);
      return;
    }
  if (exported->imported != NULL)
    {
      exported->imported->n_crashes = exported->n_crashes;
      jobs_submit_imported (self, exported->imported, hints);
    }
  else
    {
      QueuedExport queued = { .slot = exported->slot,
                              .task = exported->task,
                              .owner = exported->owner,
                              .base = exported->base,
                              .hints = hints,
                              .n_crashes = exported->n_crashes,
                              .stays = stays };
      pool_add_queued (self->pool, &queued);
      pool_need_spare (self->pool, hints);
    }
  exported_free (self, exported);
}

void
jobs_put_back (gpointer data, gpointer handle, gpointer hints)
{
  put_back (data, handle, hints, FALSE);
}

/* Finds the imported job from which this job descends, or which it is, and the path from that
 * imported job to this job. */
void
jobs_place (gpointer jobs, gpointer handle, StealTaken *ret_taken)
{
  const ExportedJob *exported = handle;
  if (exported->imported != NULL)
    {
      ret_taken->under = exported->imported->import_id;
      ret_taken->path = g_bytes_new (NULL, 0);
      return;
    }
  GByteArray *path = g_byte_array_new ();
  const Job *job = worker_find_path (exported->owner, exported->slot, exported->base, path);
  ret_taken->under = job != NULL && job->is_remote ? ((const ImportedJob *)job)->import_id : 0;
  ret_taken->path = g_byte_array_free_to_bytes (path);
  if (job == NULL)
    g_clear_pointer (&ret_taken->path, g_bytes_unref);
}

/* Warns that jobs of the task stay on this node, once for each task. */
static void
warn_of_staying (Jobs *self, const SatinTask *task, const GError *error)
{
  if (self->staying_tasks == NULL)
    self->staying_tasks = g_hash_table_new (g_str_hash, g_str_equal);
  if (!g_hash_table_add (self->staying_tasks, (gpointer)task->name))
    return;
  g_warning ("jobs of task %s stay on this node, as others could not read their arguments: %s",
             task->name, error->message);
}

/* Encodes the job for its thief. @hints: (transfer full). Returns: %JOB_MAY_LEAVE; otherwise the
 * job was put back */
static JobLeaving
pack_job (Jobs *self, ExportedJob *exported, gpointer hints, const char *cluster,
          StealTaken *ret_taken)
{
  const SatinTask *task = exported->task;
  g_autoptr (GError) error = NULL;
  JobLeaving leaving = jobs_may_leave (self, exported, cluster);
  if (leaving != JOB_MAY_LEAVE)
    {
      put_back (self, exported, hints, leaving == JOB_STAYS);
      return leaving;
    }
  exported->sent_us = satin_loop_now_us (self->loop);
  g_autoptr (GBytes) args =
      jobs_encode_args (task, satin_slot_args (exported->slot, task->args->size_bytes), &error);
  if (args == NULL)
    {
      satin_loop_probe (self->loop, "jobs.job-stays");
      warn_of_staying (self, task, error);
      put_back (self, exported, hints, TRUE);
      return JOB_STAYS;
    }
  *ret_taken = (StealTaken){
    .handle = exported, .task = task_index (task), .args = g_steal_pointer (&args), .hints = hints
  };
  jobs_place (self, exported, ret_taken);
  return JOB_MAY_LEAVE;
}

/* On the loop: adopts the jobs that hints found on other nodes. */
void
jobs_adopt_held (gpointer data)
{
  Jobs *self = data;
  g_autoptr (GArray) fresh = g_array_new (FALSE, FALSE, sizeof (HeldElsewhere));
  pthread_mutex_lock (&self->lock);
  GArray *held = self->held;
  self->held = g_steal_pointer (&fresh);
  pthread_mutex_unlock (&self->lock);
  for (guint i = 0; i < held->len; i++)
    {
      const HeldElsewhere *job = &g_array_index (held, HeldElsewhere, i);
      g_hash_table_insert (self->exported, job->exported->slot, job->exported);
      StealTaken taken = { .handle = job->exported, .hints = job->hints };
      if (self->steal == NULL)
        {
          jobs_put_back (self, job->exported, job->hints);
          continue;
        }
      if (jobs_is_aborted (self, job->exported))
        {
          drop (self, job->exported, job->hints);
          continue;
        }
      jobs_place (self, job->exported, &taken);
      steal_adopt (self->steal, &taken, job->holder, &job->ref);
    }
  g_array_unref (held);
}

/* Claims the next job of the export queue, or a public job. @ret_hints: (out) (transfer full)
 * (nullable). Returns: (nullable) */
static ExportedJob *
claim_one (Jobs *self, gboolean may_be_bound, gpointer *ret_hints)
{
  QueuedExport queued;
  SatinWorkers *pool = self->pool;
  if (pool_take_queued (pool, STATE_REMOTE, may_be_bound ? JOBS_ALL : JOBS_UNBOUND, &queued))
    {
      ExportedJob job = { .slot = queued.slot,
                          .task = queued.task,
                          .owner = queued.owner,
                          .base = queued.base,
                          .n_crashes = queued.n_crashes };
      *ret_hints = queued.hints;
      return exported_new (self, job);
    }
  for (guint i = 0; i < pool_count_workers (pool); i++)
    {
      Worker *victim = &pool->workers[(self->next_victim + i) % pool_count_workers (pool)];
      SatinSlot *slot = worker_claim_oldest (victim);
      if (slot == NULL)
        continue;
      slot_take (slot, STATE_REMOTE);
      ExportedJob job = { .slot = slot, .task = slot_task (slot)->plain, .owner = victim };
      *ret_hints = NULL;
      self->next_victim = (self->next_victim + i) % pool_count_workers (pool);
      return exported_new (self, job);
    }
  return NULL;
}

/* Like claim_one(), but frees aborted jobs on the way. */
static ExportedJob *
claim_any (Jobs *self, gboolean may_be_bound, gpointer *ret_hints)
{
  ExportedJob *exported;
  while ((exported = claim_one (self, may_be_bound, ret_hints)) != NULL
         && (exported->task == &pool_dropped_task || jobs_is_aborted (self, exported)))
    drop (self, exported, *ret_hints);
  return exported;
}

/* Takes jobs that the workers have put out. If one is kept, does not look further: it would find
 * the same jobs again. */
static guint
take_from_workers (Jobs *self, const StealDemand *demand, StealTaken *ret_taken,
                   gboolean *ret_is_kept)
{
  guint n = 0;
  gsize n_bytes = 0;
  ExportedJob *exported;
  gpointer hints;
  while (n < demand->max && n_bytes < BATCH_MAX_BYTES && !*ret_is_kept
         && (exported = claim_any (self, demand->may_be_bound, &hints)) != NULL)
    {
      /* If a job must stay, the jobs behind it may leave all the same. */
      JobLeaving leaving = pack_job (self, exported, hints, demand->cluster, &ret_taken[n]);
      if (leaving == JOB_MAY_LEAVE)
        n_bytes += g_bytes_get_size (ret_taken[n++].args);
      *ret_is_kept = leaving == JOB_IS_KEPT;
    }
  if (n > 0 && pool_count_leaving_queued (self->pool) == 0)
    jobs_ask_all (self); /* so that the next request finds jobs at once */
  return n;
}

/* Takes half of the imported jobs that wait here, not counting one for each idle worker and n_kept
 * more, which stay. */
static guint
take_from_inbox (Jobs *self, const StealDemand *demand, StealTaken *ret_taken,
                 gboolean *ret_is_kept)
{
  int n_spare = SATIN_LOAD_RELAXED (&self->pool->n_inbox) - pool_count_idle (self->pool)
                - (int)demand->n_kept;
  guint n = 0;
  gsize n_bytes = 0;
  for (int i = 0; i < n_spare && n < demand->max && n_bytes < BATCH_MAX_BYTES; i += 2)
    {
      Job *job = pool_next_job (self->pool, demand->may_be_bound ? JOBS_ALL : JOBS_UNBOUND);
      if (job == NULL)
        break;
      if (!job->is_remote)
        {
          pool_submit (self->pool, job);
          break;
        }
      const ExportedJob passed_on = { .slot = &job->slot,
                                      .task = slot_task (&job->slot),
                                      .imported = (ImportedJob *)job,
                                      .n_crashes = ((ImportedJob *)job)->n_crashes };
      ExportedJob *exported = exported_new (self, passed_on);
      JobLeaving leaving =
          pack_job (self, exported, g_steal_pointer (&job->hints), demand->cluster, &ret_taken[n]);
      *ret_is_kept |= leaving == JOB_IS_KEPT;
      if (leaving != JOB_MAY_LEAVE)
        break;
      n_bytes += g_bytes_get_size (ret_taken[n++].args);
    }
  return n;
}

guint
jobs_take (gpointer data, const StealDemand *demand, StealTaken *ret_taken, gboolean *ret_is_kept)
{
  Jobs *self = data;
  StealDemand limited = *demand;
  gboolean is_kept = FALSE;
  if (SATIN_LOAD_RELAXED (&self->pool->has_aborted))
    limited.max = MIN (demand->max, BATCH_MAX_SPECULATIVE);
  *ret_is_kept = FALSE;
  jobs_expect_way (self, demand->cluster);
  guint n = take_from_inbox (self, &limited, ret_taken, ret_is_kept);
  if (n == 0)
    n = take_from_workers (self, &limited, ret_taken, &is_kept);
  *ret_is_kept |= is_kept;
  return n;
}

gboolean
jobs_finish (gpointer data, gpointer handle, const StealOutcome *outcome)
{
  Jobs *self = data;
  ExportedJob *exported = handle;
  SatinSlot *slot = exported->slot;
  jobs_note_shipped (self, exported, outcome);
  if (exported->imported != NULL)
    {
      /* The imported job was stolen on: its result goes on to its owner unread. */
      if (self->steal != NULL)
        steal_finished (self->steal, exported->imported->import_id, outcome);
      imported_free (exported->imported);
      exported_free (self, exported);
      return TRUE;
    }
  if (outcome->status == STEAL_FAILED)
    {
      GQuark domain = outcome->domain != 0 ? outcome->domain : SATIN_ERROR;
      const char *message = outcome->message != NULL ? outcome->message : "a job failed";
      slot_set_error (slot, g_error_new_literal (domain, outcome->code, message));
      settle (exported, STATE_FAILED);
      exported_free (self, exported);
      return TRUE;
    }
  const SatinTask *task = exported->task;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (outcome->result, &n_bytes);
  g_autofree gpointer decoded = g_malloc0 (MAX (task->result->size_bytes, 1));
  if (!satin_record_decode (task->result, bytes, n_bytes, decoded, NULL))
    {
      put_back (self, exported, NULL, TRUE);
      return FALSE;
    }
  gpointer result = task->is_typed ? (gpointer)slot->args : slot->result;
  if (result != NULL)
    memcpy (result, decoded, task->result->size_bytes);
  SATIN_ADD (&self->pool->n_elsewhere, 1);
  settle (exported, STATE_DONE);
  exported_free (self, exported);
  return TRUE;
}

guint
jobs_note_crash (gpointer data, gpointer handle)
{
  ExportedJob *exported = handle;
  return ++exported->n_crashes;
}

char *
jobs_describe (gpointer data, gpointer handle)
{
  const ExportedJob *exported = handle;
  return task_describe (exported->task,
                        satin_slot_args (exported->slot, exported->task->args->size_bytes));
}

GBytes *
jobs_encode (gpointer data, gpointer handle, int *ret_task)
{
  const ExportedJob *exported = handle;
  const SatinRecord *args = exported->task->args;
  *ret_task = task_index (exported->task);
  return satin_record_to_bytes (args, satin_slot_args (exported->slot, args->size_bytes));
}
