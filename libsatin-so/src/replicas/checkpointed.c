/* checkpointed.c - puts objects into a checkpoint, and restores them from it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

typedef struct
{
  SatinReplicas *replicas;
  SatinKeptFunc func;
  gpointer user_data;
} Packing;

static void
pass_on (const SatinKept *kept, gpointer user_data)
{
  const Packing *self = user_data;
  self->replicas->n_kept++;
  self->func (kept, self->user_data);
}

static void
host_pack (gpointer host, SatinKeptFunc func, gpointer user_data)
{
  SatinReplicas *self = host;
  Packing packing = { self, func, user_data };
  satin_objects_keep (self->objects, pass_on, &packing);
}

static void
host_restore (gpointer host, const SatinKept *kept)
{
  SatinReplicas *self = host;
  g_autoptr (GError) error = NULL;
  if (self->peers == NULL)
    return;
  if (!satin_objects_restore (self->objects, kept, &error))
    {
      g_warning ("an object of the checkpoint is not used: %s", error->message);
      return;
    }
  satin_loop_probe (self->loop, "objects.restored");
  self->n_restored++;
  replicas_wake (self);
  replicas_note_change (self, kept->object, 0);
}

static const SatinObjectStoreHost host_ops = {
  .struct_size = sizeof (SatinObjectStoreHost),
  .pack = host_pack,
  .restore = host_restore,
};

void
satin_replicas_attach (SatinReplicas *self, SatinObjectStore *object_store)
{
  g_return_if_fail (self != NULL && object_store != NULL);
  object_store->ops->attach (object_store, &host_ops, self);
}
