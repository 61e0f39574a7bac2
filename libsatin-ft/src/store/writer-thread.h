/* writer-thread.h - a thread that does what blocks: reading and writing a storage
 *
 * One job after another, in the order they were given; a world gives it a fiber.
 * A task that shows no progress for a while is interrupted, and so is the one
 * that runs when the storer is to end. Nobody waits on the loop for a thread that
 * may hang, as it can in opening a storage, which no interrupt reaches.
 *
 * Threads: the loop's, where nothing else is said.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/threads.h>
#include <satin/ft/storage.h>

typedef struct _Storer Storer;
typedef struct _StorerTask StorerTask;

/**
 * StorerTask:
 * @work: on the storer's thread
 * @done: (nullable): then, on the loop
 * @free: (nullable): in the end, on the loop; also of a task that is dropped because its storer is
 *
 * Embedded in what it works on.
 */
struct _StorerTask
{
  void (*work) (StorerTask *self);
  void (*done) (StorerTask *self);
  void (*free) (StorerTask *self);
  Storer *storer; /* (borrowed) set by storer_do() */
};

/* @thread_ops: borrowed, static. Returns: (transfer full) (nullable): %NULL with @error */
Storer *storer_new (SatinLoop *loop, const SatinThreadOps *thread_ops, gint64 patience_us,
                    GError **error);
/* On the loop: the task that runs makes no progress although it was interrupted, or cannot be.
 * @stuck may end the storer. */
void storer_set_stuck_func (Storer *self, SatinLoopFunc stuck, gpointer user_data);
/* @last: (nullable): on its thread, when it ends; it is interrupted only if that takes longer than
 * @grace_us. */
void storer_set_last (Storer *self, void (*last) (gpointer user_data), gpointer user_data,
                      gint64 grace_us);
/* Returns at once. What runs is interrupted, again and again; done comes for no task any more.
 * @over: (nullable): on the loop, when the thread has ended and storer_free() does not block. */
void storer_end (Storer *self, SatinLoopFunc over, gpointer user_data);
/* Waits at most @timeout_us for the thread. Returns: FALSE when it has not ended: it keeps the
 * storer and all that its tasks work on, which must not be freed. */
gboolean storer_free (Storer *self, gint64 timeout_us);
/* @task: (transfer full) */
void storer_do (Storer *self, StorerTask *task);
/* Whether a task runs or waits. */
gboolean storer_is_busy (const Storer *self);
/* When the task that runs is interrupted, unless it goes on; 0: none runs. */
SatinTimerId storer_get_deadline (const Storer *self);

/* On the storer's thread: what is open, which the storer closes in the end; %NULL. */
SatinStorage *storer_get_storage (Storer *self);
void storer_set_storage (Storer *self, SatinStorage *storage /* (transfer full) (nullable) */);
/* On the storer's thread: the task that runs goes on. */
void storer_note_progress (Storer *self);
