/* remote.h - messages between the simulator and the processes in which a student's program runs
 *
 * The simulator and the process of a node take turns. The simulator sends an event, and waits for a
 * question. The process replies to each event with a question. So only one of the two works at a
 * time. Before the simulator answers a question, it may send other events, and the process deals
 * with them first: a worker that waits runs other jobs, too.
 *
 * Each message is one packet. Both sides are built on one machine from one header, so structures
 * travel as they are in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tour.h"

#define MOST_NODES    64
#define MOST_CHILDREN 32 /* jobs that a job may spawn between two syncs */
#define MOST_ACTS     16 /* acts that fit into one message */

/* The process of a node ends with this status if a job spawns more than MOST_CHILDREN jobs. */
#define REMOTE_MANY_CHILDREN 3

typedef enum
{
  REMOTE_SHORTEST,
  REMOTE_IS_THERE,
} RemoteTask;

typedef enum
{
  REMOTE_RUN,    /* run a job */
  REMOTE_HEAR,   /* call the inlet of a child that has ended */
  REMOTE_ANSWER, /* answers the newest question */
} RemoteEventKind;

typedef struct
{
  guint32 kind;
  guint32 task;
  gint64 number; /* the bound or the limit of the job; of a child that has ended: its result */
  gint64 best;   /* the value of the shared object, as this node sees it */
  gint64 is_right;
  guint64 parent;   /* of a child that has ended: the parent in the act that spawned it */
  guint32 child;    /* the number of that child among those of its parent */
  guint32 question; /* the kind of the question that is answered */
  guint32 n;        /* how many cities, children or results there are */
  union
  {
    gint32 cities[N_CITIES];
    Child children[N_CITIES];
    gint64 results[MOST_CHILDREN]; /* of the jobs that were synced */
  };
} RemoteEvent;

typedef enum
{
  REMOTE_SPAWN,
  REMOTE_UPDATE,
  REMOTE_ABORT,
} RemoteActKind;

/* An act of a job that needs no answer. */
typedef struct
{
  guint32 kind;
  guint32 task;
  gint64 number;
  guint64 parent;
  guint32 has_inlet;
  guint32 n;
  gint32 cities[N_CITIES];
} RemoteAct;

typedef enum
{
  REMOTE_LOOK, /* ask for the value of the shared object */
  REMOTE_POLL,
  REMOTE_IS_ABORTED,
  REMOTE_EXPAND,
  REMOTE_SYNC,
  REMOTE_DONE, /* the job, or the inlet, has returned; there is no answer */
} RemoteQuestionKind;

typedef struct
{
  guint32 kind;
  guint32 n;
  gint64 value; /* the result of the job */
  gint32 cities[N_CITIES];
  guint32 n_acts; /* what the job has done before the question, in this order */
  RemoteAct acts[MOST_ACTS];
} RemoteQuestion;
