/* worker.h - the inside of one worker
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/workers.h>

#include "slot.h"

typedef struct _Worker Worker;
typedef struct _Job Job;

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

static inline Worker *
worker_from (SatinWorker *fast)
{
  return (Worker *)fast;
}

/* Whether nothing runs on this worker, whose deque is free from @head on. */
static inline gboolean
worker_is_at_bottom (const Worker *self, const SatinSlot *head)
{
  return head == self->fast.slots;
}
