/* shipping.c - whether jobs of a task are worth their way to another node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shipping.h"

/* The first try comes after this many times the time that a job is on the way. */
#define PAUSE_COSTS 16
/* The longest pause, unless %PAUSE_COSTS times the time on the way is longer. */
#define PAUSE_MAX_US ((gint64)10000000)
/* Weight of a job in the averages, and of a job that was sent to try a pinned task again. */
#define WEIGHT     0.25
#define WEIGHT_TRY 0.5

/* Counts the arrival of @job. Returns: how long @job was on the way, counted only from the latest
 * arrival before it */
static gint64
count_way (Shipping *self, const Shipped *job)
{
  gint64 way_us = job->arrived_us - MAX (job->sent_us, self->arrived_us);
  self->arrived_us = MAX (self->arrived_us, job->arrived_us);
  return MAX (way_us, 0);
}

static void
pin (Shipping *self, gint64 now_us)
{
  gint64 first_us = (gint64)(PAUSE_COSTS * self->cost_us);
  self->pause_us = CLAMP (2 * self->pause_us, first_us, MAX (first_us, PAUSE_MAX_US));
  self->next_us = now_us + self->pause_us;
  self->tried_us = G_MAXINT64;
  self->is_pinned = TRUE;
}

void
shipping_note (Shipping *self, const Shipped *job, gint64 now_us)
{
  gboolean is_try = self->is_pinned && job->sent_us >= self->tried_us;
  double weight = !self->is_known ? 1 : is_try ? WEIGHT_TRY : WEIGHT;
  self->cost_us += weight * ((double)count_way (self, job) - self->cost_us);
  self->ran_us += weight * ((double)MAX (job->ran_us, 0) - self->ran_us);
  self->n_bytes = self->is_known ? MIN (self->n_bytes, job->n_bytes) : job->n_bytes;
  self->is_known = TRUE;
  if (self->cost_us <= self->ran_us)
    {
      self->is_pinned = FALSE;
      self->pause_us /= 2;
    }
  else if (!self->is_pinned || is_try)
    pin (self, now_us);
}

/* Half the size of the smallest measured job: jobs that are only a little smaller are not worth
 * their way either. */
gsize
shipping_least_bytes (const Shipping *self)
{
  return self->n_bytes / 2;
}

gboolean
shipping_may_leave (Shipping *self, gsize n_bytes, gint64 now_us)
{
  if (!self->is_pinned || n_bytes < shipping_least_bytes (self))
    return TRUE;
  if (now_us < self->next_us)
    return FALSE;
  /* A tried job may never come back, so the next try does not depend on it. */
  self->tried_us = now_us;
  self->next_us = now_us + self->pause_us;
  return TRUE;
}
