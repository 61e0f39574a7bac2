/* steal-world.h - nodes that steal from each other, without workers, network or clock
 *
 * Every node has a Steal over a fake network, and jobs that are numbers: each
 * takes its node's time, and its result is the double. The world knows what
 * became of each job: it must end once, at its owner, by a result or by being put back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "counting-loop.h"
#include "fake-peers.h"
#include "stealing/private.h"

#define WORLD_MAX_NODES 8

/* The task of all jobs. */
#define WORLD_TASK 0

/* What its owner knows of a job. */
typedef struct
{
  guint n_taken;       /* times it was given away */
  guint n_finished;    /* times its result came */
  guint n_failed;      /* times a failure came */
  guint n_put_back;    /* times it was to run at home after all */
  guint n_given;       /* times a thief got it */
  guint n_crashes;     /* times a thief crashed that had it */
  gboolean is_aborted; /* its owner does not want it any more: the test's to set */
  int code;            /* of the failure */
  char *message;       /* (owned) likewise */
  gsize size_bytes;    /* of the result beyond the number */
  gint64 over_us;      /* when it ended */
  gint64 ran_us;       /* what its result told */
  gint64 arrived_us;   /* likewise */
} WorldJob;

typedef struct _StealWorld StealWorld;

/* One node; the fields are the test's to set. */
typedef struct
{
  StealWorld *world; /* (borrowed) */
  SatinNodeId id;
  Steal *steal;                /* (owned) NULL once it was freed */
  GQueue public;               /* of job numbers + 1 */
  GHashTable *running;         /* (owned) of (owned) imported job jobs */
  guint n_workers;             /* that may run imported jobs; 0: it never steals */
  gint64 run_us;               /* what an imported job takes */
  gboolean is_busy;            /* more may become public */
  gboolean is_failing;         /* its imported jobs fail */
  gboolean is_reading_nothing; /* it cannot read the jobs that come */
  gboolean is_reading_no_result;
  gboolean is_full;   /* jobs with hints cannot begin */
  guint n_saved;      /* finished children that its workers tell of when they stop */
  gboolean is_stuck;  /* its workers do not stop */
  guint64 under;      /* import id of the job whose children are taken; 0: the root */
  const char *path;   /* (nullable) from there to them */
  gpointer hints;     /* (owned by who takes it) (nullable) of the next job that is taken */
  GQueue hints_given; /* (owned by the test) of those with which jobs came */
  GQueue hints_back;  /* (owned by the test) of those with which jobs were put back */
  const StealSavingFuncs *saving; /* (nullable) who is told of what workers have finished */
  gpointer saving_data;
  guint n_saving; /* times that somebody asked for it */
  guint n_wanted;
  guint max_taken; /* jobs that one take gives at most */
  guint n_kept;    /* others' jobs that the last take was to keep */
  /* policy */
  SatinNodeId victim;                   /* whom to ask; 0: a random one */
  gboolean is_asking_far;               /* the random one as a far node */
  gint64 pause_us;                      /* after a refusal */
  guint n_chosen;                       /* times the policy was asked */
  gboolean is_passive;                  /* it asks nobody */
  guint n_jobs;                         /* most jobs that it asks for at once, 0: any number */
  SatinNodeId push;                     /* whom balance gives jobs to, 0: nobody */
  guint n_push;                         /* how many */
  SatinNodeId tell;                     /* who is to know its load */
  gint64 balance_wait_us;               /* when balance wants to be asked again, 0: never */
  guint n_balanced;                     /* times balance was asked */
  SatinVictim victims[WORLD_MAX_NODES]; /* what it was shown last */
  SatinStealSituation situation;
  guint n_closed;
} WorldNode;

struct _StealWorld
{
  SatinLoop *loop;
  FakeNet *net;
  guint n_nodes;
  WorldNode nodes[WORLD_MAX_NODES];
  GArray *jobs; /* (owned) of WorldJob */
};

/* Node 1 has no worker, the others have one; an imported job takes 1 ms; nobody begins to steal. */
StealWorld *steal_world_new (guint n_nodes);
/* The same with policies that balance. */
StealWorld *steal_world_new_balancing (guint n_nodes);
/* Frees every Steal and checks that no timer is left. */
void steal_world_free (StealWorld *self);
void steal_world_free_node (StealWorld *self, SatinNodeId id);

WorldNode *steal_world_node (StealWorld *self, SatinNodeId id);
WorldJob *steal_world_job (StealWorld *self, guint number);

/* New public jobs of a node. Returns: the number of the first */
guint steal_world_add_jobs (StealWorld *self, SatinNodeId owner, guint n);
/* Makes every node with idle workers ask. */
void steal_world_start (StealWorld *self);
void steal_world_advance (StealWorld *self, gint64 duration_us);

/* Who stops the node's workers hears of its finished children; again, when it did already. */
void steal_world_tell_saved (WorldNode *node);

/* How often a job has ended at its owner. */
guint steal_world_count_over (StealWorld *self, guint number);
/* Advances until all jobs are over and nothing is exported or held; fails after an hour. */
void steal_world_finish (StealWorld *self);
/* Every job ended exactly once. */
void steal_world_assert_once (StealWorld *self);

/* A steal message, as from a foreign hand. */
GBytes *steal_world_name_message (StealKind kind, gint32 index, gint64 generation);
