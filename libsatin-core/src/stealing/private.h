/* private.h - what the two sides of stealing share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/mistake.h>
#include <satin/base/warnings.h>

#include "candidates.h"
#include "steal.h"

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
#define HELD_US ((gint64)200)
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
/* Longer lineages lose their oldest hops. */
#define STEAL_LINEAGE_MAX_BYTES ((gsize)4096)
/* Most requests held, and most jobs exported, at a time. */
#define MAX_HELD 4096
/* Most refused nodes that hear when there are jobs. */
#define MAX_HUNGRY 64
/* What kept results and backups are called, as nothing that was exported is. */
#define KEPT_INDEX   (-2)
#define BACKUP_INDEX (-3)
#define MAX_EXPORTED ((guint)1 << 20)
/* Jobs whose arguments and result are larger together, encoded, have to be worth their way. */
#define LARGE_BYTES ((gsize)64 << 10)

typedef enum
{
  STEAL_REQUEST = 1,
  STEAL_JOBS,
  STEAL_NOTHING,
  STEAL_RESULTS,
  STEAL_ACK,
  STEAL_QUERY,
  STEAL_RUNNING,
  STEAL_UNKNOWN,
  STEAL_OFFER,
  STEAL_LOAD,
  STEAL_ADOPT,
  STEAL_LINEAGE,
  STEAL_KEEP,
  STEAL_KEPT,
  STEAL_RETURNED,
  STEAL_ORPHANED,
  STEAL_ABORT,
} StealKind;

/* clang-format off */
/* n_queued is what its sender could give away. */
SATIN_RECORD (StealRequest, (long, request), (long, hold_us), (int, n_queued),
              (int, max_jobs), /* 0: as many as the victim likes */
              (boolean, is_free)) /* jobs with hints can begin here */
SATIN_RECORD (StealAnswer, (long, request), (int, n_queued)) /* NOTHING; OFFER, later, to the same request */
/* Whose children jobs are: several in a message have the same. @n_far: changes of cluster on the way. */
SATIN_RECORD (StealOrigin, (bytes, lineage), (int, n_far))
/* @origin: which of the message's. */
SATIN_RECORD (StealJob, (int, index), (long, generation), (int, task), (bytes, args), (int, origin),
              (boolean, is_placed), (bytes, path), (bytes, hints), (int, n_crashes))
SATIN_RECORD (StealJobsMessage, (long, request), (array_record, jobs, StealJob),
              (int, n_queued), (array_record, origins, StealOrigin))
/* @domain: of the error, by name; "" is SATIN_ERROR. @message: bounded, see failure.c.
 * @ran_us: how long the job ran; @held_us: how long the thief has had it; both 0 for a small job. */
SATIN_RECORD (StealResult, (int, index), (long, generation), (int, status), (int, code),
              (string, message), (bytes, result), (string, domain),
              (long, ran_us), (long, held_us))
SATIN_RECORD (StealResults, (array_record, results, StealResult), (int, n_queued))
SATIN_RECORD (StealName, (int, index), (long, generation)) /* QUERY, UNKNOWN, ABORT */
/* @n_crashes: of nodes that had it, or a part of it */
SATIN_RECORD (StealRunning, (int, index), (long, generation), (int, n_crashes))
SATIN_RECORD (StealNames, (array_record, names, StealName)) /* ACK */
SATIN_RECORD (StealLoad, (int, n_queued))
/* The orphan that @owner, who is lost, had exported under that name is wanted under another one. */
SATIN_RECORD (StealAdopt, (int, owner), (int, index), (long, generation), (int, as_index),
              (long, as_generation), (bytes, lineage), (int, n_far), (boolean, is_placed), (bytes, path))
/* An exported job's owner has become another's child. */
SATIN_RECORD (StealLineage, (int, index), (long, generation), (bytes, lineage))
/* A result that whoever gets it is to keep, as that of an orphan with this name. */
SATIN_RECORD (StealKept, (int, owner), (int, index), (long, generation), (int, task), (bytes, args),
              (bytes, lineage), (bytes, path), (bytes, result))
SATIN_RECORD (StealKeep, (long, number), (array_record, results, StealKept))
SATIN_RECORD (StealNumber, (long, number)) /* KEPT */
/* A job that was given up, and packed hints of what is known of it. */
SATIN_RECORD (StealReturned, (int, index), (long, generation), (bytes, hints))
/* clang-format on */

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

/* A victim's request that waits for something to become public. */
typedef struct
{
  SatinNodeId from;
  gint64 request;
  guint max;
  gboolean is_free;
  gint64 until_us;
} Held;

/* A node that was refused and hears when there are jobs. */
typedef struct
{
  SatinNodeId id;
  gint64 request;
} Hungry;

/* A result that was accepted and is to be acknowledged. */
typedef struct
{
  SatinNodeId thief;
  StealName name;
} Due;

/* A job that another node has. */
typedef struct
{
  gpointer handle; /* (owned) NULL: this entry is free */
  gint64 generation;
  gint64 exported_us; /* when */
  guint64 under;  /* import id of the imported job that it descends from, or is; 0: a root job */
  gpointer hints; /* (owned) (nullable) */
  SatinNodeId thief;
  /* entries, by index + 1; 0: none */
  guint next_free;
  guint next_under, previous_under; /* of those with the same @under */
  guint32 n_args;                   /* bytes, encoded */
} Export;

/* A job that waits: its thief is lost, and others have time to say what they know of it; or its
 * holder is known, but not to this node. */
typedef struct
{
  StealTaken job;     /* (owned) */
  SatinNodeId holder; /* 0: its thief is lost */
  SatinJobRef ref;    /* what its lost owner called it, when it has a holder */
  gint64 until_us;
} Back;

/* What an imported job came with. */
typedef struct
{
  const guint8 *args; /* encoded */
  gsize n_args;
  const guint8 *lineage; /* (nullable) SatinLineage, of its own; NULL: that of no known job */
  gsize n_lineage;
  const guint8 *path; /* (nullable) from there to it */
  gsize n_path;
  gboolean is_placed; /* the path is known */
} Baggage;

/* A job of another node that runs or ran here. */
typedef struct _Import Import;
struct _Import
{
  guint64 import_id;
  GList link;         /* in the list of all, if it is in that; data: itself */
  Import *next_named; /* (nullable) of the same owner and name */
  StealName name;
  SatinNodeId owner;
  int task;
  guint n_far;           /* how often it, or a job that it descends from, has changed clusters */
  guint is_orphan : 1;   /* the owner is gone */
  guint is_unwanted : 1; /* and nobody wants it */
  guint is_over : 1;
  guint is_placed : 1; /* as in its baggage */
  guint is_stored : 1; /* its result is being fetched: no worker has it */
  guint n_sent;        /* how often its result was, since a link broke */
  guint32 n_args, n_lineage, n_path;
  guint8 *baggage;        /* (owned) these, one after the other */
  gint64 came_us;         /* when it could have begun */
  gint64 ran_us;          /* how long, once it is over */
  gint64 over_us;         /* when it was over, or adopted after that */
  gint64 send_us;         /* when its result is to be sent (again), once it is over */
  GSequenceIter *to_send; /* (nullable) in the outbox */
  GSequenceIter
      *unacked; /* (nullable) among those whose results their owner has not acknowledged */
  /* the outcome, as it is sent until it is acknowledged */
  StealStatus status;
  GQuark domain;
  int code;
  char *message;  /* (owned) (nullable) bounded */
  GBytes *result; /* (owned) (nullable) */
};

/* See overdue.c. */
typedef struct
{
  gint64 sum_us;
  gint64 until_us; /* all before is counted */
} StealLate;

struct _Steal
{
  SatinWarnings warnings;    /* about what peers send */
  SatinLoop *loop;           /* (borrowed) */
  SatinPeers *peers;         /* (borrowed) */
  const StealJobs *jobs_ops; /* (borrowed) */
  gpointer jobs;             /* (borrowed) */
  const SatinPolicyOps *policy_ops;
  gpointer policy; /* (owned) */
  guint change_id;
  gboolean is_quiet;
  gboolean is_leaving; /* jobs that still come go back */
  /* thief */
  Asked near, far;
  guint64 last_request;
  GQueue imports;         /* of (owned) Import, in order of import id: each has its link itself */
  GHashTable *import_ids; /* (owned) guint64 import id in the imported job to (borrowed) Import */
  GHashTable *names; /* (owned) set of (borrowed) Import, by owner and name: the oldest of each */
  GSequence
      *outbox; /* (owned) of (borrowed) Import with results for an owner, the first due first */
  GSequence *unacked; /* (owned) of (borrowed) Import whose results were sent, by owner, and the
                         first that ended first */
  guint64 last_import_id;
  SatinTimerId resend_timer;
  GBytes *rooted, *rootless; /* (owned) lineages of jobs that descend from none that was exported */
  /* policy */
  StealVictims victims;
  SatinTimerId consider_timer;
  SatinTimerId balance_timer;
  gint64 balanced_us;           /* when it was asked last */
  gboolean is_waiting_for_jobs; /* steal_published() will come for the policy's sake */
  guint n_early;                /* times that it was asked before there was a master */
  SatinNodeId told;             /* who is to know our load, 0: nobody */
  gint told_queued;             /* what it was told last, -1: nothing yet */
  SatinTimerId tell_timer;
  /* victim */
  GArray *exported;    /* (owned) of Exported */
  guint free_exported; /* index + 1 of the first free one, 0: none */
  GHashTable *under;   /* (owned) import id to index + 1 of the newest that is exported under it */
  GHashTable *handles; /* (owned) handle to index + 1 */
  guint n_exported;
  gint64 last_generation;
  GArray *held; /* (owned) of Held, oldest first */
  SatinTimerId hold_timer;
  GArray *hungry; /* (owned) of Hungry, oldest first, no node twice */
  GArray *due;    /* (owned) of Due */
  SatinTimerId ack_timer;
  SatinTimerId query_timer;
  gint64 near_asked_us; /* when a node of this cluster asked last, 0: never */
  gint64 far_us;        /* latency to the last node of another cluster, 0: none was measured yet */
  GPtrArray *fed;       /* (owned) of (owned) labels: clusters that were sent their first jobs */
  guint n_feeds;        /* so often it is tried still */
  GArray *aborting;     /* (owned) (nullable) until the first: who was told, see remote-abort.c */
  SatinTimerId abort_timer;
  GArray *suspects;     /* (owned) of Suspect, in the order of suspicion: losses/suspects.c */
  GArray *told_crashes; /* (owned) (nullable) of Told, the last words of nodes: losses/suspects.c */
  /* recovery */
  SatinRecovery *recovery; /* (borrowed) (nullable) */
  gboolean is_last_walk;   /* its workers stop with it */
  SatinFinishedFilter
      *filter;  /* (owned) (nullable) of the walk under way, for a part that stores */
  GArray *back; /* (owned) of Back, the first due first */
  SatinTimerId back_timer;
  GArray *to_save; /* (owned) of guint64: import ids of orphans whose children are wanted */
  GArray *saving;  /* (owned) (nullable) likewise: the workers are being asked */
  GPtrArray
      *batches; /* (owned) of (owned) Batch: results that others are to keep, the oldest first */
  gboolean is_saving;     /* it leaves, and hands over what it has */
  gboolean is_stopped;    /* its workers are */
  gboolean has_let_go;    /* its jobs have gone back */
  gboolean is_batch_soon; /* batches are about to be sent */
  gint64 last_batch;
  SatinTimerId batch_timer;
  GPtrArray *backups; /* (owned) of (owned) Import, without import id: by generation */
  gsize backup_bytes;
  guint n_handed_out; /* times that backups were given to somebody */
  GQueue to_self;     /* (owned) of GBytes: messages of this node to itself */
  SatinTimerId self_timer;
  /* figures */
  guint n_new_domains; /* of errors, heard of from others */
  StealLate late_near, late_far;
  gint64 n_tried, n_won, n_won_far, n_given, n_returned, n_results, n_pushed, waited_us;
  gint64 n_restarted, n_orphans, n_adopted, n_vain, n_kept, n_backups, n_aborted;
};

gboolean steal_send (Steal *self, SatinNodeId to, StealKind kind, const SatinRecord *record,
                     gconstpointer data);
/* After how long what was sent so often is sent again: it may be large, and the link slow. */
gint64 steal_again_us (gint64 first_us, guint n_sent);
GBytes *steal_message (StealKind kind, const SatinRecord *record, gconstpointer data);

/* policy.c */
void steal_policy_init (Steal *self);
void steal_policy_free (Steal *self);
void steal_consider (Steal *self);
void steal_balance (Steal *self);
void steal_on_load (Steal *self, SatinNodeId from, gconstpointer data);
gint steal_count_queued (Steal *self);
gboolean steal_is_far (Steal *self, SatinNodeId id);
SatinVictim *steal_find_victim (Steal *self, SatinNodeId id);
void steal_note_answer (Steal *self, SatinNodeId id, gint64 answer_us);
void steal_note_load (Steal *self, SatinNodeId id, gint n_queued);
void steal_stop_telling (Steal *self, SatinNodeId id);
void steal_tell_again (Steal *self, SatinNodeId id);

/* thief.c */
void steal_ask (Steal *self, Asked *asked, SatinVictim *to, guint max_jobs);
void steal_on_jobs (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_nothing (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_offer (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_ack (Steal *self, SatinNodeId from, gconstpointer data);
void steal_say_running (Steal *self, const Import *import, guint n_crashes);
void steal_on_query (Steal *self, SatinNodeId from, gconstpointer data);
void steal_thief_free (Steal *self);
void steal_peer_gone (Steal *self, SatinNodeId id);
void steal_peer_unsure (Steal *self, SatinNodeId id);
void steal_return_job (Steal *self, SatinNodeId from, const StealJob *job);
void steal_send_result (Steal *self, Import *import);

/* remote-abort.c */
void steal_abort_import (Steal *self, Import *import);
/* An imported job with that import id was aborted, and may be exported on, or about to be. */
void steal_drop_under (Steal *self, guint64 import_id);
void steal_on_abort (Steal *self, SatinNodeId from, gconstpointer data);
gboolean steal_is_aborting (const Steal *self, SatinNodeId thief, gint32 index, gint64 generation);
void steal_abort_answered (Steal *self, SatinNodeId thief, const StealName *name);
void steal_abort_free (Steal *self);

/* imported-job.c */
Import *steal_import_new (SatinNodeId owner, const StealName *name);
Import *steal_add_import (Steal *self, SatinNodeId owner, const StealName *name);
void steal_import_set_baggage (const Steal *self, Import *import, const Baggage *baggage);
Baggage steal_import_get_baggage (const Import *self);
void steal_import_free (gpointer import);

/* import-table.c */
void steal_imports_init (Steal *self);
void steal_imports_free (Steal *self);
void steal_enlist_import (Steal *self, Import *import);
Import *steal_find_import (const Steal *self, guint64 import_id);
Import *steal_find_import_of (const Steal *self, SatinNodeId owner, const StealName *name);
Import *steal_find_orphan (const Steal *self, SatinNodeId owner, const StealName *name);
void steal_rename_import (Steal *self, Import *import, SatinNodeId owner, const StealName *name);
void steal_forget_import (Steal *self, Import *import);
/* Those that @owner, who has not been lost, exported, the newest first. Returns: (transfer full):
 * of guint64, their import ids */
GArray *steal_list_imports_of (const Steal *self, SatinNodeId owner);

/* outbox.c */
void steal_outbox_init (Steal *self);
void steal_outbox_free (Steal *self);
/* After any change of what decides where it is in there: is_over, is_orphan, send_us, n_sent. */
void steal_outbox_update (Steal *self, Import *import);
void steal_outbox_remove (Import *import);
/* Those whose time has come, out of the outbox. Returns: (transfer full): by owner and import id */
GPtrArray *steal_outbox_take_due (Steal *self, gint64 now_us);
/* When the next is due, or G_MAXINT64. */
gint64 steal_outbox_next_us (const Steal *self);
typedef void (*StealUnackedFunc) (Steal *self, const Import *import, gpointer user_data);
/* Calls @func for each owner with the result, of those that it has not acknowledged, that ended
 * first. */
void steal_outbox_foreach_owner (Steal *self, StealUnackedFunc func, gpointer user_data);

/* losses/lineage.c */
GBytes *steal_lineage_new (gboolean is_rooted);
GBytes *steal_lineage_add (GBytes *lineage, SatinNodeId owner, const StealName *name, GBytes *path);
GBytes *steal_lineage_below (const Steal *self, guint64 import_id, guint *ret_n_far);

/* losses/leaving.c */
void steal_send_back (Steal *self, const Import *import, gpointer hints);
StealKept steal_name_saved (Steal *self, const StealSaved *saved, GBytes *lineage, gint32 index);
void steal_save_import (Steal *self, const Import *import);
void steal_let_go (Steal *self);
void steal_return_jobs (Steal *self, SatinNodeId from, const StealJobsMessage *message);

/* batches.c */
GPtrArray *steal_batches_new (void);
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

/* losses/handed-over.c */
void steal_on_keep (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_returned (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_orphaned (Steal *self, SatinNodeId from, gconstpointer data);

/* losses/lost-jobs.c */
void steal_lose (Steal *self, const Export *exported, guint index);
void steal_orphan_import (Steal *self, Import *import);
void steal_orphan_over (Steal *self, Import *import);
void steal_holder_met (Steal *self, SatinNodeId id);
void steal_on_adopt (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_lineage (Steal *self, SatinNodeId from, gconstpointer data);
void steal_recovery_free (Steal *self);
/* Of the jobs that wait, those that are meant. Returns: (transfer full): of Back */
typedef gboolean (*StealBackFunc) (const Steal *self, const Back *back, gpointer user_data);
GArray *steal_take_back (Steal *self, StealBackFunc is_meant, gpointer user_data);

/* losses/kept-results.c */
void steal_tell_ended (Steal *self, const Import *import, GBytes *result);
void steal_describe_lost (Steal *self, gpointer handle, gpointer hints);
void steal_save_orphan (Steal *self, guint64 import_id);

/* losses/stored-results.c */
void steal_walk (Steal *self, gboolean is_end, SatinFinishedFilter *filter);
gboolean steal_fetch (Steal *self, SatinNodeId from, const StealAdopt *adopt);
void steal_fetched (Steal *self, guint64 import_id, GBytes *result);
void steal_store_free (Steal *self);

/* losses/backups.c */
SatinNodeId steal_find_backup_recipient (Steal *self, SatinNodeId owner);
gboolean steal_is_backup (const Steal *self, const StealKept *kept);
void steal_add_backup (Steal *self, Import *import);
void steal_pass_on_backups (Steal *self);
void steal_master_changed (Steal *self);

/* losses/suspects.c */
gboolean steal_give_up (Steal *self, Export *exported, guint index, int signal_number);
GArray *steal_suspects_new (void);
/* All that is below the imported job @under, 0: the root. */
void steal_suspect_all (Steal *self, guint64 under, guint n_crashes);
/* Nodes that crashed while they had the job at @path (nullable), or one above it, there. */
guint steal_count_crashes (const Steal *self, guint64 under, GBytes *path);
guint steal_count_crashes_of_import (const Steal *self, const Import *import);
void steal_on_running (Steal *self, SatinNodeId from, gconstpointer data);

/* far.c */
void steal_note_request (Steal *self, SatinNodeId from);
guint steal_keep_travelled (Steal *self, SatinNodeId to, StealTaken *taken, guint n);
void steal_begin_feeding (Steal *self);
void steal_feed (Steal *self);

/* failure.c */
char *steal_bound_message (const char *message);
const char *steal_domain_name (GQuark domain);
GQuark steal_domain_read (Steal *self, const char *name);

/* overdue.c */
void steal_note_late (Steal *self, SatinNodeId id, gint64 sent_us);
void steal_late_figures (Steal *self, SatinFigureFunc add, gpointer user_data);

/* export-table.c */
void steal_exported_init (Steal *self);
void steal_exported_free (Steal *self);
/* Remembers that @thief has the job; its handle and hints (transfer full). Returns: its index */
guint steal_new_exported (Steal *self, const StealTaken *taken, SatinNodeId thief);
/* Its handle and hints are the caller's. */
void steal_free_exported (Steal *self, guint index);
/* Returns: (nullable): the entry that @from means; %NULL when it is another's, was taken back or is
 * long done */
Export *steal_find_exported (Steal *self, SatinNodeId from, gint32 index, gint64 generation);
/* Returns: index + 1 of the newest under that import id, 0 when there is none */
guint steal_first_exported_under (const Steal *self, guint64 import_id);
/* Returns: index + 1, 0 when it is not exported */
guint steal_find_exported_handle (const Steal *self, gconstpointer handle);

/* victim.c */
void steal_put_back (Steal *self, guint index);
void steal_lose_job (Steal *self, guint index, int signal_number);
void steal_forget_exported (Steal *self, guint index);
void steal_start_asking_after_jobs (Steal *self);
void steal_on_request (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_results (Steal *self, SatinNodeId from, gconstpointer data);
void steal_on_unknown (Steal *self, SatinNodeId from, gconstpointer data);
void steal_serve_held (Steal *self);
gboolean steal_push (Steal *self, SatinNodeId to, guint max);
void steal_thief_gone (Steal *self, SatinNodeId id, int signal_number);
void steal_thief_unsure (Steal *self, SatinNodeId id);
void steal_victim_free (Steal *self);
