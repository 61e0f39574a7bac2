/* workers.h - the workers of one node, and a job handed to them from outside
 *
 * A program that has its own main function makes workers, runs jobs on them and
 * frees them; nothing else of Satin is needed. A process may hold many.
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
 * @SATIN_WORKERS_KEEP_SEGV: no handler of SIGSEGV, which says that a worker's stack has overflowed,
 *   and none of the other signals of a crash (SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP)
 * @SATIN_WORKERS_KEEP_TERM: a node does not leave its run at SIGTERM
 * @SATIN_WORKERS_KEEP_NICE: a node's loop does not ask the scheduler for a higher priority
 * @SATIN_WORKERS_KEEP_LOG: GLib's messages of level debug and info may go to standard output
 *
 * What Satin is not to do to the process. satin_workers_new() heeds the first alone and does none
 * of the others; satin_main_with() heeds all. A handler that the program has installed itself
 * before stays in any case.
 */
typedef enum
{
  SATIN_WORKERS_KEEP_SEGV = 1 << 0,
  SATIN_WORKERS_KEEP_TERM = 1 << 1,
  SATIN_WORKERS_KEEP_NICE = 1 << 2,
  SATIN_WORKERS_KEEP_LOG = 1 << 3,
} SatinWorkersFlags;

/**
 * SatinWorkersOptions:
 * @struct_size: sizeof (SatinWorkersOptions)
 * @n_workers: threads; 0 for as many as the processor set and the container's CPU limit allow
 * @stack_bytes: stack of a worker, reserved, not used at once; 0 for 256 MiB, or what fits where
 *   the process may have few addresses (ulimit -v)
 * @deque_slots: most jobs one worker keeps before it runs spawned ones at once; 0 for 4 Mi, or what
 * fits
 * @seed: start of the victims' random sequence; 0 for a fixed one
 * @thread_ops: (nullable): what they run on, borrowed; %NULL for threads
 * @flags: what Satin is not to do to the process; 0 for nothing of that
 *
 * How workers are made. All zeros but the size are defaults.
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
 * Cost: starts the threads; they sleep until there is work. The process gets a handler of SIGSEGV
 * where that signal has none, unless @options says otherwise. A job must not end its
 * thread or the process.
 *
 * Returns: (transfer full): free with satin_workers_free()
 */
SATIN_API SatinWorkers *satin_workers_new (const SatinWorkersOptions *options, GError **error);

/**
 * satin_workers_options_from_environment:
 * @ret_options: (out): from SATIN_WORKERS, SATIN_STACK, SATIN_DEQUE; defaults where unset
 * @error: %SATIN_ERROR_INVALID, naming the variable
 */
SATIN_API gboolean satin_workers_options_from_environment (SatinWorkersOptions *ret_options,
                                                           GError **error);

/* Waits until running jobs are done, then stops the threads. */
SATIN_API void satin_workers_free (SatinWorkers *self);
/* How many workers run jobs at a time. */
SATIN_API guint satin_workers_get_n (const SatinWorkers *self);
/* What they run on: for a part that needs a thread beside them. */
SATIN_API const SatinThreadOps *satin_workers_get_thread_ops (const SatinWorkers *self);

/**
 * satin_workers_run_task:
 * @task: what to run
 * @args: (nullable): its arguments, a structure as @task->args describes
 * @ret_result: (nullable): where the result goes
 * @error: the job's own error, when it failed
 *
 * Runs one job and waits for it. Behind satin_run().
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
 */
#define satin_run(WORKERS, RET, NAME, ERROR, ...)                                                  \
  satin_workers_run_task (WORKERS, &NAME##_task, SATIN_ARGS (NAME##_args, __VA_ARGS__),            \
                          (1 ? (RET) : (NAME##_value *)NULL), ERROR)

/* The address of a structure that lives as long as the call. */
#ifdef __cplusplus
#  define SATIN_ARGS(TYPE, ...) (&static_cast<const TYPE &> (TYPE{ __VA_ARGS__ }))
#else
#  define SATIN_ARGS(TYPE, ...) (&(const TYPE){ __VA_ARGS__ })
#endif

/* How many processors this process may use: affinity mask and container limit, at least 1. */
SATIN_API guint satin_count_processors (void);

/* Figures since the start: "jobs", "steals.local", "steals.local-tried", "idle-us", "busy-us",
 * "cpu-us" (processor time of all that the process does), "workers". Threads: any. */
SATIN_API void satin_workers_figures (SatinWorkers *self, SatinFigureFunc add, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinWorkers, satin_workers_free)

G_END_DECLS
