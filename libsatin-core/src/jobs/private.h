/* private.h - the state of Jobs, which the sources of this room share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "jobs.h"
#include "shipping.h"
#include "tasks/task.h"

/* If imported jobs are shorter than this on average, the node asks for more as soon as the last one
 * begins: otherwise it would spend much of its time waiting for answers. */
#define SHORT_US ((gint64)2000)

/* One more job is added to an answer as long as its jobs have fewer bytes of arguments than this.
 * An answer has at most BATCH_MAX_JOBS jobs: MAX_BATCH of stealing. */
#define BATCH_MAX_BYTES ((gsize)64 << 10)
#define BATCH_MAX_JOBS  64
/* The same where jobs abort others. Of many brothers, most would wait at the thief until they are
 * aborted, or run before a brother that could have aborted them. */
#define BATCH_MAX_SPECULATIVE 4

struct _Jobs
{
  SatinWorkers *pool; /* (borrowed) */
  SatinLoop *loop;    /* (borrowed) */
  Steal *steal;       /* (borrowed) NULL until connected; loop's thread */
  guint next_victim;  /* the first worker to look at for public jobs; loop's thread */
  guint n_waiting;    /* imported jobs that wait for objects; loop's thread */
  /* on_arrived() is attached to the part that has the objects; loop's thread */
  gboolean is_attached;
  SatinTimerId guard_timer; /* loop's thread */
  int is_hungry_posted;     /* atomic */
  int is_published_posted;  /* atomic */
  int is_dry;               /* atomic: jobs are short, and the last one has begun: ask for more */
  gint64 mean_us;           /* atomic: average time of imported jobs, later ones count more */
  PoolOutside outside;
  /* (owned) (nullable) names of tasks for which warn_of_staying() has warned; loop's thread */
  GHashTable *staying_tasks;
  struct _ImportedJob *imported_jobs; /* (owned) list of all, the newest first; loop's thread */
  /* (owned) guint64 import id, which lies in the imported job, to that (borrowed) job; loop's
   * thread */
  GHashTable *import_ids;
  /* (owned) SatinSlot to the (borrowed) ExportedJob that has it; loop's thread */
  GHashTable *exported;
  GArray *ways;              /* (owned) (nullable) of Way; loop's thread */
  SatinTimerId retry_timer;  /* loop's thread */
  SatinTimerId gather_timer; /* loop's thread */
  SatinTimerId stuck_timer;  /* loop's thread */
  JobsSaving *stopping;      /* (owned) (nullable) set when the workers must stop; loop's thread */
  /* (owned) (nullable) the last save that does not stop the workers; loop's thread */
  JobsSaving *saving;
  pthread_mutex_t lock;
  /* guarded by lock */
  GPtrArray *over;       /* (owned) of ImportedJob: ended, not reported yet */
  GArray *held;          /* (owned) of HeldElsewhere: not reported yet */
  GPtrArray *aborted;    /* (owned) of SatinSlot that other nodes have: aborted, not reported yet */
  gboolean is_gathering; /* the loop will report the jobs in over */
};

/* An imported job. Its result lies in memory behind this struct, and so do arguments that do not
 * fit into the slot. */
typedef struct _ImportedJob ImportedJob;
struct _ImportedJob
{
  Job job;
  Jobs *jobs;
  ImportedJob *older, *newer; /* (nullable) neighbours in the list of all */
  guint64 import_id;
  gboolean has_come_with_hints;
  guint n_crashes;       /* nodes that got the job from this node and crashed */
  gint64 begun_us;       /* atomic: when it began, on the clock of the workers; 0: it has not */
  gint64 waits_since_us; /* for shared objects; 0: it does not wait; loop's thread */
  gint64 asked_us;       /* when the objects were last asked for; 0: never; loop's thread */
  /* One of these is set when the job ends. */
  GBytes *encoded; /* (owned) (nullable) */
  GError *error;   /* (owned) (nullable) */
};

/* A job that another node has, or is about to get: of a worker here, or an imported job. */
typedef struct
{
  SatinSlot *slot;
  const SatinTask *task; /* the general or the typed form */
  Worker *owner;         /* (nullable) whose job it is; NULL: an imported job */
  SatinSlot *base;       /* (nullable) from worker_find_base (); NULL: nobody has searched */
  ImportedJob *imported; /* (owned) (nullable) the imported job; NULL: a worker's job */
  guint n_crashes;       /* nodes that crashed while they had it */
  gint64 sent_us;        /* when its encoding began; 0: it was not encoded */
  double share;          /* how much of it is done, as its thief last said */
} ExportedJob;

/* A job of a worker here that is an orphan on another node. */
typedef struct
{
  ExportedJob *exported; /* (owned) */
  SatinNodeId holder;
  SatinJobRef ref;
  gpointer hints; /* (owned) (nullable) */
} HeldElsewhere;

/* Whether a job may leave to a cluster. */
typedef enum
{
  JOB_MAY_LEAVE,
  JOB_IS_KEPT, /* it is not worth its way to this cluster, but may be worth it to others */
  JOB_STAYS,   /* it is not worth its way to any cluster that this node knows, or cannot leave */
} JobLeaving;

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
void jobs_expect_way (Jobs *self, const char *cluster);
JobLeaving jobs_may_leave (Jobs *self, const ExportedJob *exported, const char *cluster);
void jobs_forget_ways (gpointer jobs);
void jobs_shipping_disconnect (Jobs *self);
void jobs_shipping_free (Jobs *self);

/* progress.c */
void jobs_note_progress (gpointer jobs, gpointer handle, double share);
void jobs_forget_progress (Jobs *self, const ExportedJob *exported);
void jobs_foreach_progress (gpointer jobs,
                            void (*func) (guint64 import_id, double share, gpointer user_data),
                            gpointer user_data);

/* exported.c */
void jobs_adopt_held (gpointer jobs);
guint jobs_take (gpointer jobs, const StealDemand *demand, StealTaken *ret_taken,
                 gboolean *ret_is_kept);
void jobs_place (gpointer jobs, gpointer handle, StealTaken *ret_taken);
gboolean jobs_is_aborted (gpointer jobs, gpointer handle);
void jobs_put_back (gpointer jobs, gpointer handle, gpointer hints);
gboolean jobs_finish (gpointer jobs, gpointer handle, const StealOutcome *outcome);
guint jobs_note_crash (gpointer jobs, gpointer handle);
char *jobs_describe (gpointer jobs, gpointer handle);
GBytes *jobs_encode (gpointer jobs, gpointer handle, int *ret_task);
