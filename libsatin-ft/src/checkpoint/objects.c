/* objects.c - stored shared objects: takes them from this node, and sends them to a master
 *
 * The coordinator reads one object at a time and sends it to the master, so that it never has all
 * objects in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator.h"

/* ---- the interface for the part that has the objects of this node ---- */

static void
attach (SatinObjectStore *object_store, const SatinObjectStoreHost *host_ops, gpointer host)
{
  CheckpointClient *self = (CheckpointClient *)object_store;
  self->object_store_host = host_ops;
  self->object_store_host_data = host;
}

const SatinObjectStoreOps checkpoint_client_object_store_ops = {
  .struct_size = sizeof (SatinObjectStoreOps),
  .attach = attach,
};

void
checkpoint_client_pack (CheckpointClient *self, SatinKeptFunc func, gpointer user_data)
{
  if (self->object_store_host != NULL)
    self->object_store_host->pack (self->object_store_host_data, func, user_data);
}

void
checkpoint_client_on_object (CheckpointClient *self, const CheckpointObjectMessage *message)
{
  g_autoptr (GBytes) state = g_bytes_new (message->state, message->n_state);
  const SatinKept kept = { .object = message->object,
                           .type = message->type,
                           .name = message->name,
                           .version = message->version,
                           .state = state };
  if (self->object_store_host != NULL)
    self->object_store_host->restore (self->object_store_host_data, &kept);
}

/* ---- at the coordinator ---- */

static void tell_next (Coordinator *self, SatinNodeId to, gint64 after, gboolean is_first);

static void
next_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  self->has_object = store_next_object (self->coordinator->store, self->number, &self->object,
                                        &self->result, &self->n_damaged, &self->error);
}

static void
next_done (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Coordinator *coordinator = self->coordinator;
  CheckpointClient *client = coordinator->client;
  if (self->n_damaged > 0)
    g_warning ("checkpoint %s: %u shared objects are damaged; the run goes on without them",
               client->uri, self->n_damaged);
  if (self->error != NULL)
    g_warning ("checkpoint %s: %s; the run goes on without the shared objects that are left",
               client->uri, self->error->message);
  if (!self->has_object)
    {
      if (self->is_over)
        coordinator_ready_soon (coordinator);
      return;
    }
  CheckpointObjectMessage message = { .object = self->object.object,
                                      .type = self->object.type,
                                      .name = self->object.name,
                                      .version = self->object.version };
  message.state = g_bytes_get_data (self->result, &message.n_state);
  checkpoint_client_send (client, self->node, CHECKPOINT_MESSAGE_OBJECT,
                          &CheckpointObjectMessage_record, &message);
  tell_next (coordinator, self->node, self->object.object, self->is_over);
}

/* Sends the first object whose id is above @after, and then the objects after it. @is_first: READY
 * follows the last object */
static void
tell_next (Coordinator *self, SatinNodeId to, gint64 after, gboolean is_first)
{
  CoordinatorTask *task = coordinator_task_new (self, next_work, next_done);
  task->node = to;
  task->number = after;
  task->is_over = is_first;
  coordinator_do (self, task);
}

void
coordinator_tell_objects (Coordinator *self, SatinNodeId to)
{
  if (self->figures.n_objects > 0)
    tell_next (self, to, 0, FALSE);
}

gboolean
coordinator_tell_objects_first (Coordinator *self)
{
  if (self->figures.n_objects == 0)
    return FALSE;
  coordinator_is_reading (self);
  tell_next (self, self->master, 0, TRUE);
  return TRUE;
}
