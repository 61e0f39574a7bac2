/* jobs.c - taking jobs out of the workers' deques and giving them others'
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/mistake.h>

#include "jobs.h"
#include "task.h"

#include <string.h>

/* An answer takes one more job until it has so many bytes of arguments, or so many jobs; with the
 * largest one, and with hints, lineages and paths of all, it still fits into a message. */
#define BATCH_MAX_BYTES ((gsize)64 << 10)
#define BATCH_MAX_JOBS  64
#define PLACE_MAX_BYTES ((gsize)16 << 10)
/* Encoded arguments of one job, and results. */
#define ARGS_MAX_BYTES                                                                             \
  (SATIN_MESSAGE_MAX_BYTES - BATCH_MAX_BYTES                                                       \
   - BATCH_MAX_JOBS * (SATIN_HINTS_MAX_BYTES + PLACE_MAX_BYTES))
#define RESULT_MAX_BYTES (SATIN_MESSAGE_MAX_BYTES - 2 * BATCH_MAX_BYTES)
/* How long results of short jobs wait for others to travel with, while more jobs are here. */
#define GATHER_US ((gint64)2000)
/* When jobs are shorter than this on average, more are asked for before the last one is done: the
 * way there and back would be a good part of their time. */
#define SHORT_US ((gint64)2000)

/* How often it is looked whether jobs with hints wait while no worker is free. */
#define STUCK_US ((gint64)20000)

struct _Jobs
{
  SatinWorkers *pool;      /* (borrowed) */
  SatinLoop *loop;         /* (borrowed) */
  Steal *steal;            /* (borrowed) NULL until connected; loop's thread */
  guint next_victim;       /* loop's thread */
  int is_hungry_posted;    /* atomic */
  int is_published_posted; /* atomic */
  int is_dry;              /* atomic: the last of several short jobs has begun */
  gint64 mean_us;          /* atomic: how long others' jobs took, the later ones count more */
  PoolOutside outside;
  SatinTimerId gather_timer; /* loop's thread */
  SatinTimerId stuck_timer;  /* loop's thread */
  JobsSaving *stopping;      /* (owned) NULL: workers go on; loop's thread */
  JobsSaving *saving;        /* (owned) (nullable) the last one, on which they go on; loop's */
  pthread_mutex_t lock;
  /* guarded by lock */
  GPtrArray *over;       /* (owned) of Visitor: ended, not told yet */
  GArray *held;          /* (owned) of HeldElsewhere: not told yet */
  gboolean is_gathering; /* the loop knows of them */
};

/* Another node's job. Its result, and arguments that do not fit into the slot, lie behind it. */
typedef struct
{
  Job job;
  Jobs *jobs;
  guint64 ticket;
  gboolean has_come_with_hints;
  guint n_crashes; /* nodes that crashed while they had it of this one */
  gint64 begun_us; /* worker's */
  /* filled in by the worker at the end: one of these */
  GBytes *encoded; /* (owned) (nullable) */
  GError *error;   /* (owned) (nullable) */
} Visitor;

/* A job that another node has: of a worker here, or one that came from elsewhere itself. */
typedef struct
{
  SatinSlot *slot;
  const SatinTask *task; /* of the slot */
  Worker *owner;
  Visitor *visitor; /* (owned) NULL: a slot */
  guint n_crashes;  /* of nodes that had it */
} Away;

/* A job of a worker here that a node has as an orphan. */
typedef struct
{
  Away *away; /* (owned) */
  SatinNodeId holder;
  SatinLoan loan;
  gpointer hints; /* (owned) (nullable) */
} HeldElsewhere;

static void
visitor_free (Visitor *self)
{
  hints_unref (self->jobs->pool, self->job.hints);
  satin_record_clear (slot_task (&self->job.slot)->args, slot_arguments (&self->job.slot));
  g_clear_pointer (&self->encoded, g_bytes_unref);
  g_clear_error (&self->error);
  g_free (self);
}

/* Their job goes back to its owner, who knows what they know. */
static void
give_hints_back (SatinWorkers *pool, gpointer hints)
{
  if (hints != NULL)
    pool->recovery_ops->give_back (hints);
}

static void
visitor_give_back (Visitor *self)
{
  give_hints_back (self->jobs->pool, g_steal_pointer (&self->job.hints));
  visitor_free (self);
}

guint64
jobs_get_ticket (const Job *job)
{
  return ((const Visitor *)job)->ticket;
}

static void adopt_held (gpointer data);

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
on_held (Worker *worker, SatinSlot *slot, const SatinTask *task, const SatinLook *look,
         gpointer data)
{
  Jobs *self = data;
  Away *away = g_new0 (Away, 1);
  *away = (Away){ .slot = slot, .task = task, .owner = worker };
  HeldElsewhere held = { away, look->holder, look->loan, look->hints };
  pthread_mutex_lock (&self->lock);
  g_array_append_val (self->held, held);
  gboolean is_first = self->held->len == 1;
  pthread_mutex_unlock (&self->lock);
  if (is_first)
    satin_loop_post (self->loop, adopt_held, self);
}

/* On a worker. */
static void
on_published (gpointer data)
{
  Jobs *self = data;
  if (!SATIN_EXCHANGE (&self->is_published_posted, 1))
    satin_loop_post (self->loop, post_published, self);
}

/* Makes every worker put jobs out at its next spawn or sync, so that a request finds something. */
static void
ask_all (Jobs *self)
{
  for (guint i = 0; i < pool_count_workers (self->pool); i++)
    worker_ask (&self->pool->workers[i], WANT_EXPORT);
}

Jobs *
jobs_new (SatinWorkers *workers, SatinLoop *loop)
{
  Jobs *self = g_new0 (Jobs, 1);
  self->pool = workers;
  self->loop = loop;
  self->mean_us = SHORT_US + 1;
  self->over = g_ptr_array_new ();
  self->held = g_array_new (FALSE, FALSE, sizeof (HeldElsewhere));
  pthread_mutex_init (&self->lock, NULL);
  self->outside = (PoolOutside){
    .published = on_published,
    .hungry = on_hungry,
    .held = on_held,
    .user_data = self,
  };
  /* Release: workers, who run already, see it filled in. */
  SATIN_STORE (&workers->outside, (const PoolOutside *)&self->outside);
  return self;
}

void
jobs_connect (Jobs *self, Steal *steal)
{
  self->steal = steal;
  if (steal == NULL)
    {
      satin_loop_timer_cancel (self->loop, &self->stuck_timer);
      jobs_saving_disconnect (self->stopping);
      jobs_saving_disconnect (self->saving);
      return;
    }
  ask_all (self);
  steal_hungry (steal);
}

void
jobs_free (Jobs *self)
{
  satin_loop_timer_cancel (self->loop, &self->gather_timer);
  satin_loop_timer_cancel (self->loop, &self->stuck_timer);
  jobs_saving_free (self->stopping);
  jobs_saving_free (self->saving);
  for (guint i = 0; i < self->over->len; i++)
    visitor_free (g_ptr_array_index (self->over, i));
  g_ptr_array_unref (self->over);
  for (guint i = 0; i < self->held->len; i++)
    {
      hints_unref (self->pool, g_array_index (self->held, HeldElsewhere, i).hints);
      g_free (g_array_index (self->held, HeldElsewhere, i).away);
    }
  g_array_unref (self->held);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

/* Tells the owner of a slot that it is over. */
static void
settle (const Away *away, guintptr state)
{
  if (SATIN_MISTAKE ("deliver-twice"))
    pool_settle (away->owner->pool, away->slot, state, away->owner);
  pool_settle (away->owner->pool, away->slot, state, away->owner);
}

static void free_stuck (gpointer data);

/* Its worker begins it, in time. */
static void
submit_visitor (Jobs *self, Visitor *visitor, gpointer hints)
{
  visitor->job.hints = hints;
  if (hints_are_bound (self->pool, hints) && self->stuck_timer == 0 && self->steal != NULL)
    self->stuck_timer = satin_loop_timer_add (self->loop, STUCK_US, free_stuck, self);
  pool_submit (self->pool, &visitor->job);
  pool_need_spare (self->pool, hints);
}

/* A job with hints waits until a worker runs nothing; but what these run may be what waits for that
 * job, or be long. So it goes back to its owner, who can run it in its spawner's sync. An orphan
 * stays: nobody waits for it, and whoever does one day is its owner then. */
static void
move_stuck (Jobs *self, Visitor *visitor)
{
  gpointer hints = visitor->has_come_with_hints ? NULL : visitor->job.hints;
  if (self->steal != NULL && steal_return_guest (self->steal, visitor->ticket, hints))
    {
      visitor_give_back (visitor);
      return;
    }
  submit_visitor (self, visitor, g_steal_pointer (&visitor->job.hints));
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
      Visitor *visitor = (Visitor *)pool_next_bound_job (pool);
      if (visitor != NULL)
        move_stuck (self, visitor);
    }
  if (SATIN_LOAD_RELAXED (&pool->n_inbox_bound) > 0 && self->stuck_timer == 0)
    self->stuck_timer = satin_loop_timer_add (self->loop, STUCK_US, free_stuck, self);
}

static void
jobs_put_back (gpointer data, gpointer handle, gpointer hints)
{
  Jobs *self = data;
  Away *away = handle;
  if (away->visitor != NULL)
    {
      away->visitor->n_crashes = away->n_crashes;
      submit_visitor (self, away->visitor, hints);
    }
  else
    {
      Stock stock = { .slot = away->slot,
                      .task = away->task,
                      .owner = away->owner,
                      .hints = hints,
                      .n_crashes = away->n_crashes };
      pool_add_stock (self->pool, &stock);
      pool_need_spare (self->pool, hints);
    }
  g_free (away);
}

/* From which job of another node it descends, and how. */
static void
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

/* Encodes the job for the way, with its hints (transfer full). Returns: FALSE when it cannot leave;
 * it was put back then */
static gboolean
pack_job (Jobs *self, Away *away, gpointer hints, StealTaken *ret_taken)
{
  const SatinTask *task = away->task;
  SatinSlot *slot = away->slot;
  g_autoptr (GBytes) args =
      satin_record_to_bytes (task->args, satin_slot_args (slot, task->args->size_bytes));
  int index = task_index (task);
  if (index < 0 || g_bytes_get_size (args) > ARGS_MAX_BYTES)
    {
      g_warning ("a job of task %s stays here: its arguments are %" G_GSIZE_FORMAT
                 " bytes encoded, more than a message holds",
                 task->name, g_bytes_get_size (args));
      jobs_put_back (self, away, hints);
      return FALSE;
    }
  *ret_taken = (StealTaken){
    .handle = away, .task = index, .args = g_steal_pointer (&args), .hints = hints
  };
  jobs_place (self, away, ret_taken);
  return TRUE;
}

/* On the loop. */
static void
adopt_held (gpointer data)
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
      StealTaken taken = { .handle = job->away, .hints = job->hints };
      if (self->steal == NULL)
        {
          jobs_put_back (self, job->away, job->hints);
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
claim_any (Jobs *self, gboolean may_be_bound, gpointer *ret_hints)
{
  Stock stock;
  SatinWorkers *pool = self->pool;
  if (pool_take_stock (pool, STATE_REMOTE, may_be_bound ? JOBS_ALL : JOBS_UNBOUND, &stock))
    {
      Away *away = g_new0 (Away, 1);
      *away = (Away){
        .slot = stock.slot, .task = stock.task, .owner = stock.owner, .n_crashes = stock.n_crashes
      };
      *ret_hints = stock.hints;
      return away;
    }
  for (guint i = 0; i < pool_count_workers (pool); i++)
    {
      Worker *victim = &pool->workers[(self->next_victim + i) % pool_count_workers (pool)];
      SatinSlot *slot = worker_claim_oldest (victim);
      if (slot == NULL)
        continue;
      /* Release: the owner, who sees it, may set flags from now on. */
      SATIN_STORE (&slot->state, (guintptr)STATE_REMOTE);
      Away *away = g_new0 (Away, 1);
      *away = (Away){ .slot = slot, .task = slot_task (slot), .owner = victim };
      *ret_hints = NULL;
      self->next_victim = (self->next_victim + i) % pool_count_workers (pool);
      return away;
    }
  return NULL;
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
      if (!pack_job (self, away, hints, &ret_taken[n]))
        break;
      n_bytes += g_bytes_get_size (ret_taken[n++].args);
    }
  if (n > 0 && SATIN_LOAD_RELAXED (&self->pool->n_stock) == 0)
    ask_all (self); /* so that the next request is answered at once */
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
      Away *away = g_new0 (Away, 1);
      *away = (Away){ .slot = &job->slot,
                      .task = slot_task (&job->slot),
                      .visitor = (Visitor *)job,
                      .n_crashes = ((Visitor *)job)->n_crashes };
      if (!pack_job (self, away, g_steal_pointer (&job->hints), &ret_taken[n]))
        break;
      n_bytes += g_bytes_get_size (ret_taken[n++].args);
    }
  return n;
}

static guint
jobs_take (gpointer data, guint max, guint n_kept, gboolean may_be_bound, StealTaken *ret_taken)
{
  Jobs *self = data;
  guint n = take_from_inbox (self, max, n_kept, may_be_bound, ret_taken);
  return n > 0 ? n : take_from_workers (self, max, may_be_bound, ret_taken);
}

static void
jobs_want (gpointer data)
{
  Jobs *self = data;
  SATIN_EXCHANGE (&self->pool->is_wanted_outside, 1);
  ask_all (self);
  /* What was put out just before nobody would tell of. */
  gboolean is_any =
      SATIN_LOAD_RELAXED (&self->pool->n_stock) > SATIN_LOAD_RELAXED (&self->pool->n_stock_bound);
  for (guint i = 0; i < pool_count_workers (self->pool) && !is_any; i++)
    is_any = worker_has_public (&self->pool->workers[i]);
  if (is_any)
    on_published (self);
}

/* Tells stealing how a visitor's job ended. */
static void
visitor_over (Visitor *self)
{
  StealOutcome outcome = {
    .status = self->error == NULL ? STEAL_OK : STEAL_FAILED,
    .result = self->encoded,
    .code = self->error != NULL && self->error->domain == SATIN_ERROR ? self->error->code
                                                                      : SATIN_ERROR_JOB,
    .message = self->error != NULL ? self->error->message : NULL,
  };
  if (self->jobs->steal != NULL)
    steal_finished (self->jobs->steal, self->ticket, &outcome);
  visitor_free (self);
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
    visitor_over (g_ptr_array_index (over, i));
  g_ptr_array_unref (over);
}

static void
gather_over (gpointer data)
{
  Jobs *self = data;
  self->gather_timer = 0;
  tell_over (self);
}

/* On the loop: more may end soon. */
static void
begin_gathering (gpointer data)
{
  Jobs *self = data;
  if (self->gather_timer == 0)
    self->gather_timer = satin_loop_timer_add (self->loop, GATHER_US, gather_over, self);
}

/* On the worker: the loop hears at once when nothing else is here to be done, else soon. */
static void
add_over (Jobs *self, Visitor *visitor)
{
  gboolean is_last = SATIN_LOAD_RELAXED (&self->pool->n_inbox) == 0;
  pthread_mutex_lock (&self->lock);
  g_ptr_array_add (self->over, visitor);
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
visitor_begin (Job *job)
{
  Visitor *self = (Visitor *)job;
  Jobs *jobs = self->jobs;
  self->begun_us = jobs->pool->ops->now_us ();
  if (SATIN_LOAD_RELAXED (&jobs->pool->n_inbox) > 0
      || SATIN_LOAD_RELAXED (&jobs->mean_us) > SHORT_US)
    return;
  SATIN_STORE_RELAXED (&jobs->is_dry, 1);
  on_hungry (jobs);
}

/* Workers may overwrite each other's sum: it is an estimate. */
static void
note_duration (Jobs *self, gint64 duration_us)
{
  gint64 mean_us = SATIN_LOAD_RELAXED (&self->mean_us);
  SATIN_STORE_RELAXED (&self->mean_us, (7 * mean_us + duration_us) / 8);
}

/* On the worker, right after the job: the result is encoded here, not in the loop. */
static void
visitor_done (Job *job, GError *error)
{
  Visitor *self = (Visitor *)job;
  const SatinTask *task = slot_task (&job->slot);
  note_duration (self->jobs, self->jobs->pool->ops->now_us () - self->begun_us);
  if (error == NULL)
    {
      self->encoded = satin_record_to_bytes (task->result, job->slot.result);
      satin_record_clear (task->result, job->slot.result);
      if (g_bytes_get_size (self->encoded) > RESULT_MAX_BYTES)
        {
          error = g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                               "the result of task %s is %" G_GSIZE_FORMAT
                               " bytes encoded, more than a message holds: split the job",
                               task->name, g_bytes_get_size (self->encoded));
          g_clear_pointer (&self->encoded, g_bytes_unref);
        }
    }
  self->error = error;
  add_over (self->jobs, self);
}

/* Its arguments are still to be filled in. */
static Visitor *
visitor_new (Jobs *jobs, const SatinTask *task, guint64 ticket)
{
  gsize result_bytes = (task->result->size_bytes + 15) & ~(gsize)15;
  gsize args_bytes = task->args->size_bytes;
  gboolean is_in_slot = args_bytes <= SATIN_SLOT_ARGS_BYTES;
  Visitor *self = g_malloc0 (sizeof (Visitor) + result_bytes + (is_in_slot ? 0 : args_bytes));
  SatinSlot *slot = &self->job.slot;
  slot->task = (guintptr)task;
  slot->result = self + 1;
  if (!is_in_slot)
    slot->args[0] = (guintptr)(self + 1) + result_bytes;
  self->job.is_remote = TRUE;
  self->job.begin = visitor_begin;
  self->job.done = visitor_done;
  self->jobs = jobs;
  self->ticket = ticket;
  return self;
}

static gboolean
jobs_give (gpointer data, int task_number, GBytes *args, guint64 ticket, gpointer hints)
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
  Visitor *visitor = visitor_new (self, task, ticket);
  visitor->job.hints = hints;
  visitor->has_come_with_hints = hints != NULL;
  if (!satin_record_decode (task->args, bytes, n_bytes, slot_arguments (&visitor->job.slot), NULL))
    {
      visitor_give_back (visitor);
      return FALSE;
    }
  SATIN_STORE_RELAXED (&self->is_dry, 0);
  submit_visitor (self, visitor, g_steal_pointer (&visitor->job.hints));
  return TRUE;
}

static gboolean
jobs_finish (gpointer data, gpointer handle, const StealOutcome *outcome)
{
  Jobs *self = data;
  Away *away = handle;
  SatinSlot *slot = away->slot;
  if (away->visitor != NULL)
    {
      /* Not ours either: the result goes on as it is. */
      if (self->steal != NULL)
        steal_finished (self->steal, away->visitor->ticket, outcome);
      visitor_free (away->visitor);
      g_free (away);
      return TRUE;
    }
  if (outcome->status == STEAL_FAILED)
    {
      slot->result = g_error_new_literal (
          SATIN_ERROR, outcome->code, outcome->message != NULL ? outcome->message : "a job failed");
      settle (away, STATE_FAILED);
      g_free (away);
      return TRUE;
    }
  const SatinTask *task = away->task;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (outcome->result, &n_bytes);
  g_autofree gpointer decoded = g_malloc0 (MAX (task->result->size_bytes, 1));
  if (!satin_record_decode (task->result, bytes, n_bytes, decoded, NULL))
    {
      jobs_put_back (data, away, NULL);
      return FALSE;
    }
  gpointer result = task->is_typed ? (gpointer)slot->args : slot->result;
  if (result != NULL)
    memcpy (result, decoded, task->result->size_bytes);
  SATIN_ADD (&self->pool->n_elsewhere, 1);
  settle (away, STATE_DONE);
  g_free (away);
  return TRUE;
}

static gboolean
jobs_is_free (gpointer data)
{
  Jobs *self = data;
  int n_inbox = SATIN_LOAD_RELAXED (&self->pool->n_inbox);
  return SATIN_LOAD_RELAXED (&self->pool->n_free) > n_inbox
         || (n_inbox == 0 && pool_may_begin_bound (self->pool));
}

static guint
jobs_n_idle (gpointer data)
{
  Jobs *self = data;
  int n_idle = pool_count_idle (self->pool);
  int n_inbox = SATIN_LOAD_RELAXED (&self->pool->n_inbox);
  if (n_inbox == 0 && SATIN_LOAD_RELAXED (&self->is_dry))
    n_idle = MAX (n_idle, 1);
  return (guint)MAX (n_idle - n_inbox, 0);
}

static gboolean
jobs_is_busy (gpointer data)
{
  Jobs *self = data;
  return SATIN_LOAD_RELAXED (&self->pool->n_idle) < (int)pool_count_workers (self->pool)
         || SATIN_LOAD_RELAXED (&self->pool->n_inbox) > 0;
}

static guint
jobs_n_queued (gpointer data)
{
  Jobs *self = data;
  SatinWorkers *pool = self->pool;
  int n_visitors = SATIN_LOAD_RELAXED (&pool->n_inbox) - pool_count_idle (pool);
  guint n = MAX (n_visitors, 0) + SATIN_LOAD_RELAXED (&pool->n_stock);
  for (guint i = 0; i < pool_count_workers (pool); i++)
    n += worker_count_public (&pool->workers[i]);
  return n;
}

/* The root job, which comes from nobody, stays. */
static void
jobs_give_back (gpointer data, void (*func) (guint64 ticket, gpointer user_data),
                gpointer user_data)
{
  Jobs *self = data;
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
      Visitor *visitor = (Visitor *)job;
      func (visitor->ticket, user_data);
      visitor_give_back (visitor);
    }
}

static guint
jobs_note_crash (gpointer data, gpointer handle)
{
  Away *away = handle;
  return ++away->n_crashes;
}

static char *
jobs_describe (gpointer data, gpointer handle)
{
  const Away *away = handle;
  return task_describe (away->task, satin_slot_args (away->slot, away->task->args->size_bytes));
}

static void
jobs_save (gpointer data, gboolean is_end, const StealSavingFuncs *funcs, gpointer user_data)
{
  Jobs *self = data;
  JobsSaving **saving = is_end ? &self->stopping : &self->saving;
  if (self->stopping != NULL)
    return;
  jobs_saving_free (*saving);
  *saving = jobs_saving_new (self->pool, self->loop, is_end, funcs, user_data);
}

static GBytes *
jobs_encode (gpointer data, gpointer handle, int *ret_task)
{
  const Away *away = handle;
  const SatinRecord *args = away->task->args;
  *ret_task = task_index (away->task);
  return satin_record_to_bytes (args, satin_slot_args (away->slot, args->size_bytes));
}

const StealJobs jobs_ops = {
  .take = jobs_take,
  .place = jobs_place,
  .want = jobs_want,
  .give = jobs_give,
  .finish = jobs_finish,
  .put_back = jobs_put_back,
  .is_free = jobs_is_free,
  .n_idle = jobs_n_idle,
  .is_busy = jobs_is_busy,
  .n_queued = jobs_n_queued,
  .give_back = jobs_give_back,
  .note_crash = jobs_note_crash,
  .describe = jobs_describe,
  .save = jobs_save,
  .encode = jobs_encode,
};
