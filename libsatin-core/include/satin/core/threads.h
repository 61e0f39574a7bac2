/* threads.h - what a worker runs on: a thread, or something that looks like one
 *
 * Workers start, sleep, wake and read the clock through these operations alone.
 * The default is POSIX threads. A simulator puts fibers and a virtual clock in
 * their place and runs the same workers.
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
 * @now_us: microseconds on a monotonic clock; any thread
 * @start: begins @main (@data) on a stack of @stack_bytes; (transfer full): for join; %NULL with
 *   an error
 * @join: returns when @main has returned; the thread is gone
 * @get_stack: (out): lowest address and size of the stack of the calling thread
 * @wait: sleeps until *@word is not 0, at most @timeout_us; on a worker
 * @wake: sets *@word to 1 and ends its wait; any thread
 * @relax: lets others run: the @n_tries-th fruitless try in a row; on a worker
 * @charge: (nullable): time that a job says it takes, nanoseconds; on a worker. %NULL: time
 *   passes by itself
 * @spawn_ns: what each spawn is charged; above 0 all spawns take the slow path. 0 without @charge
 * @max_tries: after so many fruitless tries a worker sleeps, if it would not sooner
 * @cpu_us: (nullable): processor time that the calling worker has had, or, when @is_all, all
 *   workers of its node have had; any thread when @is_all
 * @join_within: like @join, but waits at most @timeout_us. %FALSE: @main has not returned, and
 *   @thread is still valid
 * @abandon: @thread is not joined any more, although @main may never return. The program ends
 *   without it
 *
 * What workers run on.
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
