/* timer-queue.h - pending timers, the earliest first: for authors of a SatinLoop
 *
 * Timers are ordered by the time they are due, then by the order of adding. An id is not used again
 * until its slot has had about 2^32 timers. So it does no harm to cancel a timer that has run.
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

/* The call that a timer makes. The code that takes the timer out makes the call. */
typedef struct
{
  SatinLoopFunc func;
  gpointer user_data;
} SatinCall;

/* Makes an empty queue. Returns: (transfer full) */
SATIN_API SatinTimerQueue *satin_timer_queue_new (void);
/* Frees the queue. Pending timers are not called. @self: (nullable) */
SATIN_API void satin_timer_queue_free (SatinTimerQueue *self);

/* Adds a timer. @due_us: on the clock of the owner. Cost: O(log n). Returns: the timer's id, never
 * 0 */
SATIN_API SatinTimerId satin_timer_queue_add (SatinTimerQueue *self, gint64 due_us,
                                              SatinLoopFunc func, gpointer user_data);

/* Removes a timer, if it is still pending. Cost: O(log n). */
SATIN_API void satin_timer_queue_cancel (SatinTimerQueue *self, SatinTimerId id);

/* When the earliest timer is due; G_MAXINT64 when there is none. */
SATIN_API gint64 satin_timer_queue_first_due_us (const SatinTimerQueue *self);

/* When the timer @id is due; G_MAXINT64 when it is not pending any more. */
SATIN_API gint64 satin_timer_queue_get_due_us (const SatinTimerQueue *self, SatinTimerId id);

/* How many timers were ever added. */
SATIN_API guint64 satin_timer_queue_count_added (const SatinTimerQueue *self);

/**
 * satin_timer_queue_take:
 * @until_us: take no timer that is due later than this
 * @n_added: take only one of the first @n_added timers that were ever added
 * @ret_call: (out caller-allocates): the call of the timer; untouched when there is none
 *
 * Takes out the earliest timer, if it is due by @until_us and old enough. If the earliest one is
 * too new, no other is taken in its place.
 *
 * Cost: O(log n). Returns: %FALSE when no timer was taken
 */
SATIN_API gboolean satin_timer_queue_take (SatinTimerQueue *self, gint64 until_us, guint64 n_added,
                                           SatinCall *ret_call);

G_END_DECLS
