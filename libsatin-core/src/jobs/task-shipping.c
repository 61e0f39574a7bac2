/* task-shipping.c - records for each task and cluster whether jobs are worth their way there
 *
 * Only large jobs are measured, so without large jobs there is no table of these facts. Workers put
 * jobs of a task out as long as the jobs may leave to some cluster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* More clusters than this share one entry, the last one. */
#define MAX_WAYS 64

/* How jobs of each task fared on the way to one cluster. */
typedef struct
{
  char *cluster;      /* (owned) its label; "": not known */
  Shipping *shipping; /* (owned) array, by index of the task */
} Way;

static void retry (gpointer data);

static void
clear_way (gpointer data)
{
  Way *way = data;
  g_free (way->cluster);
  g_free (way->shipping);
}

static Shipping *
shipping_at (const Jobs *self, guint way, guint task)
{
  return &g_array_index (self->ways, Way, way).shipping[task];
}

/* Returns: (nullable): the facts about the way to @cluster */
static Way *
find_way (const Jobs *self, const char *cluster)
{
  for (guint i = 0; self->ways != NULL && i < self->ways->len; i++)
    {
      Way *way = &g_array_index (self->ways, Way, i);
      if (g_str_equal (way->cluster, cluster != NULL ? cluster : "") || i == MAX_WAYS - 1)
        return way;
    }
  return NULL;
}

static Way *
add_way (Jobs *self, const char *cluster)
{
  Way way = { .cluster = g_strdup (cluster != NULL ? cluster : ""),
              .shipping = g_new0 (Shipping, task_count ()) };
  if (self->ways == NULL)
    {
      self->ways = g_array_new (FALSE, FALSE, sizeof (Way));
      g_array_set_clear_func (self->ways, clear_way);
    }
  g_array_append_val (self->ways, way);
  return &g_array_index (self->ways, Way, self->ways->len - 1);
}

/* When a job of the task may be tried next, on any way. */
static gint64
next_try_us (const Jobs *self, guint task)
{
  gint64 next_us = G_MAXINT64;
  for (guint i = 0; i < self->ways->len; i++)
    next_us = MIN (next_us, shipping_at (self, i, task)->next_us);
  return next_us;
}

/* Sets the timer for the next task of which a job may be tried. */
static void
start_timer (Jobs *self)
{
  gint64 next_us = G_MAXINT64;
  for (guint i = 0; i < task_count (); i++)
    if (pool_is_task_pinned (self->pool, task_at (i)))
      next_us = MIN (next_us, next_try_us (self, i));
  satin_loop_timer_cancel (self->loop, &self->retry_timer);
  if (next_us < G_MAXINT64 && self->steal != NULL)
    {
      gint64 wait_us = next_us - satin_loop_now_us (self->loop);
      self->retry_timer = satin_loop_timer_add (self->loop, MAX (wait_us, 0), retry, self);
    }
}

/* Lets workers put jobs of the task out again. The next job that is taken is the try. */
static void
retry (gpointer data)
{
  Jobs *self = data;
  gint64 now_us = satin_loop_now_us (self->loop);
  self->retry_timer = 0;
  for (guint i = 0; i < task_count (); i++)
    if (pool_is_task_pinned (self->pool, task_at (i)) && next_try_us (self, i) <= now_us)
      pool_unpin (self->pool, task_at (i));
  start_timer (self);
}

/* Whether jobs of the task from @ret_least_bytes on are pinned on all ways. */
static gboolean
is_pinned_everywhere (const Jobs *self, guint task, gsize *ret_least_bytes)
{
  *ret_least_bytes = 0;
  for (guint i = 0; i < self->ways->len; i++)
    {
      const Shipping *shipping = shipping_at (self, i, task);
      if (!shipping->is_pinned)
        return FALSE;
      *ret_least_bytes = MAX (*ret_least_bytes, shipping_least_bytes (shipping));
    }
  return TRUE;
}

/* Tells the workers whether jobs of the task stay here. */
static void
show (Jobs *self, guint task)
{
  gsize least_bytes;
  if (is_pinned_everywhere (self, task, &least_bytes))
    pool_pin (self->pool, task_at (task), least_bytes);
  else
    pool_unpin (self->pool, task_at (task));
}

/* Measures a job that came back. Call it before its slot is settled. */
void
jobs_note_shipped (Jobs *self, const ExportedJob *exported, const StealOutcome *outcome)
{
  const SatinTask *task = exported->task;
  if (outcome->arrived_us == 0 || exported->sent_us == 0 || task_index (task) < 0)
    return;
  Way *way = find_way (self, outcome->cluster);
  if (way == NULL)
    way = add_way (self, outcome->cluster);
  Shipping *shipping = &way->shipping[task_index (task)];
  Shipped job = {
    .n_bytes = task_measure (task->args, satin_slot_args (exported->slot, task->args->size_bytes)),
    .sent_us = exported->sent_us,
    .arrived_us = outcome->arrived_us,
    .ran_us = outcome->ran_us,
  };
  gboolean was_pinned = shipping->is_pinned;
  shipping_note (shipping, &job, satin_loop_now_us (self->loop));
  if (!was_pinned && !shipping->is_pinned)
    return;
  show (self, (guint)task_index (task));
  start_timer (self);
}

/* A node of @cluster asks for jobs. If no job was measured on the way there, jobs that are not
 * worth any other way may leave again. */
void
jobs_expect_way (Jobs *self, const char *cluster)
{
  if (self->ways == NULL || find_way (self, cluster) != NULL)
    return;
  add_way (self, cluster);
  for (guint i = 0; i < task_count (); i++)
    show (self, i);
  start_timer (self);
}

/* Whether a claimed job is worth its way to @cluster. */
JobLeaving
jobs_may_leave (Jobs *self, const ExportedJob *exported, const char *cluster)
{
  const SatinTask *task = exported->task;
  Way *way = find_way (self, cluster);
  if (way == NULL || task_index (task) < 0)
    return JOB_MAY_LEAVE;
  Shipping *shipping = &way->shipping[task_index (task)];
  gsize n_bytes =
      task_measure (task->args, satin_slot_args (exported->slot, task->args->size_bytes));
  if (!shipping->is_pinned || n_bytes < shipping_least_bytes (shipping))
    return JOB_MAY_LEAVE;
  gboolean is_try = shipping_may_leave (shipping, n_bytes, satin_loop_now_us (self->loop));
  satin_loop_probe (self->loop, is_try ? "jobs.large-tried" : "jobs.large-stays");
  gsize least_bytes;
  if (is_try)
    {
      show (self, (guint)task_index (task));
      start_timer (self);
      return JOB_MAY_LEAVE;
    }
  return is_pinned_everywhere (self, (guint)task_index (task), &least_bytes)
                 && n_bytes >= least_bytes
             ? JOB_STAYS
             : JOB_IS_KEPT;
}

void
jobs_forget_ways (gpointer jobs)
{
  Jobs *self = jobs;
  if (self->ways == NULL)
    return;
  for (guint i = 0; i < task_count (); i++)
    pool_unpin (self->pool, task_at (i));
  jobs_shipping_free (self);
  satin_loop_timer_cancel (self->loop, &self->retry_timer);
}

void
jobs_shipping_disconnect (Jobs *self)
{
  satin_loop_timer_cancel (self->loop, &self->retry_timer);
}

void
jobs_shipping_free (Jobs *self)
{
  g_clear_pointer (&self->ways, g_array_unref);
}
