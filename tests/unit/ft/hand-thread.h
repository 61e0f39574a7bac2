/* hand-thread.h - threads that run only when the test says so, one at a time
 *
 * A thread runs only inside hand_threads_run(), or while it is joined, until it sleeps, ends or
 * calls hand_thread_pause(). So what a test sees follows from its calls alone. The clock advances
 * only when it is read, see hand_threads_set_step().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/threads.h>

/* There may be 4 threads at a time. No thread may be left when a case ends. */
const SatinThreadOps *hand_thread_ops (void);

/* Gives each thread that is awake one turn. Returns: whether there was such a thread */
gboolean hand_threads_run (void);
/* Ends the turn of the calling thread. It continues in the next hand_threads_run(), or when it is
 * joined. */
void hand_thread_pause (void);
guint hand_threads_count (void);

/* From now on the clock advances by @step_us each time it is read. */
void hand_threads_set_step (gint64 step_us);

/* If @is_it, threads hang from now on: joining within a time fails at once for a thread that has
 * not ended. An abandoned thread gets no turn any more. */
void hand_threads_hang (gboolean is_it);
guint hand_threads_count_abandoned (void);
