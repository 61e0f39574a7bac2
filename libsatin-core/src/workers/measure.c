/* measure.c - samples, and the worker on which a sample runs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/measure.h>

#include "pool.h"
#include "tasks/task.h"

#include <string.h>

/* The best sample is a job that took this time. Jobs below or above the bounds are no samples: the
 * clock would be too coarse, or the measurement too expensive. */
#define BEST_US ((gint64)20000)
#define MIN_US  ((gint64)1000)
#define MAX_US  ((gint64)200000)

/* clang-format off */
SATIN_RECORD (Sample, (string, task), (bytes, args))
/* clang-format on */

struct _SatinMeasurement
{
  Job job;
  SatinWorkers *worker; /* (owned) with a single worker */
  SatinLoop *loop;      /* (borrowed) */
  SatinMeasuredFunc func;
  gpointer user_data;
  gpointer args;   /* (owned) arguments of the sample */
  gpointer result; /* (owned) */
  gint64 cpu_us;   /* processor time at its begin; later the time it took */
  int is_over;     /* atomic: 0 or MEASUREMENT_ */
};

enum
{
  MEASUREMENT_OVER = 1, /* ended, and tell() was posted */
  MEASUREMENT_TOLD,
};

/* The program's own sample. It is set before there are threads. */
static GBytes *benchmark; /* (owned) (nullable) */

static GBytes *
pack (const SatinTask *task, gconstpointer args)
{
  gsize n_bytes;
  g_autoptr (GBytes) encoded =
      satin_record_to_checked_bytes (task->args, args, SATIN_SAMPLE_MAX_BYTES / 2, NULL);
  if (encoded == NULL)
    return NULL;
  const guint8 *bytes = g_bytes_get_data (encoded, &n_bytes);
  Sample sample = { .task = task->name, .args = bytes, .n_args = n_bytes };
  return satin_record_to_bytes (&Sample_record, &sample);
}

void
satin_program_set_benchmark (const SatinTask *task, gconstpointer args)
{
  g_return_if_fail (task != NULL && args != NULL && !task_has_objects (task));
  g_clear_pointer (&benchmark, g_bytes_unref);
  benchmark = pack (task, args);
  g_return_if_fail (benchmark != NULL);
}

void
satin_workers_want_sample (SatinWorkers *self)
{
  g_return_if_fail (self != NULL);
  if (benchmark == NULL)
    SATIN_STORE_RELAXED (&self->wants_sample, 1);
}

GBytes *
satin_workers_get_sample (SatinWorkers *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  if (benchmark != NULL)
    return g_bytes_ref (benchmark);
  pthread_mutex_lock (&self->lock);
  GBytes *sample = self->sample != NULL ? g_bytes_ref (self->sample) : NULL;
  pthread_mutex_unlock (&self->lock);
  return sample;
}

/* Returns: the ratio of @took_us to the best time, or the inverse, whichever is larger */
static double
distance (gint64 took_us)
{
  return took_us > BEST_US ? (double)took_us / BEST_US : (double)BEST_US / (double)took_us;
}

/**
 * pool_note_sample:
 * @args: the arguments of an imported job that went well
 * @took_us: how long it ran here
 *
 * Keeps the job as the sample if it is better than the sample so far. A job with a guard or with
 * shared objects is never a sample.
 *
 * Threads: workers
 */
void
pool_note_sample (SatinWorkers *self, const SatinTask *task, gconstpointer args, gint64 took_us)
{
  if (!SATIN_LOAD_RELAXED (&self->wants_sample) || took_us < MIN_US || took_us > MAX_US
      || task->guard != NULL || task_has_objects (task))
    return;
  pthread_mutex_lock (&self->lock);
  gboolean is_better = self->sample == NULL || distance (took_us) < distance (self->sample_us);
  pthread_mutex_unlock (&self->lock);
  GBytes *fresh = is_better ? pack (task, args) : NULL;
  if (fresh == NULL)
    return;
  pthread_mutex_lock (&self->lock);
  GBytes *old = self->sample;
  self->sample = fresh;
  self->sample_us = took_us;
  pthread_mutex_unlock (&self->lock);
  g_clear_pointer (&old, g_bytes_unref);
}

/* ---- the measurement ---- */

static gint64
read_cpu_us (const SatinMeasurement *self)
{
  const SatinThreadOps *ops = self->worker->ops;
  return ops->cpu_us != NULL ? ops->cpu_us (FALSE) : ops->now_us ();
}

static void
dispose (SatinMeasurement *self)
{
  satin_record_clear (slot_task (&self->job.slot)->args, self->args);
  g_free (self->args);
  g_free (self->result);
  g_free (self);
}

static void
tell (gpointer user_data)
{
  SatinMeasurement *self = user_data;
  if (self->func == NULL)
    {
      dispose (self);
      return;
    }
  SATIN_STORE (&self->is_over, MEASUREMENT_TOLD);
  self->func (self->cpu_us, self->user_data);
}

/* On the worker, just before the sample. */
static void
on_begin (Job *job)
{
  SatinMeasurement *self = (SatinMeasurement *)job;
  self->cpu_us = read_cpu_us (self);
}

static void
on_done (Job *job, GError *error)
{
  SatinMeasurement *self = (SatinMeasurement *)job;
  gint64 took_us = read_cpu_us (self) - self->cpu_us;
  self->cpu_us = error == NULL ? MAX (took_us, 1) : 0;
  if (error == NULL)
    satin_record_clear (slot_task (&job->slot)->result, self->result);
  g_clear_error (&error);
  SATIN_STORE (&self->is_over, MEASUREMENT_OVER);
  satin_loop_post (self->loop, tell, self);
}

/* Returns: (nullable): the task of the sample; %NULL when @bytes are damaged or this program cannot
 * run the sample */
static const SatinTask *
unpack (GBytes *bytes, gpointer *ret_args, GError **error)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  Sample sample;
  if (n_bytes > SATIN_SAMPLE_MAX_BYTES)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "the sample of a job is too large");
  if (n_bytes > SATIN_SAMPLE_MAX_BYTES
      || !satin_record_decode (&Sample_record, data, n_bytes, &sample, error))
    return NULL;
  const SatinTask *task = task_find (sample.task);
  if (task == NULL || task_has_objects (task))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "a sample of task %s, which this program cannot run", sample.task);
      task = NULL;
    }
  else
    {
      *ret_args = g_malloc0 (MAX (task->args->size_bytes, 1));
      if (!satin_record_decode (task->args, sample.args, sample.n_args, *ret_args, error))
        {
          g_clear_pointer (ret_args, g_free);
          task = NULL;
        }
    }
  satin_record_clear (&Sample_record, &sample);
  return task;
}

static void
fill_slot (SatinMeasurement *self, const SatinTask *task)
{
  SatinSlot *slot = &self->job.slot;
  slot->task = (guintptr)task;
  self->result = g_malloc0 (MAX (task->result->size_bytes, 1));
  slot->result = self->result;
  if (task->args->size_bytes <= SATIN_SLOT_ARGS_BYTES)
    memcpy (slot->args, self->args, task->args->size_bytes);
  else
    slot->args[0] = (guintptr)self->args;
}

SatinMeasurement *
satin_measure (SatinWorkers *workers, SatinLoop *loop, GBytes *sample, SatinMeasuredFunc func,
               gpointer user_data, GError **error)
{
  g_return_val_if_fail (workers != NULL && loop != NULL && func != NULL, NULL);
  const SatinWorkersOptions options = {
    .struct_size = sizeof (SatinWorkersOptions),
    .n_workers = 1,
    .stack_bytes = workers->stack_bytes,
    .deque_slots = workers->deque_slots,
    .seed = workers->seed,
    .thread_ops = workers->ops,
    .flags = workers->keeps_segv ? SATIN_WORKERS_KEEP_SEGV : 0,
  };
  gpointer args = NULL;
  const SatinTask *task = unpack (sample, &args, error);
  if (task == NULL)
    return NULL;
  SatinMeasurement *self = g_new0 (SatinMeasurement, 1);
  self->args = args;
  self->loop = loop;
  self->func = func;
  self->user_data = user_data;
  self->job.begin = on_begin;
  self->job.done = on_done;
  fill_slot (self, task);
  self->worker = satin_workers_new (&options, error);
  if (self->worker == NULL)
    {
      dispose (self);
      return NULL;
    }
  pool_submit (self->worker, &self->job);
  return self;
}

void
satin_measurement_free (SatinMeasurement *self)
{
  if (self == NULL)
    return;
  pool_abort_job (self->worker, &self->job);
  satin_workers_free (self->worker);
  if (SATIN_LOAD (&self->is_over) == MEASUREMENT_OVER)
    self->func = NULL; /* tell() frees it */
  else
    dispose (self);
}
