/* share.c - connects the store with the workers of a program: each worker has a reader
 *
 * SatinSharing is the interface through which libsatin-core uses shared objects. When an object
 * changes that a reader sees, all workers are asked to refresh: each refreshes its reader at its
 * next safe point. Before a job from another node begins, the code for stealing asks here whether
 * its objects are here; if not, the store's replicator fetches them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/so/share.h>

#include "private.h"

typedef struct
{
  SatinSharing sharing;
  SatinObjects *objects; /* (owned) */
  SatinWorkers *workers; /* (borrowed): they own this Share */
  guint n_readers;
  /* Readers are made when they are first needed. */
  SatinReader *looking;  /* (owned) (nullable): the reader of the loop's thread, for guards */
  SatinReader **readers; /* (owned) of (owned) (nullable): the reader of each worker, by index */

  const SatinSharingHost *host; /* (borrowed) (nullable): used on the loop's thread only */
  gpointer host_data;           /* (borrowed) */
} Share;

static Share *
share_from (SatinSharing *sharing)
{
  return (Share *)sharing;
}

/* ---- calls from the workers and the stealing ---- */

static void
refresh (SatinReader *reader)
{
  if (reader != NULL)
    satin_reader_refresh (reader);
}

static void
share_refresh (SatinSharing *sharing, guint worker)
{
  refresh (share_from (sharing)->readers[worker]);
}

static gboolean
share_has (SatinSharing *sharing, gint64 object, gint64 version)
{
  Share *self = share_from (sharing);
  /* A guard is evaluated after this check of its objects, and must see the newest states of the
   * objects. */
  refresh (self->looking);
  return satin_objects_get_version (self->objects, object) >= MAX (version, 0);
}

static void
share_want (SatinSharing *sharing, SatinNodeId from, gint64 object, gint64 version)
{
  objects_want (share_from (sharing)->objects, from, object, version);
}

static void
share_attach (SatinSharing *sharing, const SatinSharingHost *host, gpointer host_data)
{
  Share *self = share_from (sharing);
  self->host = host;
  self->host_data = host_data;
}

static void
share_free (SatinSharing *sharing)
{
  Share *self = share_from (sharing);
  for (guint i = 0; i < self->n_readers; i++)
    satin_reader_free (self->readers[i]);
  g_free (self->readers);
  satin_reader_free (self->looking);
  satin_objects_free (self->objects);
  g_free (self);
}

static const SatinSharingOps sharing_ops = {
  .struct_size = sizeof (SatinSharingOps),
  .refresh = share_refresh,
  .has = share_has,
  .want = share_want,
  .attach = share_attach,
  .free = share_free,
};

/* ---- callbacks of the store ---- */

static void
share_changed (gpointer watch)
{
  satin_workers_refresh (((Share *)watch)->workers);
}

static void
share_arrived (gpointer watch)
{
  Share *self = watch;
  if (self->host != NULL)
    self->host->arrived (self->host_data);
}

static const ObjectsWatch watch_ops = { .changed = share_changed, .arrived = share_arrived };

static Share *
share_new (SatinWorkers *workers)
{
  Share *self = g_new0 (Share, 1);
  self->sharing.ops = &sharing_ops;
  self->workers = workers;
  self->objects = satin_objects_new ();
  objects_set_watch (self->objects, &watch_ops, self);
  self->n_readers = satin_workers_get_n_most (workers);
  self->readers = g_new0 (SatinReader *, self->n_readers);
  return self;
}

static Share *
share_of (SatinWorkers *workers)
{
  SatinSharing *sharing = satin_workers_get_sharing (workers);
  if (sharing == NULL)
    {
      Share *fresh = share_new (workers);
      sharing = satin_workers_share (workers, &fresh->sharing);
      if (sharing != &fresh->sharing)
        share_free (&fresh->sharing);
    }
  g_assert (sharing->ops == &sharing_ops);
  return share_from (sharing);
}

SatinObjects *
satin_objects_of (SatinWorkers *workers)
{
  g_return_val_if_fail (workers != NULL, NULL);
  return share_of (workers)->objects;
}

/* ---- tasks and guards ---- */

SatinObject
satin_worker_create (SatinWorker *worker, SatinSlot *head, const SatinObjectType *type,
                     const char *name, gconstpointer record)
{
  GError *error = NULL;
  SatinObjects *objects = satin_objects_of (satin_worker_get_workers (worker));
  SatinObject id = satin_objects_create (objects, type, name, record, &error);
  if (id == 0)
    satin_worker_fail (worker, head, NULL, NULL, error);
  return id;
}

static gconstpointer
read_with (Share *self, SatinReader **reader, SatinObject id, const SatinObjectType *type)
{
  if (G_UNLIKELY (*reader == NULL))
    *reader = satin_reader_new (self->objects);
  return satin_reader_read (*reader, id, type);
}

gconstpointer
satin_worker_read (SatinWorker *worker, SatinObject id, const SatinObjectType *type)
{
  Share *self = share_of (satin_worker_get_workers (worker));
  return read_with (self, &self->readers[satin_worker_get_index (worker)], id, type);
}

void
satin_worker_update (SatinWorker *worker, SatinObject id, const SatinMethod *method,
                     gconstpointer args)
{
  gboolean is_here =
      satin_objects_update (satin_objects_of (satin_worker_get_workers (worker)), id, method, args);
  g_return_if_fail (is_here);
  /* If the call was skipped because another worker has made a better one, this worker may not have
   * been asked to refresh yet. This makes sure that it sees the better state after its next safe
   * point. */
  satin_worker_refresh (worker);
}

gconstpointer
satin_sharing_look (SatinSharing *sharing, SatinObject id, const SatinObjectType *type)
{
  if (sharing == NULL)
    return NULL;
  g_return_val_if_fail (sharing->ops == &sharing_ops, NULL);
  Share *self = share_from (sharing);
  return read_with (self, &self->looking, id, type);
}
