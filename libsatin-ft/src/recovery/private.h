/* private.h - the two sides of recovery, and what they say to each other
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
/* An orphan, and where it belongs: below the job that the receiver knows by owner, index and
 * generation; index -1: below the root. orphan_* is what its lost owner called it. */
SATIN_RECORD (FtEntry, (int, owner), (int, index), (long, generation), (bytes, path), (bytes, key),
              (int, holder), (int, orphan_owner), (int, orphan_index), (long, orphan_generation))
SATIN_RECORD (FtAnnounce, (array_record, entries, FtEntry))
SATIN_RECORD (FtName, (int, owner), (int, index), (long, generation))
SATIN_RECORD (FtNames, (array_record, names, FtName)) /* UNWANTED, ELSEWHERE */
/* A job's result by its key, the job's name as it was exported, and the exported job above it; owner 0: none. */
SATIN_RECORD (FtResult, (bytes, key), (bytes, result), (int, n_levels),
              (int, owner), (int, index), (long, generation),
              (int, under_owner), (int, under_index), (long, under_generation))
/* @is_answer: to ASK, the last one. */
SATIN_RECORD (FtResults, (boolean, is_answer), (array_record, results, FtResult))
SATIN_RECORD (FtAsk, (int, n_results)) /* that its sender has */
/* clang-format on */

/* Where a node is, as far as this one knows. */
typedef enum
{
  PEER_HERE,  /* a member, maybe this node */
  PEER_ASKED, /* one that this node was not told of: the registry is asked, and a change says more
               */
  PEER_GONE,
} Whereabouts;

/* The root job, as an exported job. */
#define ROOT_INDEX (-1)
/* A stored result: of its coordinator, which calls it by the generation. */
#define STORED_INDEX (-4)

typedef struct _CheckpointClient CheckpointClient;

/* An orphan here. */
typedef struct
{
  guint64 import_id; /* 0: it is stored, and no imported job of the core's */
  SatinJobRef ref;
  guint8 key[KEY_BYTES];
  SatinLineage lineage; /* (owned) */
  GBytes *path;         /* (owned) */
  gboolean is_over;
  gsize n_bytes;    /* of its result */
  SatinNodeId told; /* 0: nobody yet */
  int told_hop;     /* which of the lineage that was, -1: the root */
  int n_hops;       /* so many of the lineage may still know of it, the oldest */
} Orphan;

/* The hints for job @ref: those below @path in @tree. For a job that was not lost yet they are kept
 * until @until_us; 0: it was lost. */
typedef struct
{
  SatinJobRef ref;
  Tree *tree;
  GByteArray *path; /* (owned) */
  gint64 until_us;
} Known;

/* A job that came back, until the one that @tree is of is done. */
typedef struct
{
  const Tree *tree;   /* (borrowed) */
  const Hints *hints; /* (weak) its own, as long as it is not queued */
  SatinNodeId thief;  /* who had it; 0: it is the root job */
  gint64 away_us;     /* and for how long */
  gboolean is_queued; /* again */
} LostJob;

/* What the end of a node costs here; until all of that is known. */
typedef struct
{
  SatinNodeId node;
  char *cluster;      /* (owned) (nullable) once it is out of the run */
  gboolean has_left;  /* then: in good order */
  gint64 heard_us;    /* when it began */
  guint n_jobs;       /* that it had of this node */
  guint n_waiting;    /* of these, not queued again yet */
  guint n_open;       /* of these, not done yet */
  guint n_found;      /* of these, others had all of them */
  gint64 queued_us;   /* from the beginning until the last was queued again */
  gint64 done_us;     /* and until it was done */
  gint64 again_us;    /* worker time in these */
  guint n_orphans;    /* jobs of it that are kept here */
  gsize result_bytes; /* and their results */
} Loss;

/* A lost job @ref that went back to its owner: hints for it are for job @as now. No owner in @as:
 * they are for nobody, since that owner knows all of them. */
typedef struct
{
  SatinJobRef ref;
  SatinJobRef as;
} Moved;

/* What is told of an orphan here is for another node. */
typedef struct
{
  SatinNodeId to;
  FtEntry entry; /* its pointers (owned) */
} Passed;

struct _SatinFt
{
  SatinRecovery recovery; /* first: what the core has */
  SatinLoop *loop;        /* (borrowed) */
  SatinWarnings warnings; /* about what peers send */
  SatinPeers *peers;      /* (borrowed) (nullable) */
  gint64 since_us;        /* when they came */
  guint change_id;
  GHashTable
      *gone; /* (owned) set of numbers: who is not in the run any more, where not all are known */
  SatinFtOptions options;
  const SatinRecoveryHost *host_ops; /* (borrowed) */
  gpointer host;                     /* (borrowed) (nullable) */
  /* orphans here */
  GPtrArray *orphans; /* (owned) of (owned) Orphan, the oldest first */
  gsize kept_bytes;
  SatinTimerId announce_timer; /* soon: those that nobody was told of */
  SatinTimerId again_timer;
  /* jobs that run again */
  Hintbook *book; /* (owned) */
  GArray *known;  /* (owned) of (owned) Known; the trees (owned) */
  SatinTimerId early_timer;
  GArray *passed;    /* (owned) of (owned) Passed: until all of a message is read */
  GArray *moved;     /* (owned) of Moved, the oldest first */
  GArray *losses;    /* (owned) of Loss, whose pointers are (owned) */
  GArray *lost_jobs; /* (owned) of LostJob */
  SatinTimerId losses_timer;
  gint64 n_losses, queued_us, done_us, again_us, n_found, n_orphan_bytes;
  /* the strategy result-table */
  ResultTable *table; /* (owned) (nullable) NULL: it is another */
  GArray *untold;     /* (owned) of (owned) TableEntry: the others do not know of them */
  SatinTimerId tell_timer;
  SatinTimerId answer_timer;
  gboolean has_answer;      /* another node has told what it had */
  gint64 n_results;         /* that this node put into the table */
  CheckpointClient *client; /* (owned) (nullable) a checkpoint */
  gint64 n_announced, n_messages, n_sent_bytes, n_hints, n_unwanted, n_dropped;
};

/* orphans.c */
void ft_orphan (SatinRecovery *recovery, SatinOrphanEvent what, const SatinOrphan *orphan);
void ft_on_unwanted (SatinFt *self, const FtNames *message);
void ft_on_elsewhere (SatinFt *self, SatinNodeId from, const FtNames *message);
void ft_announce_soon (SatinFt *self);
void ft_orphans_moved (SatinFt *self);
/* A result that can be fetched here by that generation; @lineage (nullable). */
void ft_stored_orphan (SatinFt *self, gint64 generation, const guint8 *key, GBytes *lineage,
                       GBytes *path);
/* None can be fetched here any more. */
void ft_forget_stored (SatinFt *self);
/* Job @ref is fetched. Returns: FALSE when this node has no stored result by that name */
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
/* The job that the orphan belongs to was here and is not any more; who has it now is not known. */
void ft_tell_elsewhere (SatinFt *self, const FtEntry *entry);
/* No job here wants the orphan: its holder may forget it. */
void ft_refuse (SatinFt *self, const FtEntry *entry);
/* Frees the tree; holders of what was left over may forget it. */
void ft_end_tree (SatinFt *self, Tree *tree);

/* losses.c */
/* @away_us: how long @thief had it. */
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
/* After each change of kept_bytes. */
void ft_update_backup_bytes (SatinFt *self);
/* These do nothing without a checkpoint. */
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
