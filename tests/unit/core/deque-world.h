/* deque-world.h - one worker's deque without threads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "workers/pool.h"

/* Returns: a worker with a deque of @n_slots slots, which no thread runs. The worker is alone in
 * its pool. Only the export queue of that pool works */
Worker *deque_world_new (gsize n_slots);
void deque_world_free (Worker *self);

/* Puts a job of the test's one task into slot @index, with @mark. */
void deque_world_put (Worker *self, guint32 index, SatinSlotMark mark);

/* Like deque_world_put(), for the slots from @first to before @end. */
void deque_world_fill (Worker *self, guint32 first, guint32 end, SatinSlotMark mark);

guint32 deque_world_tail (Worker *self);

/* Claims a job, as a thief does. Returns: the index of its slot, or -1 */
int deque_world_claim (Worker *self);

/* The first function publishes jobs below @head. The second one puts them into the export queue. */
gboolean deque_world_publish (Worker *self, guint32 head);
gboolean deque_world_export (Worker *self, guint32 head);

/* Takes a job out of the export queue. Returns: the index of its slot, or -1
 * @ret_task: (out) (nullable): its task */
int deque_world_take_queued (Worker *self, const SatinTask **ret_task);
