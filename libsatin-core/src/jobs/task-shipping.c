/* task-shipping.c - records for each task whether its jobs are worth their way to other nodes
 *
 * Only large jobs are measured, so without large jobs there is no table of these facts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

static void retry (gpointer data);

/* Sets the timer for the next task of which a job may be tried. */
static void
start_timer (Jobs *self)
{
  gint64 next_us = G_MAXINT64;
  for (guint i = 0; i < task_count (); i++)
    if (self->shipping[i].is_pinned && SATIN_LOAD_RELAXED (&self->pool->pinned[i]) > 0)
      next_us = MIN (next_us, self->shipping[i].next_us);
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
    if (self->shipping[i].is_pinned && self->shipping[i].next_us <= now_us)
      pool_unpin (self->pool, task_at (i));
  start_timer (self);
}

/* Tells the workers whether the task is pinned. */
static void
show (Jobs *self, const SatinTask *task)
{
  const Shipping *shipping = &self->shipping[task_index (task)];
  if (shipping->is_pinned)
    pool_pin (self->pool, task, shipping_least_bytes (shipping));
  else
    pool_unpin (self->pool, task);
  start_timer (self);
}

/* Measures a job that came back. Call it before its slot is settled. */
void
jobs_note_shipped (Jobs *self, const ExportedJob *exported, const StealOutcome *outcome)
{
  const SatinTask *task = exported->task;
  if (outcome->arrived_us == 0 || exported->sent_us == 0 || task_index (task) < 0)
    return;
  if (self->shipping == NULL)
    self->shipping = g_new0 (Shipping, task_count ());
  Shipping *shipping = &self->shipping[task_index (task)];
  Shipped job = {
    .n_bytes = task_measure (task->args, satin_slot_args (exported->slot, task->args->size_bytes)),
    .sent_us = exported->sent_us,
    .arrived_us = outcome->arrived_us,
    .ran_us = outcome->ran_us,
  };
  gboolean was_pinned = shipping->is_pinned;
  shipping_note (shipping, &job, satin_loop_now_us (self->loop));
  if (was_pinned || shipping->is_pinned)
    show (self, task);
}

/* Whether a claimed job must go back, because it is not worth its way. */
gboolean
jobs_stays (Jobs *self, const ExportedJob *exported)
{
  const SatinTask *task = exported->task;
  if (self->shipping == NULL || task_index (task) < 0)
    return FALSE;
  Shipping *shipping = &self->shipping[task_index (task)];
  gsize n_bytes =
      task_measure (task->args, satin_slot_args (exported->slot, task->args->size_bytes));
  if (!shipping->is_pinned || n_bytes < shipping_least_bytes (shipping))
    return FALSE;
  gboolean stays = !shipping_may_leave (shipping, n_bytes, satin_loop_now_us (self->loop));
  satin_loop_probe (self->loop, stays ? "jobs.large-stays" : "jobs.large-tried");
  if (!stays)
    show (self, task);
  return stays;
}

void
jobs_forget_ways (gpointer jobs)
{
  Jobs *self = jobs;
  if (self->shipping == NULL)
    return;
  for (guint i = 0; i < task_count (); i++)
    if (self->shipping[i].is_pinned)
      pool_unpin (self->pool, task_at (i));
  memset (self->shipping, 0, task_count () * sizeof (Shipping));
  satin_loop_timer_cancel (self->loop, &self->retry_timer);
}

void
jobs_shipping_disconnect (Jobs *self)
{
  satin_loop_timer_cancel (self->loop, &self->retry_timer);
}
