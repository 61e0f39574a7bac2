/* survive.h - the recovery of one node: what you write, and what the node does for you
 *
 * Each node has a Survive. Its functions never run at the same time, and never inside each other.
 * Nodes share no memory: in the tests, each is a process of its own. All arguments are borrowed for
 * the call.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* A job is known by its key: a digest of its task and its arguments. */
#define KEY_BYTES 16

/* Larger results are not reported. */
#define MOST_RESULT ((gsize)64 << 10)

/* Limits: of one message; of all that one call sends, in bytes and in messages. More is not sent.
 */
#define MOST_MESSAGE ((gsize)256 << 10)
#define MOST_SENT    ((gsize)8 << 20)
#define MOST_SENDS   4096

/* A node may keep so many bytes. In the tests, a process that needs more is ended. */
#define MOST_MEMORY ((gsize)16 << 20)

/* What you remember at one node. You define the structure. */
typedef struct _Survive Survive;

/* A node, as you see it. */
typedef struct _Host Host;

/* The name of a job that has left its owner, unique in a run. An owner of 0 means: no job. */
typedef struct
{
  guint32 owner;
  gint32 index;
  gint64 generation;
} Name;

/**
 * Job:
 * @key: of the job; all 0 for the root job
 * @depth: how far it is below the root job, which has 0; -1: not known
 * @name: of the job, if it has left its owner. Not known in survive_ask()
 * @above: the nearest job above it that has left its owner. Not known in survive_ask()
 */
typedef struct
{
  guint8 key[KEY_BYTES];
  gint32 depth;
  Name name;
  Name above;
} Job;

/* What to do with an orphan: an unfinished job of a lost node, which runs here. */
typedef enum
{
  ORPHAN_DROP, /* end it and forget it */
  ORPHAN_SAVE, /* first report its finished children to survive_finished(), then end it */
} Orphan;

/* What is known of a job that is about to run again. */
typedef enum
{
  ANSWER_NOTHING, /* it runs like any other job */
  ANSWER_INSIDE,  /* it runs, and survive_ask() is called for each child that it spawns */
  ANSWER_RESULT,  /* it does not run: this is its result */
} Answer;

/* ---- what you write ---- */

/* The node has joined the run. Returns: never NULL */
Survive *survive_new (Host *host);

/* The node leaves the run, or the run is over. */
void survive_free (Survive *self);

/* Who is in the run: after survive_new(), and after each change. @nodes: their numbers, rising,
 * with that of this node. A number is never given to another node. */
void survive_members (Survive *self, const guint32 *nodes, guint n_nodes);

/* Another node has called host_send(). Messages from one node come in the order in which it has
 * sent them. A message may be lost if a node or a link is lost. */
void survive_message (Survive *self, guint32 from, const guint8 *bytes, gsize n_bytes);

/* The time of host_wake() has come. */
void survive_timer (Survive *self);

/* A job has ended here that belongs to another node, or that is a child of an orphan. Its result
 * has @n_bytes, maybe none. */
void survive_finished (Survive *self, const Job *job, const guint8 *result, gsize n_bytes);

/* The owner of @job is lost, and @job has not ended. If it has, survive_finished() is called. */
Orphan survive_orphan (Survive *self, const Job *job);

/**
 * survive_ask:
 * @ret_result: (out): the result if the answer is ANSWER_RESULT; yours, valid until your next call
 * @ret_n_bytes: (out): its size
 *
 * A job is about to run again: a job of this node that was lost with another node, the root job,
 * after a loss of the master, or a child of a job for which the answer, here or at another node,
 * was ANSWER_INSIDE. If the answer for the root job is ANSWER_RESULT, the root job runs like any
 * other job. You cannot send from here.
 */
Answer survive_ask (Survive *self, const Job *job, const guint8 **ret_result, gsize *ret_n_bytes);

/* ---- what the node does for you ---- */

/* The number of this node. */
guint32 host_number (Host *host);

/* Sends a message to another node. It is lost if that node is not in the run. */
void host_send (Host *host, guint32 to, const void *bytes, gsize n_bytes);

/* Calls survive_timer() once, in @delay_us microseconds, 1,000 or more. A later call replaces an
 * earlier one; 0 cancels it. */
void host_wake (Host *host, gint64 delay_us);
