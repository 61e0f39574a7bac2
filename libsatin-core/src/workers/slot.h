/* slot.h - one job in a deque, and who has it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/worker.h>

/* Who has a public slot: one of these words, or the Worker that stole it. The four lowest bits are
 * flags that only the owner of the slot sets; who takes it, or is done with it, keeps them. */
enum
{
  STATE_PUBLIC = 0x10,        /* nobody; a claimed slot shows it for a moment more */
  STATE_DONE = 0x20,          /* the result is in its place */
  STATE_FAILED = 0x30,        /* result is the GError */
  STATE_REMOTE = 0x40,        /* another node */
  STATE_QUEUED_EXPORT = 0x50, /* nobody; whoever is first, see export.c */
  STATE_OURS = 0x60,          /* was in the export queue, the owner runs it */
  STATE_WORDS_END = 0x100,
  STATE_PARKED = 1,  /* the owner sleeps until it is done */
  STATE_JOINED = 2,  /* the owner waits for it in a sync */
  STATE_ABORTED = 4, /* nobody wants its result: abort.c */
  STATE_HEARD = 8,   /* an inlet is to be told when it has ended, and was not: inlet.c */
  STATE_FLAGS = 15,
};

/* What others write to a worker's limit and join to have its attention. */
#define POISONED_LIMIT ((SatinSlot *)0)
#define POISONED_JOIN  ((SatinSlot *)G_MAXSIZE)

/* In the task word of a running slot, beside its mark: see landmark.c. */
#define SLOT_LANDMARK 4

/* Relaxed: its owner may drop a slot that a thief has just claimed; the thief runs what it finds.
 */
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

/* Whether nobody has begun the job and it is where its spawn left it. For the owner. */
static inline gboolean
slot_is_queued (const SatinSlot *slot)
{
  return slot_mark (slot) == SATIN_SLOT_QUEUED && !slot_task (slot)->is_exported;
}

/* In the slot of a job that nobody wants and nobody had begun. */
extern const SatinTask pool_dropped_task;

/* Relaxed: a thief of a slot above may read it meanwhile (path.c). */
static inline void
slot_drop (SatinSlot *slot, SatinSlotMark mark)
{
  SATIN_STORE_RELAXED (&slot->task, (guintptr)&pool_dropped_task | mark);
}

/* Whether it has no result, and will have none, as nobody wants it. */
static inline gboolean
slot_is_dropped (const SatinSlot *slot)
{
  const SatinTask *task = slot_task (slot);
  return task == &pool_dropped_task
         || (task->is_exported && (SATIN_LOAD_RELAXED (&slot->state) & STATE_ABORTED));
}

/* Whether a job that was put out for other nodes is still to be had, whatever its owner has
 * flagged.
 */
static inline gboolean
slot_is_in_export_queue (const SatinSlot *slot)
{
  return (SATIN_LOAD_RELAXED (&slot->state) & ~(guintptr)STATE_FLAGS) == STATE_QUEUED_EXPORT;
}

/* Relaxed: the owner of a frame compares the addresses of its children's results while a thief puts
 * an error in place of one; with the state comes the error. */
static inline void
slot_set_error (SatinSlot *slot, GError *error)
{
  SATIN_STORE_RELAXED (&slot->result, (gpointer)error);
}

/* With @state, in the slot of @task. */
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
