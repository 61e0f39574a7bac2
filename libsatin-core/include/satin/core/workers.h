/* workers.h - the workers of one node, and jobs handed to them from outside
 *
 * A program with its own main function makes workers, runs jobs on them and frees them. It needs
 * nothing else of Satin. A process may have several SatinWorkers.
 *
 *   g_autoptr (SatinWorkers) workers = satin_workers_new (NULL, &error);
 *   gint64 result;
 *   if (!satin_run (workers, &result, fib, &error, 40)) ...
 *
 * Threads: any thread that is not a worker; satin_run() from many at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/task.h>
#include <satin/core/threads.h>

G_BEGIN_DECLS

/* The workers of a process, or of one node of a world. */
typedef struct _SatinWorkers SatinWorkers;

/**
 * SatinWorkersFlags:
 * @SATIN_WORKERS_KEEP_SEGV: do not handle SIGSEGV, whose handler reports that a worker's stack has
 *   overflowed, nor the other signals of a crash (SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP)
 * @SATIN_WORKERS_KEEP_TERM: a node does not leave its run at SIGTERM
 * @SATIN_WORKERS_KEEP_NICE: a node's loop does not ask the scheduler for a higher priority
 * @SATIN_WORKERS_KEEP_LOG: GLib's messages of level debug and info may go to standard output
 * @SATIN_WORKERS_KEEP_QUIT: a node does not write its dump at SIGQUIT
 * @SATIN_WORKERS_KEEP_MALLOC: malloc() gives freed memory back to the system as it usually does
 *
 * Things that Satin must not do to the process. satin_main_with() heeds all of them.
 * satin_workers_new() heeds the first, and never does what the others forbid. A handler that the
 * program has installed before stays in any case.
 */
typedef enum
{
  SATIN_WORKERS_KEEP_SEGV = 1 << 0,
  SATIN_WORKERS_KEEP_TERM = 1 << 1,
  SATIN_WORKERS_KEEP_NICE = 1 << 2,
  SATIN_WORKERS_KEEP_LOG = 1 << 3,
  SATIN_WORKERS_KEEP_QUIT = 1 << 4,
  SATIN_WORKERS_KEEP_MALLOC = 1 << 5,
} SatinWorkersFlags;

/**
 * SatinWorkersOptions:
 * @struct_size: sizeof (SatinWorkersOptions)
 * @n_workers: number of threads, at most 1024; 0 for as many as the processor set and the
 *   container's CPU limit allow
 * @stack_bytes: stack of a worker, 64 KiB or more; it is reserved and not used at once. 0 for 256
 *   MiB, or for what fits if the process may have few addresses (ulimit -v)
 * @deque_slots: the most jobs that a worker queues, 64 to 2^30; beyond it jobs run at their spawn.
 *   0 for 4 Mi, or for what fits
 * @seed: seed of the random choice of victims
 * @thread_ops: (nullable): what the workers run on, borrowed; %NULL for threads
 * @flags: what Satin must not do to the process; 0 for no restriction
 *
 * How workers are made. 0 in a field means its default, except in @struct_size.
 */
typedef struct
{
  gsize struct_size;
  guint n_workers;
  gsize stack_bytes;
  gsize deque_slots;
  guint64 seed;
  const SatinThreadOps *thread_ops;
  SatinWorkersFlags flags;
} SatinWorkersOptions;

/**
 * satin_workers_new:
 * @options: (nullable): %NULL for all defaults
 * @error: %SATIN_ERROR_INVALID for options out of range, %SATIN_ERROR_IO when the system refuses
 *   threads or memory
 *
 * Makes workers. If they are threads, the process gets a handler of SIGSEGV if that signal has
 * none, unless @options forbids that. A job must not end its thread or the process.
 *
 * Cost: starts the threads, which sleep until there is work.
 *
 * Returns: (transfer full): free with satin_workers_free(); %NULL with @error set
 */
SATIN_API SatinWorkers *satin_workers_new (const SatinWorkersOptions *options, GError **error);

/**
 * satin_workers_options_from_environment:
 * @ret_options: (out): from SATIN_WORKERS, SATIN_STACK, SATIN_DEQUE; defaults where a variable is
 *   not set; untouched on failure
 * @error: %SATIN_ERROR_INVALID, with the variable
 *
 * Reads options from the environment.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_workers_options_from_environment (SatinWorkersOptions *ret_options,
                                                           GError **error);

/* Waits until running jobs are done, then stops the threads and frees all. @self: (nullable). */
SATIN_API void satin_workers_free (SatinWorkers *self);
/* How many workers run jobs at a time. */
SATIN_API guint satin_workers_get_n (const SatinWorkers *self);
/* The operations of the threads that the workers run on, for a part that needs its own thread.
 * Borrowed. */
SATIN_API const SatinThreadOps *satin_workers_get_thread_ops (const SatinWorkers *self);

/**
 * satin_workers_run_task:
 * @task: the task to run
 * @args: (nullable): its arguments, a structure as @task->args describes
 * @ret_result: (nullable): where the result goes
 * @error: the job's own error, when it failed
 *
 * Runs one job and waits for it. The function behind satin_run().
 *
 * Returns: %TRUE when the job did not fail
 */
SATIN_API gboolean satin_workers_run_task (SatinWorkers *self, const SatinTask *task,
                                           gconstpointer args, gpointer ret_result, GError **error);

/**
 * satin_run:
 * @WORKERS: workers
 * @RET: (out): where the result goes; %NULL for a task without result
 * @NAME: the task
 * @ERROR: as for satin_workers_run_task()
 * @...: the task's arguments in their order; bytes and arrays are a pointer, then a count
 *
 * Runs a job of that task on the workers and waits for it.
 *
 * Returns: %TRUE when the job did not fail
 */
#define satin_run(WORKERS, RET, NAME, ERROR, ...)                                                  \
  satin_workers_run_task (WORKERS, &NAME##_task, SATIN_ARGS (NAME##_args, __VA_ARGS__),            \
                          (1 ? (RET) : (NAME##_value *)NULL), ERROR)

/* The address of a structure of arguments. In C it lives until the end of the block, in C++ until
 * the end of the expression. */
#ifdef __cplusplus
#  define SATIN_ARGS(TYPE, ...) (&static_cast<const TYPE &> (TYPE{ __VA_ARGS__ }))
#else
#  define SATIN_ARGS(TYPE, ...) (&(const TYPE){ __VA_ARGS__ })
#endif

/* How many processors this process may use, by its affinity mask and the container's limit; at
 * least 1. */
SATIN_API guint satin_count_processors (void);

/* Calls @add for each figure since the start: "workers", "jobs", "steals.local",
 * "steals.local-tried", "idle-us", "busy-us", and "cpu-us" (processor time of the whole process, if
 * the workers are threads). Threads: any. */
SATIN_API void satin_workers_figures (SatinWorkers *self, SatinFigureFunc add, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinWorkers, satin_workers_free)

G_END_DECLS
