/* deque-world.c - one worker's deque without threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deque-world.h"

#include <stdlib.h>
#include <string.h>

static const SatinTask task_exported;
static const SatinTask task = { .name = "nothing", .twin = &task_exported };
static const SatinTask task_exported = { .name = "nothing", .is_exported = TRUE, .twin = &task };

Worker *
deque_world_new (gsize n_slots)
{
  g_autoptr (GError) error = NULL;
  Worker *self = aligned_alloc (128, sizeof (Worker));
  memset (self, 0, sizeof (Worker));
  worker_open_deque (self, n_slots, TRUE, &error);
  g_assert_no_error (error);
  self->pool = g_new0 (SatinWorkers, 1);
  self->pool->export_queue = g_array_new (FALSE, FALSE, sizeof (QueuedExport));
  self->pool->workers = self;
  self->pool->n = 1;
  pthread_mutex_init (&self->pool->lock, NULL);
  return self;
}

void
deque_world_free (Worker *self)
{
  g_array_unref (self->pool->export_queue);
  pthread_mutex_destroy (&self->pool->lock);
  g_free (self->pool);
  worker_close_deque (self);
  free (self);
}

void
deque_world_put (Worker *self, guint32 index, SatinSlotMark mark)
{
  self->fast.slots[index].task = (guintptr)&task | mark;
}

void
deque_world_fill (Worker *self, guint32 first, guint32 end, SatinSlotMark mark)
{
  for (guint32 i = first; i < end; i++)
    deque_world_put (self, i, mark);
}

guint32
deque_world_tail (Worker *self)
{
  return (guint32)self->ts;
}

int
deque_world_claim (Worker *self)
{
  SatinSlot *slot = worker_claim_oldest (self);
  if (slot == NULL)
    return -1;
  slot->state = STATE_REMOTE;
  return slot - self->fast.slots;
}

gboolean
deque_world_export (Worker *self, guint32 head)
{
  gboolean has_typed;
  return worker_export (self, self->fast.slots + head, &has_typed);
}

int
deque_world_take_queued (Worker *self, const SatinTask **ret_task)
{
  QueuedExport queued;
  if (!pool_take_queued (self->pool, STATE_REMOTE, JOBS_ALL, &queued))
    return -1;
  g_assert_true (queued.owner == self);
  if (ret_task != NULL)
    *ret_task = queued.task;
  return queued.slot - self->fast.slots;
}

gboolean
deque_world_publish (Worker *self, guint32 head)
{
  return worker_publish (self, self->fast.slots + head);
}
