/* running.c - the job that a worker was in when it stopped
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "running.h"

#include "jobs/jobs.h"
#include "tasks/task.h"

/* Returns: the newest running slot from @slot on, or @found. Above the deque's head, which only the
 * worker's thread knows, old slots are left. None of them looks like a frame whose child runs. */
static const SatinSlot *
climb (const Worker *self, const SatinSlot *slot, const SatinSlot *found)
{
  while (slot < self->end && slot->task != 0)
    {
      if (slot_mark (slot) == SATIN_SLOT_QUEUED)
        {
          slot++;
          continue;
        }
      if (slot_mark (slot) != SATIN_SLOT_RUNNING
          || worker_has_border (self, slot - self->fast.slots))
        break;
      found = slot++;
      while (slot < self->end && slot_mark (slot) == SATIN_SLOT_DONE)
        slot++;
    }
  return found;
}

gboolean
worker_find_running (const Worker *self, Running *ret_running)
{
  const Border *border = self->border;
  if (border == NULL)
    return FALSE;
  g_autoptr (GByteArray) path = g_byte_array_new ();
  const SatinSlot *slot = climb (self, border->base, border->source);
  const Job *job = worker_find_path (self, border->base, NULL, path);
  if (job == NULL)
    return FALSE;
  *ret_running =
      (Running){ .slot = slot, .import_id = job->is_remote ? jobs_get_import_id (job) : 0 };
  return TRUE;
}

char *
running_describe (const Running *self)
{
  SatinSlot *slot = (SatinSlot *)self->slot;
  const SatinTask *task = slot_task (slot);
  if (task->plain != NULL)
    task = task->plain;
  return task_describe (task, satin_slot_args (slot, task->args->size_bytes));
}
