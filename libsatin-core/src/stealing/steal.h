/* steal.h - stealing between nodes: a state machine over messages, time and jobs
 *
 * One Steal serves a node on both sides. As a thief it asks the policy for a victim, sends
 * requests, hands the jobs that arrive to the workers, and returns their results until each is
 * acknowledged. As a victim it exports jobs and records which thief has each. It takes a job back
 * when the thief is gone or does not know the job any more.
 *
 *   thief                                victim
 *     | REQUEST (request) ------------------> |  pending for a moment when no job is public
 *     | <------------- JOBS or NOTHING        |  exports each: (index, generation)
 *     | <----------------------------- OFFER  |  after NOTHING, once there are jobs: ask again
 *     | RESULTS (index, generation) --------> |  accepts each once: generation must match
 *     | <------------------------------- ACK  |
 *     | <----------------------------- QUERY  |  after a broken link, and now and then
 *     | RUNNING, UNKNOWN or RESULTS --------> |  unknown: the victim takes the job back
 *     | <----------------------------- ABORT  |  nobody needs its result any more
 *     | PROGRESS ---------------------------> |  how much of each job is done
 *
 * A policy that balances may also make this node send jobs unasked (JOBS of request 0), and send
 * its load to another node (LOAD).
 *
 * A message is one byte, StealKind, and the Avro record of that kind. All waits have a deadline, so
 * a lost message costs only time. The code reaches clock, network, threads and random numbers only
 * through SatinLoop, SatinPeers and StealJobs.
 *
 * Threads: the loop's thread for everything.
 * Source: 003 sec. 2.3 (cluster-aware random stealing), 001 sec. 4.1.
 * Differs: a victim exports half of a worker's oldest jobs, where the source gives the oldest one:
 * in trees whose jobs are all alike the oldest is not the largest. A busy victim keeps a request
 * pending for a moment and does not refuse at once, so that thieves do not ask again and again.
 * Results are acknowledged, so that a broken link loses none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/details.h>
#include <satin/core/inspect.h>
#include <satin/core/policy.h>

#include "tables/messages.h"

typedef struct _Steal Steal;

/* How a job ended, as stealing passes it on. */
typedef struct
{
  StealStatus status;
  GBytes *result;      /* (nullable) encoded, when OK */
  GQuark domain;       /* when failed; 0 means SATIN_ERROR */
  int code;            /* when failed; a code of @domain */
  const char *message; /* (nullable) when failed */
  gboolean is_theirs;  /* another node ran the job */
  gint64 ran_us;       /* how long the job ran, without its waits; 0: not known */
  gint64 arrived_us;   /* when the thief could have begun the job; 0: a small job, not measured */
  const char *cluster; /* (nullable) the thief's; NULL: the thief is gone */
} StealOutcome;

/* Makes @self the outcome of a failed job. @self borrows from @error. */
void steal_outcome_set_error (StealOutcome *self, const GError *error);

/* Which jobs a thief can get. */
typedef struct
{
  guint max;             /* how many, at most */
  guint n_kept;          /* how many of the waiting imported jobs stay here */
  gboolean may_be_bound; /* also jobs that must begin at the bottom of a stack */
  const char *cluster;   /* (nullable) the thief's; NULL: not known */
} StealDemand;

/* A job that leaves: the data for the thief, and the data with which this node puts it back. Except
 * for the handle, the receiver of this struct owns all that its pointers lead to. */
typedef struct
{
  gpointer handle;
  int task;
  GBytes *args; /* (owned) encoded */
  /* Import id of the imported job that this job descends from, or is; 0: a root job, or not
   * known. */
  guint64 under;
  GBytes *path;    /* (owned) (nullable) from the job @under to this job; NULL: not known */
  gpointer hints;  /* (owned) (nullable) */
  GBytes *packed;  /* (owned) (nullable) the hints, packed for the way */
  GBytes *lineage; /* (owned) (nullable) NULL: the same lineage as that of the job before */
} StealTaken;

/* A finished child of a job that has not ended. */
typedef struct
{
  guint64 under; /* import id of the imported job that the child descends from; 0: the root job */
  GBytes *path;  /* (owned) from the job @under to the child */
  int task;
  GBytes *args;   /* (owned) */
  GBytes *result; /* (owned) */
} StealSaved;

/* The callbacks of save(), on the loop. @saved: called for each finished job, which is valid during
 * the call. @stopped: called once, at the end. */
typedef struct
{
  void (*saved) (const StealSaved *saved, gpointer user_data);
  void (*stopped) (gpointer user_data);
} StealSavingFuncs;

/**
 * StealJobs:
 * @take: claims the oldest jobs that the workers can spare, as @demand says, and no more than fit
 *   into a message. Returns the number of jobs; 0 when none can be had now. Sets @ret_is_kept when
 *   there was a job that is not worth its way to this cluster, but may be worth it to others
 * @place: computes @under and @path of a taken job again
 * @want: asks the workers to put jobs out; steal_published() is called when they have
 * @give: hands a job to the workers, with @hints (transfer full) (nullable). steal_finished() with
 *   @import_id follows. Returns FALSE when the task is unknown here or its arguments are malformed
 * @finish: reports the end of a taken job, and frees the handle. Returns FALSE when the result is
 *   malformed; the job then runs here
 * @put_back: queues a taken job here again, with @hints (transfer full) (nullable); the handle is
 *   freed
 * @is_free: whether a job that must begin at the bottom of a stack can begin here now: a worker
 *   runs nothing at all and no job waits for it, or a spare worker may run
 * @n_idle: number of workers that are idle or soon will be, minus the number of given jobs that
 *   wait
 * @is_busy: whether any worker has a job that may spawn
 * @n_queued: estimate of the number of jobs that take() would find now: imported jobs that wait for
 *   a worker, and jobs that workers have put out
 * @give_back: drops all given jobs that no worker has begun, and calls @func with the import id of
 *   each
 * @is_aborted: whether nobody needs the result of a taken job any more. Then put_back() drops the
 *   job
 * @abort: ends a given job whose result nobody needs any more. steal_finished() follows, maybe
 *   before this returns
 * @note_crash: counts that the thief of a taken job has crashed. Returns how many thieves of the
 *   job have crashed
 * @describe: the task and the arguments of a taken job in words. (transfer full)
 * @note_progress: records how much of a taken job is done, in [0, 1], as its thief says
 * @foreach_progress: calls @func with each given job that has begun, and how much of it is done, as
 *   far as that is known. @func must not call other operations
 * @save: every worker reports the finished jobs that @filter (nullable) lets pass, at its next
 *   spawn, sync or end of a job. If @is_end, the workers then stop for good, and later calls do
 *   nothing. One call at a time
 * @encode: encodes a taken job. Returns (transfer full) its arguments
 * @forget_ways: forgets how long jobs were on their way to other nodes, because a node is gone: it
 *   may have been the one with the slow link
 *
 * The operations on workers that stealing needs. A *taken* job is a job that take() has returned; a
 * *given* job is a job that give() got.
 */
typedef struct
{
  guint (*take) (gpointer jobs, const StealDemand *demand, StealTaken *ret_taken,
                 gboolean *ret_is_kept);
  void (*place) (gpointer jobs, gpointer handle, StealTaken *ret_taken);
  void (*want) (gpointer jobs);
  gboolean (*give) (gpointer jobs, int task, GBytes *args, guint64 import_id, gpointer hints);
  gboolean (*finish) (gpointer jobs, gpointer handle, const StealOutcome *outcome);
  void (*put_back) (gpointer jobs, gpointer handle, gpointer hints);
  gboolean (*is_free) (gpointer jobs);
  guint (*n_idle) (gpointer jobs);
  gboolean (*is_busy) (gpointer jobs);
  guint (*n_queued) (gpointer jobs);
  void (*give_back) (gpointer jobs, void (*func) (guint64 import_id, gpointer user_data),
                     gpointer user_data);
  gboolean (*is_aborted) (gpointer jobs, gpointer handle);
  void (*abort) (gpointer jobs, guint64 import_id);
  guint (*note_crash) (gpointer jobs, gpointer handle);
  char *(*describe) (gpointer jobs, gpointer handle);
  void (*note_progress) (gpointer jobs, gpointer handle, double share);
  void (*foreach_progress) (gpointer jobs,
                            void (*func) (guint64 import_id, double share, gpointer user_data),
                            gpointer user_data);
  void (*save) (gpointer jobs, gboolean is_end, SatinFinishedFilter *filter,
                const StealSavingFuncs *funcs, gpointer user_data);
  GBytes *(*encode) (gpointer jobs, gpointer handle, int *ret_task);
  void (*forget_ways) (gpointer jobs);
} StealJobs;

/* Everything is borrowed except @policy, which steal_free() closes. */
Steal *steal_new (SatinLoop *loop, SatinPeers *peers, const StealJobs *jobs_ops, gpointer jobs,
                  const SatinPolicyOps *policy_ops, gpointer policy);
void steal_free (Steal *self);

/* Asks the policy which nodes to ask for jobs, because a worker is idle. */
void steal_hungry (Steal *self);
/* Serves pending requests and offers jobs, because jobs were put out after want(). */
void steal_published (Steal *self);
/* Sends the result of a given job, which has ended, to its owner. @outcome is valid during the
 * call. */
void steal_finished (Steal *self, guint64 import_id, const StealOutcome *outcome);
/* Tells the thief of a taken job that the job was aborted. Drops the job if it is a lost one. */
void steal_drop_aborted (Steal *self, gpointer handle);
/* Returns a given job to its owner, because no worker can begin it. @hints: (nullable): the job's
 * hints, if the owner does not know them. Returns: FALSE when the owner is gone */
gboolean steal_return_import (Steal *self, guint64 import_id, gpointer hints);
/* A job of this node is an orphan on @holder: exports it to @holder by ADOPT, as if @holder had
 * stolen it. @taken has no arguments; (transfer full) of everything in it. */
void steal_adopt (Steal *self, StealTaken *taken, SatinNodeId holder, const SatinJobRef *ref);
/* Sets the part that recovers, before any node can be lost; %NULL when the part is gone. */
void steal_set_recovery (Steal *self, SatinRecovery *recovery);
/* From now on this node steals nothing and exports nothing. Exported and imported jobs run to their
 * ends. */
void steal_quiet (Steal *self);
/* Like steal_quiet(), and returns the imported jobs that no worker has begun. */
void steal_leave (Steal *self);
/* Whether any other node of the view is not leaving. */
gboolean steal_has_heir (const Steal *self);
/* Whether other nodes would keep the results of this node: a part recovers, and a node stays. */
gboolean steal_may_save (const Steal *self);
/* Stops the workers, hands their finished results to nodes that stay, and then returns the imported
 * jobs. */
void steal_save (Steal *self);
/* On the master: sends results of the root's frame to other nodes, as backups. */
void steal_hand_out (Steal *self, const StealSaved *backups, guint n);
/* Reports finished children of the root's frame to a part that stores results. */
void steal_tell_finished (Steal *self, const StealSaved *backups, guint n);
/* Ends the wait of steal_save() for workers that have not stopped. */
void steal_save_rest (Steal *self);
/* Whether this node must stay: another node waits for a result, or not everything is handed
 * over. */
gboolean steal_is_owing (const Steal *self);

/* Receives an imported job that has ended and was one of the longest ones of this node so far: task
 * and arguments in words, and how long it ran, without its waits. @job is valid during the call. */
typedef void (*StealLongJobFunc) (const char *job, gint64 ran_us, gpointer user_data);
/* @func: (nullable) */
void steal_set_long_job_func (Steal *self, StealLongJobFunc func, gpointer user_data);
/* @details: (borrowed) (nullable): hears of jobs and requests from now on */
void steal_set_details (Steal *self, SatinDetails *details);

void steal_figures (Steal *self, SatinFigureFunc add, gpointer user_data);
/* Tells the owners of imported jobs how much of each is done, unless they know. */
void steal_tell_progress (Steal *self);
/* Records that a node has reported a crash in a job. The report comes before the loss of that
 * node. */
void steal_note_crash (Steal *self, const SatinCrash *crash);
/**
 * StealCrash:
 * @n_crashes: how many nodes the job has crashed so far, 1 or more
 * @signal_number: the signal that ended the last of these nodes
 * @job: (borrowed) (nullable): the job in words; %NULL when its node could not report it
 *
 * A crash in the root job or a part of it.
 */
typedef struct
{
  guint n_crashes;
  int signal_number;
  const char *job;
} StealCrash;

/* Finds out how the root job crashed the lost master @node. @signal_number: the signal that ended
 * that master; 0 when there was none or it is not known. Returns: FALSE when the root job is not to
 * blame */
gboolean steal_find_crash_of_root (const Steal *self, SatinNodeId node, int signal_number,
                                   StealCrash *ret_crash);
/* Records that @n_crashes masters crashed, each in the root job or a part of it. */
void steal_suspect_root (Steal *self, guint n_crashes);
/* Number of exported jobs. */
guint steal_count_exported (const Steal *self);
/* Number of imported jobs, including jobs that have ended and whose results were not
 * acknowledged. */
guint steal_count_held (const Steal *self);
/* Number of own jobs that were aborted while other nodes had them, since the start. */
guint steal_count_aborted (const Steal *self);
/* Number of imported jobs that have not ended. */
guint steal_count_imports (const Steal *self);
void steal_foreach_ref (const Steal *self, SatinJobRefFunc func, gpointer user_data);
gboolean steal_wants (const Steal *self, SatinNodeId thief, const SatinJobRef *ref);
/* inspect-jobs.c: see satin_membership_find_import() and satin_membership_get_under() */
gboolean steal_find_ref (const Steal *self, guint64 import_id, SatinJobRef *ret_ref);
guint64 steal_get_under (const Steal *self, SatinNodeId thief, const SatinJobRef *ref);
/* Counts for how long shared objects were overdue. A job that begins now has waited for them since
 * @since_us. */
void steal_note_overdue_object (Steal *self, gint64 since_us);

void steal_waits (const Steal *self, SatinWaitFunc add, gpointer user_data);
/* Whether another node has the imported job, or a job below it. */
gboolean steal_has_exports_under (const Steal *self, guint64 import_id);
/* Call @add for each imported job that has not ended and is still wanted, and for each exported
 * job. @now_us: the time of the loop */
void steal_foreach_import (const Steal *self, gint64 now_us, SatinJobFunc add, gpointer user_data);
void steal_foreach_export (const Steal *self, gint64 now_us, SatinJobFunc add, gpointer user_data);
