/* slot.h - one job in a deque, and who has it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/worker.h>

/* Who has the job of a slot that was public or exported: one of these words, or a pointer to the
 * Worker that took it. The four lowest bits are flags. Only the owner of the slot sets them. Other
 * threads keep them, except that pool_settle() clears STATE_PARKED. */
enum
{
  STATE_PUBLIC = 0x10,        /* nobody yet; also for a moment after a thief has claimed it */
  STATE_DONE = 0x20,          /* the job has ended; its result is in its place, unless it was
                               * aborted */
  STATE_FAILED = 0x30,        /* the slot's result is the GError */
  STATE_REMOTE = 0x40,        /* another node */
  STATE_QUEUED_EXPORT = 0x50, /* nobody: the job is in the export queue, see export.c */
  STATE_OURS = 0x60,          /* the owner runs it; it was in the export queue */
  STATE_WORDS_END = 0x100,
  STATE_PARKED = 1,  /* the owner sleeps until the job has ended or came back */
  STATE_JOINED = 2,  /* the owner waits for the job in a sync */
  STATE_ABORTED = 4, /* nobody needs its result, see abort.c */
  STATE_HEARD = 8,   /* its inlet has not been told of its end, see inlet.c */
  STATE_FLAGS = 15,
};

/* Other threads write these to a worker's limit and join to make it take the slow path. */
#define POISONED_LIMIT ((SatinSlot *)0)
#define POISONED_JOIN  ((SatinSlot *)G_MAXSIZE)

/* A bit in the task word of a running slot, beside its mark: see landmark.c. */
#define SLOT_LANDMARK 4

/* Relaxed: the owner may drop a slot that a thief has just claimed; the thief runs whichever task
 * it reads. */
static inline const SatinTask *
slot_task (const SatinSlot *slot)
{
  return (const SatinTask *)(SATIN_LOAD_RELAXED (&slot->task)
                             & ~(guintptr)(SATIN_SLOT_MARKS | SLOT_LANDMARK));
}

static inline SatinSlotMark
slot_mark (const SatinSlot *slot)
{
  return (SatinSlotMark)(slot->task & SATIN_SLOT_MARKS);
}

/* Whether the job of a private slot was neither begun nor exported. Only for the owner. */
static inline gboolean
slot_is_queued (const SatinSlot *slot)
{
  return slot_mark (slot) == SATIN_SLOT_QUEUED && !slot_task (slot)->is_exported;
}

/* The task in the slot of a job that was aborted before anybody began it. */
extern const SatinTask pool_dropped_task;

/* Relaxed: a thief may read the word meanwhile, when it looks for the path to a slot above
 * (path.c). */
static inline void
slot_drop (SatinSlot *slot, SatinSlotMark mark)
{
  SATIN_STORE_RELAXED (&slot->task, (guintptr)&pool_dropped_task | mark);
}

/* Whether the job was aborted, and has no result. */
static inline gboolean
slot_is_dropped (const SatinSlot *slot)
{
  const SatinTask *task = slot_task (slot);
  return task == &pool_dropped_task
         || (task->is_exported && (SATIN_LOAD_RELAXED (&slot->state) & STATE_ABORTED));
}

/* In place of where the result goes: the job failed, and its inlet took the error. */
#define SLOT_NO_RESULT ((gpointer)&pool_dropped_task)

/* Relaxed: as in slot_set_error(). */
static inline void
slot_lose_result (SatinSlot *slot)
{
  SATIN_STORE_RELAXED (&slot->result, SLOT_NO_RESULT);
}

/* Whether the job has ended without a result, although no error waits. */
static inline gboolean
slot_has_lost_result (const SatinSlot *slot)
{
  return !slot_task (slot)->is_typed && SATIN_LOAD_RELAXED (&slot->result) == SLOT_NO_RESULT;
}

/* Whether the job is in the export queue, whatever its flags are. */
static inline gboolean
slot_is_in_export_queue (const SatinSlot *slot)
{
  return (SATIN_LOAD_RELAXED (&slot->state) & ~(guintptr)STATE_FLAGS) == STATE_QUEUED_EXPORT;
}

/* Relaxed: the owner of a frame may compare the addresses of its children's results while a thief
 * puts an error in place of such an address. The error itself comes with the state. */
static inline void
slot_set_error (SatinSlot *slot, GError *error)
{
  SATIN_STORE_RELAXED (&slot->result, (gpointer)error);
}

/* Returns: @state, with the flag STATE_HEARD if @task has an inlet */
static inline guintptr
state_for_task (guintptr state, const SatinTask *task)
{
  return task->has_inlet ? state | STATE_HEARD : state;
}

static inline gpointer
slot_arguments (SatinSlot *slot)
{
  return satin_slot_args (slot, slot_task (slot)->args->size_bytes);
}

static inline gpointer
slot_result (SatinSlot *slot)
{
  return slot_task (slot)->is_typed ? (gpointer)slot->args : slot->result;
}
