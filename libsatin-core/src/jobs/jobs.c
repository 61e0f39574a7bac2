/* jobs.c - the workers as stealing between nodes sees them: idle workers, and jobs that other nodes
 * may take
 *
 * Imported jobs are in imported.c, exported jobs in exported.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

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

static void
post_aborted (gpointer data)
{
  Jobs *self = data;
  g_autoptr (GPtrArray) fresh = g_ptr_array_new ();
  pthread_mutex_lock (&self->lock);
  g_autoptr (GPtrArray) slots = self->aborted;
  self->aborted = g_steal_pointer (&fresh);
  pthread_mutex_unlock (&self->lock);
  for (guint i = 0; i < slots->len && self->steal != NULL; i++)
    {
      /* The job may be here again, or the slot may have another job by now. */
      ExportedJob *exported = g_hash_table_lookup (self->exported, g_ptr_array_index (slots, i));
      if (exported != NULL)
        steal_drop_aborted (self->steal, exported);
    }
}

/* On a worker. */
void
jobs_call_for_work (gpointer data)
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
  ExportedJob *exported = g_new (ExportedJob, 1);
  *exported = (ExportedJob){ .slot = slot, .task = task, .owner = worker };
  HeldElsewhere held = { exported, look->holder, look->ref, look->hints };
  pthread_mutex_lock (&self->lock);
  g_array_append_val (self->held, held);
  gboolean is_first = self->held->len == 1;
  pthread_mutex_unlock (&self->lock);
  if (is_first)
    satin_loop_post (self->loop, jobs_adopt_held, self);
}

/* On a worker. */
static void
on_published (gpointer data)
{
  Jobs *self = data;
  if (!SATIN_EXCHANGE (&self->is_published_posted, 1))
    satin_loop_post (self->loop, post_published, self);
}

/* On a worker. */
static void
on_aborted (SatinSlot *slot, gpointer data)
{
  Jobs *self = data;
  pthread_mutex_lock (&self->lock);
  g_ptr_array_add (self->aborted, slot);
  gboolean is_first = self->aborted->len == 1;
  pthread_mutex_unlock (&self->lock);
  if (is_first)
    satin_loop_post (self->loop, post_aborted, self);
}

/* Asks every worker to put jobs out at its next spawn or sync, so that a request finds some. */
void
jobs_ask_all (Jobs *self)
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
  self->aborted = g_ptr_array_new ();
  self->exported = g_hash_table_new (NULL, NULL);
  self->import_ids = g_hash_table_new (g_int64_hash, g_int64_equal);
  pthread_mutex_init (&self->lock, NULL);
  self->outside = (PoolOutside){
    .published = on_published,
    .hungry = jobs_call_for_work,
    .aborted = on_aborted,
    .held = on_held,
    .user_data = self,
  };
  /* Release: the workers, which run already, see the fields filled in. */
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
      jobs_shipping_disconnect (self);
      jobs_guard_free (self);
      jobs_drop_waiting (self, NULL, NULL);
      jobs_saving_disconnect (self->stopping);
      jobs_saving_disconnect (self->saving);
      return;
    }
  jobs_ask_all (self);
  steal_hungry (steal);
}

void
jobs_free (Jobs *self)
{
  satin_loop_timer_cancel (self->loop, &self->gather_timer);
  satin_loop_timer_cancel (self->loop, &self->stuck_timer);
  jobs_shipping_disconnect (self);
  jobs_shipping_free (self);
  jobs_saving_free (self->stopping);
  jobs_saving_free (self->saving);
  for (guint i = 0; i < self->over->len; i++)
    imported_free (g_ptr_array_index (self->over, i));
  g_ptr_array_unref (self->over);
  for (guint i = 0; i < self->held->len; i++)
    {
      hints_unref (self->pool, g_array_index (self->held, HeldElsewhere, i).hints);
      g_free (g_array_index (self->held, HeldElsewhere, i).exported);
    }
  g_array_unref (self->held);
  g_ptr_array_unref (self->aborted);
  g_hash_table_unref (self->exported);
  g_hash_table_unref (self->import_ids);
  g_clear_pointer (&self->staying_tasks, g_hash_table_unref);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

static void
jobs_want (gpointer data)
{
  Jobs *self = data;
  SATIN_EXCHANGE (&self->pool->is_wanted_outside, 1);
  jobs_ask_all (self);
  /* Jobs that were put out just before would not be reported otherwise. */
  gboolean is_any =
      pool_count_leaving_queued (self->pool) > SATIN_LOAD_RELAXED (&self->pool->n_queued_bound);
  for (guint i = 0; i < pool_count_workers (self->pool) && !is_any; i++)
    is_any = worker_has_public (&self->pool->workers[i]);
  if (is_any)
    on_published (self);
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
  int n_inbox = SATIN_LOAD_RELAXED (&self->pool->n_inbox) + (int)self->n_waiting;
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
  int n_imported_jobs = SATIN_LOAD_RELAXED (&pool->n_inbox) - pool_count_idle (pool);
  guint n = MAX (n_imported_jobs, 0) + pool_count_leaving_queued (pool);
  for (guint i = 0; i < pool_count_workers (pool); i++)
    n += worker_count_public (&pool->workers[i]);
  return n;
}

static void
jobs_save (gpointer data, gboolean is_end, SatinFinishedFilter *filter,
           const StealSavingFuncs *funcs, gpointer user_data)
{
  Jobs *self = data;
  JobsSaving **saving = is_end ? &self->stopping : &self->saving;
  if (self->stopping != NULL)
    return;
  jobs_saving_free (*saving);
  *saving = jobs_saving_new (self->pool, self->loop, is_end, filter, funcs, user_data);
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
  .is_aborted = jobs_is_aborted,
  .abort = jobs_abort,
  .note_crash = jobs_note_crash,
  .describe = jobs_describe,
  .note_progress = jobs_note_progress,
  .foreach_progress = jobs_foreach_progress,
  .save = jobs_save,
  .encode = jobs_encode,
  .forget_ways = jobs_forget_ways,
};
