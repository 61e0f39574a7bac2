/* report.c - this node's own figures, and its speed
 *
 * The speed of a node follows from two numbers: the processor time that the sample takes (a job
 * that all nodes run for this purpose), and the *load*: the share of the processors that the node's
 * workers get. The first number is measured when there is a new sample, and again when the load has
 * changed. The load is computed from the node's figures.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* If the workers were busy for less than this, the load is not computed. */
#define LOAD_MIN_US ((gint64)20000)
/* The load counts as changed when it differs by more than LOAD_CHANGE. The load is never below
 * LOAD_LEAST. */
#define LOAD_CHANGE 0.2
#define LOAD_LEAST  0.01

static void
add_sum (const char *name, gint64 value, gpointer user_data)
{
  AdaptSums *sums = user_data;
  const struct
  {
    const char *name;
    gint64 *sum;
  } table[] = {
    { "workers", &sums->n_workers },
    { "busy-us", &sums->busy_us },
    { "idle-us", &sums->idle_us },
    { "cpu-us", &sums->cpu_us },
    { "overdue-near-us", &sums->overdue_near_us },
    { "overdue-far-us", &sums->overdue_far_us },
  };
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (name, table[i].name) == 0)
      *table[i].sum = value;
}

static gint32
thousandths (gint64 part, gint64 whole)
{
  return whole > 0 ? (gint32)CLAMP (part * 1000 / whole, 0, 1000) : 0;
}

static void
note_load (SatinAdapter *self, gint64 cpu_us, gint64 busy_us)
{
  if (busy_us >= LOAD_MIN_US && cpu_us > 0)
    self->load = CLAMP ((double)cpu_us / (double)busy_us, LOAD_LEAST, 1);
}

void
adapter_count_from_now (SatinAdapter *self)
{
  AdaptSums sums = { 0 };
  self->host->figures (add_sum, &sums, self->host_data);
  self->last = sums;
  gint64 now_us = satin_loop_now_us (self->loop);
  self->told_us = MAX (now_us, 1);
}

void
adapter_read (SatinAdapter *self, AdaptFigures *ret_figures)
{
  AdaptSums sums = { 0 };
  const AdaptSums *last = &self->last;
  const SatinView *view = satin_peers_get_view (self->peers);
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 length_us = now_us - self->told_us;
  self->host->figures (add_sum, &sums, self->host_data);
  gint64 busy_us = sums.busy_us - last->busy_us;
  gint64 idle_us = sums.idle_us - last->idle_us;
  note_load (self, sums.cpu_us - last->cpu_us, busy_us);
  *ret_figures = (AdaptFigures){
    .node = view->self,
    .is_kept = self->options.is_kept,
    .is_new = self->told_us == 0 || length_us < self->options.period_us / 2,
    .n_workers = (gint32)CLAMP (sums.n_workers, 1, ADAPT_MAX_WORKERS),
    .idle = thousandths (idle_us, busy_us + idle_us),
    .overdue_near = thousandths (sums.overdue_near_us - last->overdue_near_us, length_us),
    .overdue_far = thousandths (sums.overdue_far_us - last->overdue_far_us, length_us),
    .load = (gint32)(self->load * 1000),
    .sample = self->measured_id,
    .sample_us = self->measured_cpu_us,
  };
  self->last = sums;
  self->told_us = MAX (now_us, 1);
}

void
adapter_set_sample (SatinAdapter *self, GBytes *sample)
{
  if (sample == NULL || (self->sample != NULL && g_bytes_equal (sample, self->sample)))
    return;
  g_autofree char *digest = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, sample);
  g_clear_pointer (&self->sample, g_bytes_unref);
  self->sample = g_bytes_ref (sample);
  digest[15] = '\0'; /* 60 bits: almost certainly above 0 */
  self->sample_id = (gint64)g_ascii_strtoull (digest, NULL, 16);
}

/* Notes the result of a measurement. @cpu_us: the processor time that the sample took; 0: it could
 * not be measured */
static void
note_measured (SatinAdapter *self, gint64 cpu_us)
{
  self->measured_id = self->measuring_id;
  self->measured_at_us = satin_loop_now_us (self->loop);
  self->measured_cpu_us = cpu_us;
}

static void
on_measured (gint64 cpu_us, gpointer user_data)
{
  SatinAdapter *self = user_data;
  g_clear_pointer (&self->measurement, satin_measurement_free);
  self->n_benchmarks++;
  self->benchmark_us += cpu_us;
  note_measured (self, cpu_us);
}

static gboolean
is_due (const SatinAdapter *self)
{
  gint64 since_us = satin_loop_now_us (self->loop) - self->measured_at_us;
  gboolean is_old =
      self->sample_id != self->measured_id || ABS (self->load - self->measured_load) > LOAD_CHANGE;
  gint64 rest_us = self->options.benchmark_share > 0
                       ? (gint64)((double)self->measured_cpu_us / self->options.benchmark_share)
                       : G_MAXINT64;
  return is_old && (self->measured_at_us == 0 ? rest_us == 0 : since_us >= rest_us);
}

void
adapter_measure (SatinAdapter *self)
{
  g_autoptr (GError) error = NULL;
  if (self->workers == NULL || self->sample == NULL || self->measurement != NULL || !is_due (self))
    return;
  self->measuring_id = self->sample_id;
  self->measured_load = self->load;
  self->measurement =
      satin_measure (self->workers, self->loop, self->sample, on_measured, self, &error);
  if (error == NULL)
    return;
  g_debug ("the node's speed cannot be measured: %s", error->message);
  note_measured (self, 0);
  if (!adapter_is_coordinator (self) || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_IO))
    return;
  g_clear_pointer (&self->sample, g_bytes_unref); /* the sample is not usable; look for another
                                                   * one */
  self->sample_id = 0;
}
