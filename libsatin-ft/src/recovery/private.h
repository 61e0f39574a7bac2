/* private.h - the state of recovery, its messages, and the functions that its sources share
 *
 * A *holder* has orphans and announces them (orphans.c). The *owner* of a lost job runs it again
 * with hints of these orphans (restart.c). Most nodes are both. docs/recovery.md explains it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/warnings.h>
#include <satin/ft/recovery.h>

#include "hints.h"

typedef enum
{
  FT_ANNOUNCE = 1,
  FT_UNWANTED,
  FT_ELSEWHERE,
  FT_RESULTS,
  FT_ASK,
} FtKind;

/* clang-format off */
/* An orphan, and where it belongs: at @path below the exported job (owner, index, generation);
 * index -1 means the root job. orphan_*: the name that the lost owner gave the orphan. */
SATIN_RECORD (FtEntry, (int, owner), (int, index), (long, generation), (bytes, path), (bytes, key),
              (int, holder), (int, orphan_owner), (int, orphan_index), (long, orphan_generation))
SATIN_RECORD (FtAnnounce, (array_record, entries, FtEntry))
SATIN_RECORD (FtName, (int, owner), (int, index), (long, generation))
/* UNWANTED, ELSEWHERE: the names of orphans. */
SATIN_RECORD (FtNames, (array_record, names, FtName))
/* The result of the job with this key. The job was exported as (owner, index, generation); owner 0:
 * it was not exported. under_* is the exported job above it; under_owner 0: there is none. */
SATIN_RECORD (FtResult, (bytes, key), (bytes, result), (int, n_levels),
              (int, owner), (int, index), (long, generation),
              (int, under_owner), (int, under_index), (long, under_generation))
/* @is_answer: this is the last message of an answer to ASK. */
SATIN_RECORD (FtResults, (boolean, is_answer), (array_record, results, FtResult))
SATIN_RECORD (FtAsk, (int, n_results)) /* the results that the sender has */
/* clang-format on */

/* Whether a node is in the run, as far as this node knows. */
typedef enum
{
  PEER_HERE,  /* it is a member, maybe this node */
  PEER_ASKED, /* not known yet: this node has asked the registry, and JOINED or UNKNOWN follows */
  PEER_GONE,  /* it is not in the run any more */
} Whereabouts;

/* The index in the name of the root job. */
#define ROOT_INDEX (-1)
/* The index in the name of a stored result. The owner in this name is the coordinator, and the
 * generation is the result's number in its checkpoint. */
#define STORED_INDEX (-4)

typedef struct _CheckpointClient CheckpointClient;

/* An orphan on this node. */
typedef struct
{
  guint64 import_id; /* the core's id; 0: a stored result, which the core does not have */
  SatinJobRef ref;
  guint8 key[KEY_BYTES];
  SatinLineage lineage; /* (owned) */
  GBytes *path;         /* (owned) */
  gboolean is_over;
  gsize n_bytes;    /* size of its result */
  SatinNodeId told; /* the node to which it was announced, 0: none yet */
  int told_hop;     /* the hop of the lineage whose owner @told is, -1: the root */
  int n_hops;       /* only owners of the first n_hops hops may be told; ELSEWHERE lowers n_hops */
} Orphan;

/* Where the hints for job @ref are: below @path in @tree. If the job is not known to be lost yet,
 * the hints are kept until @until_us; 0: the job is lost. */
typedef struct
{
  SatinJobRef ref;
  Tree *tree;
  GByteArray *path; /* (owned) */
  gint64 until_us;
} Known;

/* A job that came back because the node that had it was lost. The entry stays until the job of
 * @tree is done. */
typedef struct
{
  const Tree *tree;   /* (borrowed) */
  const Hints *hints; /* (weak) the job's hints, valid until it is queued */
  SatinNodeId thief;  /* the node that had it; 0: it is the root job */
  gint64 away_us;     /* how long the thief had the job */
  gboolean is_queued; /* it was queued again */
} LostJob;

/* The cost of one node's end for this node. The entry stays until all of it is known. */
typedef struct
{
  SatinNodeId node;
  char *cluster;      /* (owned) (nullable): set once the node is out of the run */
  gboolean has_left;  /* it left in good order; valid when @cluster is set */
  gint64 heard_us;    /* when the first sign of the node's end came */
  guint n_jobs;       /* jobs of this node that the lost node had */
  guint n_waiting;    /* those of @n_jobs that are not queued again yet */
  guint n_open;       /* those of @n_jobs that are not done yet */
  guint n_found;      /* those of @n_jobs that did not run again: other nodes had the whole job */
  gint64 queued_us;   /* from @heard_us until the last job was queued again */
  gint64 done_us;     /* from @heard_us until the last job was done */
  gint64 again_us;    /* estimate of the work that was done again in these jobs */
  guint n_orphans;    /* jobs of the lost node that are kept here */
  gsize result_bytes; /* size of the results of these orphans */
} Loss;

/* The lost job @ref went back to its owner, which knows it as @as: hints for @ref are passed on to
 * that owner. If @as has no owner, hints are dropped, because the owner knows all of them. */
typedef struct
{
  SatinJobRef ref;
  SatinJobRef as;
} Moved;

/* An announced entry that this node passes on to another node. */
typedef struct
{
  SatinNodeId to;
  FtEntry entry; /* its pointers (owned) */
} Passed;

struct _SatinFt
{
  SatinRecovery recovery; /* the interface for the core; must be the first field */
  SatinLoop *loop;        /* (borrowed) */
  SatinWarnings warnings; /* about messages of peers */
  SatinPeers *peers;      /* (borrowed) (nullable) */
  gint64 since_us;        /* when @peers were set */
  guint change_id;
  GHashTable *gone; /* (owned) set of numbers: nodes that are gone; only with a partial view */
  SatinFtOptions options;
  const SatinRecoveryHost *host_ops; /* (borrowed) */
  gpointer host;                     /* (borrowed) (nullable) */
  /* orphans here */
  GPtrArray *orphans; /* (owned) of (owned) Orphan, the oldest first */
  gsize kept_bytes;
  SatinTimerId announce_timer; /* announces the orphans that are not announced yet */
  SatinTimerId again_timer;    /* announces all orphans but stored results again */
  /* jobs that run again */
  Hintbook *book; /* (owned) */
  GArray *known;  /* (owned) of (owned) Known; the tree is (owned) while the job is not known to be
                   * lost */
  SatinTimerId early_timer;
  GArray *passed;    /* (owned) of (owned) Passed: collected while a message is read */
  GArray *moved;     /* (owned) of Moved, the oldest first */
  GArray *losses;    /* (owned) of Loss, whose pointers are (owned) */
  GArray *lost_jobs; /* (owned) of LostJob */
  SatinTimerId losses_timer;
  gint64 n_losses, queued_us, done_us, again_us, n_found, n_orphan_bytes;
  /* the strategy result-table */
  ResultTable *table; /* (owned) (nullable): %NULL with another strategy */
  GArray *untold;     /* (owned) of (owned) TableEntry: not sent to the other nodes yet */
  SatinTimerId tell_timer;
  SatinTimerId answer_timer;
  gboolean has_answer;      /* another node has sent its table */
  gint64 n_results;         /* results that this node put into the table */
  CheckpointClient *client; /* (owned) (nullable): %NULL without a checkpoint */
  gint64 n_announced, n_messages, n_sent_bytes, n_hints, n_unwanted, n_dropped;
};

/* orphans.c */
void ft_orphan (SatinRecovery *recovery, SatinOrphanEvent what, const SatinOrphan *orphan);
void ft_on_unwanted (SatinFt *self, const FtNames *message);
void ft_on_elsewhere (SatinFt *self, SatinNodeId from, const FtNames *message);
void ft_announce_soon (SatinFt *self);
void ft_orphans_moved (SatinFt *self);
/* Announces again the orphans of this node that belong below its own jobs, after another node is
 * gone: that node may have had the job to which such an orphan was passed on. */
void ft_orphans_place_again (SatinFt *self);
/* Announces stored results again to node @id, because the link to it broke: messages may be lost.
 */
void ft_orphans_link_broken (SatinFt *self, SatinNodeId id);
/* Announces a stored result of this coordinator, like an orphan. @generation: the number by which
 * the result is fetched. @lineage: (nullable) */
void ft_stored_orphan (SatinFt *self, gint64 generation, const guint8 *key, GBytes *lineage,
                       GBytes *path);
/* Forgets all stored results: this node is not the coordinator any more. */
void ft_forget_stored (SatinFt *self);
/* Stops announcing the stored result @ref, because another node adopts it. Returns: FALSE when @ref
 * is not a name of a stored result of this node */
gboolean ft_take_stored (SatinFt *self, const SatinJobRef *ref);
GPtrArray *ft_orphans_new (void);
void ft_orphans_free (SatinFt *self);

/* restart.c */
gpointer ft_lost (SatinRecovery *recovery, const SatinLost *lost);
gpointer ft_root (SatinRecovery *recovery);
GBytes *ft_pack (SatinRecovery *recovery, gpointer hints, SatinNodeId to, const SatinJobRef *ref);
gpointer ft_unpack (SatinRecovery *recovery, const guint8 *bytes, gsize n_bytes,
                    const SatinJobRef *ref);
void ft_on_announce (SatinFt *self, const FtAnnounce *message);
void ft_forget_holder (SatinFt *self, SatinNodeId holder);
void ft_tree_ended (Tree *tree, gpointer user_data);
GArray *ft_known_new (void);
GArray *ft_passed_new (void);
void ft_restart_free (SatinFt *self);

/* unwanted.c */
/* Sends ELSEWHERE to the holder of the orphan: the orphan's ancestor was here, and went back to an
 * owner that this node does not know as a member. */
void ft_tell_elsewhere (SatinFt *self, const FtEntry *entry);
/* Sends UNWANTED to the holder of the orphan: no job here wants it. */
void ft_refuse (SatinFt *self, const FtEntry *entry);
/* Sends UNWANTED for all entries that are left in @tree, and frees it. */
void ft_end_tree (SatinFt *self, Tree *tree);

/* losses.c */
/* Notes that a job came back because @thief is gone or leaving. @away_us: how long @thief had the
 * job */
void ft_job_lost (SatinFt *self, const Hints *job, SatinNodeId thief, gint64 away_us);
void ft_job_queued (SatinFt *self, const Hints *job);
void ft_job_found (SatinFt *self, const Hints *job);
void ft_root_lost (SatinFt *self, const Tree *tree);
void ft_jobs_done (SatinFt *self, Tree *tree);
void ft_orphan_kept (SatinFt *self, SatinNodeId owner, gsize n_bytes);
void ft_orphan_grown (SatinFt *self, SatinNodeId owner, gsize n_bytes);
void ft_node_gone (SatinFt *self, SatinPeerChange change, SatinNodeId id);
void ft_losses_free (SatinFt *self);

/* table-recovery.c */
extern const SatinRecoveryOps ft_results_ops;
GArray *ft_untold_new (void);
void ft_on_results (SatinFt *self, const FtResults *message);
void ft_on_ask (SatinFt *self, SatinNodeId from, const FtAsk *ask);
void ft_results_free (SatinFt *self);

/* ft.c */
void ft_attach (SatinRecovery *recovery, const SatinRecoveryHost *host_ops, gpointer host);
gint64 ft_grace_us (SatinRecovery *recovery);
/* Updates the room for backups. Call this function after each change of kept_bytes. */
void ft_update_backup_bytes (SatinFt *self);
/* The next four do nothing without a checkpoint, except that ft_input() calls @done. */
gint64 ft_root_wait_us (SatinRecovery *recovery, SatinRootPhase phase, GError **error);
void ft_walked (SatinRecovery *recovery, gboolean is_end);
gboolean ft_fetch (SatinRecovery *recovery, const SatinJobRef *ref, guint64 import_id);
void ft_input (SatinRecovery *recovery, const char *name, const guint8 *digest, SatinInputFunc done,
               gpointer user_data);
void ft_send (SatinFt *self, SatinNodeId to, FtKind kind, const SatinRecord *record,
              gconstpointer data);
SatinNodeId ft_self (SatinFt *self);
gboolean ft_is_first_term (SatinFt *self);
Whereabouts ft_look_for (SatinFt *self, SatinNodeId id);
gboolean ft_is_staying (SatinFt *self, SatinNodeId id);
