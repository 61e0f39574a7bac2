/* core-test.h - shared by the tests of tasks: workers, gates, and waiting for a thief
 *
 * A test that needs a stolen job spawns jobs until the first one has begun. That is the oldest job,
 * so the first thief that comes takes it. No test sleeps, and only a few tests read a clock.
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

/* Threads wait at a gate until another thread opens it. Threads: any. */
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

/* Returns: workers with the given numbers of threads and slots (0: the default); never fails */
SatinWorkers *make_workers (guint n_workers, gsize deque_slots);

/* Inside a task: spawns until @CONDITION holds, so that thieves notice the oldest job of this
 * frame. */
#define SPAWN_UNTIL(CONDITION)                                                                     \
  while (!(CONDITION))                                                                             \
    {                                                                                              \
      SATIN_SPAWN (NULL, nothing);                                                                 \
      sched_yield ();                                                                              \
    }

/* Defines the task that SPAWN_UNTIL spawns, in each test program. */
#define TASK_NOTHING()                                                                             \
  SATIN_TASK (nothing, (void)) {}
