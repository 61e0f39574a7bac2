/* pool.h - the inside of SatinWorkers: who shares what with whom
 *
 * One Worker per thread. Its deque is an array of slots; thieves see the public
 * part [tail, split) through one word, @ts, and claim the oldest slot by adding 1 to
 * the tail. The owner moves split: up to publish, down (by the same word) to take back.
 *
 * Finished and running slots stay in the array, so what can be published is not
 * one range. When everything public was stolen, the owner skips to the next
 * queued slot and begins a new region there; the region below is remembered and
 * comes back when the frames above are done.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/frontier.h>
#include <satin/core/recovery.h>
#include <satin/core/sharing.h>
#include <satin/core/workers.h>

typedef struct _Worker Worker;
typedef struct _Job Job;

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

/* What others want of a worker. */
enum
{
  WANT_WORK = 1,      /* jobs in public */
  WANT_WALK = 2,      /* a walk over the frames */
  WANT_EXPORT = 4,    /* jobs in the export queue */
  WANT_CHARGE = 8,    /* every spawn to be charged; never taken back */
  WANT_TURN = 16,     /* a turn, see spare.c */
  WANT_INLET = 32,    /* to tell frames of what has ended */
  WANT_ABORT = 64,    /* to leave frames that nobody wants any more */
  WANT_REFRESH = 128, /* new views of shared objects */
};

/* A job that came from outside the deques: the root, or one from another node. */
struct _Job
{
  SatinSlot slot;
  gboolean is_remote;
  void (*begin) (Job *job); /* (nullable) on the worker's thread */
  void (*done) (Job *job, GError *error /* (transfer full) */); /* likewise */
  /* (nullable) on the worker's thread: its frame has synced, and all the children in [base, head)
   * went well; and it spawns, the first time after that or once more */
  void (*synced) (Job *job, SatinSlot *base, SatinSlot *head);
  void (*goes_on) (Job *job);
  gpointer hints;    /* (owned) (nullable) until it begins */
  gint64 ran_us;     /* when it is done: how long it ran, without waits and jobs on top of it */
  gboolean is_bound; /* it begins at the bottom of a stack only: set when it is queued */
  Job *next;
};

typedef struct
{
  guint64 n_stolen;
  guint64 n_tried;
  guint64 n_outside;
  gint64 idle_us;
  gint64 idle_since_us; /* 0 while busy; atomic */
  gint64 start_us;
} WorkerFigures;

/* A typed job that was run at its spawn. */
typedef struct
{
  SatinSlot *slot; /* where it would be queued: after the deque's end */
  SatinSlot copy;  /* with the result in it */
} Inlined;

/* A frame of a job with hints, or of one that hears of its syncs: see hints.c. */
typedef struct _Looking Looking;
struct _Looking
{
  SatinSlot *base;      /* where its children begin */
  gpointer hints;       /* (owned) (nullable) */
  Job *job;             /* (borrowed) (nullable) that hears of its syncs */
  gboolean is_spawning; /* its spawns are looked at */
  Looking *outer;       /* (nullable) further down on the stack */
  /* how long it runs, without what is run on top of it while it waits */
  guint n_on_top;  /* such jobs now, one on top of the other */
  gint64 ran_us;   /* until it was stopped last */
  gint64 since_us; /* when it went on */
  gint64 idle_us;  /* of the worker, then */
};

/* Another's job that runs here, on top of what the worker has: see abort.c. On its stack. */
typedef struct _Border Border;
struct _Border
{
  SatinSlot *source;  /* of the job: whoever does not want it flags its state */
  SatinSlot *base;    /* its frames lie from here on */
  SatinSlot *aborted; /* (nullable) those from here on are being left */
  SatinSlot *child;   /* (nullable) what the lowest of those runs for */
  Border *below;      /* (nullable) */
};

struct _Worker
{
  SatinWorker fast; /* first: the macros' part */
  /* the owner's */
  guint32 split;        /* first private slot */
  guint32 region;       /* first slot of the public region */
  guint32 n_regions;    /* regions below this one, see deque.c */
  GArray *below;        /* (owned) of guint64: those, as the word ts has them */
  GArray *landmarks;    /* (owned) of guint32: slots, rising, see landmark.c */
  SatinSlot *end;       /* after the last usable slot */
  Looking *looking;     /* (nullable) the highest frame of a job with hints */
  SatinSlot *outside;   /* where the newest job of another node began */
  Border *border;       /* (nullable) the job on top */
  gboolean has_root;    /* the lowest of its frames is that of a job from this process's outside */
  guint n_outer_errors; /* failures in frames below a job that came from elsewhere */
  GArray *inlined;      /* (owned) of Inlined: typed jobs run at once for lack of room */
  GArray *deferred;     /* (owned) (nullable) of SatinSlot *, whose inlets wait for another one */
  SatinSlot taken;      /* the newest of them that was synced */
  guint64 random;
  gint64 aside_us;   /* so long it was idle, or had jobs from outside, so far */
  Worker *next_here; /* (borrowed) (nullable) of those that were started on the same thread */
  char *stack_low;   /* lowest address the stack may reach */
  gsize stack_bytes;
  gsize deque_slots;
  SatinWorkers *pool;
  gpointer thread; /* (owned) as ops->start gave it */
  guint index;
  guint64 ts __attribute__ ((aligned (128))); /* atomic: tail in the low half, split in the high */
  int want __attribute__ ((aligned (128)));   /* atomic: WANT_ bits */
  int park __attribute__ ((aligned (128)));   /* atomic: 1 when woken */
  WorkerFigures figures;                      /* written by the owner, read by all: atomic */
  GQueue ended; /* of SatinSlot *: others have ended these jobs, whose inlets are to be told;
                   guarded by the pool's lock */
} __attribute__ ((aligned (128)));

/* A finished child of an unfinished frame, of a general task; on its worker. */
typedef void (*PoolSaveFunc) (Worker *worker, SatinSlot *slot, const SatinTask *task,
                              gconstpointer result, gpointer user_data);

/* Either shows all, or saves what is done and then may stop the worker. */
typedef struct
{
  SatinFrontierFunc func; /* NULL: it saves */
  PoolSaveFunc save;
  gboolean is_end; /* the worker stops */
  void (*done) (gpointer user_data);
  gpointer user_data;
} Walk;

#define POOL_MAX_WORKERS 1024

/* In the task word of a running slot, beside its mark: see landmark.c. */
#define SLOT_LANDMARK 4

/* Which jobs are meant. */
typedef enum
{
  JOBS_UNBOUND, /* those that may begin on top of others */
  JOBS_ALL,
  JOBS_BOUND, /* those that may not */
  JOBS_ROOT,  /* the root job, if that may not */
} JobsKind;

/* A job that was put out for other nodes, or was: its slot's state says. */
typedef struct
{
  SatinSlot *slot;
  const SatinTask *task; /* the general one */
  Worker *owner;
  gpointer hints;  /* (owned) (nullable) */
  guint n_crashes; /* thieves that crashed while they had it */
  gboolean stays;  /* no other node is to have it, but a worker here may */
} QueuedExport;

/* Somebody outside the pool who needs work from it or for it: the stealing between nodes. */
typedef struct
{
  void (*published) (gpointer user_data); /* jobs can be taken; after satin_pool_want() */
  void (*hungry) (gpointer user_data);    /* a worker found nothing to do */
  /* a slot that another node has was flagged so; on its worker */
  void (*aborted) (SatinSlot *slot, gpointer user_data);
  /* another node has the job in @slot; on the worker */
  void (*held) (Worker *worker, SatinSlot *slot, const SatinTask *task, const SatinLook *look,
                gpointer user_data);
  gpointer user_data;
} PoolOutside;

struct _SatinWorkers
{
  guint n;                   /* atomic: all that were started; only grows, on the loop */
  guint n_regular;           /* the first of them; the others are spare */
  guint n_most;              /* atomic: that may be started */
  Worker *workers;           /* (owned) array of n */
  const SatinThreadOps *ops; /* (borrowed, static) */
  gsize stack_bytes;
  gsize deque_slots;
  gboolean has_side;   /* jobs may need room beside their slots */
  gboolean keeps_segv; /* the program has its own ways with that signal */
  guint64 seed;
  guint64 *asleep;       /* (owned) atomic: a bit for each sleeping worker */
  guint64 *wanting;      /* (behind asleep) atomic: for each that waits for its turn */
  guint64 *resting;      /* (behind wanting) atomic: for each spare one that has nothing to do */
  int n_asleep;          /* atomic */
  int n_idle;            /* atomic: without a turn: asleep, looking for work or waiting */
  int n_spares;          /* atomic: spare workers, so many have no turn at any time */
  int n_free;            /* atomic: regular ones that run nothing at all */
  guint rooted;          /* atomic: 1 + the worker that has the root job; 0: none */
  int is_wanted_outside; /* atomic */
  int is_stopping;       /* atomic */
  int n_inbox;           /* atomic: jobs in the queue below */
  int n_inbox_bound;     /* atomic: those of them that are bound to a bottom */
  int n_inbox_roots;     /* atomic: those of these that are no other node's: one at most */
  int n_queued_exports;  /* atomic: entries in the export queue below */
  int n_queued_hinted;   /* atomic: those of them with hints */
  int n_queued_staying;  /* atomic: those of them that stay here */
  int n_queued_bound;    /* atomic: those of these that are bound to a bottom */
  int n_refilled;        /* atomic: results for slots that nobody had; there are none */
  guint64 n_elsewhere;   /* atomic: own jobs that ran on other nodes */
  pthread_mutex_t lock;
  /* guarded by lock */
  Job *inbox;           /* (borrowed) oldest first */
  Job *inbox_last;      /* (borrowed) */
  GArray *export_queue; /* (owned) of QueuedExport, oldest first */
  GQueue walks;         /* (owned) of Walk *, the first is under way */
  guint n_walking;      /* workers that have not walked yet */
  gint64 start_us;
  double progress;
  gboolean is_progress_asked;
  gsize *pinned;                 /* (owned) (nullable) atomic: of each task, see pinned.c */
  const PoolOutside *outside;    /* (borrowed) (nullable) atomic: set once */
  SatinSharing *sharing;         /* (owned) (nullable) atomic: set once */
  struct _InputDesk *input_desk; /* (borrowed) (nullable) atomic: set once */
  const SatinRecoveryOps
      *recovery_ops; /* (borrowed, static) (nullable) set before there are hints */
  int wants_sample;  /* atomic */
  /* guarded by lock: the best job so far to compare nodes by, see measure.c */
  GBytes *sample; /* (owned) (nullable) */
  gint64 sample_us;
};

/* Workers that were started. */
static inline guint
pool_count_workers (const SatinWorkers *self)
{
  return SATIN_LOAD (&self->n);
}

/* Workers that may begin something now. */
static inline int
pool_count_idle (const SatinWorkers *self)
{
  return SATIN_LOAD (&self->n_idle) - SATIN_LOAD (&self->n_spares);
}

/* Jobs that wait and are bound to a bottom. */
static inline int
pool_count_bound (const SatinWorkers *self)
{
  return SATIN_LOAD (&self->n_inbox_bound) + SATIN_LOAD (&self->n_queued_bound);
}

/* Entries of the export queue that other nodes may have. */
static inline int
pool_count_leaving_queued (const SatinWorkers *self)
{
  return MAX (SATIN_LOAD_RELAXED (&self->n_queued_exports)
                  - SATIN_LOAD_RELAXED (&self->n_queued_staying),
              0);
}

static inline Worker *
worker_from (SatinWorker *fast)
{
  return (Worker *)fast;
}

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

/* Whether nothing runs on this worker, whose deque is free from @head on. */
static inline gboolean
worker_is_at_bottom (const Worker *self, const SatinSlot *head)
{
  return head == self->fast.slots;
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
gboolean worker_has_border (const Worker *self, guint32 index);
SatinSlot *worker_set_border (Worker *self, const Worker *owner, gpointer source, SatinSlot *head);
Job *worker_find_path (const Worker *self, const SatinSlot *slot, GByteArray *path);
Job *worker_find_own_path (const Worker *self, const SatinSlot *slot, GByteArray *path);

/* landmark.c */
guint32 worker_find_queued (Worker *self, guint32 first, guint32 head);

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
gboolean worker_keep_inlet_failure (Worker *self, const SatinSlot *head, GError *error);

/* sync.c */
void worker_fail (Worker *self, GError *error);
void worker_fill_slot (Worker *self, SatinSlot *slot, const SatinTask *task, gconstpointer args);
SatinSlot *worker_spawn (Worker *self, SatinSlot *slot, gpointer result);
void worker_join (Worker *self, SatinSlot *slot, SatinSlot *head);

/* worker.c */
void worker_main (Worker *self);
void worker_attend (Worker *self, SatinSlot *head);
void worker_ask (Worker *victim, int want);
gboolean worker_steal_from (Worker *self, Worker *victim, SatinSlot *head);
gboolean worker_steal_random (Worker *self, SatinSlot *head);
gboolean worker_run_inbox (Worker *self, SatinSlot *head);
void worker_run_slot (Worker *self, const QueuedExport *queued, SatinSlot *head);
void worker_run_stolen (Worker *self, const QueuedExport *queued, SatinSlot *head);
GError *worker_set_error_aside (Worker *self);
GError *worker_take_error_back (Worker *self, GError *outer);
void worker_merge_error (Worker *self, GError *outer);
void worker_idle_begin (Worker *self);
void worker_idle_end (Worker *self, SatinSlot *head);
gboolean worker_run_bound (Worker *self, SatinSlot *head);
gboolean worker_run_root (Worker *self, SatinSlot *head);
void worker_call_for_work (Worker *self);
/* How long one that finds no work goes on looking. */
typedef struct
{
  gint64 looked_us; /* last */
  gint64 until_us;  /* 0: it is not looked at the clock yet */
  gboolean is_over;
} Patience;

gboolean worker_is_patient (Worker *self, Patience *patience, guint n_tries);
void worker_sleep (Worker *self, const guintptr *state);
gboolean worker_may_nest (Worker *self);

/* workers.c */
void pool_wake_one (SatinWorkers *self);
void pool_wake_above (SatinWorkers *self, guint index);
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

/* inspect.c; while the workers stand still */
guint pool_count_queued (SatinWorkers *self);
guint pool_count_in_use (const SatinWorkers *self);
guint pool_find_worker (const SatinWorkers *self, gconstpointer thread);
/* threads.c: the worker on whose stack the caller is. Returns: (nullable) */
Worker *worker_find_here (void);
/* Its workers are not found any more by worker_find_here(), on the thread where all of a simulation
 * are. */
void pool_leave_here (const SatinWorkers *self);
Job *pool_get_running (const SatinWorkers *self, guint worker);

/* frontier.c */
void pool_stop (SatinWorkers *self);
void pool_save (SatinWorkers *self, gboolean is_end, PoolSaveFunc save,
                void (*done) (gpointer user_data), gpointer user_data);
void worker_walk (Worker *self, SatinSlot *head);

/* threads.c */
extern const SatinThreadOps satin_thread_ops;
gboolean worker_start_thread (Worker *self, GError **error);
/* Returns: (nullable): whose thread calls this */
const Worker *worker_of_this_thread (void);
gboolean worker_start_spare (SatinWorkers *pool, guint index, GError **error);
void satin_thread_be_prompt (void);
