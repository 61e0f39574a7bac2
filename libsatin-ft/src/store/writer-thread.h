/* writer-thread.h - a thread that does what blocks: reading and writing a storage
 *
 * One job after another, in the order they were given; a world gives it a fiber.
 * A task that shows no progress for a while is interrupted, and so is the one
 * that runs when the writer thread is to end. Nobody waits on the loop for a thread that
 * may hang, as it can in opening a storage, which no interrupt reaches.
 *
 * Threads: the loop's, where nothing else is said.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/threads.h>
#include <satin/ft/storage.h>

typedef struct _WriterThread WriterThread;
typedef struct _WriterTask WriterTask;

/**
 * WriterTask:
 * @work: on the writer thread
 * @done: (nullable): then, on the loop
 * @free: (nullable): in the end, on the loop; also of a task that is dropped because its writer
 * thread is
 *
 * Embedded in what it works on.
 */
struct _WriterTask
{
  void (*work) (WriterTask *self);
  void (*done) (WriterTask *self);
  void (*free) (WriterTask *self);
  WriterThread *writer_thread; /* (borrowed) set by writer_thread_do() */
};

/* @thread_ops: borrowed, static. Returns: (transfer full) (nullable): %NULL with @error */
WriterThread *writer_thread_new (SatinLoop *loop, const SatinThreadOps *thread_ops,
                                 gint64 patience_us, GError **error);
/* On the loop: the task that runs makes no progress although it was interrupted, or cannot be.
 * @stuck may end the writer thread. */
void writer_thread_set_stuck_func (WriterThread *self, SatinLoopFunc stuck, gpointer user_data);
/* @last: (nullable): on its thread, when it ends; it is interrupted only if that takes longer than
 * @grace_us. */
void writer_thread_set_last (WriterThread *self, void (*last) (gpointer user_data),
                             gpointer user_data, gint64 grace_us);
/* Returns at once. What runs is interrupted, again and again; done comes for no task any more.
 * @over: (nullable): on the loop, when the thread has ended and writer_thread_free() does not
 * block. */
void writer_thread_end (WriterThread *self, SatinLoopFunc over, gpointer user_data);
/* Waits at most @timeout_us for the thread. Returns: FALSE when it has not ended: it keeps the
 * writer thread and all that its tasks work on, which must not be freed. */
gboolean writer_thread_free (WriterThread *self, gint64 timeout_us);
/* @task: (transfer full) */
void writer_thread_do (WriterThread *self, WriterTask *task);
/* Whether a task runs or waits. */
gboolean writer_thread_is_busy (const WriterThread *self);
/* When the task that runs is interrupted, unless it goes on; 0: none runs. */
SatinTimerId writer_thread_get_deadline (const WriterThread *self);

/* On the writer thread: what is open, which the writer thread closes in the end; %NULL. */
SatinStorage *writer_thread_get_storage (WriterThread *self);
void writer_thread_set_storage (WriterThread *self,
                                SatinStorage *storage /* (transfer full) (nullable) */);
/* On the writer thread: the task that runs goes on. */
void writer_thread_note_progress (WriterThread *self);
