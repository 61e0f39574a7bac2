/* threads.c - workers as threads: stacks and waiting
 *
 * Stacks are large but only reserved. If one overflows all the same, the program ends with a
 * message that says what to do (fault.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fault.h"
#include "process.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* For this many fruitless tries a thread only pauses; after that it yields its core. */
#define PAUSE_TRIES 64
/* The shortest time slice that the scheduler accepts. */
#define SHORT_TURN_NS ((guint64)100000)
/* A prompt thread's nice value is this much lower than that of the workers. */
#define PROMPT_STEPS 10
#define LOWEST_NICE  (-20)
#define SIGNAL_STACK ((gsize)64 << 10)

static gint64
thread_now_us (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (gint64)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Returns: the processor time of this thread; with @is_all, of the whole process */
static gint64
thread_cpu_us (gboolean is_all)
{
  struct timespec used;
  clock_gettime (is_all ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &used);
  return (gint64)used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

static void
thread_wait (int *word, gint64 timeout_us)
{
  struct timespec timeout = { timeout_us / 1000000, timeout_us % 1000000 * 1000 };
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, &timeout, NULL, 0);
}

static void
thread_wake (int *word)
{
  SATIN_STORE (word, 1);
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void
thread_relax (guint n_tries)
{
  if (n_tries < PAUSE_TRIES)
    satin_relax ();
  else
    sched_yield ();
}

/* The structure of the kernel's sched_setattr(), in its first version. */
typedef struct
{
  guint32 size_bytes;
  guint32 policy;
  guint64 flags;
  gint32 nice;
  guint32 priority;
  guint64 runtime_ns;
  guint64 deadline_ns;
  guint64 period_ns;
} SchedulerAttributes;

/* What the threads that this thread starts need from it. */
static __thread struct
{
  gboolean has_higher; /* this thread has a higher priority than the process */
  int usual_nice;      /* its nice value before */
} priority_here;

/**
 * satin_thread_be_prompt:
 *
 * Asks the scheduler to run this thread as soon as it wakes. The loop's thread calls this, because
 * it must answer other nodes while workers use all processors. A thread that asks for short time
 * slices need not wait for the end of another thread's slice. Kernels before 6.12 ignore that. A
 * thread that has just used up its share still waits for the next tick, up to 4 ms, unless it
 * weighs more than a worker. So this thread also takes a higher priority than the process has, if
 * the user may (root, or a limit on "nice"). It takes that for itself alone: threads that
 * satin_thread_ops starts here later get the nice value that this thread had before. The kernel
 * resets only negative nice values, and to 0; that is for processes and for other threads.
 *
 * Threads: the thread that must be prompt.
 */
void
satin_thread_be_prompt (void)
{
  SchedulerAttributes attributes = { .size_bytes = sizeof attributes };
  if (syscall (SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0
      || attributes.policy != SCHED_OTHER)
    return;
  attributes.runtime_ns = SHORT_TURN_NS;
  SchedulerAttributes higher = attributes;
  higher.nice = MAX (attributes.nice - PROMPT_STEPS, LOWEST_NICE);
  higher.flags |= SCHED_FLAG_RESET_ON_FORK;
  if (syscall (SYS_sched_setattr, 0, &higher, 0) == 0)
    {
      priority_here.has_higher = TRUE;
      priority_here.usual_nice = attributes.nice;
    }
  else if (syscall (SYS_sched_setattr, 0, &attributes, 0) != 0)
    g_debug ("the scheduler takes no short turns: %s", g_strerror (errno));
}

/* A thread and the function that it runs. */
typedef struct
{
  pthread_t thread;
  void (*main) (gpointer data);
  gpointer data;
  gboolean has_nice; /* it gets this nice value, not that of the thread that starts it */
  int nice;
  int is_over; /* atomic: main has returned */
  int n_refs;  /* atomic: the thread, and its owner */
} Thread;

static void
unref_thread (Thread *self)
{
  if (SATIN_ADD (&self->n_refs, -1) == 1)
    g_free (self);
}

static gpointer
run_thread (gpointer data)
{
  Thread *self = data;
  g_autofree char *signal_stack = g_malloc (SIGNAL_STACK);
  stack_t stack = { .ss_sp = signal_stack, .ss_size = SIGNAL_STACK };
  sigaltstack (&stack, NULL);
  if (self->has_nice && setpriority (PRIO_PROCESS, (id_t)gettid (), self->nice) != 0)
    g_debug ("a thread does not get nice value %d: %s", self->nice, g_strerror (errno));
  process_thread_begin ();
  self->main (self->data);
  process_thread_end ();
  stack.ss_flags = SS_DISABLE;
  sigaltstack (&stack, NULL);
  thread_wake (&self->is_over);
  unref_thread (self);
  return NULL;
}

/* Starts a thread that blocks all signals except those of crashes. The program's own threads get
 * the blocked signals. */
static gpointer
thread_start (void (*main) (gpointer data), gpointer data, gsize stack_bytes, GError **error)
{
  pthread_attr_t attributes;
  sigset_t all, old;
  Thread *self = g_new0 (Thread, 1);
  self->main = main;
  self->data = data;
  self->has_nice = priority_here.has_higher;
  self->nice = priority_here.usual_nice;
  self->n_refs = 2;
  pthread_attr_init (&attributes);
  int failure = pthread_attr_setstacksize (&attributes, stack_bytes);
  pthread_attr_setguardsize (&attributes, FAULT_GUARD_BYTES);
  sigfillset (&all);
  fault_unmask (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  if (failure == 0)
    failure = pthread_create (&self->thread, &attributes, run_thread, self);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  pthread_attr_destroy (&attributes);
  if (failure == 0)
    return self;
  g_free (self);
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_IO, g_strerror (failure));
  return NULL;
}

static void
thread_join (gpointer thread)
{
  Thread *self = thread;
  pthread_join (self->thread, NULL);
  unref_thread (self);
}

static gboolean
thread_join_within (gpointer thread, gint64 timeout_us)
{
  Thread *self = thread;
  gint64 end_us = thread_now_us () + timeout_us;
  gint64 left_us;
  while (SATIN_LOAD (&self->is_over) == 0 && (left_us = end_us - thread_now_us ()) > 0)
    thread_wait (&self->is_over, left_us);
  if (SATIN_LOAD (&self->is_over) == 0)
    return FALSE;
  thread_join (thread);
  return TRUE;
}

/* Ends the process before exit() frees what an abandoned thread still uses. */
static void
end_at_once (int status, void *data)
{
  fflush (NULL);
  _exit (status);
}

/* Lets a thread run on until the process ends. on_exit() calls its handlers in reverse order, so
 * end_at_once() comes before the handlers of libraries that the thread uses. */
static void
thread_abandon (gpointer thread)
{
  Thread *self = thread;
  pthread_detach (self->thread);
  unref_thread (self);
  on_exit (end_at_once, NULL);
}

static void
thread_get_stack (char **ret_low, gsize *ret_n_bytes)
{
  pthread_attr_t attributes;
  void *low;
  pthread_getattr_np (pthread_self (), &attributes);
  pthread_attr_getstack (&attributes, &low, ret_n_bytes);
  pthread_attr_destroy (&attributes);
  *ret_low = low;
}

const SatinThreadOps satin_thread_ops = {
  .struct_size = sizeof (SatinThreadOps),
  .now_us = thread_now_us,
  .start = thread_start,
  .join = thread_join,
  .get_stack = thread_get_stack,
  .wait = thread_wait,
  .wake = thread_wake,
  .relax = thread_relax,
  .max_tries = G_MAXUINT,
  .cpu_us = thread_cpu_us,
  .join_within = thread_join_within,
  .abandon = thread_abandon,
};

/* The workers that were started on this thread: one, or in a simulation all. */
static __thread Worker *workers_here;

Worker *
worker_find_here (void)
{
  const char *here = __builtin_frame_address (0);
  Worker *worker = workers_here;
  while (worker != NULL
         && (here < worker->stack_low || here >= worker->stack_low + worker->stack_bytes))
    worker = worker->next_here;
  return worker;
}

void
pool_leave_here (const SatinWorkers *self)
{
  for (Worker **place = &workers_here; *place != NULL;)
    if ((*place)->pool == self)
      *place = (*place)->next_here;
    else
      place = &(*place)->next_here;
}

static void
run_worker (gpointer data)
{
  Worker *self = data;
  fault_enter (self);
  self->pool->ops->get_stack (&self->stack_low, &self->stack_bytes);
  self->next_here = workers_here;
  workers_here = self;
  if (self->index < self->pool->n_regular)
    worker_main (self);
  else
    spare_main (self);
}

gboolean
worker_start_thread (Worker *self, GError **error)
{
  SatinWorkers *pool = self->pool;
  if (pool->ops == &satin_thread_ops && !pool->keeps_segv)
    fault_catch_overflow ();
  self->thread = pool->ops->start (run_worker, self, pool->stack_bytes, error);
  if (self->thread == NULL)
    g_prefix_error (error,
                    "cannot start worker %u with a stack of %" G_GSIZE_FORMAT
                    " MiB (set SATIN_WORKERS or SATIN_STACK lower): ",
                    self->index, pool->stack_bytes >> 20);
  return self->thread != NULL;
}
