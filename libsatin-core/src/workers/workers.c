/* workers.c - makes and frees the workers of a node, runs a job on them, and counts figures
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "addresses.h"
#include "pool.h"
#include "tasks/task.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_STACK_BYTES ((gsize)256 << 20)
#define DEFAULT_DEQUE_SLOTS ((gsize)4 << 20)
#define SPARES_PER_WORKER   1
#define MIN_STACK_BYTES     ((gsize)64 << 10)
#define MIN_DEQUE_SLOTS     ((gsize)64)
#define MAX_DEQUE_SLOTS     ((gsize)1 << 30)

static gboolean
check_options (const SatinWorkersOptions *options, GError **error)
{
  /* Some systems require a larger stack. */
  gsize least_bytes = MAX (MIN_STACK_BYTES, (gsize)MAX (sysconf (_SC_THREAD_STACK_MIN), 0));
  if (options->struct_size < sizeof *options)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "the options of the workers have %" G_GSIZE_FORMAT " bytes: set struct_size to "
                 "sizeof (SatinWorkersOptions)",
                 options->struct_size);
  else if (options->n_workers > POOL_MAX_WORKERS)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%u workers: at most %d are possible",
                 options->n_workers, POOL_MAX_WORKERS);
  else if (options->stack_bytes != 0 && options->stack_bytes < least_bytes)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "a stack of %" G_GSIZE_FORMAT " bytes: give at least %" G_GSIZE_FORMAT "K",
                 options->stack_bytes, (least_bytes + 1023) / 1024);
  else if (options->deque_slots != 0
           && (options->deque_slots < MIN_DEQUE_SLOTS || options->deque_slots > MAX_DEQUE_SLOTS))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "a deque of %" G_GSIZE_FORMAT " jobs: give 64 to 1073741824",
                 options->deque_slots);
  else
    return TRUE;
  return FALSE;
}

static gboolean
open_worker (SatinWorkers *self, guint index, GError **error)
{
  Worker *worker = &self->workers[index];
  worker->index = index;
  worker->pool = self;
  worker->want_at_spawn = worker->want = self->ops->spawn_ns > 0 ? WANT_CHARGE : 0;
  worker->random = (self->seed + index + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) | 1;
  worker->figures.start_us = self->ops->now_us ();
  return worker_open_deque (worker, self->deque_slots, self->has_side, error);
}

/* Starts a spare worker. Other threads see it only when its deque is open and its thread has
 * started, and as idle. A walk waits for each worker that is seen, so a worker without a thread
 * must not be seen. */
gboolean
worker_start_spare (SatinWorkers *self, guint index, GError **error)
{
  Worker *worker = &self->workers[index];
  if (!open_worker (self, index, error))
    return FALSE;
  SATIN_STORE_RELAXED (&worker->figures.idle_since_us, MAX (worker->figures.start_us, 1));
  if (!worker_start_thread (worker, error))
    {
      worker_close_deque (worker);
      return FALSE;
    }
  SATIN_ADD (&self->n_idle, 1);
  SATIN_ADD (&self->n_spares, 1);
  SATIN_STORE (&self->n, index + 1);
  self->ops->wake (&worker->park);
  return TRUE;
}

/* Rounds up to whole pages of 4 KiB: 64 slots are one. */
static gsize
round_slots (gsize n_slots)
{
  return (n_slots + 63) / 64 * 64;
}

/* Takes the sizes from @options. Defaults shrink if the process has few addresses. */
static void
set_sizes (SatinWorkers *self, const SatinWorkersOptions *options)
{
  const WorkerSizes wanted = { DEFAULT_STACK_BYTES, DEFAULT_DEQUE_SLOTS };
  gsize slot_bytes = sizeof (SatinSlot) + (self->has_side ? SATIN_ARGS_MAX_BYTES : 0);
  WorkerSizes sizes = addresses_fit (wanted, self->n_most, slot_bytes, addresses_count_free ());
  if (sizes.stack_bytes < wanted.stack_bytes || sizes.deque_slots < wanted.deque_slots)
    g_info ("few addresses (ulimit -v): a worker has a stack of %" G_GSIZE_FORMAT
            " MiB and a deque of %" G_GSIZE_FORMAT " jobs",
            sizes.stack_bytes >> 20, sizes.deque_slots);
  self->stack_bytes = options->stack_bytes != 0 ? options->stack_bytes : sizes.stack_bytes;
  self->deque_slots =
      round_slots (options->deque_slots != 0 ? options->deque_slots : sizes.deque_slots);
}

/* Makes the workers without starting their threads. */
static SatinWorkers *
make (const SatinWorkersOptions *options, GError **error)
{
  SatinWorkers *self = g_new0 (SatinWorkers, 1);
  self->n_regular = options->n_workers != 0 ? options->n_workers : satin_count_processors ();
  self->n = self->n_regular;
  self->n_most = self->n_regular * (1 + SPARES_PER_WORKER);
  self->ops = options->thread_ops != NULL ? options->thread_ops : &satin_thread_ops;
  self->start_us = self->ops->now_us ();
  pthread_mutex_init (&self->lock, NULL);
  g_queue_init (&self->walks);
  self->export_queue = g_array_new (FALSE, FALSE, sizeof (QueuedExport));
  pool_progress_init (self);
  self->has_side = task_may_use_side ();
  set_sizes (self, options);
  self->keeps_segv = (options->flags & SATIN_WORKERS_KEEP_SEGV) != 0;
  self->seed = options->seed;
  guint n_words = (self->n_most + 63) / 64;
  self->asleep = g_new0 (guint64, 4 * n_words);
  self->parked = self->asleep + n_words;
  self->wanting = self->parked + n_words;
  self->resting = self->wanting + n_words;
  self->workers = aligned_alloc (128, sizeof (Worker) * self->n_most);
  g_assert (self->workers != NULL);
  memset (self->workers, 0, sizeof (Worker) * self->n_most);
  for (guint i = 0; i < pool_count_workers (self); i++)
    if (!open_worker (self, i, error))
      {
        self->n = i;
        satin_workers_free (self);
        return NULL;
      }
  return self;
}

SatinWorkers *
satin_workers_new (const SatinWorkersOptions *options, GError **error)
{
  static const SatinWorkersOptions defaults = { .struct_size = sizeof (SatinWorkersOptions) };
  if (options == NULL)
    options = &defaults;
  if (!check_options (options, error))
    return NULL;
  SatinWorkers *self = make (options, error);
  for (guint i = 0; self != NULL && i < pool_count_workers (self); i++)
    if (!worker_start_thread (&self->workers[i], error))
      {
        satin_workers_free (self);
        return NULL;
      }
  return self;
}

/* Reads a whole number. If the variable is not set, *@number stays as it is. */
static gboolean
read_number (const char *variable, guint64 max, guint64 *number, GError **error)
{
  const char *text = g_getenv (variable);
  if (text == NULL || g_ascii_string_to_unsigned (text, 10, 0, max, number, NULL))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s: '%s' is not a whole number from 0 to %" G_GUINT64_FORMAT, variable, text, max);
  return FALSE;
}

static gboolean
read_size (const char *variable, guint64 *size_bytes, GError **error)
{
  const char *text = g_getenv (variable);
  if (text == NULL || satin_parse_size (text, size_bytes, error))
    return TRUE;
  g_prefix_error (error, "%s: ", variable);
  return FALSE;
}

gboolean
satin_workers_options_from_environment (SatinWorkersOptions *ret_options, GError **error)
{
  g_return_val_if_fail (ret_options != NULL, FALSE);
  guint64 n_workers = 0, stack_bytes = 0, n_slots = 0;
  if (!read_number ("SATIN_WORKERS", POOL_MAX_WORKERS, &n_workers, error)
      || !read_size ("SATIN_STACK", &stack_bytes, error)
      || !read_number ("SATIN_DEQUE", MAX_DEQUE_SLOTS, &n_slots, error))
    return FALSE;
  SatinWorkersOptions options = {
    .struct_size = sizeof (SatinWorkersOptions),
    .n_workers = n_workers,
    .stack_bytes = stack_bytes,
    .deque_slots = n_slots,
  };
  if (!check_options (&options, error))
    {
      g_prefix_error (error, "environment (SATIN_WORKERS, SATIN_STACK, SATIN_DEQUE): ");
      return FALSE;
    }
  *ret_options = options;
  return TRUE;
}

void
satin_workers_free (SatinWorkers *self)
{
  if (self == NULL)
    return;
  SATIN_EXCHANGE (&self->is_stopping, 1);
  pool_wake_spares (self);
  for (guint i = 0; i < pool_count_workers (self); i++)
    {
      Worker *worker = &self->workers[i];
      pool_wake_worker (self, i);
      if (worker->thread != NULL)
        self->ops->join (worker->thread);
    }
  for (guint i = 0; i < pool_count_workers (self); i++)
    {
      worker_close_deque (&self->workers[i]);
      worker_free_inlets (&self->workers[i]);
      g_clear_pointer (&self->workers[i].inlined, g_array_unref);
      g_clear_error (&self->workers[i].fast.error);
    }
  pool_leave_here (self);
  /* Ends the walks that no worker will do any more. */
  for (Walk *walk; (walk = g_queue_pop_head (&self->walks)) != NULL; g_free (walk))
    walk->done (walk->user_data);
  pool_clear_export_queue (self);
  pool_progress_free (self);
  g_free (self->pinned);
  g_clear_pointer (&self->sample, g_bytes_unref);
  if (self->sharing != NULL)
    self->sharing->ops->free (self->sharing);
  pthread_mutex_destroy (&self->lock);
  free (self->workers);
  g_free (self->asleep);
  g_free (self);
}

guint
satin_workers_get_n (const SatinWorkers *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_regular;
}

const SatinThreadOps *
satin_workers_get_thread_ops (const SatinWorkers *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->ops;
}

/* A job that a thread waits for. */
typedef struct
{
  Job job;
  pthread_mutex_t lock;
  pthread_cond_t condition;
  gboolean is_done; /* guarded by lock */
  GError *error;    /* (owned) guarded by lock */
} Awaited;

static void
awaited_done (Job *job, GError *error)
{
  Awaited *self = (Awaited *)job;
  pthread_mutex_lock (&self->lock);
  self->error = error;
  self->is_done = TRUE;
  pthread_cond_signal (&self->condition);
  pthread_mutex_unlock (&self->lock);
}

gboolean
satin_workers_run_task (SatinWorkers *self, const SatinTask *task, gconstpointer args,
                        gpointer ret_result, GError **error)
{
  g_return_val_if_fail (self != NULL && task != NULL, FALSE);
  g_return_val_if_fail (args != NULL || task->args->n_fields == 0, FALSE);
  g_return_val_if_fail (ret_result != NULL || task->result->n_fields == 0, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);
  Awaited awaited = { .job.done = awaited_done };
  SatinSlot *slot = &awaited.job.slot;
  slot->task = (guintptr)task;
  slot->result = ret_result;
  /* Small arguments lie in the slot; for large arguments the slot holds a pointer. */
  if (args != NULL && task->args->size_bytes <= SATIN_SLOT_ARGS_BYTES)
    memcpy (slot->args, args, task->args->size_bytes);
  else
    slot->args[0] = (guintptr)args;
  pthread_mutex_init (&awaited.lock, NULL);
  pthread_cond_init (&awaited.condition, NULL);
  pool_submit (self, &awaited.job);
  pthread_mutex_lock (&awaited.lock);
  while (!awaited.is_done)
    pthread_cond_wait (&awaited.condition, &awaited.lock);
  pthread_mutex_unlock (&awaited.lock);
  pthread_cond_destroy (&awaited.condition);
  pthread_mutex_destroy (&awaited.lock);
  if (awaited.error == NULL)
    return TRUE;
  g_propagate_error (error, awaited.error);
  return FALSE;
}

static gint64
idle_us (const SatinWorkers *self, Worker *worker)
{
  gint64 since_us = SATIN_LOAD_RELAXED (&worker->figures.idle_since_us);
  gint64 sum_us = SATIN_LOAD_RELAXED (&worker->figures.idle_us);
  gint64 now_us = self->ops->now_us ();
  return since_us == 0 ? sum_us : sum_us + MAX (now_us - since_us, 0);
}

void
satin_workers_figures (SatinWorkers *self, SatinFigureFunc add, gpointer user_data)
{
  g_return_if_fail (self != NULL && add != NULL);
  guint64 n_jobs = 0, n_stolen = 0, n_tried = 0;
  gint64 all_idle_us = 0; /* the idle time of all turns; a spare worker has no turn of its own */
  for (guint i = 0; i < pool_count_workers (self); i++)
    {
      Worker *worker = &self->workers[i];
      n_jobs += SATIN_LOAD_RELAXED (&worker->fast.n_jobs);
      n_jobs += SATIN_LOAD_RELAXED (&worker->figures.n_outside);
      n_stolen += SATIN_LOAD_RELAXED (&worker->figures.n_stolen);
      n_tried += SATIN_LOAD_RELAXED (&worker->figures.n_tried);
      all_idle_us += idle_us (self, worker);
      if (i >= self->n_regular)
        all_idle_us -= self->ops->now_us () - worker->figures.start_us;
    }
  n_jobs -= MIN (n_jobs, SATIN_LOAD_RELAXED (&self->n_elsewhere));
  gint64 all_us = (self->ops->now_us () - self->start_us) * self->n_regular;
  add ("workers", self->n_regular, user_data);
  add ("jobs", n_jobs, user_data);
  add ("steals.local", n_stolen, user_data);
  add ("steals.local-tried", n_tried, user_data);
  all_idle_us = MAX (all_idle_us, 0);
  add ("idle-us", all_idle_us, user_data);
  add ("busy-us", MAX (all_us - all_idle_us, 0), user_data);
  if (self->ops->cpu_us != NULL)
    add ("cpu-us", self->ops->cpu_us (TRUE), user_data);
}
