/* main.h - a program's entry: alone on this machine, or as a node of a run
 *
 * The same binary is a multicore program when it is started plainly and a node
 * when `satin run` or `satin node` starts it: those set SATIN_PARTS, and the parts
 * named there are loaded then. A program does not see the difference.
 *
 * Environment: SATIN_WORKERS (threads), SATIN_STACK ("256M"), SATIN_DEQUE (slots),
 * SATIN_PARTS ("net:hub=unix:/run/x;..."), SATIN_POLICY ("crs"), SATIN_END_FD (where a node says
 * that it ends in good order).
 *
 * What it does to the process, and how a program refuses that, is told in docs/process.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/workers.h>

G_BEGIN_DECLS

/**
 * satin_main:
 * @ARGC: from main
 * @ARGV: from main
 * @NAME: the root task: SATIN_TASK (NAME, (int), (array_string, argv)); its result is the exit
 *   status of the whole run, and it alone prints the answer
 *
 * Runs @NAME with @ARGV on the master; on all other nodes, works for it until
 * the run is over. A root task should check its options and read its input files before it spawns.
 *
 * A program by itself returns from here with its answer written. A node of a run ends its process
 * here, as workers may still be in jobs: exit handlers and destructors do not run.
 *
 * Returns: the exit status for main; satin_error_exit_status() of an error, which was printed
 */
#define satin_main(ARGC, ARGV, NAME) satin_main_task (ARGC, ARGV, &NAME##_task)

/**
 * satin_main_with:
 * @OPTIONS: (nullable): a #SatinWorkersOptions: what the environment does not set, and what Satin
 * is not to do to the process
 *
 * As satin_main().
 */
#define satin_main_with(ARGC, ARGV, NAME, OPTIONS)                                                 \
  satin_main_task_with (ARGC, ARGV, &NAME##_task, OPTIONS)

/* Behind satin_main(). */
SATIN_API int satin_main_task (int argc, char **argv, const SatinTask *root);
/* Behind satin_main_with(). @options: (nullable) */
SATIN_API int satin_main_task_with (int argc, char **argv, const SatinTask *root,
                                    const SatinWorkersOptions *options);

/**
 * satin_argument_is_free:
 * @option: an option of the program, "--time"; with "=" at its end, "--output=", one that has a
 *   value, which may be the next word too
 *
 * Declares that an option does not matter to the results of jobs: another run with the same
 * checkpoint may have it or not. Options behind a word "--" are none.
 *
 * Threads: the main thread, before satin_main().
 */
SATIN_API void satin_argument_is_free (const char *option);

/**
 * satin_program_describe:
 * @name: the program's name
 * @ret_program: (out caller-allocates): with the digest of the task table: names, arguments and
 *   results of all tasks, in the order of their names. @name is borrowed
 *
 * What two nodes must have in common to exchange jobs.
 */
SATIN_API void satin_program_describe (const char *name, SatinProgram *ret_program);

/* Most bytes of a sample, encoded. */
#define SATIN_SAMPLE_MAX_BYTES ((gsize)64 << 10)

/* A job that tells how fast a node is, with its arguments; else a job that was stolen is measured.
 * Called before satin_main(); the last one counts.
 *
 *   SATIN_BENCHMARK (forces, sample_bodies, N_SAMPLE);
 */
#define SATIN_BENCHMARK(NAME, ...)                                                                 \
  satin_program_set_benchmark (&NAME##_task, SATIN_ARGS (NAME##_args, __VA_ARGS__))

/* @args: encoded at once, at most %SATIN_SAMPLE_MAX_BYTES. A task that needs shared objects is
 * none. */
SATIN_API void satin_program_set_benchmark (const SatinTask *task, gconstpointer args);

G_END_DECLS
