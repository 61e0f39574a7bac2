/* core-test.h - what the tests of tasks share: workers, gates, and waiting for a thief
 *
 * A test that needs a stolen job keeps spawning until the job has begun: the job
 * is the oldest one, so the first thief that comes takes it. Nothing sleeps or
 * looks at a clock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <sched.h>
#include <satin/core.h>

#ifndef __has_feature
#  define __has_feature(x) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#  define IS_THREAD_SANITIZED 1
#else
#  define IS_THREAD_SANITIZED 0
#endif

/* A door that is opened once. Threads: any. */
typedef struct
{
  pthread_mutex_t lock;
  pthread_cond_t opened;
  gboolean is_open; /* guarded by lock */
} Gate;

#define GATE_CLOSED                                                                                \
  {                                                                                                \
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, FALSE                                     \
  }

void gate_open (Gate *self);
void gate_close (Gate *self);
void gate_wait (Gate *self);
gboolean gate_is_open (Gate *self);

/* Workers with the given number of threads and slots (0: the default); never fails. */
SatinWorkers *make_workers (guint n_workers, gsize deque_slots);

/* Inside a task: makes the oldest job of this frame known to thieves until @CONDITION holds. */
#define SPAWN_UNTIL(CONDITION)                                                                     \
  while (!(CONDITION))                                                                             \
    {                                                                                              \
      SATIN_SPAWN (NULL, nothing);                                                                 \
      sched_yield ();                                                                              \
    }

/* The task that SPAWN_UNTIL spawns; each test program has its own. */
#define TASK_NOTHING()                                                                             \
  SATIN_TASK (nothing, (void)) {}
