/* objects.c - shared objects: who has them, and how they come to a master
 *
 * A coordinator reads one object at a time and sends it on, so it never has all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator.h"

/* ---- who has the objects of this node ---- */

static void
attach (SatinKeeper *keeper, const SatinKeeperHost *host_ops, gpointer host)
{
  Keeping *self = (Keeping *)keeper;
  self->keeper_host = host_ops;
  self->keeper_host_data = host;
}

const SatinKeeperOps keeping_keeper_ops = {
  .struct_size = sizeof (SatinKeeperOps),
  .attach = attach,
};

void
keeping_pack (Keeping *self, SatinKeptFunc func, gpointer user_data)
{
  if (self->keeper_host != NULL)
    self->keeper_host->pack (self->keeper_host_data, func, user_data);
}

void
keeping_on_object (Keeping *self, const KeepingObject *message)
{
  g_autoptr (GBytes) state = g_bytes_new (message->state, message->n_state);
  const SatinKept kept = { .object = message->object,
                           .type = message->type,
                           .name = message->name,
                           .version = message->version,
                           .state = state };
  if (self->keeper_host != NULL)
    self->keeper_host->restore (self->keeper_host_data, &kept);
}

/* ---- at the coordinator ---- */

static void tell_next (Coordinator *self, SatinNodeId to, gint64 after, gboolean is_first);

static void
next_work (StorerTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  self->has_object = depot_next_object (self->coordinator->depot, self->number, &self->object,
                                        &self->result, &self->n_damaged, &self->error);
}

static void
next_done (StorerTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Coordinator *coordinator = self->coordinator;
  Keeping *keeping = coordinator->keeping;
  if (self->n_damaged > 0)
    g_warning ("checkpoint %s: %u shared objects are damaged; the run goes on without them",
               keeping->uri, self->n_damaged);
  if (self->error != NULL)
    g_warning ("checkpoint %s: %s; the run goes on without the shared objects that are left",
               keeping->uri, self->error->message);
  if (!self->has_object)
    {
      if (self->is_over)
        coordinator_ready_soon (coordinator);
      return;
    }
  KeepingObject message = { .object = self->object.object,
                            .type = self->object.type,
                            .name = self->object.name,
                            .version = self->object.version };
  message.state = g_bytes_get_data (self->result, &message.n_state);
  keeping_send (keeping, self->node, KEEPING_OBJECT, &KeepingObject_record, &message);
  tell_next (coordinator, self->node, self->object.object, self->is_over);
}

/* @is_first: before READY. */
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
