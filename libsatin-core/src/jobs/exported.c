/* exported.c - jobs of the workers here that other nodes have
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/mistake.h>

#include "private.h"

#include <string.h>

/* Tells the owner of a slot that it is over. */
static void
settle (const Away *away, guintptr state)
{
  if (SATIN_MISTAKE ("deliver-twice"))
    pool_settle (away->owner->pool, away->slot, state, away->owner);
  pool_settle (away->owner->pool, away->slot, state, away->owner);
}

/* Other nodes have @job from here on, or are about to. */
static Away *
away_new (Jobs *self, Away job)
{
  Away *away = g_memdup2 (&job, sizeof job);
  g_hash_table_insert (self->away, away->slot, away);
  return away;
}

static void
away_free (Jobs *self, Away *away)
{
  g_hash_table_remove (self->away, away->slot);
  g_free (away);
}

gboolean
jobs_is_aborted (gpointer jobs, gpointer handle)
{
  const Away *away = handle;
  return (SATIN_LOAD (&away->slot->state) & STATE_ABORTED) != 0;
}

/* Nobody wants it. */
static void
drop (Jobs *self, Away *away, gpointer hints)
{
  hints_unref (self->pool, hints);
  if (away->visitor != NULL)
    jobs_drop_visitor (away->visitor);
  else
    settle (away, STATE_DONE);
  away_free (self, away);
}

/* @stays: no other node is to have it any more */
static void
put_back (Jobs *self, Away *away, gpointer hints, gboolean stays)
{
  if (jobs_is_aborted (self, away))
    {
      drop (self, away, hints);
      return;
    }
  if (away->visitor != NULL)
    {
      away->visitor->n_crashes = away->n_crashes;
      jobs_submit_visitor (self, away->visitor, hints);
    }
  else
    {
      Stock stock = { .slot = away->slot,
                      .task = away->task,
                      .owner = away->owner,
                      .hints = hints,
                      .n_crashes = away->n_crashes,
                      .stays = stays };
      pool_add_stock (self->pool, &stock);
      pool_need_spare (self->pool, hints);
    }
  away_free (self, away);
}

void
jobs_put_back (gpointer data, gpointer handle, gpointer hints)
{
  put_back (data, handle, hints, FALSE);
}

/* From which job of another node it descends, and how. */
void
jobs_place (gpointer jobs, gpointer handle, StealTaken *ret_taken)
{
  const Away *away = handle;
  if (away->visitor != NULL)
    {
      ret_taken->under = away->visitor->ticket;
      ret_taken->path = g_bytes_new (NULL, 0);
      return;
    }
  GByteArray *path = g_byte_array_new ();
  const Job *job = worker_find_path (away->owner, away->slot, path);
  ret_taken->under = job != NULL && job->is_remote ? ((const Visitor *)job)->ticket : 0;
  ret_taken->path = g_byte_array_free_to_bytes (path);
  if (job == NULL)
    g_clear_pointer (&ret_taken->path, g_bytes_unref);
}

/* Says so once for each task. */
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

/* Encodes the job for the way, with its hints (transfer full). Returns: FALSE when it cannot leave;
 * it was put back then, and stays */
static gboolean
pack_job (Jobs *self, Away *away, gpointer hints, StealTaken *ret_taken)
{
  const SatinTask *task = away->task;
  g_autoptr (GError) error = NULL;
  if (jobs_stays (self, away))
    {
      put_back (self, away, hints, TRUE);
      return FALSE;
    }
  away->sent_us = satin_loop_now_us (self->loop);
  g_autoptr (GBytes) args =
      jobs_encode_args (task, satin_slot_args (away->slot, task->args->size_bytes), &error);
  if (args == NULL)
    {
      satin_loop_probe (self->loop, "jobs.job-stays");
      warn_of_staying (self, task, error);
      put_back (self, away, hints, TRUE);
      return FALSE;
    }
  *ret_taken = (StealTaken){
    .handle = away, .task = task_index (task), .args = g_steal_pointer (&args), .hints = hints
  };
  jobs_place (self, away, ret_taken);
  return TRUE;
}

/* On the loop. */
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
      g_hash_table_insert (self->away, job->away->slot, job->away);
      StealTaken taken = { .handle = job->away, .hints = job->hints };
      if (self->steal == NULL)
        {
          jobs_put_back (self, job->away, job->hints);
          continue;
        }
      if (jobs_is_aborted (self, job->away))
        {
          drop (self, job->away, job->hints);
          continue;
        }
      jobs_place (self, job->away, &taken);
      steal_adopt (self->steal, &taken, job->holder, &job->loan);
    }
  g_array_unref (held);
}

/* The next job in stock, or one that is public, and its hints (transfer full) (nullable). Returns:
 * (nullable): what it is called while away */
static Away *
claim_one (Jobs *self, gboolean may_be_bound, gpointer *ret_hints)
{
  Stock stock;
  SatinWorkers *pool = self->pool;
  if (pool_take_stock (pool, STATE_REMOTE, may_be_bound ? JOBS_ALL : JOBS_UNBOUND, &stock))
    {
      Away job = {
        .slot = stock.slot, .task = stock.task, .owner = stock.owner, .n_crashes = stock.n_crashes
      };
      *ret_hints = stock.hints;
      return away_new (self, job);
    }
  for (guint i = 0; i < pool_count_workers (pool); i++)
    {
      Worker *victim = &pool->workers[(self->next_victim + i) % pool_count_workers (pool)];
      SatinSlot *slot = worker_claim_oldest (victim);
      if (slot == NULL)
        continue;
      slot_take (slot, STATE_REMOTE);
      Away job = { .slot = slot, .task = slot_task (slot)->plain, .owner = victim };
      *ret_hints = NULL;
      self->next_victim = (self->next_victim + i) % pool_count_workers (pool);
      return away_new (self, job);
    }
  return NULL;
}

/* Likewise, of those that somebody wants. */
static Away *
claim_any (Jobs *self, gboolean may_be_bound, gpointer *ret_hints)
{
  Away *away;
  while ((away = claim_one (self, may_be_bound, ret_hints)) != NULL
         && (away->task == &pool_dropped_task || jobs_is_aborted (self, away)))
    drop (self, away, *ret_hints);
  return away;
}

/* What the workers have put out. */
static guint
take_from_workers (Jobs *self, guint max, gboolean may_be_bound, StealTaken *ret_taken)
{
  guint n = 0;
  gsize n_bytes = 0;
  Away *away;
  gpointer hints;
  while (n < max && n_bytes < BATCH_MAX_BYTES
         && (away = claim_any (self, may_be_bound, &hints)) != NULL)
    {
      /* One that has to stay does not keep back those behind it. */
      if (pack_job (self, away, hints, &ret_taken[n]))
        n_bytes += g_bytes_get_size (ret_taken[n++].args);
    }
  if (n > 0 && pool_count_leaving_stock (self->pool) == 0)
    jobs_ask_all (self); /* so that the next request is answered at once */
  return n;
}

/* Half of the other nodes' jobs that no worker here has begun, but for @n_kept. */
static guint
take_from_inbox (Jobs *self, guint max, guint n_kept, gboolean may_be_bound, StealTaken *ret_taken)
{
  int n_spare =
      SATIN_LOAD_RELAXED (&self->pool->n_inbox) - pool_count_idle (self->pool) - (int)n_kept;
  guint n = 0;
  gsize n_bytes = 0;
  for (int i = 0; i < n_spare && n < max && n_bytes < BATCH_MAX_BYTES; i += 2)
    {
      Job *job = pool_next_job (self->pool, may_be_bound ? JOBS_ALL : JOBS_UNBOUND);
      if (job == NULL)
        break;
      if (!job->is_remote)
        {
          pool_submit (self->pool, job);
          break;
        }
      const Away passed_on = { .slot = &job->slot,
                               .task = slot_task (&job->slot),
                               .visitor = (Visitor *)job,
                               .n_crashes = ((Visitor *)job)->n_crashes };
      Away *away = away_new (self, passed_on);
      if (!pack_job (self, away, g_steal_pointer (&job->hints), &ret_taken[n]))
        break;
      n_bytes += g_bytes_get_size (ret_taken[n++].args);
    }
  return n;
}

guint
jobs_take (gpointer data, guint max, guint n_kept, gboolean may_be_bound, StealTaken *ret_taken)
{
  Jobs *self = data;
  guint n = take_from_inbox (self, max, n_kept, may_be_bound, ret_taken);
  return n > 0 ? n : take_from_workers (self, max, may_be_bound, ret_taken);
}

gboolean
jobs_finish (gpointer data, gpointer handle, const StealOutcome *outcome)
{
  Jobs *self = data;
  Away *away = handle;
  SatinSlot *slot = away->slot;
  jobs_note_shipped (self, away, outcome);
  if (away->visitor != NULL)
    {
      /* Not ours either: the result goes on as it is. */
      if (self->steal != NULL)
        steal_finished (self->steal, away->visitor->ticket, outcome);
      visitor_free (away->visitor);
      away_free (self, away);
      return TRUE;
    }
  if (outcome->status == STEAL_FAILED)
    {
      GQuark domain = outcome->domain != 0 ? outcome->domain : SATIN_ERROR;
      const char *message = outcome->message != NULL ? outcome->message : "a job failed";
      slot_set_error (slot, g_error_new_literal (domain, outcome->code, message));
      settle (away, STATE_FAILED);
      away_free (self, away);
      return TRUE;
    }
  const SatinTask *task = away->task;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (outcome->result, &n_bytes);
  g_autofree gpointer decoded = g_malloc0 (MAX (task->result->size_bytes, 1));
  if (!satin_record_decode (task->result, bytes, n_bytes, decoded, NULL))
    {
      put_back (self, away, NULL, TRUE);
      return FALSE;
    }
  gpointer result = task->is_typed ? (gpointer)slot->args : slot->result;
  if (result != NULL)
    memcpy (result, decoded, task->result->size_bytes);
  SATIN_ADD (&self->pool->n_elsewhere, 1);
  settle (away, STATE_DONE);
  away_free (self, away);
  return TRUE;
}

guint
jobs_note_crash (gpointer data, gpointer handle)
{
  Away *away = handle;
  return ++away->n_crashes;
}

char *
jobs_describe (gpointer data, gpointer handle)
{
  const Away *away = handle;
  return task_describe (away->task, satin_slot_args (away->slot, away->task->args->size_bytes));
}

GBytes *
jobs_encode (gpointer data, gpointer handle, int *ret_task)
{
  const Away *away = handle;
  const SatinRecord *args = away->task->args;
  *ret_task = task_index (away->task);
  return satin_record_to_bytes (args, satin_slot_args (away->slot, args->size_bytes));
}
