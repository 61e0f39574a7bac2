/* pool.h - the inside of SatinWorkers: the state that workers share
 *
 * There is one Worker for each thread. Its deque is an array of slots. Thieves see the public part
 * [tail, split) through one word, @ts, and claim the oldest slot by adding 1 to the tail. The owner
 * raises split to publish slots, and lowers split to take them back, in the same word.
 *
 * Finished and running slots stay in the array, so the slots that can be published are not one
 * range. When all public slots are stolen, and the next queued slot is not right behind them, the
 * owner begins a new region there. The owner keeps the old region, which returns when the frames
 * above it are done.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/frontier.h>
#include <satin/core/recovery.h>
#include <satin/core/sharing.h>
#include <satin/core/workers.h>

#include "worker.h"

/* Gets a finished child of an unfinished frame, with its task in the general form. It is called on
 * the worker that has the child. */
typedef void (*PoolSaveFunc) (Worker *worker, SatinSlot *slot, const SatinTask *task,
                              gconstpointer result, gpointer user_data);

/**
 * WorkerSlot:
 * @slot: a slot of the worker
 * @state: the state of its job; not set for a border
 * @depth: number of frames below its own, from 0
 * @is_border: the slot has no job: it is the border below a job from elsewhere, see path.c
 * @is_awaited: another worker or node has the job, although its state is RUNNING: its owner waits
 *   for it in a sync
 */
typedef struct
{
  SatinSlot *slot;
  SatinFrontierState state;
  guint depth;
  gboolean is_border;
  gboolean is_awaited;
} WorkerSlot;

typedef void (*WorkerSlotFunc) (Worker *worker, const WorkerSlot *at, gpointer user_data);

/* A walk over all deques. One of the first three is set: @see gets every slot, @func every job,
 * @save the finished jobs. */
typedef struct
{
  WorkerSlotFunc see;
  SatinFrontierFunc func;
  PoolSaveFunc save;
  gboolean is_end; /* the workers stop after it */
  void (*done) (gpointer user_data);
  gpointer user_data;
} Walk;

#define POOL_MAX_WORKERS 1024

/* Selects jobs. */
typedef enum
{
  JOBS_UNBOUND, /* jobs that may begin on top of other jobs */
  JOBS_ALL,
  JOBS_BOUND, /* bound jobs: they must begin at the bottom of a stack */
  JOBS_ROOT,  /* the root job, if it is bound */
} JobsKind;

/* An entry of the export queue, or a job that a worker has taken from there or from a deque. If the
 * owner of an entry has taken the job back, the slot's state shows that. */
typedef struct
{
  SatinSlot *slot;
  const SatinTask *task; /* the general form, or the typed form of a job from a deque */
  Worker *owner;
  SatinSlot *base; /* (nullable) from worker_find_base (); NULL: nobody has searched */
  gpointer hints;  /* (owned) (nullable) */
  guint n_crashes; /* number of thieves that crashed while they had it */
  gboolean stays;  /* it must not leave the node, but any worker may run it */
} QueuedExport;

/* The callbacks of stealing between nodes, which needs jobs from the workers and has jobs for
 * them. */
typedef struct
{
  void (*published) (gpointer user_data); /* jobs can be taken, and is_wanted_outside was set */
  void (*hungry) (gpointer user_data);    /* a worker found nothing to do */
  /* a slot that another node has was aborted; on its worker */
  void (*aborted) (SatinSlot *slot, gpointer user_data);
  /* hints say that another node has the job in @slot; on the worker */
  void (*held) (Worker *worker, SatinSlot *slot, const SatinTask *task, const SatinLook *look,
                gpointer user_data);
  gpointer user_data;
} PoolOutside;

struct _SatinWorkers
{
  guint n;                   /* atomic: workers that were started; the loop raises it */
  guint n_regular;           /* how many are regular workers: the first ones; the rest are spare */
  guint n_most;              /* atomic: the most workers that may be started */
  Worker *workers;           /* (owned) array of n_most */
  const SatinThreadOps *ops; /* (borrowed, static) */
  gsize stack_bytes;
  gsize deque_slots;
  gboolean has_side;   /* jobs may need room beside their slots */
  gboolean keeps_segv; /* the program handles SIGSEGV itself */
  guint64 seed;
  guint64 *asleep;  /* (owned) atomic: a bit for each worker that sleeps until there is work */
  guint64 *parked;  /* (behind asleep) atomic: a bit for each worker that sleeps until its child
                     * has ended: its stack has no room for other work */
  guint64 *wanting; /* (behind parked) atomic: a bit for each worker that waits for a turn */
  guint64 *resting; /* (behind wanting) atomic: a bit for each idle spare worker */
  int n_asleep;     /* atomic: bits in asleep */
  int n_idle;       /* atomic: workers without a turn: they sleep, look for work or wait */
  int n_spares;     /* atomic: spare workers; at any time, at least this many workers have no
                     * turn */
  int n_free;       /* atomic: regular workers that run nothing at all */
  guint rooted;     /* atomic: 1 + index of the worker that has the root job; 0: none */
  int is_wanted_outside; /* atomic: published must be called when jobs can be taken */
  int is_stopping;       /* atomic */
  int has_aborted;       /* atomic: a frame here has aborted children */
  int n_inbox;           /* atomic: jobs in the inbox */
  int n_inbox_bound;     /* atomic: the bound jobs in it */
  int n_inbox_roots;     /* atomic: the bound root jobs in it, at most one */
  int n_queued_exports;  /* atomic: entries in the export queue */
  int n_queued_hinted;   /* atomic: the entries with hints */
  int n_queued_staying;  /* atomic: the entries that stay on this node */
  int n_queued_bound;    /* atomic: the bound entries */
  int n_refilled;        /* atomic: results for slots that nobody had; above 0 there is a bug */
  guint64 n_elsewhere;   /* atomic: own jobs that ran on other nodes */
  pthread_mutex_t lock;
  /* Guarded by lock, up to n_walking. */
  Job *inbox;           /* (borrowed) list, the oldest first */
  Job *inbox_last;      /* (borrowed) its end */
  GArray *export_queue; /* (owned) of QueuedExport, the oldest first */
  GQueue walks;         /* (owned) of Walk *; the first one runs */
  guint n_walking;      /* workers that the first walk still waits for */
  gint64 start_us;
  struct _PoolProgress *progress; /* (owned) */
  gsize *pinned;                 /* (owned) (nullable) atomic: a word for each task, see pinned.c */
  const PoolOutside *outside;    /* (borrowed) (nullable) atomic: set once */
  SatinSharing *sharing;         /* (owned) (nullable) atomic: set once */
  struct _InputDesk *input_desk; /* (borrowed) (nullable) atomic: set while there is a membership */
  /* (borrowed, static) (nullable) set before there are hints */
  const SatinRecoveryOps *recovery_ops;
  gboolean has_all_hinted; /* hints never lead to other nodes; set before there are hints */
  int wants_sample;        /* atomic: samples must be collected */
  /* Guarded by lock: the best sample so far, see measure.c. */
  GBytes *sample; /* (owned) (nullable) */
  gint64 sample_us;
};

/* Number of workers that were started. */
static inline guint
pool_count_workers (const SatinWorkers *self)
{
  return SATIN_LOAD (&self->n);
}

/* Number of free turns: so many workers may begin a job now. */
static inline int
pool_count_idle (const SatinWorkers *self)
{
  return SATIN_LOAD (&self->n_idle) - SATIN_LOAD (&self->n_spares);
}

/* Number of waiting jobs that must begin at the bottom of a stack. */
static inline int
pool_count_bound (const SatinWorkers *self)
{
  return SATIN_LOAD (&self->n_inbox_bound) + SATIN_LOAD (&self->n_queued_bound);
}

/* Number of entries in the export queue that may leave the node. */
static inline int
pool_count_leaving_queued (const SatinWorkers *self)
{
  return MAX (SATIN_LOAD_RELAXED (&self->n_queued_exports)
                  - SATIN_LOAD_RELAXED (&self->n_queued_staying),
              0);
}

/* deque.c */
gboolean worker_open_deque (Worker *self, gsize deque_slots, gboolean has_side, GError **error);
void worker_close_deque (Worker *self);
gboolean worker_grow_deque (Worker *self);
gboolean worker_has_room (Worker *self, SatinSlot *slot);
int worker_restore_limits (Worker *self);
gboolean worker_publish (Worker *self, SatinSlot *head);
gboolean worker_take_back (Worker *self, SatinSlot *slot);
void worker_lower_split (Worker *self, guint32 index);
SatinSlot *worker_claim_oldest (Worker *victim);
gboolean worker_is_claimed (Worker *self, guint32 index);
guint worker_count_public (Worker *self);
gboolean worker_has_public (Worker *self);

/* path.c */
gboolean worker_is_border (const SatinSlot *slot);
gboolean worker_has_border (const Worker *self, guint32 index);
SatinSlot *worker_set_border (Worker *self, const Worker *owner, gpointer source, SatinSlot *head);
extern SatinSlot worker_no_base;
SatinSlot *worker_find_base (Worker *self, SatinSlot *slot, const SatinSlot *older,
                             SatinSlot *older_base);
Job *worker_find_path (const Worker *self, const SatinSlot *slot, const SatinSlot *base,
                       GByteArray *path);
Job *worker_find_own_path (const Worker *self, const SatinSlot *slot, GByteArray *path);

/* landmark.c */
guint32 worker_find_queued (Worker *self, guint32 first, guint32 head);
void worker_forget_landmarks (Worker *self, const SatinSlot *slot);

/* export.c */
gboolean worker_export (Worker *self, SatinSlot *head, gboolean *ret_has_typed);
gboolean worker_steal_queued (Worker *self, SatinSlot *head);
void pool_add_queued (SatinWorkers *self, const QueuedExport *queued);
gboolean pool_take_queued (SatinWorkers *self, guintptr state, JobsKind kind,
                           QueuedExport *ret_queued);
gboolean pool_reclaim (SatinWorkers *self, SatinSlot *slot, guintptr state, gpointer *ret_hints);
void pool_clear_export_queue (SatinWorkers *self);
/* pinned.c */
void pool_pin (SatinWorkers *self, const SatinTask *task, gsize least_bytes);
void pool_unpin (SatinWorkers *self, const SatinTask *task);
gboolean pool_is_task_pinned (SatinWorkers *self, const SatinTask *task);
gboolean pool_is_pinned (SatinWorkers *self, SatinSlot *slot);

/* hints.c */
void hints_unref (SatinWorkers *pool, gpointer hints);
gboolean hints_are_bound (const SatinWorkers *pool, gconstpointer hints);
void worker_run_task (Worker *self, const SatinTask *task, SatinSlot *slot, SatinSlot *head,
                      gpointer hints);
void worker_run_job (Worker *self, Job *job, SatinSlot *head);
void worker_look_up (Worker *self, SatinSlot *slot);
void worker_look_past (Worker *self, const SatinSlot *slot);
void worker_look_again (Worker *self, SatinSlot *slot, SatinSlot *head);
void worker_leave_looking (Worker *self);
void worker_return_to_looking (Worker *self);

/* sharing.c */
void worker_refresh (Worker *self);

/* abort.c */
void worker_begin_border (Worker *self, Border *border, SatinSlot *source, SatinSlot *base);
GError *worker_end_border (Worker *self, GError *outer);
void worker_leave_top (Worker *self);
gboolean worker_unwinds (Worker *self, const SatinSlot *slot);
gboolean worker_has_aborted (const Worker *self);
Border *worker_find_border (const Worker *self, const SatinSlot *slot);
void worker_abort_frame (Worker *self, SatinSlot *base, SatinSlot *head, gconstpointer result,
                         const SatinSlot *except, SatinSlot *top);
void worker_heed_aborts (Worker *self, SatinSlot *top);

/* inlet.c */
void worker_child_ended (Worker *self, SatinSlot *slot, SatinSlot *head);
void worker_note_ended (Worker *owner, SatinSlot *slot);
guint worker_run_inlets (Worker *self, SatinSlot *top);
void worker_free_inlets (Worker *self);
void worker_tell_deferred (Worker *self);
gboolean worker_keep_inlet_failure (Worker *self, const SatinSlot *head, GError *error);

/* sync.c */
void worker_fail (Worker *self, GError *error);
void worker_fill_slot (Worker *self, SatinSlot *slot, const SatinTask *task, gconstpointer args);
SatinSlot *worker_spawn (Worker *self, SatinSlot *slot, gpointer result);
void worker_join (Worker *self, SatinSlot *slot, SatinSlot *head);

/* worker.c */
void worker_main (Worker *self);
void worker_attend (Worker *self, SatinSlot *head);
void worker_attend_below (Worker *self, SatinSlot *head, SatinSlot *end);
void worker_ask (Worker *victim, int want);
gboolean worker_steal_from (Worker *self, Worker *victim, SatinSlot *head);
gboolean worker_steal_random (Worker *self, SatinSlot *head);
gboolean worker_run_inbox (Worker *self, SatinSlot *head);
void worker_run_slot (Worker *self, const QueuedExport *queued, SatinSlot *head);
void worker_run_queued (Worker *self, const QueuedExport *queued, SatinSlot *head);
GError *worker_set_error_aside (Worker *self);
GError *worker_take_error_back (Worker *self, GError *outer);
void worker_merge_error (Worker *self, GError *first, const SatinSlot *slot);
void worker_idle_begin (Worker *self);
void worker_idle_end (Worker *self, SatinSlot *head);
gboolean worker_run_bound (Worker *self, SatinSlot *head);
gboolean worker_run_root (Worker *self, SatinSlot *head);
void worker_call_for_work (Worker *self);
/* How long a worker without work still looks for some before it sleeps. */
typedef struct
{
  gint64 looked_us; /* when it looked last */
  gint64 until_us;  /* when patience ends; 0: the clock was not read yet */
  gboolean is_over;
} Patience;

gboolean worker_is_patient (Worker *self, Patience *patience, guint n_tries);
void worker_sleep (Worker *self, const guintptr *state);
gboolean worker_may_nest (Worker *self);

/* wake.c, inbox.c, measure.c */
void pool_wake_one (SatinWorkers *self);
gboolean pool_end_sleep (SatinWorkers *self, guint index);
void pool_wake_worker (SatinWorkers *self, guint index);
void pool_settle (SatinWorkers *self, SatinSlot *slot, guintptr state, Worker *owner);
gboolean slot_set_flag (SatinSlot *slot, guintptr word, guintptr flag);
guintptr slot_take (SatinSlot *slot, guintptr word);
void pool_submit (SatinWorkers *self, Job *job);
void pool_note_sample (SatinWorkers *self, const SatinTask *task, gconstpointer args,
                       gint64 took_us);
Job *pool_next_job (SatinWorkers *self, JobsKind kind);
Job *pool_next_bound_job (SatinWorkers *self);
gboolean pool_remove_job (SatinWorkers *self, const Job *job);
gboolean pool_abort_job (SatinWorkers *self, Job *job);

/* spare.c */
gboolean worker_may_begin (const Worker *self);
gboolean pool_is_turn_wanted (const SatinWorkers *self);
void worker_take_turn (Worker *self, SatinSlot *head);
void worker_give_turn (Worker *self);
void worker_pass_turn (Worker *self, SatinSlot *head);
gboolean pool_may_begin_bound (SatinWorkers *self);
void pool_call_spare (SatinWorkers *self);
void pool_need_spare (SatinWorkers *self, gconstpointer hints);
void pool_wake_spares (SatinWorkers *self);
void spare_main (Worker *self);

/* inspect.c; only while the workers stand still */
guint pool_count_queued (SatinWorkers *self);
guint pool_count_in_use (const SatinWorkers *self);
guint pool_find_worker (const SatinWorkers *self, gconstpointer thread);
/* threads.c: the worker on whose stack the caller runs. Returns: (nullable) */
Worker *worker_find_here (void);
/* Removes these workers from the list of this thread in which worker_find_here() searches. In a
 * simulation, the workers of all nodes share one thread. */
void pool_leave_here (const SatinWorkers *self);
/* inspect.c */
Job *pool_get_running (const SatinWorkers *self, guint worker);

/* frontier.c */
void pool_stop (SatinWorkers *self);
void pool_save (SatinWorkers *self, gboolean is_end, PoolSaveFunc save,
                void (*done) (gpointer user_data), gpointer user_data);
void worker_walk (Worker *self, SatinSlot *head);
/* Calls @func for each slot below @head, the oldest first. Only for the owner, at a safe point. */
void worker_foreach_slot (Worker *self, SatinSlot *head, WorkerSlotFunc func, gpointer user_data);
/* Like satin_workers_walk(), but @see gets borders, too. Threads: any */
void pool_see (SatinWorkers *self, WorkerSlotFunc see, void (*done) (gpointer user_data),
               gpointer user_data);

/* progress.c */
void pool_progress_init (SatinWorkers *self);
void pool_progress_free (SatinWorkers *self);

/* threads.c */
extern const SatinThreadOps satin_thread_ops;
gboolean worker_start_thread (Worker *self, GError **error);
/* Returns: (nullable): the worker of the calling thread */
const Worker *worker_of_this_thread (void);
gboolean worker_start_spare (SatinWorkers *pool, guint index, GError **error);
void satin_thread_be_prompt (void);
