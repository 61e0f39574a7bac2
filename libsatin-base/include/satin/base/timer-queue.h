/* timer-queue.h - pending timers, the earliest first: for those who write a SatinLoop
 *
 * Ordered by the time they are due and then by the order of adding. An id is
 * never used again (but for a slot's 2^32th timer), so that cancelling a timer
 * that has run is harmless.
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>

G_BEGIN_DECLS

/* Pending timers. */
typedef struct _SatinTimerQueue SatinTimerQueue;

/* Of a timer that was taken out. */
typedef struct
{
  SatinLoopFunc func;
  gpointer user_data;
} SatinCall;

/* Returns: (transfer full): an empty queue */
SATIN_API SatinTimerQueue *satin_timer_queue_new (void);
/* Pending timers are dropped without being called. @self: (nullable) */
SATIN_API void satin_timer_queue_free (SatinTimerQueue *self);

/* Cost: O(log n). Returns: its id, never 0 */
SATIN_API SatinTimerId satin_timer_queue_add (SatinTimerQueue *self, gint64 due_us,
                                              SatinLoopFunc func, gpointer user_data);

/* Does nothing when there is no such timer any more. Cost: O(log n). */
SATIN_API void satin_timer_queue_cancel (SatinTimerQueue *self, SatinTimerId id);

/* When the earliest timer is due, G_MAXINT64 when there is none. */
SATIN_API gint64 satin_timer_queue_first_due_us (const SatinTimerQueue *self);

/* When that timer is due, G_MAXINT64 when there is no such timer any more. */
SATIN_API gint64 satin_timer_queue_get_due_us (const SatinTimerQueue *self, SatinTimerId id);

/* How many timers were added so far. */
SATIN_API guint64 satin_timer_queue_count_added (const SatinTimerQueue *self);

/**
 * satin_timer_queue_take:
 * @until_us: the latest time of interest
 * @n_added: only of the first that many timers ever added
 * @ret_call: (out caller-allocates): what to call
 *
 * Takes out the earliest timer if it is due by @until_us and old enough.
 *
 * Cost: O(log n). Returns: %FALSE when there is none
 */
SATIN_API gboolean satin_timer_queue_take (SatinTimerQueue *self, gint64 until_us, guint64 n_added,
                                           SatinCall *ret_call);

G_END_DECLS
