/* jobs.c - taking jobs out of the workers' deques and giving them others'
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs.h"
#include "task.h"

#include <string.h>

struct _Jobs
{
  SatinWorkers *pool;      /* (borrowed) */
  SatinLoop *loop;         /* (borrowed) */
  Steal *steal;            /* (borrowed) NULL until connected; loop's thread */
  guint next_victim;       /* loop's thread */
  int is_hungry_posted;    /* atomic */
  int is_published_posted; /* atomic */
};

/* A slot that another node has. */
typedef struct
{
  SatinSlot *slot;
  Worker *owner;
} Away;

/* Another node's job. */
typedef struct
{
  Job job;
  Jobs *jobs;
  guint64 ticket;
  gpointer args;   /* (owned) as task->args describes */
  gpointer result; /* (owned) as task->result describes */
  /* filled in by the worker at the end */
  StealStatus status;
  GBytes *encoded; /* (owned) (nullable) */
  GError *error;   /* (owned) (nullable) */
} Visitor;

static void
post_hungry (gpointer data)
{
  Jobs *self = data;
  SATIN_EXCHANGE (&self->is_hungry_posted, 0);
  if (self->steal != NULL)
    steal_hungry (self->steal);
}

static void
post_published (gpointer data)
{
  Jobs *self = data;
  SATIN_EXCHANGE (&self->is_published_posted, 0);
  if (self->steal != NULL)
    steal_published (self->steal);
}

/* On a worker. */
static void
on_hungry (gpointer data)
{
  Jobs *self = data;
  if (!SATIN_EXCHANGE (&self->is_hungry_posted, 1))
    satin_loop_post (self->loop, post_hungry, self);
}

/* On a worker. */
static void
on_published (gpointer data)
{
  Jobs *self = data;
  if (!SATIN_EXCHANGE (&self->is_published_posted, 1))
    satin_loop_post (self->loop, post_published, self);
}

/* Makes every worker publish at its next spawn or sync, so that a request finds something. */
static void
ask_all (Jobs *self)
{
  for (guint i = 0; i < self->pool->n; i++)
    worker_ask (&self->pool->workers[i], WANT_WORK);
}

Jobs *
jobs_new (SatinWorkers *workers, SatinLoop *loop)
{
  Jobs *self = g_new0 (Jobs, 1);
  self->pool = workers;
  self->loop = loop;
  workers->outside = (PoolOutside){
    .published = on_published,
    .hungry = on_hungry,
    .user_data = self,
  };
  return self;
}

void
jobs_connect (Jobs *self, Steal *steal)
{
  self->steal = steal;
  if (steal == NULL)
    return;
  ask_all (self);
  steal_hungry (steal);
}

void
jobs_free (Jobs *self)
{
  g_free (self);
}

static SatinSlot *
claim_any (Jobs *self, Worker **ret_owner)
{
  for (guint i = 0; i < self->pool->n; i++)
    {
      Worker *victim = &self->pool->workers[(self->next_victim + i) % self->pool->n];
      SatinSlot *slot = worker_claim_oldest (victim);
      if (slot == NULL)
        continue;
      /* Release: the owner, who sees it, may set flags from now on. */
      SATIN_STORE (&slot->state, (guintptr)STATE_REMOTE);
      if (!worker_has_public (victim))
        worker_ask (victim, WANT_WORK); /* so that the next request is answered at once */
      self->next_victim = (self->next_victim + i) % self->pool->n;
      *ret_owner = victim;
      return slot;
    }
  return NULL;
}

/* Tells the owner of a slot that it is over. The owner's flags come with the old state. */
static void
settle (const Away *away, guintptr state)
{
  guintptr old = SATIN_EXCHANGE (&away->slot->state, state);
  if (old & STATE_PARKED)
    pool_wake_worker (away->owner->pool, away->owner->index);
}

static void
jobs_put_back (gpointer data, gpointer handle)
{
  Away *away = handle;
  settle (away, STATE_RETURNED);
  g_free (away);
}

static gboolean
jobs_take (gpointer data, StealTaken *ret_taken)
{
  Jobs *self = data;
  Worker *owner;
  SatinSlot *slot = claim_any (self, &owner);
  if (slot == NULL)
    return FALSE;
  Away *away = g_new (Away, 1);
  *away = (Away){ .slot = slot, .owner = owner };
  const SatinTask *task = slot_task (slot);
  GBytes *args = satin_record_to_bytes (task->args, slot_arguments (slot));
  int index = task_index (task);
  if (index < 0 || g_bytes_get_size (args) > SATIN_MESSAGE_MAX_BYTES - 256)
    {
      g_warning ("a job of task %s stays here: its arguments are %" G_GSIZE_FORMAT
                 " bytes encoded, more than a message holds",
                 task->name, g_bytes_get_size (args));
      g_bytes_unref (args);
      jobs_put_back (self, away);
      return FALSE;
    }
  *ret_taken = (StealTaken){ .handle = away, .task = index, .args = args };
  return TRUE;
}

static void
jobs_want (gpointer data)
{
  Jobs *self = data;
  SATIN_EXCHANGE (&self->pool->is_wanted_outside, 1);
  ask_all (self);
  /* What became public just before nobody would tell of. */
  for (guint i = 0; i < self->pool->n; i++)
    if (worker_has_public (&self->pool->workers[i]))
      {
        on_published (self);
        return;
      }
}

static void
visitor_free (Visitor *self)
{
  const SatinTask *task = slot_task (&self->job.slot);
  satin_record_clear (task->args, self->args);
  g_free (self->args);
  g_free (self->result);
  g_clear_pointer (&self->encoded, g_bytes_unref);
  g_clear_error (&self->error);
  g_free (self);
}

/* On the loop. */
static void
visitor_over (gpointer data)
{
  Visitor *self = data;
  StealOutcome outcome = {
    .status = self->status,
    .result = self->encoded,
    .code = self->error != NULL && self->error->domain == SATIN_ERROR ? self->error->code
                                                                      : SATIN_ERROR_JOB,
    .message = self->error != NULL ? self->error->message : NULL,
  };
  if (self->jobs->steal != NULL)
    steal_finished (self->jobs->steal, self->ticket, &outcome);
  visitor_free (self);
}

/* On the worker, right after the job: the result is encoded here, not in the loop. */
static void
visitor_done (Job *job, GError *error)
{
  Visitor *self = (Visitor *)job;
  const SatinTask *task = slot_task (&job->slot);
  if (error == NULL)
    {
      self->encoded = satin_record_to_bytes (task->result, self->result);
      satin_record_clear (task->result, self->result);
      if (g_bytes_get_size (self->encoded) > SATIN_MESSAGE_MAX_BYTES - 256)
        {
          error = g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                               "the result of task %s is %" G_GSIZE_FORMAT
                               " bytes encoded, more than a message holds: split the job",
                               task->name, g_bytes_get_size (self->encoded));
          g_clear_pointer (&self->encoded, g_bytes_unref);
        }
    }
  self->error = error;
  self->status = error == NULL ? STEAL_OK : STEAL_FAILED;
  satin_loop_post (self->jobs->loop, visitor_over, self);
}

static gboolean
jobs_give (gpointer data, int task_number, GBytes *args, guint64 ticket)
{
  Jobs *self = data;
  const SatinTask *task = task_number >= 0 ? task_at (task_number) : NULL;
  if (task == NULL)
    return FALSE;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (args, &n_bytes);
  g_autofree gpointer decoded = g_malloc0 (MAX (task->args->size_bytes, 1));
  if (!satin_record_decode (task->args, bytes, n_bytes, decoded, NULL))
    return FALSE;
  Visitor *visitor = g_new0 (Visitor, 1);
  visitor->jobs = self;
  visitor->ticket = ticket;
  visitor->args = g_steal_pointer (&decoded);
  visitor->result = g_malloc0 (MAX (task->result->size_bytes, 1));
  visitor->job.is_remote = TRUE;
  visitor->job.done = visitor_done;
  SatinSlot *slot = &visitor->job.slot;
  slot->task = (guintptr)task;
  slot->result = visitor->result;
  if (task->args->size_bytes <= SATIN_SLOT_ARGS_BYTES)
    memcpy (slot->args, visitor->args, task->args->size_bytes);
  else
    slot->args[0] = (guintptr)visitor->args;
  pool_submit (self->pool, &visitor->job);
  return TRUE;
}

static gboolean
jobs_finish (gpointer data, gpointer handle, const StealOutcome *outcome)
{
  Away *away = handle;
  SatinSlot *slot = away->slot;
  if (outcome->status == STEAL_FAILED)
    {
      slot->args[0] = (guintptr)g_error_new_literal (
          SATIN_ERROR, outcome->code, outcome->message != NULL ? outcome->message : "a job failed");
      settle (away, STATE_FAILED);
      g_free (away);
      return TRUE;
    }
  const SatinTask *task = slot_task (slot);
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (outcome->result, &n_bytes);
  g_autofree gpointer decoded = g_malloc0 (MAX (task->result->size_bytes, 1));
  if (!satin_record_decode (task->result, bytes, n_bytes, decoded, NULL))
    {
      jobs_put_back (data, away);
      return FALSE;
    }
  gpointer result = slot_result (slot);
  if (result != NULL)
    memcpy (result, decoded, task->result->size_bytes);
  settle (away, STATE_DONE);
  g_free (away);
  return TRUE;
}

static guint
jobs_n_idle (gpointer data)
{
  Jobs *self = data;
  int n_idle = SATIN_LOAD_RELAXED (&self->pool->n_idle);
  int n_inbox = SATIN_LOAD_RELAXED (&self->pool->n_inbox);
  return (guint)MAX (n_idle - n_inbox, 0);
}

static gboolean
jobs_is_busy (gpointer data)
{
  Jobs *self = data;
  return SATIN_LOAD_RELAXED (&self->pool->n_idle) < (int)self->pool->n
         || SATIN_LOAD_RELAXED (&self->pool->n_inbox) > 0;
}

const StealJobs jobs_ops = {
  .take = jobs_take,
  .want = jobs_want,
  .give = jobs_give,
  .finish = jobs_finish,
  .put_back = jobs_put_back,
  .n_idle = jobs_n_idle,
  .is_busy = jobs_is_busy,
};
