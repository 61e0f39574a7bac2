/* worker.h - what spawn and sync compile into: slots, workers and the fast path
 *
 * The fast path here is inline, because a spawn must cost about as much as a function call. A job
 * is a slot in its worker's deque. The position of the deque's head is a hidden argument of every
 * task, so it stays in a register. Nothing on the fast path is atomic; relaxed loads are plain
 * loads. Other threads ask for attention by lowering @limit and raising @join; then the owner's own
 * comparisons take the slow path. docs/deque.md tells the whole story.
 *
 *   slots   base                                   head
 *           | stolen | public | private ...         |
 *                  tail     split (= join)          limit: from here on a spawn is slow
 *
 * A slot whose job has run stays until the sync of the job's frame is done. Low bits of @task mark
 * it. The finished children of unfinished frames are the frontier, over which recovery and
 * checkpoints walk.
 *
 * Threads: the worker that owns the deque, inside a task. Nothing in this header is for use by
 * hand; task.h has the macros.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

typedef struct _SatinTask SatinTask;
typedef struct _SatinSlot SatinSlot;
typedef struct _SatinWorker SatinWorker;
typedef struct _SatinSharing SatinSharing;

/* Runs the job in @slot, whose children go to @head and above, and stores its result. */
typedef void (*SatinRunFunc) (SatinWorker *worker, SatinSlot *slot, SatinSlot *head);

/* The version of what programs and the library share. It grows with each change of a part of this
 * header that is compiled into programs. A program that was built with another version is refused
 * at its start. */
#define SATIN_PROGRAM_ABI 1

G_STATIC_ASSERT (sizeof (gpointer) == 8);            /* Satin needs a 64-bit processor */
G_STATIC_ASSERT (__GCC_ATOMIC_LLONG_LOCK_FREE == 2); /* Satin needs a processor with atomic words of
                                                      * 8 bytes, without a lock */

/* Arguments up to this size lie in the slot, larger ones beside the deque. */
#define SATIN_SLOT_ARGS_BYTES 40
#define SATIN_ARGS_MAX_BYTES  512

/* Memory of arguments, which tasks also write and read as their own structures. */
typedef guintptr __attribute__ ((may_alias)) SatinWord;

/* An inlet tells the spawner's frame that a child has ended: see inlet.h. */
typedef struct _SatinInlet SatinInlet;
typedef void (*SatinInletFunc) (SatinWorker *worker, SatinSlot *head, SatinInlet *inlet,
                                gpointer frame, gpointer result, GError **error);

/**
 * SatinHearer:
 * @func: the inlet
 * @frame: (nullable): memory that the spawner shares with the inlet
 * @base: where the children of the spawner's frame begin
 *
 * Names the inlet that hears of a job's end. It lies beside the arguments of a job that was spawned
 * with an inlet.
 */
typedef struct
{
  SatinInletFunc func;
  gpointer frame;
  SatinSlot *base;
} __attribute__ ((may_alias)) SatinHearer;

/**
 * SatinTask:
 * @run: runs the job in a slot, puts its children above @head, and stores the result
 * @name: the task's name, unique in the program
 * @args: describes the arguments
 * @result: describes the result; without fields for a task without result
 * @is_typed: the typed last-in-first-out form, whose result lies in the slot
 * @is_exported: the form that stands for @twin in the slot of a job that was put out for other
 *   nodes
 * @has_inlet: the spawner hears of the job's end: see inlet.h
 * @twin: (nullable): for a form that may leave the node, its exported form, and the other way round
 * @plain: the general form, without an inlet and not exported; for the typed form, itself
 * @guard: (nullable): whether an imported job may begin: see sharing.h
 * @next: the next task in the program's list of tasks
 * @general: (nullable): the form that is in the program's table
 * @file: (nullable): the source file that defines it
 * @index: in the general form, its place in the table
 *
 * Describes one form of a task to the runtime. SATIN_TASK makes it.
 */
struct _SatinTask
{
  void (*run) (SatinWorker *worker, SatinSlot *slot, SatinSlot *head);
  const char *name;
  const SatinRecord *args;
  const SatinRecord *result;
  gboolean is_typed;
  gboolean is_exported;
  gboolean has_inlet;
  const SatinTask *twin;
  const SatinTask *plain;
  gboolean (*guard) (SatinSharing *sharing, gconstpointer args);
  SatinTask *next;
  const SatinTask *general;
  const char *file;
  int index;
} __attribute__ ((aligned (8))); /* leaves three low bits of its address free */

/**
 * SatinSlot:
 * @task: the task, with a SatinSlotMark in the low bits
 * @state: who has the job, once it is public or exported; private to the library
 * @result: where the result goes; unused in the typed form
 * @args: the arguments, or a pointer to them when they are larger
 *
 * One entry of a deque. It fills a line of the cache, 64 bytes; a deque begins at a page.
 */
struct _SatinSlot
{
  guintptr task;
  guintptr state;
  gpointer result;
  SatinWord args[SATIN_SLOT_ARGS_BYTES / sizeof (guintptr)];
};

G_STATIC_ASSERT (sizeof (SatinSlot) == 64);

/* How far the job of a slot has come, in the low bits of @task. */
typedef enum
{
  SATIN_SLOT_QUEUED = 0,  /* nobody has begun its job, or another worker or node has it */
  SATIN_SLOT_RUNNING = 1, /* this worker runs its job, or waits for it */
  SATIN_SLOT_DONE = 2,    /* its result is in its place, unless the job failed or was aborted */
  SATIN_SLOT_MARKS = 3,   /* the bits of a mark */
} SatinSlotMark;

/* The part of a worker that the fast path touches. */
struct _SatinWorker
{
  SatinSlot *limit;  /* atomic: a spawn into a slot at or above it is slow */
  SatinSlot *join;   /* atomic: a sync of a slot below it is slow */
  GError *error;     /* (owned): of a failed job; waits for the spawner's sync */
  guint64 n_jobs;    /* atomic: jobs synced, or run at their spawn; without typed jobs */
  SatinSlot *slots;  /* the deque */
  char *side;        /* (nullable) room beside the slots: SATIN_ARGS_MAX_BYTES for each */
  SatinInlet *inlet; /* (nullable): the newest inlet that runs, on top of other inlets */
  gboolean has_deferred_inlets; /* inlets wait until no inlet runs */
};

/* If you change SatinWorker, raise SATIN_PROGRAM_ABI. */
G_STATIC_ASSERT (sizeof (SatinWorker) == 64);

/* An inlet that runs. Its own children go above those of its frame. */
struct _SatinInlet
{
  SatinSlot *slot;   /* (nullable): of the child that the frame's sync has run; NULL: see inlet.c */
  SatinInlet *outer; /* (nullable): the inlet below it on the stack */
};

/* Marks functions off the fast path. They are cold, so that the compiler keeps the fast path small
 * enough to inline. */
#define SATIN_SLOW __attribute__ ((cold, noinline))

/* Spawns into a slot at or above the limit: queues the job or runs it; drops it in a frame that is
 * being left. Returns: the new head */
SATIN_API SATIN_SLOW SatinSlot *satin_spawn_slow (SatinWorker *worker, SatinSlot *slot,
                                                  const SatinTask *task, gconstpointer args,
                                                  gpointer result);
/* Like satin_spawn_slow(), for a child with an inlet. If the child runs at once, so does
 * the inlet. */
SATIN_API SATIN_SLOW SatinSlot *satin_spawn_inlet_slow (SatinWorker *worker, SatinSlot *slot,
                                                        const SatinTask *task, gconstpointer args,
                                                        gpointer result, SatinHearer hearer);
/* Runs the job in @slot, or waits for the thief that has it, and marks the slot as done. */
SATIN_API SATIN_SLOW void satin_sync_slow (SatinWorker *worker, SatinSlot *slot, SatinSlot *head);
/* Like satin_spawn_slow(), for the typed form. */
SATIN_API SATIN_SLOW void satin_typed_spawn_slow (SatinWorker *worker, SatinSlot *slot,
                                                  const SatinTask *task, gconstpointer args);
/* Syncs a typed job. Returns: (nullable): a slot that holds the result until the next spawn or
 * sync; %NULL when the caller must run the job in @slot */
SATIN_API SATIN_SLOW SatinSlot *satin_typed_sync_slow (SatinWorker *worker, SatinSlot *slot);
/* The function behind satin_fail(). @error: (transfer full) */
SATIN_API SATIN_SLOW void satin_worker_fail (SatinWorker *worker, SatinSlot *head,
                                             const SatinTask *task, gconstpointer args,
                                             GError *error);
/* Ends a frame whose body has returned without a sync after its last spawn: drops its jobs that
 * nobody has begun, waits for jobs that others have, and makes the frame fail. */
SATIN_API SATIN_SLOW void satin_frame_left (SatinWorker *worker, SatinSlot *base, SatinSlot *head,
                                            const char *name);
/* The function behind SATIN_SYNC_ERROR. Returns: %TRUE when no error waits for the sync */
SATIN_API gboolean satin_worker_take_error (SatinWorker *worker, SatinSlot *base, GError **error);
/* The function behind satin_frame_went_well(), while an error waits. */
SATIN_API SATIN_SLOW gboolean satin_worker_went_well (SatinWorker *worker,
                                                      const SatinSlot *base) G_GNUC_PURE;
/* The function behind satin_is_local(). */
SATIN_API gboolean satin_worker_is_local (SatinWorker *worker, SatinSlot *base);
/* The function behind satin_charge(). @duration_ns: 0 or more */
SATIN_API void satin_worker_charge (SatinWorker *worker, gint64 duration_ns);
/* The function behind satin_now_us(). */
SATIN_API gint64 satin_worker_now_us (SatinWorker *worker);
/* The run function of an exported job, which its owner's sync calls. */
SATIN_API SATIN_SLOW void satin_run_exported (SatinWorker *worker, SatinSlot *slot,
                                              SatinSlot *head);
/* Like satin_child_ended(), while an error waits. */
SATIN_API SATIN_SLOW void satin_child_failed (SatinWorker *worker, SatinSlot *slot, SatinSlot *head,
                                              const SatinHearer *hearer);
/* Ends the call of an inlet. @error: (transfer full) (nullable): for the sync of its frame */
SATIN_API SATIN_SLOW void satin_inlet_ended (SatinWorker *worker, GError *error);
/* Like satin_run_exported(), for a job with an inlet. */
SATIN_API SATIN_SLOW void satin_run_inlet_exported (SatinWorker *worker, SatinSlot *slot,
                                                    SatinSlot *head);
/* The function behind SATIN_ABORT and SATIN_ABORT_CHILD. @result: (nullable): where the result of
 * the child to abort goes; %NULL for all children */
SATIN_API SATIN_SLOW void satin_worker_abort (SatinWorker *worker, SatinSlot *base, SatinSlot *head,
                                              gconstpointer result);
/* The function behind SATIN_ABORT_OTHERS and SATIN_ABORT_OTHER. @result: (nullable): where the
 * result of the child to abort goes; %NULL for all but the child that has ended */
SATIN_API SATIN_SLOW void satin_inlet_abort (SatinWorker *worker, SatinInlet *inlet, SatinSlot *top,
                                             gconstpointer result);
/* The function behind satin_is_aborted(). The call is a safe point, too. */
SATIN_API SATIN_SLOW gboolean satin_worker_is_aborted (SatinWorker *worker, SatinSlot *head);
/* Adds a task to the table of the program. SATIN_TASK calls it before main. A second task of the
 * same name ends the process; so does a task from other headers than the library's. */
SATIN_API void satin_task_register (SatinTask *task, gsize task_bytes, guint abi);

/* Where the arguments, of @size_bytes, of the job in @slot lie. */
static inline gpointer
satin_slot_args (SatinSlot *slot, gsize size_bytes)
{
  return size_bytes <= SATIN_SLOT_ARGS_BYTES ? (gpointer)slot->args : (gpointer)slot->args[0];
}

/* Like satin_slot_args(), for a slot that is being filled. */
static inline gpointer
satin_slot_take_args (SatinWorker *worker, SatinSlot *slot, gsize size_bytes)
{
  if (size_bytes <= SATIN_SLOT_ARGS_BYTES)
    return slot->args;
  slot->args[0] = (guintptr)(worker->side + (slot - worker->slots) * SATIN_ARGS_MAX_BYTES);
  return (gpointer)slot->args[0];
}

/* Where the SatinHearer of the job in @slot lies: in the slot, or beside the deque if the arguments
 * leave no room in the slot. */
static inline SatinHearer *
satin_slot_hearer (SatinWorker *worker, SatinSlot *slot, gsize size_bytes)
{
  if (size_bytes <= SATIN_SLOT_ARGS_BYTES - sizeof (SatinHearer))
    return (SatinHearer *)(slot->args
                           + (SATIN_SLOT_ARGS_BYTES - sizeof (SatinHearer)) / sizeof (guintptr));
  if (size_bytes <= SATIN_SLOT_ARGS_BYTES)
    return (SatinHearer *)(worker->side + (slot - worker->slots) * SATIN_ARGS_MAX_BYTES);
  return (SatinHearer *)(slot->args + 1);
}

/**
 * satin_frame_sync:
 * @base: the first child of the frame
 * @head: behind the newest child
 * @last: (nullable): a small task of which the newest child may be, known to the compiler
 * @run_last: (nullable): runs a job of @last
 *
 * Runs the children of a frame that nobody took, the newest first, and waits for the others. The
 * children of most frames are of one task. The compiler knows @last then, and builds the beginning
 * of that task into this loop, with what the task does if it ends at once.
 */
static inline void
satin_frame_sync (SatinWorker *worker, SatinSlot *base, SatinSlot *head, const SatinTask *last,
                  SatinRunFunc run_last)
{
  SATIN_STORE_RELAXED (&worker->n_jobs, worker->n_jobs + (guint64)(head - base));
  for (SatinSlot *slot = head; slot > base;)
    {
      slot--;
      if (G_UNLIKELY (slot < SATIN_LOAD_RELAXED (&worker->join)))
        {
          satin_sync_slow (worker, slot, head);
          continue;
        }
      const SatinTask *task = (const SatinTask *)slot->task;
      if (last != NULL && G_LIKELY (task == last))
        {
          slot->task = (guintptr)last | SATIN_SLOT_RUNNING;
          run_last (worker, slot, head);
          slot->task = (guintptr)last | SATIN_SLOT_DONE;
        }
      else
        {
          slot->task = (guintptr)task | SATIN_SLOT_RUNNING;
          task->run (worker, slot, head);
          slot->task = (guintptr)task | SATIN_SLOT_DONE;
        }
    }
}

/* Whether no child of the frame that was just synced has failed, and the frame is still wanted. */
static inline gboolean
satin_frame_went_well (SatinWorker *worker, const SatinSlot *base)
{
  return G_LIKELY (worker->error == NULL) || satin_worker_went_well (worker, base);
}

/**
 * satin_child_ended:
 * @slot: the slot of a child that was spawned with an inlet
 * @head: behind the newest slot of the child's frame, which is on top and in its sync
 * @hearer: the inlet and what it gets
 *
 * Calls the inlet. While frames are being left an error waits, and no inlet is called.
 */
static inline void
satin_child_ended (SatinWorker *worker, SatinSlot *slot, SatinSlot *head, const SatinHearer *hearer)
{
  if (G_UNLIKELY (worker->error != NULL))
    {
      satin_child_failed (worker, slot, head, hearer);
      return;
    }
  SatinInlet *outer = worker->inlet;
  SatinInlet inlet = { slot, outer };
  GError *error = NULL;
  worker->inlet = &inlet;
  hearer->func (worker, head, &inlet, hearer->frame, slot->result, &error);
  worker->inlet = outer;
  if (G_UNLIKELY (error != NULL || worker->has_deferred_inlets))
    satin_inlet_ended (worker, error);
}

G_END_DECLS
