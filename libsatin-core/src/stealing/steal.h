/* steal.h - stealing between nodes: a state machine over messages, time and jobs
 *
 * One Steal serves a node on both sides. As a thief it asks the policy whom to
 * ask, sends requests, hands the jobs that come to the workers, and returns their
 * results until each is acknowledged. As a victim it exports jobs out, remembers to whom, and
 * takes a job back when its thief is gone or does not know it any more.
 *
 *   thief                                victim
 *     | REQUEST (request) ------------------> |  holds it a moment when nothing is public
 *     | <------------- JOBS or NOTHING        |  exports each: (index, generation)
 *     | <----------------------------- OFFER  |  after NOTHING, once there are jobs: ask again
 *     | RESULTS (index, generation) --------> |  accepts each once: generation must match
 *     | <------------------------------- ACK  |
 *     | <----------------------------- QUERY  |  after a broken link, and now and then
 *     | RUNNING, UNKNOWN or RESULTS --------> |  unknown: the job is taken back
 *     | <----------------------------- ABORT  |  nobody wants its result any more
 *
 * A policy that balances may also have jobs sent unasked (JOBS of request 0) and this node's load
 * told to another node (LOAD).
 *
 * A message is one byte, StealKind, and the Avro record of that kind. All waits
 * have a deadline; a message that is lost costs time only. No clock, socket, thread or random
 * source is touched but through SatinLoop, SatinPeers and StealJobs.
 *
 * Threads: the loop's thread for everything.
 * Source: 003 sec. 2.3 (cluster-aware random stealing), 001 sec. 4.1.
 * Differs: a victim gives what is public at once, half of its oldest jobs, because in trees whose
 * jobs are all of one kind the oldest is not the largest; requests are held a moment instead of
 * refused at once, so that a busy victim is not asked again and again; results are acknowledged, so
 * that a broken link loses none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/inspect.h>
#include <satin/core/policy.h>

#include "tables/messages.h"

typedef struct _Steal Steal;

/* A job's end, as it travels. */
typedef struct
{
  StealStatus status;
  GBytes *result;      /* (nullable) encoded, when OK */
  GQuark domain;       /* when failed; 0 is SATIN_ERROR */
  int code;            /* of that domain */
  const char *message; /* (nullable) when failed */
  gboolean is_theirs;  /* another node ran it */
  gint64 ran_us;       /* how long it ran, without waits; 0: not known */
  gint64 arrived_us;   /* of a large one: when the thief could have begun it; 0: not known */
} StealOutcome;

/* The job failed. @self borrows from @error. */
void steal_outcome_set_error (StealOutcome *self, const GError *error);

/* A job that leaves: what the thief needs, and what we need to put it back. */
typedef struct
{
  gpointer handle;
  int task;
  GBytes *args; /* (owned by the receiver of this) */
  guint64
      under; /* import id of the job of another node that it descends from, or is; 0: a root job */
  GBytes *path; /* (owned by the receiver of this) (nullable): from there to it; NULL: not known */
  gpointer hints;  /* (owned by the receiver of this) (nullable) */
  GBytes *packed;  /* (nullable): those, for the way; the receiver's */
  GBytes *lineage; /* (nullable): for the way, where it is not the one before's; the receiver's */
} StealTaken;

/* A finished child of a job that has not ended. */
typedef struct
{
  guint64 under; /* import id of the job of another node that it descends from; 0: the root job */
  GBytes *path;  /* (owned) from there to it */
  int task;
  GBytes *args;   /* (owned) */
  GBytes *result; /* (owned) */
} StealSaved;

/* @saved: for each, valid during the call; @stopped: no more come. On the loop. */
typedef struct
{
  void (*saved) (const StealSaved *saved, gpointer user_data);
  void (*stopped) (gpointer user_data);
} StealSavingFuncs;

/**
 * StealJobs:
 * @take: the oldest jobs that a worker here can spare, at most @max, and of no more than a
 *   message holds; of other nodes' jobs that wait here @n_kept stay, and without @may_be_bound
 * those that begin at the bottom of a stack only. Returns how many; 0 when none is public
 * @place: of a job that was taken, @under and @path anew
 * @want: steal_published() is to be called when one becomes public
 * @give: a job for the workers, with @hints (transfer full) (nullable); steal_finished() with
 *   @import_id follows. FALSE when the task is unknown here or its arguments are malformed
 * @finish: the end of a job that was taken; the handle is gone. FALSE when the result is malformed:
 *   the job then runs here
 * @put_back: a job that was taken is queued here again, with @hints (transfer full) (nullable); the
 *   handle is gone
 * @is_free: whether a worker here runs nothing at all, and no job waits for it
 * @n_idle: idle workers that no given job waits for, and those that soon will be
 * @is_busy: whether any worker has a job that may spawn
 * @n_queued: jobs that take would find now, as far as workers have put them out; an estimate
 * @give_back: drops all given jobs that no worker has begun, and calls @func with the import id of
 *   each
 * @is_aborted: of a job that was taken, whether nobody wants it any more: put_back drops it then
 * @abort: nobody wants a job that was given: steal_finished() follows, maybe at once
 * @note_crash: the thief of a job that was taken crashed. Returns how many of its thieves did
 * @describe: of a job that was taken, its task and arguments in words. (transfer full)
 * @save: tells what the workers have finished and @filter (nullable) lets pass, each at its next
 * spawn, sync or end of a job; @is_end: and stops them there for good, after which nothing more is
 * told. Not twice at a time
 * @encode: of a job that was taken, its task. Returns (transfer full): its arguments
 *
 * What stealing needs of the workers.
 */
typedef struct
{
  guint (*take) (gpointer jobs, guint max, guint n_kept, gboolean may_be_bound,
                 StealTaken *ret_taken);
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
  void (*save) (gpointer jobs, gboolean is_end, SatinFinishedFilter *filter,
                const StealSavingFuncs *funcs, gpointer user_data);
  GBytes *(*encode) (gpointer jobs, gpointer handle, int *ret_task);
} StealJobs;

/* @jobs_ops, @jobs, @peers and @policy_ops are borrowed; @policy is closed by steal_free(). */
Steal *steal_new (SatinLoop *loop, SatinPeers *peers, const StealJobs *jobs_ops, gpointer jobs,
                  const SatinPolicyOps *policy_ops, gpointer policy);
void steal_free (Steal *self);

/* A worker is idle. */
void steal_hungry (Steal *self);
/* A job became public after want. */
void steal_published (Steal *self);
/* A job that was given has ended. @outcome is valid during the call. */
void steal_finished (Steal *self, guint64 import_id, const StealOutcome *outcome);
/* A job that was taken is not wanted any more. */
void steal_drop_aborted (Steal *self, gpointer handle);
/* A job that was given and that no worker can begin goes back to its owner, with @hints (nullable)
 * if it does not know them. Returns: FALSE when the owner is gone */
gboolean steal_return_import (Steal *self, guint64 import_id, gpointer hints);
/* A job here is to be had from @holder, which has it as an orphan: as if it had stolen it. @taken
 * has no arguments; what it owns (transfer full). */
void steal_adopt (Steal *self, StealTaken *taken, SatinNodeId holder, const SatinJobRef *ref);
/* Who recovers; before anybody is lost, and %NULL when it is gone. */
void steal_set_recovery (Steal *self, SatinRecovery *recovery);
/* Begins no more steals and exports nothing more; what is under way goes on. */
void steal_quiet (Steal *self);
/* As steal_quiet(), and jobs of other nodes that no worker has begun go back to them. */
void steal_leave (Steal *self);
/* Whether there are nodes that stay. */
gboolean steal_has_heir (const Steal *self);
/* Whether they keep what this one has. */
gboolean steal_may_save (const Steal *self);
/* Stops the workers, and gives what they have finished to nodes that stay; then their jobs go back.
 */
void steal_save (Steal *self);
/* Others are to keep results of the root's frame, for when this node, the master, is lost. */
void steal_hand_out (Steal *self, const StealSaved *backups, guint n);
/* The root's frame has finished these: a part may store them. */
void steal_tell_finished (Steal *self, const StealSaved *backups, guint n);
/* No more waiting for workers that do not come by. */
void steal_save_rest (Steal *self);
/* Whether somebody waits for a result of this node. */
gboolean steal_is_owing (const Steal *self);

void steal_figures (Steal *self, SatinFigureFunc add, gpointer user_data);
/* A node's last words, which come before others hear that it died. */
void steal_note_crash (Steal *self, const SatinCrash *crash);
/**
 * StealCrash:
 * @n_crashes: how often this has ended a node, 1 or more
 * @signal_number: that ended the last one
 * @job: (borrowed) (nullable): what it was; %NULL: its node could not say
 *
 * A crash in the root job.
 */
typedef struct
{
  guint n_crashes;
  int signal_number;
  const char *job;
} StealCrash;

/* A master is lost, and @signal_number (0: none, or it is not known) ended it. Returns: FALSE when
 * the root job is not to blame */
gboolean steal_find_crash_of_root (const Steal *self, SatinNodeId node, int signal_number,
                                   StealCrash *ret_crash);
/* So many masters crashed, each with a part of the root job. */
void steal_suspect_root (Steal *self, guint n_crashes);
/* Jobs exported and not back, and jobs of others not acknowledged. */
guint steal_count_exported (const Steal *self);
guint steal_count_held (const Steal *self);
/* Own jobs, so far, that were aborted while others had them. */
guint steal_count_aborted (const Steal *self);
/* Jobs of others that have not ended. */
guint steal_count_imports (const Steal *self);
void steal_foreach_ref (const Steal *self, SatinJobRefFunc func, gpointer user_data);
gboolean steal_wants (const Steal *self, SatinNodeId thief, const SatinJobRef *ref);
/* inspect-jobs.c: see satin_membership_find_import() and satin_membership_get_under() */
gboolean steal_find_ref (const Steal *self, guint64 import_id, SatinJobRef *ret_ref);
guint64 steal_get_under (const Steal *self, SatinNodeId thief, const SatinJobRef *ref);
/* A job could not begin since then, for lack of shared objects, and does now. */
void steal_note_overdue_object (Steal *self, gint64 since_us);

void steal_waits (const Steal *self, SatinWaitFunc add, gpointer user_data);
