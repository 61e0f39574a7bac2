/* sharing.c - the workers and the part that has the shared objects
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/pool.h"

SatinSharing *
satin_workers_share (SatinWorkers *self, SatinSharing *sharing)
{
  g_return_val_if_fail (self != NULL && sharing != NULL, NULL);
  SatinSharing *first = NULL;
  return SATIN_CAS (&self->sharing, &first, sharing) ? sharing : first;
}

SatinSharing *
satin_workers_get_sharing (SatinWorkers *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  /* Acquire: pairs with the exchange that set the pointer, so that the fields behind it are
   * visible. */
  return SATIN_LOAD (&self->sharing);
}

void
satin_workers_refresh (SatinWorkers *self)
{
  g_return_if_fail (self != NULL);
  for (guint i = 0; i < pool_count_workers (self); i++)
    worker_ask (&self->workers[i], WANT_REFRESH);
}

void
satin_worker_refresh (SatinWorker *worker)
{
  g_return_if_fail (worker != NULL);

  worker_ask (worker_from (worker), WANT_REFRESH);
}

guint
satin_workers_get_n_most (const SatinWorkers *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return SATIN_LOAD_RELAXED (&self->n_most);
}

SatinWorkers *
satin_worker_get_workers (SatinWorker *worker)
{
  g_return_val_if_fail (worker != NULL, NULL);

  return worker_from (worker)->pool;
}

guint
satin_worker_get_index (SatinWorker *worker)
{
  g_return_val_if_fail (worker != NULL, 0);

  return worker_from (worker)->index;
}

void
satin_worker_poll (SatinWorker *worker, SatinSlot *head)
{
  Worker *self = worker_from (worker);
  worker_attend (self, MIN (head, self->end));
}

/* Refreshes the worker's views of shared objects. */
void
worker_refresh (Worker *self)
{
  SatinSharing *sharing = satin_workers_get_sharing (self->pool);
  if (sharing != NULL)
    sharing->ops->refresh (sharing, self->index);
}
