/* survive.h - the recovery of one node: what you write, and what the node does for you
 *
 * Each node has a Survive. Of its functions only one runs at a time, and none inside another. Nodes
 * share no memory: in the tests, each is a process of its own. You may use the memory that an
 * argument points to only during the call.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* A job is known by its key: a digest of its task and its arguments. */
#define KEY_BYTES 16

/* Larger results are not reported to survive_finished(). */
#define MOST_RESULT ((gsize)64 << 10)

/* Limits: of one message, in bytes; of all messages that you send in one of your functions, in
 * bytes and in messages. More is not sent. */
#define MOST_MESSAGE ((gsize)256 << 10)
#define MOST_SENT    ((gsize)8 << 20)
#define MOST_SENDS   4096

/* A node may keep so many bytes. In the tests, a process may need 24 MiB in addition. If it needs
 * more, it is ended. */
#define MOST_MEMORY ((gsize)16 << 20)

/* What you remember at one node. You define the structure. */
typedef struct _Survive Survive;

/* A node, as you see it. */
typedef struct _Host Host;

/* The name of a job that another node has stolen from its owner. No other job of the run has it. An
 * owner of 0 means: no job. */
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
 * @name: the name of the job, if it was stolen from its owner. Not known in survive_ask()
 * @above: the name of the nearest job above it that was stolen. Not known in survive_ask()
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

/* Tells which nodes are in the run: after survive_new(), and after each change. @nodes: their
 * numbers in rising order, this node included. A number is never given to another node. */
void survive_members (Survive *self, const guint32 *nodes, guint n_nodes);

/* Another node has called host_send(). Messages from one node come in the order in which it has
 * sent them. A message may be lost if a node or a link is lost. */
void survive_message (Survive *self, guint32 from, const guint8 *bytes, gsize n_bytes);

/* The time of host_wake() has come. */
void survive_timer (Survive *self);

/* A job has ended, and this node has its result of @n_bytes, which may be 0. The job was stolen
 * from another node, or is a child of an orphan for which you said ORPHAN_SAVE. Or it is a child of
 * the root job, of whose result this node had a copy when the master was lost. */
void survive_finished (Survive *self, const Job *job, const guint8 *result, gsize n_bytes);

/* The owner of @job is lost, and @job has not ended. If a job has ended, survive_finished() is
 * called instead. */
Orphan survive_orphan (Survive *self, const Job *job);

/**
 * survive_ask:
 * @ret_result: (out): the result if the answer is ANSWER_RESULT; it stays yours, and must be valid
 *   until the next call of one of your functions
 * @ret_n_bytes: (out): its size
 *
 * A job is about to run again. It is one of these:
 *
 * - a job of this node that was lost with another node
 * - the root job, after a loss of the master
 * - a child of a job for which the answer was ANSWER_INSIDE, here or at another node
 *
 * If the answer for the root job is ANSWER_RESULT, the root job runs like any other job. You cannot
 * send from this function.
 */
Answer survive_ask (Survive *self, const Job *job, const guint8 **ret_result, gsize *ret_n_bytes);

/* ---- what the node does for you ---- */

/* The number of this node. */
guint32 host_number (Host *host);

/* Sends a message to another node. It is lost if that node is not in the run. */
void host_send (Host *host, guint32 to, const void *bytes, gsize n_bytes);

/* Calls survive_timer() once, in @delay_us microseconds, or in 1,000 if that is more. A later call
 * of host_wake() replaces an earlier one; with 0 it only cancels that. */
void host_wake (Host *host, gint64 delay_us);
