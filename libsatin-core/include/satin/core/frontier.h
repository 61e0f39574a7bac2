/* frontier.h - the finished children of unfinished frames
 *
 * Slots stay in the deque until their frame's sync is done, so at any safe point
 * a worker can show what it has: jobs that are queued, given away, running, and
 * done with their results. Recovery saves the done ones as orphans, leaving and
 * checkpoints send them elsewhere, and progress is read off the shape.
 *
 * Threads: as said for each function.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/workers.h>

G_BEGIN_DECLS

/* What a slot of the frontier is. */
typedef enum
{
  SATIN_FRONTIER_QUEUED,  /* nobody has begun it */
  SATIN_FRONTIER_STOLEN,  /* another worker or node has it */
  SATIN_FRONTIER_RUNNING, /* it is on this worker's stack; its children follow */
  SATIN_FRONTIER_DONE,    /* @result holds its result */
  SATIN_FRONTIER_ABORTED, /* nobody wants its result: it has none */
} SatinFrontierState;

/**
 * SatinFrontierJob:
 * @depth: frames below its own on this worker's stack, from 0
 * @args: (nullable): its arguments, as @task->args describes; %NULL for a typed job that is public
 *   or away
 * @result: (nullable): its result, as @task->result describes; %NULL unless done, and while a
 *   failed job of this worker waits for its spawner's sync
 *
 * One slot, valid during the call.
 */
typedef struct
{
  const SatinTask *task;
  SatinFrontierState state;
  guint depth;
  gconstpointer args;
  gconstpointer result;
} SatinFrontierJob;

/* Called on the worker's thread, oldest slot first. It must not spawn, block or keep pointers. */
typedef void (*SatinFrontierFunc) (const SatinFrontierJob *job, guint worker, gpointer user_data);

/**
 * satin_workers_walk:
 * @func: called for each slot of each worker
 * @done: called once, on the last worker to finish, when all workers have walked
 *
 * Asks every worker to walk over its own frames at its next safe point (a slow
 * spawn or sync, the end of a job, or at once when it sleeps). A worker inside a
 * long leaf answers when that returns. One walk at a time: others queue behind it.
 *
 * Threads: any, not from within @func.
 */
SATIN_API void satin_workers_walk (SatinWorkers *self, SatinFrontierFunc func,
                                   void (*done) (gpointer user_data), gpointer user_data);

/**
 * satin_workers_progress:
 *
 * An estimate from the shape of the frontier of the root job: each child of a
 * frame counts for the same share of it. Asks the worker for a fresh one and
 * returns the last.
 *
 * Threads: any. Cost: O(1) here, a walk there.
 *
 * Returns: the share done, in [0, 1]
 */
SATIN_API double satin_workers_progress (SatinWorkers *self);

G_END_DECLS
