/* threads.h - what a worker runs on: a thread or a fiber
 *
 * Workers start, sleep, wake and read the clock only through these operations. The default is POSIX
 * threads. A simulator replaces them by fibers and a virtual clock, and runs the same workers.
 *
 * Threads: as each operation says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * SatinThreadOps:
 * @struct_size: sizeof (SatinThreadOps) where the operations were built
 * @now_us: microseconds on a monotonic clock; any thread
 * @start: runs @main (@data) on a stack of @stack_bytes. Returns: (transfer full): a handle for
 *   @join, or %NULL with an error
 * @join: returns when @main has returned, and frees the thread
 * @get_stack: (out): lowest address and size of the calling thread's stack
 * @wait: sleeps while *@word is 0, at most @timeout_us; may return early; on a worker
 * @wake: sets *@word to 1 and ends the wait for it; any thread
 * @relax: lets other threads run after the @n_tries-th fruitless try in a row; on a worker
 * @charge: (nullable): adds the time that a job says it takes, nanoseconds; on a worker. %NULL:
 *   time passes by itself
 * @spawn_ns: the time that each spawn is charged; above 0 all spawns take the slow path. It is 0
 *   without @charge
 * @max_tries: after so many fruitless tries a worker sleeps, if it does not sleep earlier
 * @cpu_us: (nullable): processor time of the calling worker or, when @is_all, of all workers of its
 *   node; any thread when @is_all. With POSIX threads @is_all means the whole process
 * @join_within: like @join, but waits at most @timeout_us. %FALSE: @main has not returned, and
 *   @thread is still valid
 * @abandon: gives @thread up without joining it; @main may never return. The program then ends
 *   without waiting for it
 *
 * The operations of the threads or fibers that workers run on.
 */
typedef struct
{
  gsize struct_size;
  gint64 (*now_us) (void);
  gpointer (*start) (void (*main) (gpointer data), gpointer data, gsize stack_bytes,
                     GError **error);
  void (*join) (gpointer thread);
  void (*get_stack) (char **ret_low, gsize *ret_n_bytes);
  void (*wait) (int *word, gint64 timeout_us);
  void (*wake) (int *word);
  void (*relax) (guint n_tries);
  void (*charge) (gint64 duration_ns);
  gint64 spawn_ns;
  guint max_tries;
  gint64 (*cpu_us) (gboolean is_all);
  gboolean (*join_within) (gpointer thread, gint64 timeout_us);
  void (*abandon) (gpointer thread);
} SatinThreadOps;

G_END_DECLS
