/* frontier.h - the finished children of unfinished frames
 *
 * Slots stay in the deque until their frame's sync is done. So at any safe point a worker can show
 * which of its jobs are queued, taken by others, running, or done with a result. Recovery keeps the
 * results of finished jobs. A node that leaves sends them to other nodes, and so does a checkpoint.
 * The shape of the frontier tells the progress.
 *
 * Threads: as said for each function.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/workers.h>

G_BEGIN_DECLS

/* The state of a job in a slot. */
typedef enum
{
  SATIN_FRONTIER_QUEUED,  /* nobody has begun it */
  SATIN_FRONTIER_STOLEN,  /* another worker or node has it */
  SATIN_FRONTIER_RUNNING, /* this worker runs it; its children follow */
  SATIN_FRONTIER_DONE,    /* it has ended with a result */
  SATIN_FRONTIER_ABORTED, /* nobody wants its result; it may have no result */
} SatinFrontierState;

/**
 * SatinFrontierJob:
 * @task: its task, in the general or the typed form
 * @state: its state
 * @depth: number of frames below its own on this worker's stack, from 0
 * @args: (nullable): its arguments, as @task->args describes; %NULL for a typed job that other
 *   workers can take
 * @result: (nullable): its result, as @task->result describes; %NULL unless the state is DONE, and
 *   while an error waits for a sync on this worker or some of its frames are aborted
 *
 * The job of one slot. It is valid during the call of a SatinFrontierFunc.
 */
typedef struct
{
  const SatinTask *task;
  SatinFrontierState state;
  guint depth;
  gconstpointer args;
  gconstpointer result;
} SatinFrontierJob;

/* Receives a slot on the thread of worker number @worker, the oldest slot first. It must not spawn,
 * block or keep pointers. */
typedef void (*SatinFrontierFunc) (const SatinFrontierJob *job, guint worker, gpointer user_data);

/**
 * satin_workers_walk:
 * @func: called for each slot of each worker
 * @done: called once, on the worker that walked last; or in satin_workers_free(), if that ends the
 *   walk
 *
 * Asks every worker to walk over its own frames at its next safe point, such as a spawn, a sync or
 * the end of a job. A worker that sleeps is woken and walks at once. A worker inside a long leaf
 * walks when the leaf returns. One walk runs at a time; other walks wait for its end.
 *
 * Threads: any, not from within @func.
 */
SATIN_API void satin_workers_walk (SatinWorkers *self, SatinFrontierFunc func,
                                   void (*done) (gpointer user_data), gpointer user_data);

/**
 * satin_workers_progress:
 *
 * Estimates the progress of the root job from the shape of the frontier: each child of a frame
 * counts for the same share of the frame. A child that another worker has counts with the share of
 * it that is done; a child that another node has, with the share that its thief reported last. The
 * call returns the last estimate and asks the workers for a new one. The estimate never falls.
 *
 * Threads: any. Cost: O(jobs that other workers and nodes have), and a walk on the workers.
 *
 * Returns: the share that is done, in [0, 1]
 */
SATIN_API double satin_workers_progress (SatinWorkers *self);

G_END_DECLS
