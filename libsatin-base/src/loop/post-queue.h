/* post-queue.h - calls that any thread posts to a loop
 *
 * The lock is a pthread mutex, so that ThreadSanitizer sees it. The lock is never held while a call
 * runs.
 *
 * Threads: any for satin_post_queue_push() and satin_post_queue_is_empty(); the loop's thread for
 * the other functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/atomic.h>

#include <satin/base/timer-queue.h>

typedef struct
{
  pthread_mutex_t lock;
  /* guarded by lock */
  GArray *waiting; /* (owned) of SatinCall, in the order of posting */
  /* for the loop's thread */
  GArray *batch; /* (owned) of SatinCall: the calls that satin_post_queue_run() makes now */
} SatinPostQueue;

void satin_post_queue_init (SatinPostQueue *self);
void satin_post_queue_done (SatinPostQueue *self);

/* Returns: TRUE when nothing waited before, so that the loop must be woken */
gboolean satin_post_queue_push (SatinPostQueue *self, SatinLoopFunc func, gpointer user_data);

gboolean satin_post_queue_is_empty (SatinPostQueue *self);

/* Makes all calls that wait now, but not the calls that these post. Returns: the number of calls */
guint satin_post_queue_run (SatinPostQueue *self);
