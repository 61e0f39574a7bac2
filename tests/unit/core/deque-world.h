/* deque-world.h - one worker's deque without threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "workers/pool.h"

/* A worker with a deque of that many slots that nobody runs, alone in a pool of which only the
 * export queue works. */
Worker *deque_world_new (gsize n_slots);
void deque_world_free (Worker *self);

/* Puts a slot of the test's one task there, with that mark. */
void deque_world_put (Worker *self, guint32 index, SatinSlotMark mark);

/* As put, for the slots from @first up to, not with, @end. */
void deque_world_fill (Worker *self, guint32 first, guint32 end, SatinSlotMark mark);

guint32 deque_world_tail (Worker *self);

/* The index that a thief claims, or -1. */
int deque_world_claim (Worker *self);

/* Publishes, or puts into the export queue, what is below @head. */
gboolean deque_world_publish (Worker *self, guint32 head);
gboolean deque_world_export (Worker *self, guint32 head);

/* The index that is taken out of the export queue, with its task, or -1. */
int deque_world_take_queued (Worker *self, const SatinTask **ret_task);
