/* steal-world.h - nodes that steal from each other, without workers, network or clock
 *
 * Every node has a Steal over a fake network. A job is a number. It takes the time run_us of the
 * node that runs it, and its result is the double of the number. The world counts what happens to
 * each job. A job must end once, at its owner: by a result, by a failure, or by being put back.
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

/* A job, and what happened to it on all nodes. */
typedef struct
{
  guint n_taken;       /* times it was taken for another node */
  guint n_finished;    /* times its result came */
  guint n_failed;      /* times its failure came */
  guint n_put_back;    /* times it was put back, to run on its owner */
  guint n_given;       /* times a node got it to run */
  guint n_crashes;     /* times a node crashed that had it */
  gboolean is_aborted; /* set by the test: its owner does not need it any more */
  int code;            /* of the failure */
  char *message;       /* (owned): of the failure */
  gsize size_bytes;    /* of the result, beyond the number */
  gint64 over_us;      /* when it ended */
  gint64 ran_us;       /* ran_us of its outcome */
  gint64 arrived_us;   /* arrived_us of its outcome */
  double share;        /* how much of it is done, as its thief said */
} WorldJob;

typedef struct _StealWorld StealWorld;

/* A node. Tests may set its fields. */
typedef struct
{
  StealWorld *world; /* (borrowed) */
  SatinNodeId id;
  Steal *steal;                /* (owned): %NULL after it was freed */
  GQueue public;               /* of job numbers + 1: the jobs that other nodes may take */
  GHashTable *running;         /* (owned): set of (owned) ImportJob */
  guint n_workers;             /* that run imported jobs; 0: it never steals */
  gint64 run_us;               /* the running time of an imported job */
  double share;                /* how much of each imported job is done, in [0, 1] */
  gboolean is_busy;            /* more jobs may become public */
  gboolean is_failing;         /* its imported jobs fail */
  gboolean is_reading_nothing; /* it cannot decode the jobs that it gets */
  gboolean is_reading_no_result;
  gboolean is_full;   /* no job with hints can begin */
  guint n_saved;      /* finished children that its workers report when they stop */
  gboolean is_stuck;  /* its workers do not stop */
  guint64 under;      /* import id of the parent of jobs that are taken; 0: the root job */
  const char *path;   /* (nullable): from that parent to these jobs */
  gpointer hints;     /* (owned by the taker) (nullable): of the next job that is taken */
  GQueue hints_given; /* (owned by the test): hints of jobs that it got */
  GQueue hints_back;  /* (owned by the test): hints of jobs that were put back */
  const StealSavingFuncs *saving; /* (nullable): gets the results that workers have finished */
  gpointer saving_data;
  guint n_saving; /* times that save() was called while the workers continue */
  guint n_wanted;
  guint max_taken;   /* most jobs that one take gives */
  guint n_kept;      /* the argument n_kept of the last take */
  guint n_forgotten; /* times that it had to forget how long jobs were on their way */
  /* policy */
  SatinNodeId victim;                   /* the node that it asks; 0: a random one */
  gboolean is_asking_far;               /* it asks its victim as a far node */
  gint64 pause_us;                      /* the pause after a refusal */
  guint n_chosen;                       /* times the policy was called to choose */
  gboolean is_passive;                  /* it asks no node */
  guint n_jobs;                         /* most jobs that it asks for at once; 0: any number */
  SatinNodeId push;                     /* the node to which balance gives jobs; 0: none */
  guint n_push;                         /* how many jobs balance gives */
  SatinNodeId tell;                     /* the node to which it tells its load */
  gint64 balance_wait_us;               /* when balance wants to be called again; 0: never */
  guint n_balanced;                     /* times balance was called */
  SatinVictim victims[WORLD_MAX_NODES]; /* the victims that the policy was shown last */
  SatinStealSituation situation;
  guint n_closed;
} WorldNode;

struct _StealWorld
{
  SatinLoop *loop;
  FakeNet *net;
  guint n_nodes;
  gboolean has_liars; /* results may be wrong; a result that cannot be read is put back */
  WorldNode nodes[WORLD_MAX_NODES];
  GArray *jobs; /* (owned) of WorldJob */
};

/* Makes nodes of which node 1 has no worker, and the others have one each. An imported job takes 1
 * ms. No node begins to steal. */
StealWorld *steal_world_new (guint n_nodes);
/* Like steal_world_new(), with policies that balance. */
StealWorld *steal_world_new_balancing (guint n_nodes);
/* Frees every Steal and checks that no timer is left. */
void steal_world_free (StealWorld *self);
void steal_world_free_node (StealWorld *self, SatinNodeId id);

WorldNode *steal_world_node (StealWorld *self, SatinNodeId id);
WorldJob *steal_world_job (StealWorld *self, guint number);

/* Adds @n public jobs to a node. Returns: the number of the first */
guint steal_world_add_jobs (StealWorld *self, SatinNodeId owner, guint n);
/* Makes every node with idle workers ask. */
void steal_world_start (StealWorld *self);
void steal_world_advance (StealWorld *self, gint64 duration_us);

/* Reports the finished children of @node to the last caller of save(). May be called again. */
void steal_world_tell_saved (WorldNode *node);

/* How often a job has ended at its owner. */
guint steal_world_count_over (StealWorld *self, guint number);
/* Advances until all jobs have ended, none is exported, and all results are acknowledged; fails
 * after an hour of the world's time. */
void steal_world_finish (StealWorld *self);
/* Checks that every job has ended exactly once. */
void steal_world_assert_once (StealWorld *self);

/* Returns: (transfer full): a steal message that names a job, for tests that forge messages */
GBytes *steal_world_name_message (StealKind kind, gint32 index, gint64 generation);
