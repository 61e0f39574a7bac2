/* inspect.c - what workers have, for worlds that check a node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pool.h"

/* Counts the jobs in the export queue, except those that their owners have taken back. */
static guint
count_export_queue (SatinWorkers *self)
{
  guint n = 0;
  pthread_mutex_lock (&self->lock);
  for (guint i = 0; i < self->export_queue->len; i++)
    n += slot_is_in_export_queue (g_array_index (self->export_queue, QueuedExport, i).slot);
  pthread_mutex_unlock (&self->lock);
  return n;
}

guint
pool_count_queued (SatinWorkers *self)
{
  guint n = (guint)SATIN_LOAD_RELAXED (&self->n_inbox) + count_export_queue (self);
  for (guint i = 0; i < pool_count_workers (self); i++)
    n += worker_count_public (&self->workers[i]);
  return n;
}

static gboolean
is_in_use (const Worker *self)
{
  return SATIN_LOAD_RELAXED (&self->figures.idle_since_us) == 0 || self->split > 0
         || self->n_regions > 0 || self->outside != NULL || self->has_root
         || (self->inlined != NULL && self->inlined->len > 0) || self->fast.error != NULL;
}

guint
pool_count_in_use (const SatinWorkers *self)
{
  guint n = 0;
  for (guint i = 0; i < pool_count_workers (self); i++)
    n += is_in_use (&self->workers[i]);
  return n;
}

/* Returns: the index of the worker that runs on @thread; 0 when there is none */
guint
pool_find_worker (const SatinWorkers *self, gconstpointer thread)
{
  for (guint i = 0; i < pool_count_workers (self); i++)
    if (self->workers[i].thread == thread)
      return i;
  return 0;
}

/* Returns: (nullable): the newest imported job that worker number @worker is in */
Job *
pool_get_running (const SatinWorkers *self, guint worker)
{
  const Worker *running = &self->workers[worker];
  g_autoptr (GByteArray) path = g_byte_array_new ();
  return running->outside != NULL ? worker_find_path (running, running->outside, NULL, path) : NULL;
}
