/* private.h - what the two sides of stealing share
 *
 * If a file is named above a struct, the struct is the state of that file, and only that file
 * changes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/inject.h>
#include <satin/base/warnings.h>

#include "candidates.h"
#include "losses.h"

/* A thief forgets an unanswered request after the first time plus 8 latencies, but at the latest
 * after the second time: a latency that was measured while the network was cut may be very
 * large. */
#define REQUEST_DEADLINE_US     ((gint64)2000000)
#define REQUEST_DEADLINE_MAX_US ((gint64)30000000)
/* How long a thief asks a busy victim to keep a request pending before the victim refuses it. The
 * thief allows more time after each refusal, up to the second value: the other nodes have few jobs
 * then, too. */
#define HOLD_US     ((gint64)1000)
#define HOLD_MAX_US ((gint64)5000)
/* After this time plus 4 latencies without an answer, a thief assumes that its request is pending.
 * If another node offers jobs then, the thief asks that node instead. */
#define PENDING_US ((gint64)200)
/* After how long an unacknowledged RESULTS is sent again the first time, and an unanswered ABORT
 * each time. */
#define RESEND_US ((gint64)1000000)
/* How long acknowledgements wait, so that several travel together. */
#define ACK_US ((gint64)20000)
/* How often a victim sends QUERY for its exported jobs. */
#define QUERY_US ((gint64)5000000)
/* How often, at most, a policy balances, and a node sends its load to the node that needs it. */
#define BALANCE_US ((gint64)2000)
#define TELL_US    ((gint64)10000)
/* When this many results wait to be acknowledged, the thief whose results came last gets its ACK at
 * once. */
#define MAX_DUE 256
/* Most jobs in one JOBS message, and the size from which on results are split over several
 * messages. */
#define MAX_BATCH         64
#define RESULTS_MAX_BYTES ((gsize)1 << 20)
/* Most pending requests at a time. */
#define MAX_PENDING 4096
/* Most refused nodes that get an OFFER when there are jobs. */
#define MAX_HUNGRY 64
/* The index in the names of kept results and backups. No exported job has a negative index. */
#define KEPT_INDEX   (-2)
#define BACKUP_INDEX (-3)
/* Most jobs exported at a time. */
#define MAX_EXPORTED ((guint)1 << 20)
/* Whether a job is worth its way to another node is measured only if its arguments and result,
 * encoded, together have more bytes than this. */
#define LARGE_BYTES ((gsize)64 << 10)

/* The request of this node to a near, or to a far, node that has not been answered yet. */
typedef struct
{
  SatinNodeId to; /* 0: there is none */
  guint64 request;
  gint64 sent_us;
  SatinTimerId timer;
  guint n_refused;     /* refusals in a row */
  gint64 refused_us;   /* when the last refused request was sent */
  gboolean is_offered; /* the victim had sent an OFFER before */
} Asked;

/* How much time messages were overdue. Messages that are overdue together count once. */
typedef struct
{
  gint64 sum_us;
  gint64 until_us; /* the time before this is counted in sum_us */
} StealOverdue;

/* thief.c */
typedef struct
{
  Asked near, far;
  guint64 last_request;
  gint64 n_tried, n_won, n_won_far, waited_us;
} StealAsking;

/* returning.c */
typedef struct
{
  SatinTimerId timer; /* for the next result that is due in the outbox */
} StealReturning;

/* policy.c */
typedef struct
{
  const SatinPolicyOps *ops; /* (borrowed) */
  gpointer handle;           /* (owned) */
  SatinTimerId consider_timer;
  SatinTimerId balance_timer;
  gint64 balanced_us;           /* when the policy was last asked to balance */
  gboolean is_waiting_for_jobs; /* jobs were asked for with want(), to balance again */
  guint n_early;                /* times that the policy was asked before there was a master */
  SatinNodeId told;             /* the node that must know this node's load; 0: none */
  gint told_queued;             /* the load that was last sent to it; -1: none yet */
  SatinTimerId tell_timer;
} StealPolicy;

/* victim.c */
typedef struct
{
  GArray *pending; /* (owned) of Pending, the oldest first */
  SatinTimerId hold_timer;
  GArray *hungry; /* (owned) of Hungry, the oldest first */
  SatinTimerId query_timer;
  gint64 n_given, n_returned, n_pushed;
} StealServing;

/* accepting.c */
typedef struct
{
  GArray *due; /* (owned) of Due */
  SatinTimerId timer;
  gint64 n_results;
} StealAccepting;

/* far.c */
typedef struct
{
  gint64 near_asked_us; /* when a node of this cluster last asked for jobs; 0: never */
  gint64 far_us;        /* last known latency to a node of another cluster; 0: none */
  GPtrArray *clusters;  /* (owned) of (owned) labels: the clusters that got their first job */
  guint n_left;         /* how often feeding may still be tried */
} StealFeeding;

/* remote-abort.c */
typedef struct
{
  GArray *told; /* (owned) (nullable) of Aborting */
  SatinTimerId timer;
  gint64 n;
} StealAborts;

/* batches.c */
typedef struct
{
  GPtrArray *all;   /* (owned) of (owned) Batch, the oldest first */
  gboolean is_soon; /* the timer was set by steal_send_batches_soon() */
  gint64 last_number;
  SatinTimerId timer;
} StealBatches;

/* overdue.c */
typedef struct
{
  StealOverdue near, far;
} StealOverdues;

/* How often something took at most STEAL_SHORT_US, at most twice that, at most four times that, and
 * so on. Each is counted once, and all that took longer in the last place. */
#define STEAL_SHORT_US 32u
typedef gint64 StealTimes[20];

/* The steals from nodes of one cluster. */
typedef struct
{
  char *label; /* (owned): of the cluster */
  gint64 n_tried, n_won, n_bytes;
  StealTimes n_answers; /* requests that brought jobs, by how long the answer took */
} StealsFrom;

/* by-cluster.c */
typedef struct
{
  GPtrArray *all; /* (owned) of (owned) StealsFrom */
} StealByCluster;

/* durations.c */
typedef struct
{
  gint64 ran_us[10];     /* of the longest imported jobs, in no order; 0: none yet */
  StealTimes n_ran;      /* imported jobs, by how long they ran */
  StealLongJobFunc func; /* (nullable) */
  gpointer user_data;
  SatinDetails *details; /* (borrowed) (nullable) */
} StealDurations;

/* steal.c */
typedef struct
{
  GQueue messages; /* of (owned) GBytes: messages from this node to itself */
  SatinTimerId timer;
} StealToSelf;

struct _Steal
{
  SatinWarnings warnings;    /* about messages of peers */
  SatinLoop *loop;           /* (borrowed) */
  SatinPeers *peers;         /* (borrowed) */
  const StealJobs *jobs_ops; /* (borrowed) */
  gpointer jobs;             /* (borrowed) */
  SatinRecovery *recovery;   /* (borrowed) (nullable) */
  guint change_id;
  gboolean is_quiet;
  gboolean is_leaving; /* jobs that still arrive are sent back */
  GBytes *rooted,
      *rootless;       /* (owned) empty lineages: below the root job, and below an unknown job */
  guint n_new_domains; /* error domains that this process first heard of from other nodes */
  StealImports imports;
  StealExports exports;
  StealVictims victims;
  StealAsking asking;
  StealReturning returning;
  StealPolicy policy;
  StealServing serving;
  StealAccepting accepting;
  StealFeeding feeding;
  StealAborts aborts;
  StealBatches batches;
  StealOverdues overdue;
  StealByCluster by_cluster;
  StealDurations durations;
  StealToSelf to_self;
  StealLosses *losses; /* (owned): the state of the room losses */
};

gboolean steal_send (Steal *self, SatinNodeId to, StealKind kind, const SatinRecord *record,
                     gconstpointer data);
/* How long to wait before a message is sent again. @n_sent: how often it was sent before. The wait
 * gets longer, because the message may be large and the link slow. */
gint64 steal_again_us (gint64 first_us, guint n_sent);
GBytes *steal_message (StealKind kind, const SatinRecord *record, gconstpointer data);

/* policy.c */
/* @ops: (borrowed). @policy: (transfer full) */
void steal_policy_init (Steal *self, const SatinPolicyOps *ops, gpointer policy);
void steal_policy_free (Steal *self);
void steal_consider (Steal *self);
void steal_balance (Steal *self);
/* Lets the policy balance, because the jobs that it waited for were put out. */
void steal_balance_jobs (Steal *self);
void steal_on_load (Steal *self, SatinNodeId from, gconstpointer data);
gint steal_count_queued (Steal *self);
const char *steal_find_cluster (Steal *self, SatinNodeId id);
gboolean steal_is_far (Steal *self, SatinNodeId id);
SatinVictim *steal_find_victim (Steal *self, SatinNodeId id);
void steal_note_answer (Steal *self, SatinNodeId id, gint64 answer_us);
void steal_note_load (Steal *self, SatinNodeId id, gint n_queued);
void steal_stop_sending_load (Steal *self, SatinNodeId id);
void steal_tell_again (Steal *self, SatinNodeId id);

/* thief.c */
void steal_ask (Steal *self, Asked *asked, SatinVictim *to, guint max_jobs);
void steal_forget_refusals (Steal *self);
void steal_on_jobs (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_nothing (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_offer (Steal *self, SatinNodeId from, gconstpointer data);
void steal_say_running (Steal *self, const Import *import, guint n_crashes);
void steal_on_query (Steal *self, SatinNodeId from, gconstpointer data);
void steal_thief_free (Steal *self);
void steal_peer_gone (Steal *self, SatinNodeId id);
void steal_return_job (Steal *self, SatinNodeId from, const StealJob *job);

/* inspect-jobs.c */
void steal_on_progress (Steal *self, SatinNodeId from, gconstpointer data);
char *steal_describe_import (const Import *import);

/* durations.c */
/* Counts an imported job, which has ended well here and ran for @ran_us. Reports it if it is one of
 * the longest so far, or if the part "details" wants it. */
void steal_note_job (Steal *self, const Import *import, gint64 ran_us);
/* Tells the part "details", if it is loaded, of a request that has ended and brought @n_jobs jobs.
 * Requests that took less time than the part's min_us are left out. */
void steal_note_asked (Steal *self, const Asked *asked, gsize n_jobs);
void steal_durations_figures (const Steal *self, SatinFigureFunc add, gpointer user_data);
/* Counts something that took @took_us. */
void steal_times_add (gint64 *times, gint64 took_us);
/* Adds a figure "PREFIX.within-N" for each count that is not 0; N is in microseconds. */
void steal_times_figures (const gint64 *times, const char *prefix, SatinFigureFunc add,
                          gpointer user_data);

/* returning.c */
/* Sends the result of @import, which has ended, to the job's owner. */
void steal_send_result (Steal *self, Import *import);
void steal_on_ack (Steal *self, SatinNodeId from, gconstpointer data);
/* Sends the results for @id again, because its link broke and they may be lost. */
void steal_peer_unsure (Steal *self, SatinNodeId id);
void steal_returning_free (Steal *self);

/* remote-abort.c */
void steal_abort_import (Steal *self, Import *import);
/* Aborts the exported descendants of the imported job @import_id, which was aborted, and drops its
 * descendants that are lost and wait. */
void steal_drop_under (Steal *self, guint64 import_id);
void steal_on_abort (Steal *self, SatinNodeId from, gconstpointer data);
gboolean steal_is_aborting (const Steal *self, SatinNodeId thief, gint32 index, gint64 generation);
void steal_abort_answered (Steal *self, SatinNodeId thief, const StealName *name);
void steal_abort_free (Steal *self);

/* batches.c */
void steal_batches_init (StealBatches *self);
void steal_batches_free (Steal *self);
/* Finds the node that must keep @result: for a backup as steal_find_backup_recipient() says, else
 * the nearest owner in its lineage that stays, else the master, else any node that stays. Returns:
 * 0 when no node stays, or when the lineage cannot be read */
SatinNodeId steal_find_recipient (Steal *self, const StealKept *result);
/* Adds a copy of @result to a batch for node @to. Does nothing if @to is 0, or if @result is too
 * large for a message: then it is computed again. */
void steal_pack_result (Steal *self, const StealKept *result, SatinNodeId to);
/* Sends the batches that are new, and again those that were not acknowledged in time. */
void steal_send_batches (Steal *self);
void steal_send_batches_after (Steal *self, gint64 delay_us);
/* Sends new batches a moment later: behind more urgent messages, and with more results in them. */
void steal_send_batches_soon (Steal *self);
/* Bytes of the results in batches that have not been acknowledged. */
gsize steal_count_batch_bytes (const Steal *self);
void steal_on_kept (Steal *self, SatinNodeId from, gconstpointer data);
/* Sends the batches for @id again, because its link broke and they may be lost. */
void steal_recipient_unsure (Steal *self, SatinNodeId id);
/* Sends the batches for @id, which is gone or leaving, to other nodes. The results of a batch stay
 * together. If no node stays, they are lost. */
void steal_recipient_gone (Steal *self, SatinNodeId id);

/* far.c */
void steal_feeding_init (StealFeeding *self);
void steal_feeding_free (StealFeeding *self);
void steal_note_request (Steal *self, SatinNodeId from);
guint steal_keep_travelled (Steal *self, SatinNodeId to, StealTaken *taken, guint n);
void steal_begin_feeding (Steal *self);
void steal_feed (Steal *self);

/* failure.c */
/* Stores the error of @outcome in @import, with a message of bounded length, until the owner has
 * it. */
void steal_failure_keep (Import *import, const StealOutcome *outcome);
/* Writes the error that @import stores into a message. @ret_result borrows from @import. */
void steal_failure_write (const Import *import, StealResult *ret_result);
/* Reads the error in a message, for the job that spawned the failed job. @ret_outcome borrows from
 * @result. */
void steal_failure_read (Steal *self, const StealResult *result, StealOutcome *ret_outcome);

/* overdue.c */
void steal_note_overdue (Steal *self, SatinNodeId id, gint64 sent_us);
void steal_overdue_figures (Steal *self, SatinFigureFunc add, gpointer user_data);

/* by-cluster.c */
void steal_by_cluster_init (StealByCluster *self);
void steal_by_cluster_done (StealByCluster *self);
/* Counts a request to @victim. */
void steal_count_asked (Steal *self, SatinNodeId victim);
/* Counts a request that has brought jobs, @answer_us after it was sent. */
void steal_count_won (Steal *self, SatinNodeId victim, gint64 answer_us);
/* Counts a message with jobs of @victim. */
void steal_count_bytes (Steal *self, SatinNodeId victim, gsize n_bytes);
void steal_by_cluster_figures (Steal *self, SatinFigureFunc add, gpointer user_data);

/* victim.c */
void steal_victim_init (StealServing *self);
/* Records that @thief has the job. Takes over its handle and hints. Returns: its index */
guint steal_add_export (Steal *self, const StealTaken *taken, SatinNodeId thief);
void steal_put_back (Steal *self, guint index);
/* Counts as returned a job whose result cannot be read, so that the job runs again here.
 * steal_put_back() counts by itself. */
void steal_count_returned (Steal *self);
void steal_lose_job (Steal *self, guint index, int signal_number);
void steal_forget_exported (Steal *self, guint index);
void steal_start_asking_after_jobs (Steal *self);
void steal_on_request (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_unknown (Steal *self, SatinNodeId from, gconstpointer data);
void steal_serve_pending (Steal *self);
gboolean steal_push (Steal *self, SatinNodeId to, guint max);
void steal_thief_gone (Steal *self, SatinNodeId id, int signal_number);
void steal_thief_unsure (Steal *self, SatinNodeId id);
void steal_victim_free (Steal *self);

/* accepting.c */
void steal_accepting_init (StealAccepting *self);
void steal_accepting_free (Steal *self);
void steal_on_results (Steal *self, SatinNodeId from, gconstpointer data);
