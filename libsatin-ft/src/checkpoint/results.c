/* results.c - announces stored results to other nodes, which then fetch them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator.h"

#include <satin/base/inject.h>

/* How many bits of a result's name are its number in the store. */
#define NUMBER_BITS 40

/* The name of a result in hints. The name is valid only until this node resigns: when it becomes
 * the coordinator again, it gives other names. */
static gint64
stored_name (const Coordinator *self, guint64 number)
{
  return ((gint64)self->opening << NUMBER_BITS) | (gint64)number;
}

void
coordinator_tell_of_entries (Coordinator *self, const GArray *entries)
{
  SatinFt *ft = self->client->ft;
  for (guint i = 0; i < entries->len; i++)
    {
      const StoreEntry *entry = &g_array_index (entries, StoreEntry, i);
      if (entry->node != 0 && ft_look_for (ft, entry->node) != PEER_GONE)
        continue;
      ft_stored_orphan (ft, stored_name (self, entry->number), entry->key, entry->lineage,
                        entry->path);
      self->n_told++;
    }
}

static void
list_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  self->entries = store_list (self->coordinator->store, self->node, self->is_over);
}

static void
list_done (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  if (self->entries->len > 0)
    satin_loop_probe (self->coordinator->client->loop, "checkpoint.lost-node-told");
  coordinator_tell_of_entries (self->coordinator, self->entries);
}

void
coordinator_node_died (Coordinator *self, SatinNodeId id, gboolean was_master)
{
  if (!self->is_open)
    return;
  CoordinatorTask *task = coordinator_task_new (self, list_work, list_done);
  task->node = id;
  task->is_over = was_master;
  coordinator_do (self, task);
}

static void
fetch_work (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  SATIN_INJECT_BUG ("fetch-another", self->number -= self->number > 1);
  self->result = store_fetch (self->coordinator->store, (guint64)self->number, &self->error);
}

static void
forget_fetch (Coordinator *self, guint64 import_id)
{
  for (guint i = 0; i < self->fetching->len; i++)
    if (g_array_index (self->fetching, guint64, i) == import_id)
      {
        g_array_remove_index_fast (self->fetching, i);
        return;
      }
}

static void
tell_fetched (const CoordinatorTask *self)
{
  SatinFt *ft = self->coordinator->client->ft;
  if (ft->host != NULL)
    ft->host_ops->fetched (ft->host, self->import_id, self->result);
}

static void
fetch_failed (const CoordinatorTask *self)
{
  SATIN_INJECT_BUG ("forget-fetched", return);
  g_info ("%s: its job runs again", self->error->message);
  tell_fetched (self);
}

static void
fetch_done (WriterTask *task)
{
  CoordinatorTask *self = (CoordinatorTask *)task;
  Coordinator *coordinator = self->coordinator;
  forget_fetch (coordinator, self->import_id);
  if (self->error != NULL)
    {
      fetch_failed (self);
      return;
    }
  coordinator->n_fetched++;
  coordinator->n_fetched_bytes += (gint64)g_bytes_get_size (self->result);
  tell_fetched (self);
}

gboolean
coordinator_fetch (Coordinator *self, gint64 name, guint64 import_id)
{
  gint64 number = name & (((gint64)1 << NUMBER_BITS) - 1);
  if (!self->is_open || name != stored_name (self, (guint64)number))
    return FALSE;
  CoordinatorTask *task = coordinator_task_new (self, fetch_work, fetch_done);
  task->number = number;
  task->import_id = import_id;
  g_array_append_val (self->fetching, import_id);
  coordinator_do (self, task);
  return TRUE;
}
