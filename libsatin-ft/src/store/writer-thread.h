/* writer-thread.h - a thread for blocking calls: it reads and writes a storage
 *
 * The writer thread runs tasks one after another, in the order in which they were given. In a
 * simulated world it is a fiber. The storage's operation is interrupted if the running task makes
 * no progress for some time, and when the writer thread must end. The loop never waits for the
 * thread without a limit, because the thread may hang for ever: no interrupt reaches a thread that
 * is opening a storage.
 *
 * Threads: the loop's, except where stated.
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
 * @work: does the task; runs on the writer thread
 * @done: (nullable): runs afterwards, on the loop
 * @free: (nullable): frees the task; runs last, on the loop; also for a task that is dropped
 *   because the writer thread ends
 *
 * A task. It is embedded in a structure with its arguments.
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
/* @stuck: runs on the loop when the running task makes no progress although it was interrupted, or
 * when it cannot be interrupted. @stuck may end the writer thread. */
void writer_thread_set_stuck_func (WriterThread *self, SatinLoopFunc stuck, gpointer user_data);
/* @last: (nullable): runs on the writer thread at the thread's end. The thread is interrupted only
 * when it has not ended @grace_us after writer_thread_end(). */
void writer_thread_set_last (WriterThread *self, void (*last) (gpointer user_data),
                             gpointer user_data, gint64 grace_us);
/* Ends the thread, and returns at once. After the grace of writer_thread_set_last(), a running
 * operation is interrupted again and again. No @done of a task runs after this. @over: (nullable):
 * runs on the loop when the thread has ended, so that writer_thread_free() does not block */
void writer_thread_end (WriterThread *self, SatinLoopFunc over, gpointer user_data);
/* Waits at most @timeout_us for the thread. Returns: FALSE when it has not ended. Then the caller
 * must not free anything that the thread's tasks use, and the writer thread itself stays */
gboolean writer_thread_free (WriterThread *self, gint64 timeout_us);
/* Gives the thread a task. @task: (transfer full) */
void writer_thread_do (WriterThread *self, WriterTask *task);
/* Whether a task runs or waits. */
gboolean writer_thread_is_busy (const WriterThread *self);
/* The timer that interrupts the running task if it makes no progress; 0: no task runs. */
SatinTimerId writer_thread_get_deadline (const WriterThread *self);

/* Call these three on the writer thread. */
/* The open storage, or %NULL. The writer thread closes the storage when the thread ends. */
SatinStorage *writer_thread_get_storage (WriterThread *self);
/* Sets the storage, and closes the storage that was set before. */
void writer_thread_set_storage (WriterThread *self,
                                SatinStorage *storage /* (transfer full) (nullable) */);
/* Notes that the running task has made progress, so that it is not interrupted soon. */
void writer_thread_note_progress (WriterThread *self);
