/* hand-thread.h - threads that run when the test says so, and then alone
 *
 * What would run at some time runs within hand_threads_run(), one after another, until it sleeps,
 * ends, or is at work that takes until the next time. So what a test sees follows from its calls
 * alone. The clock stands still but for what the test adds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/threads.h>

/* There are at most 4 threads at a time, and none is left when a case ends. */
const SatinThreadOps *hand_thread_ops (void);

/* Lets each thread run that is awake. Returns: whether any was */
gboolean hand_threads_run (void);
/* Inside a thread: it goes on in the next hand_threads_run(), or when it is joined. */
void hand_thread_pause (void);
guint hand_threads_count (void);

/* How much later it is each time somebody looks at the clock. */
void hand_threads_set_step (gint64 step_us);

/* Whether whoever waits for a thread that has not ended waits in vain. Such a thread is abandoned:
 * it has no turn any more. */
void hand_threads_hang (gboolean is_it);
guint hand_threads_count_abandoned (void);
