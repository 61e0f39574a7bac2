/* private.h - what the two sides of stealing share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/inject.h>
#include <satin/base/warnings.h>

#include "candidates.h"
#include "losses.h"

/* A request is forgotten after this time and 8 times the latency, but not later than the second
 * one: what was measured while the network was cut tells nothing. */
#define REQUEST_DEADLINE_US     ((gint64)2000000)
#define REQUEST_DEADLINE_MAX_US ((gint64)30000000)
/* How long a busy victim is asked to hold a request before it refuses: longer after each refusal,
 * as nobody else has much to give then either. */
#define HOLD_US     ((gint64)1000)
#define HOLD_MAX_US ((gint64)5000)
/* A request that was not answered in this time and 4 times the latency is held: if another node
 * offers jobs, that one is asked instead. */
#define PENDING_US ((gint64)200)
/* After how long an unanswered RESULT is sent again, at first. */
#define RESEND_US ((gint64)1000000)
/* How long acknowledgements wait for others to travel with. */
#define ACK_US ((gint64)20000)
/* How often a victim asks after the jobs it exported. */
#define QUERY_US ((gint64)5000000)
/* How often, at most, a policy balances, and how often a load is told to a node that wants it. */
#define BALANCE_US ((gint64)2000)
#define TELL_US    ((gint64)10000)
/* So many acknowledgements are sent at once. */
#define MAX_DUE 256
/* Most jobs in one answer, and when results are split over several messages. */
#define MAX_BATCH         64
#define RESULTS_MAX_BYTES ((gsize)1 << 20)
/* Most requests held, and most jobs exported, at a time. */
#define MAX_PENDING 4096
/* Most refused nodes that hear when there are jobs. */
#define MAX_HUNGRY 64
/* What kept results and backups are called, as nothing that was exported is. */
#define KEPT_INDEX   (-2)
#define BACKUP_INDEX (-3)
#define MAX_EXPORTED ((guint)1 << 20)
/* Jobs whose arguments and result are larger together, encoded, have to be worth their way. */
#define LARGE_BYTES ((gsize)64 << 10)

/* A request of ours that was not answered yet. */
typedef struct
{
  SatinNodeId to; /* 0: none */
  guint64 request;
  gint64 sent_us;
  SatinTimerId timer;
  guint n_refused;     /* answers without a job in a row */
  gint64 refused_us;   /* when the last of them was asked for */
  gboolean is_offered; /* it had said that it has jobs */
} Asked;

/* For which part of the time messages were overdue. */
typedef struct
{
  gint64 sum_us;
  gint64 until_us; /* all before is counted */
} StealOverdue;

/* What follows are the states of the files that are named: nobody else changes them. */

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
  SatinTimerId timer; /* the next result in the outbox is due */
} StealReturning;

/* policy.c */
typedef struct
{
  const SatinPolicyOps *ops; /* (borrowed) */
  gpointer handle;           /* (owned) */
  SatinTimerId consider_timer;
  SatinTimerId balance_timer;
  gint64 balanced_us;           /* when it was asked last */
  gboolean is_waiting_for_jobs; /* steal_published() will come for its sake */
  guint n_early;                /* times that it was asked before there was a master */
  SatinNodeId told;             /* who is to know our load, 0: nobody */
  gint told_queued;             /* what it was told last, -1: nothing yet */
  SatinTimerId tell_timer;
} StealPolicy;

/* victim.c */
typedef struct
{
  GArray *pending; /* (owned) of Pending, oldest first */
  SatinTimerId hold_timer;
  GArray *hungry; /* (owned) of Hungry, oldest first, no node twice */
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
  gint64 near_asked_us; /* when a node of this cluster asked last, 0: never */
  gint64 far_us;        /* latency to the last node of another cluster, 0: none was measured yet */
  GPtrArray *clusters;  /* (owned) of (owned) labels: those that were sent their first jobs */
  guint n_left;         /* so often it is tried still */
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
  GPtrArray *all; /* (owned) of (owned) Batch: results that others are to keep, the oldest first */
  gboolean is_soon; /* they are about to be sent */
  gint64 last_number;
  SatinTimerId timer;
} StealBatches;

/* overdue.c */
typedef struct
{
  StealOverdue near, far;
} StealOverdues;

/* steal.c */
typedef struct
{
  GQueue messages; /* of (owned) GBytes: from this node to itself */
  SatinTimerId timer;
} StealToSelf;

struct _Steal
{
  SatinWarnings warnings;    /* about what peers send */
  SatinLoop *loop;           /* (borrowed) */
  SatinPeers *peers;         /* (borrowed) */
  const StealJobs *jobs_ops; /* (borrowed) */
  gpointer jobs;             /* (borrowed) */
  SatinRecovery *recovery;   /* (borrowed) (nullable) */
  guint change_id;
  gboolean is_quiet;
  gboolean is_leaving;       /* jobs that still come go back */
  GBytes *rooted, *rootless; /* (owned) lineages of jobs that descend from none that was exported */
  guint n_new_domains;       /* of errors, heard of from others */
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
  StealToSelf to_self;
  StealLosses *losses; /* (owned): losses/ */
};

gboolean steal_send (Steal *self, SatinNodeId to, StealKind kind, const SatinRecord *record,
                     gconstpointer data);
/* After how long what was sent so often is sent again: it may be large, and the link slow. */
gint64 steal_again_us (gint64 first_us, guint n_sent);
GBytes *steal_message (StealKind kind, const SatinRecord *record, gconstpointer data);

/* policy.c */
/* @ops: (borrowed). @policy: (transfer full) */
void steal_policy_init (Steal *self, const SatinPolicyOps *ops, gpointer policy);
void steal_policy_free (Steal *self);
void steal_consider (Steal *self);
void steal_balance (Steal *self);
/* Jobs were put out: what the policy waited for. */
void steal_balance_jobs (Steal *self);
void steal_on_load (Steal *self, SatinNodeId from, gconstpointer data);
gint steal_count_queued (Steal *self);
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

/* returning.c */
/* The result of @import, which is over, goes to its owner. */
void steal_send_result (Steal *self, Import *import);
void steal_on_ack (Steal *self, SatinNodeId from, gconstpointer data);
/* A link broke. */
void steal_peer_unsure (Steal *self, SatinNodeId id);
void steal_returning_free (Steal *self);

/* remote-abort.c */
void steal_abort_import (Steal *self, Import *import);
/* An imported job with that import id was aborted, and may be exported on, or about to be. */
void steal_drop_under (Steal *self, guint64 import_id);
void steal_on_abort (Steal *self, SatinNodeId from, gconstpointer data);
gboolean steal_is_aborting (const Steal *self, SatinNodeId thief, gint32 index, gint64 generation);
void steal_abort_answered (Steal *self, SatinNodeId thief, const StealName *name);
void steal_abort_free (Steal *self);

/* batches.c */
void steal_batches_init (StealBatches *self);
void steal_batches_free (Steal *self);
/* The nearest owner, the master, or anybody. Returns: 0 when nobody stays */
SatinNodeId steal_find_recipient (Steal *self, const StealKept *result);
/* Puts a copy of it into the batch of who shall keep it; @to 0: nobody. */
void steal_pack_result (Steal *self, const StealKept *result, SatinNodeId to);
/* Those that are new, or were not answered in time. */
void steal_send_batches (Steal *self);
void steal_send_batches_after (Steal *self, gint64 delay_us);
/* Behind what is more urgent, and together with others. */
void steal_send_batches_soon (Steal *self);
/* Of the results in batches that nobody has yet. */
gsize steal_count_batch_bytes (const Steal *self);
void steal_on_kept (Steal *self, SatinNodeId from, gconstpointer data);
/* A link broke, and what was under way to who shall keep it may be lost. */
void steal_recipient_unsure (Steal *self, SatinNodeId id);
/* Who was to keep something is gone, or leaves itself: another shall, for all of a batch the same.
 */
void steal_recipient_gone (Steal *self, SatinNodeId id);

/* far.c */
void steal_feeding_init (StealFeeding *self);
void steal_feeding_free (StealFeeding *self);
void steal_note_request (Steal *self, SatinNodeId from);
guint steal_keep_travelled (Steal *self, SatinNodeId to, StealTaken *taken, guint n);
void steal_begin_feeding (Steal *self);
void steal_feed (Steal *self);

/* failure.c */
/* The outcome of a job of @import, bounded, as it is kept until its owner has it. */
void steal_failure_keep (Import *import, const StealOutcome *outcome);
/* And as it travels; @ret_result borrows from @import. */
void steal_failure_write (const Import *import, StealResult *ret_result);
/* What came, for who spawned the job; @ret_outcome borrows from @result. */
void steal_failure_read (Steal *self, const StealResult *result, StealOutcome *ret_outcome);

/* overdue.c */
void steal_note_overdue (Steal *self, SatinNodeId id, gint64 sent_us);
void steal_overdue_figures (Steal *self, SatinFigureFunc add, gpointer user_data);

/* victim.c */
void steal_victim_init (StealServing *self);
/* Remembers that @thief has the job; its handle and hints (transfer full). Returns: its index */
guint steal_add_export (Steal *self, const StealTaken *taken, SatinNodeId thief);
void steal_put_back (Steal *self, guint index);
/* A job came back undone in another way. */
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
