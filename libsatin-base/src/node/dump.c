/* dump.c - what a node has and waits for
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

void
satin_node_set_insight (SatinNode *self, const SatinInsight *insight, gpointer user_data)
{
  g_return_if_fail (self != NULL && insight != NULL);
  self->insight = insight;
  self->insight_data = user_data;
}

static void
add_waits (const SatinPart *part, SatinWaitFunc add, gpointer user_data)
{
  if (part->ops.waits != NULL)
    part->ops.waits (part->handle, add, user_data);
}

void
satin_node_waits (SatinNode *self, SatinWaitFunc add, gpointer user_data)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (add != NULL);

  if (self->insight != NULL)
    self->insight->waits (add, user_data, self->insight_data);
  for (guint i = 0; i < self->parts->len; i++)
    add_waits (self->parts->pdata[i], add, user_data);
  if (self->stopping != NULL)
    add_waits (self->stopping, add, user_data);
}

/* A dump that is being made. */
typedef struct
{
  gint64 now_us;
  guint n_busy;
  GArray *jobs;  /* (owned) of SatinJobState */
  GArray *waits; /* (owned) of SatinWaitState */
} Making;

static void
add_job (const SatinJobState *job, gpointer user_data)
{
  Making *self = user_data;
  SatinJobState copy = *job;
  copy.job = g_strdup (job->job);
  g_array_append_val (self->jobs, copy);
}

static void
add_wait (const SatinWait *wait, gpointer user_data)
{
  Making *self = user_data;
  const SatinWaitState state = { .what = wait->what,
                                 .node = wait->node,
                                 .age_us = wait->since_us > 0 ? self->now_us - wait->since_us : 0 };
  g_array_append_val (self->waits, state);
}

static void
clear_job (gpointer data)
{
  SatinJobState *job = data;
  g_free ((gpointer)job->job);
}

static int
compare (gint64 a_us, gint64 b_us)
{
  return (a_us < b_us) - (a_us > b_us);
}

static int
compare_jobs (gconstpointer a, gconstpointer b)
{
  return compare (((const SatinJobState *)a)->age_us, ((const SatinJobState *)b)->age_us);
}

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  return compare (((const SatinWaitState *)a)->age_us, ((const SatinWaitState *)b)->age_us);
}

/* Encodes the dump. Halves the lists of jobs and waits until the dump fits into @max_bytes. */
static GBytes *
encode (const Making *self, gsize max_bytes)
{
  SatinDump dump = {
    .n_busy = (gint32)self->n_busy,
    .n_all_jobs = (gint32)self->jobs->len,
    .jobs = (const SatinJobState *)(gpointer)self->jobs->data,
    .n_jobs = self->jobs->len,
    .waits = (const SatinWaitState *)(gpointer)self->waits->data,
    .n_waits = self->waits->len,
  };
  for (;;)
    {
      gboolean fits = satin_record_measure (&SatinDump_record, &dump, max_bytes, NULL, NULL);
      if (fits || (dump.n_jobs == 0 && dump.n_waits == 0))
        return satin_record_to_bytes (&SatinDump_record, &dump);
      dump.n_jobs /= 2;
      dump.n_waits /= 2;
    }
}

GBytes *
satin_node_dump (SatinNode *self, gsize max_bytes)
{
  g_return_val_if_fail (self != NULL, NULL);
  Making making = { .now_us = satin_loop_now_us (self->loop),
                    .jobs = g_array_new (FALSE, FALSE, sizeof (SatinJobState)),
                    .waits = g_array_new (FALSE, FALSE, sizeof (SatinWaitState)) };
  g_array_set_clear_func (making.jobs, clear_job);
  if (self->insight != NULL)
    {
      making.n_busy = self->insight->count_busy (self->insight_data);
      self->insight->jobs (add_job, &making, self->insight_data);
    }
  satin_node_waits (self, add_wait, &making);
  g_array_sort (making.jobs, compare_jobs);
  g_array_sort (making.waits, compare_waits);
  GBytes *bytes = encode (&making, MIN (max_bytes, SATIN_DUMP_MAX_BYTES));
  g_array_unref (making.jobs);
  g_array_unref (making.waits);
  return bytes;
}
