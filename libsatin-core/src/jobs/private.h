/* private.h - what the three sides of jobs.h share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "jobs.h"
#include "shipping.h"
#include "tasks/task.h"

/* When jobs are shorter than this on average, more are asked for before the last one is done: the
 * way there and back would be a good part of their time. */
#define SHORT_US ((gint64)2000)

/* An answer takes one more job until it has so many bytes of arguments, or so many jobs. */
#define BATCH_MAX_BYTES ((gsize)64 << 10)
#define BATCH_MAX_JOBS  64

struct _Jobs
{
  SatinWorkers *pool;       /* (borrowed) */
  SatinLoop *loop;          /* (borrowed) */
  Steal *steal;             /* (borrowed) NULL until connected; loop's thread */
  guint next_victim;        /* loop's thread */
  guint n_waiting;          /* imported jobs that wait for objects; loop's thread */
  gboolean is_attached;     /* to who has those; loop's thread */
  SatinTimerId guard_timer; /* loop's thread */
  int is_hungry_posted;     /* atomic */
  int is_published_posted;  /* atomic */
  int is_dry;               /* atomic: the last of several short jobs has begun */
  gint64 mean_us;           /* atomic: how long others' jobs took, the later ones count more */
  PoolOutside outside;
  GHashTable
      *staying_tasks; /* (owned) (nullable) names of tasks, of which was told; loop's thread */
  struct _ImportedJob *imported_jobs; /* (owned) the newest of all there are; loop's thread */
  GHashTable *import_ids; /* (owned) guint64 import id in the imported job to it; loop's thread */
  GHashTable *exported; /* (owned) SatinSlot to (borrowed) ExportedJob that has it; loop's thread */
  Shipping *shipping;   /* (owned) (nullable) of each task; loop's thread */
  SatinTimerId retry_timer;  /* loop's thread */
  SatinTimerId gather_timer; /* loop's thread */
  SatinTimerId stuck_timer;  /* loop's thread */
  JobsSaving *stopping;      /* (owned) NULL: workers go on; loop's thread */
  JobsSaving *saving;        /* (owned) (nullable) the last one, on which they go on; loop's */
  pthread_mutex_t lock;
  /* guarded by lock */
  GPtrArray *over;       /* (owned) of ImportedJob: ended, not told yet */
  GArray *held;          /* (owned) of HeldElsewhere: not told yet */
  GPtrArray *aborted;    /* (owned) of SatinSlot that other nodes had: flagged, not told yet */
  gboolean is_gathering; /* the loop knows of them */
};

/* Another node's job. Its result, and arguments that do not fit into the slot, lie behind it. */
typedef struct _ImportedJob ImportedJob;
struct _ImportedJob
{
  Job job;
  Jobs *jobs;
  ImportedJob *older, *newer; /* (nullable) in the list of all */
  guint64 import_id;
  gboolean has_come_with_hints;
  guint n_crashes;       /* nodes that crashed while they had it of this one */
  gint64 begun_us;       /* worker's */
  gint64 waits_since_us; /* for objects, 0: not; loop's thread */
  gint64 asked_us;       /* for them, 0: never; loop's thread */
  /* filled in by the worker at the end: one of these */
  GBytes *encoded; /* (owned) (nullable) */
  GError *error;   /* (owned) (nullable) */
};

/* A job that another node has: of a worker here, or one that came from elsewhere itself. */
typedef struct
{
  SatinSlot *slot;
  const SatinTask *task; /* of the slot */
  Worker *owner;
  ImportedJob *imported; /* (owned) NULL: a slot */
  guint n_crashes;       /* of nodes that had it */
  gint64 sent_us;        /* when it was about to be encoded; 0: it was not */
} ExportedJob;

/* A job of a worker here that a node has as an orphan. */
typedef struct
{
  ExportedJob *exported; /* (owned) */
  SatinNodeId holder;
  SatinJobRef ref;
  gpointer hints; /* (owned) (nullable) */
} HeldElsewhere;

/* jobs.c */
void jobs_ask_all (Jobs *self);
void jobs_call_for_work (gpointer jobs);

/* imported.c */
void imported_free (ImportedJob *self);
void imported_give_back (ImportedJob *self);
void jobs_submit_imported (Jobs *self, ImportedJob *imported, gpointer hints);
gboolean jobs_give (gpointer jobs, int task_number, GBytes *args, guint64 import_id,
                    gpointer hints);
void jobs_abort (gpointer jobs, guint64 import_id);
void jobs_drop_imported (ImportedJob *imported);
void jobs_give_back (gpointer jobs, void (*func) (guint64 import_id, gpointer user_data),
                     gpointer user_data);

/* guard.c */
void jobs_admit_imported (Jobs *self, ImportedJob *imported, gpointer hints);
gboolean jobs_take_waiting (Jobs *self, ImportedJob *imported);
void jobs_drop_waiting (Jobs *self, void (*func) (guint64 import_id, gpointer user_data),
                        gpointer user_data);
void jobs_guard_free (Jobs *self);

/* task-shipping.c */
void jobs_note_shipped (Jobs *self, const ExportedJob *exported, const StealOutcome *outcome);
gboolean jobs_stays (Jobs *self, const ExportedJob *exported);
void jobs_shipping_disconnect (Jobs *self);

/* exported.c */
void jobs_adopt_held (gpointer jobs);
guint jobs_take (gpointer jobs, guint max, guint n_kept, gboolean may_be_bound,
                 StealTaken *ret_taken);
void jobs_place (gpointer jobs, gpointer handle, StealTaken *ret_taken);
gboolean jobs_is_aborted (gpointer jobs, gpointer handle);
void jobs_put_back (gpointer jobs, gpointer handle, gpointer hints);
gboolean jobs_finish (gpointer jobs, gpointer handle, const StealOutcome *outcome);
guint jobs_note_crash (gpointer jobs, gpointer handle);
char *jobs_describe (gpointer jobs, gpointer handle);
GBytes *jobs_encode (gpointer jobs, gpointer handle, int *ret_task);
