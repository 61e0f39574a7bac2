/* worker.h - the inside of one worker
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/workers.h>

#include "slot.h"

typedef struct _Worker Worker;
typedef struct _Job Job;

/* The wishes of other threads to a worker. */
enum
{
  WANT_WORK = 1,      /* publish jobs */
  WANT_WALK = 2,      /* walk over the frames */
  WANT_EXPORT = 4,    /* put jobs into the export queue */
  WANT_CHARGE = 8,    /* charge every spawn; this wish stays */
  WANT_TURN = 16,     /* give up the turn, see spare.c */
  WANT_INLET = 32,    /* tell inlets which jobs have ended */
  WANT_ABORT = 64,    /* leave frames that were aborted */
  WANT_REFRESH = 128, /* refresh the views of shared objects */
  WANT_AGAIN = 256, /* serve the wishes that wait for a spawn: now there may be something to give */
};

/* A job that comes from outside the deques: a root job, or an imported job. */
struct _Job
{
  SatinSlot slot;
  gboolean is_remote;
  void (*begin) (Job *job); /* (nullable) on the worker's thread */
  void (*done) (Job *job, GError *error /* (transfer full) */); /* on the worker's thread */
  /* Both (nullable), on the worker's thread. synced: the job's frame has synced, and all children
   * in [base, head) went well. goes_on: the frame spawns after a sync or, if the job has hints,
   * before the first sync; maybe called more than once. */
  void (*synced) (Job *job, SatinSlot *base, SatinSlot *head);
  void (*goes_on) (Job *job);
  gpointer hints; /* (owned) (nullable) until the job begins */
  gint64 ran_us; /* after its end: how long it ran, without idle time and inbox jobs on top of it */
  gboolean is_bound; /* it must begin at the bottom of a stack; set when it is queued */
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

/* Nothing is queued in the slots from @first to @index: see landmark.c. */
typedef struct
{
  guint32 index;
  guint32 first;
} Landmark;

/* A typed job that ran at its spawn, because the deque was full. */
typedef struct
{
  SatinSlot *slot; /* where it would be queued: behind the deque's end */
  SatinSlot copy;  /* a copy of the slot, with the result */
} Inlined;

/* A frame whose spawns or syncs are watched: that of a job with hints, or that of a root job which
 * hears of its syncs. See hints.c. */
typedef struct _Looking Looking;
struct _Looking
{
  SatinSlot *base;      /* the first slot of its children */
  gpointer hints;       /* (owned) (nullable) */
  Job *job;             /* (borrowed) (nullable) the job that hears of its syncs */
  gboolean is_spawning; /* its spawns take the slow path */
  Looking *outer;       /* (nullable) the watched frame below it on the stack */
  /* How long the frame runs, without jobs on top of it while it waits. */
  guint n_on_top;  /* number of jobs on top of it now */
  gint64 ran_us;   /* the time measured until the clock was last stopped */
  gint64 since_us; /* when the clock was last started */
  gint64 idle_us;  /* the worker's idle time up to that moment; idle time does not count */
};

/* A job from elsewhere that runs on top of what the worker has, see abort.c. This struct lies on
 * the worker's stack. */
typedef struct _Border Border;
struct _Border
{
  SatinSlot *source;  /* the job's slot; an abort sets a flag in its state */
  SatinSlot *base;    /* where its frames begin */
  SatinSlot *aborted; /* (nullable) frames from here on are being left */
  SatinSlot *child;   /* (nullable) the slot of the job whose frame is the lowest one being left */
  Border *below;      /* (nullable) the border below it */
};

struct _Worker
{
  SatinWorker fast; /* first; the part that the macros use */
  /* For the owner only, up to aside_us. */
  guint32 split;     /* index of the first private slot */
  guint32 region;    /* index of the first slot of the public region */
  guint32 n_regions; /* number of regions below this one, see deque.c */
  GArray *below;     /* (owned) of guint64: the regions below this one, packed like ts */
  GArray *landmarks; /* (owned) of Landmark: rising, see landmark.c */
  SatinSlot *end;    /* behind the last usable slot */
  /* The wishes that only a spawn must notice: WANT_CHARGE, and wishes for jobs when there were none
   * to give. */
  int want_at_spawn;
  gboolean is_search_cut; /* the last search for queued jobs was not over, and can go on */
  Looking *looking;       /* (nullable) the highest watched frame */
  /* (nullable) where the frames of the newest inbox job begin; NULL if that is a root job */
  SatinSlot *outside;
  Border *border;       /* (nullable) the newest border */
  gboolean has_root;    /* a root job is at the bottom of this worker's stack */
  guint n_outer_errors; /* errors set aside while other jobs run on top */
  GArray *inlined;      /* (owned) (nullable) of Inlined: typed jobs that ran at their spawn */
  /* (owned) (nullable) of SatinSlot *: their inlets wait until no inlet runs */
  GArray *deferred;
  SatinSlot taken; /* the copy of the Inlined that was synced last */
  guint64 random;
  gint64 aside_us;   /* time that the worker was idle or ran inbox jobs, so far */
  Worker *next_here; /* (borrowed) (nullable) the next worker that was started on this thread */
  char *stack_low;   /* lowest address of the stack */
  gsize stack_bytes;
  gsize deque_slots;
  SatinWorkers *pool;
  gpointer thread; /* (owned) from ops->start */
  guint index;
  guint64 ts __attribute__ ((aligned (128))); /* atomic: tail in the low half, split in the high */
  int want __attribute__ ((aligned (128)));   /* atomic: WANT_ bits */
  int park __attribute__ ((aligned (128)));   /* atomic: 1 when woken */
  WorkerFigures figures;                      /* atomic: written by the owner, read by all */
  /* of SatinSlot *: jobs that others have ended, and whose inlets must be told; guarded by the
   * pool's lock */
  GQueue ended;
} __attribute__ ((aligned (128)));

static inline Worker *
worker_from (SatinWorker *fast)
{
  return (Worker *)fast;
}

/* Whether this worker has no frame. @head: where its deque is free. */
static inline gboolean
worker_is_at_bottom (const Worker *self, const SatinSlot *head)
{
  return head == self->fast.slots;
}
