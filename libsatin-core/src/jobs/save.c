/* save.c - reports the finished children of jobs that have not ended
 *
 * Every worker walks over its frames at its next safe point and hands the results of finished
 * children over. With @is_end, as when the node leaves, the worker then stops for good: user code
 * does not go on. The loop gets each worker's results at once, so a worker in a long leaf delays
 * only its own results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs.h"
#include "tasks/task.h"

struct _JobsSaving
{
  SatinWorkers *pool;            /* (borrowed) */
  SatinLoop *loop;               /* (borrowed) */
  const StealSavingFuncs *funcs; /* NULL: reports nothing any more; loop's thread */
  SatinFinishedFilter *filter;   /* (owned) (nullable) */
  gpointer user_data;
  pthread_mutex_t lock;
  /* guarded by lock */
  guint n_refs;        /* its maker, the walk, and the loop while tell() is posted */
  GArray *saved;       /* (owned) of StealSaved: not reported yet */
  gboolean is_posted;  /* tell() is posted */
  gboolean is_stopped; /* all workers have walked */
};

static void
saving_unref (JobsSaving *self)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_last = --self->n_refs == 0;
  pthread_mutex_unlock (&self->lock);
  if (!is_last)
    return;
  if (self->filter != NULL)
    self->filter->unref (self->filter);
  g_array_unref (self->saved);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

static void
saved_clear (gpointer data)
{
  StealSaved *self = data;
  g_clear_pointer (&self->path, g_bytes_unref);
  g_clear_pointer (&self->args, g_bytes_unref);
  g_clear_pointer (&self->result, g_bytes_unref);
}

GArray *
jobs_saved_new (void)
{
  GArray *self = g_array_new (FALSE, FALSE, sizeof (StealSaved));
  g_array_set_clear_func (self, saved_clear);
  return self;
}

/**
 * jobs_saved_fill:
 * @task: the task of @slot, in its general form
 * @path: the path to @slot
 *
 * Fills in @self, except @under, for a finished child.
 *
 * Threads: the slot's worker. Returns: %FALSE when other nodes could not read the arguments or the
 * result
 */
gboolean
jobs_saved_fill (StealSaved *self, SatinSlot *slot, const SatinTask *task, gconstpointer result,
                 const GByteArray *path)
{
  g_autoptr (GBytes) args =
      jobs_encode_args (task, satin_slot_args (slot, task->args->size_bytes), NULL);
  g_autoptr (GBytes) encoded = args != NULL ? jobs_encode_result (task, result, NULL) : NULL;
  if (encoded == NULL)
    return FALSE;
  self->path = g_bytes_new (path->data, path->len);
  self->task = task_index (task);
  self->args = g_steal_pointer (&args);
  self->result = g_steal_pointer (&encoded);
  return TRUE;
}

/* On the loop. */
static void
tell (gpointer data)
{
  JobsSaving *self = data;
  g_autoptr (GArray) fresh = jobs_saved_new ();
  pthread_mutex_lock (&self->lock);
  g_autoptr (GArray) saved = self->saved;
  self->saved = g_steal_pointer (&fresh);
  self->is_posted = FALSE;
  gboolean is_stopped = self->is_stopped;
  pthread_mutex_unlock (&self->lock);
  for (guint i = 0; self->funcs != NULL && i < saved->len; i++)
    self->funcs->saved (&g_array_index (saved, StealSaved, i), self->user_data);
  if (self->funcs != NULL && is_stopped)
    self->funcs->stopped (self->user_data);
  saving_unref (self);
}

/* Called with the lock held. Returns: whether the caller must post tell() */
static gboolean
has_to_post (JobsSaving *self)
{
  gboolean was_posted = self->is_posted;
  self->is_posted = TRUE;
  self->n_refs += !was_posted;
  return !was_posted;
}

/* On the worker. */
static void
save_slot (Worker *worker, SatinSlot *slot, const SatinTask *task, gconstpointer result,
           gpointer user_data)
{
  JobsSaving *self = user_data;
  g_autoptr (GByteArray) path = g_byte_array_new ();
  const Job *job = worker_find_own_path (worker, slot, path);
  if (job == NULL)
    return;
  StealSaved saved = { .under = job->is_remote ? jobs_get_import_id (job) : 0 };
  gconstpointer args = satin_slot_args (slot, task->args->size_bytes);
  if (self->filter != NULL && !self->filter->is_new (self->filter, saved.under, path, task, args))
    return;
  if (!jobs_saved_fill (&saved, slot, task, result, path))
    return;
  pthread_mutex_lock (&self->lock);
  g_array_append_val (self->saved, saved);
  gboolean is_first = has_to_post (self);
  pthread_mutex_unlock (&self->lock);
  if (is_first)
    satin_loop_post (self->loop, tell, self);
}

/* On the last worker. */
static void
all_stopped (gpointer user_data)
{
  JobsSaving *self = user_data;
  pthread_mutex_lock (&self->lock);
  self->is_stopped = TRUE;
  gboolean is_first = has_to_post (self);
  pthread_mutex_unlock (&self->lock);
  if (is_first)
    satin_loop_post (self->loop, tell, self);
  saving_unref (self);
}

JobsSaving *
jobs_saving_new (SatinWorkers *pool, SatinLoop *loop, gboolean is_end, SatinFinishedFilter *filter,
                 const StealSavingFuncs *funcs, gpointer user_data)
{
  JobsSaving *self = g_new0 (JobsSaving, 1);
  self->pool = pool;
  self->loop = loop;
  self->funcs = funcs;
  self->filter = filter != NULL ? filter->ref (filter) : NULL;
  self->user_data = user_data;
  self->saved = jobs_saved_new ();
  pthread_mutex_init (&self->lock, NULL);
  self->n_refs = 2;
  pool_save (pool, is_end, save_slot, all_stopped, self);
  return self;
}

void
jobs_saving_disconnect (JobsSaving *self)
{
  if (self != NULL)
    self->funcs = NULL;
}

void
jobs_saving_free (JobsSaving *self)
{
  if (self == NULL)
    return;
  self->funcs = NULL;
  saving_unref (self);
}
