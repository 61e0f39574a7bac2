/* main.h - a program's entry: alone on this machine, or as a node of a run
 *
 * The same binary is a multicore program when a user starts it, and a node when `satin run` or
 * `satin node` starts it. These commands set SATIN_PARTS, and the node loads the parts named there.
 * A program does not see the difference.
 *
 * Environment: SATIN_WORKERS (threads), SATIN_STACK ("256M"), SATIN_DEQUE (slots), SATIN_PARTS
 * ("net:hub=unix:/run/x;..."), SATIN_POLICY ("crs"), SATIN_WORLD ("sim:clusters=2x4"), SATIN_END_FD
 * (a descriptor to which a node reports that it ends in good order), SATIN_HUB_IS_HERE (the process
 * that started the node holds the hub, and prints why a run ended before it began).
 *
 * docs/process.md says what Satin does to the process, and how a program refuses it.
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
 * @NAME: the root task: SATIN_TASK (NAME, (int), (array_string, argv)). Its result is the exit
 *   status of the whole run, and only this task prints the answer
 *
 * Runs @NAME with @ARGV on the master. On each other node the call lasts until the run is over, and
 * the node's workers run jobs of other nodes. A root task should check its options and read its
 * input files before it spawns.
 *
 * A program that runs alone returns from here after its answer was written. A node of a run ends
 * its process here, because workers may still be in jobs: exit handlers and destructors do not run.
 *
 * Returns: the exit status for main. After an error, which was printed, it is
 *   satin_error_exit_status() of that error
 */
#define satin_main(ARGC, ARGV, NAME) satin_main_task (ARGC, ARGV, &NAME##_task)

/**
 * satin_main_with:
 * @ARGC: from main
 * @ARGV: from main
 * @NAME: the root task
 * @OPTIONS: (nullable): a pointer to #SatinWorkersOptions: what the environment does not set, and
 *   what Satin must not do to the process
 *
 * Like satin_main(), with options.
 */
#define satin_main_with(ARGC, ARGV, NAME, OPTIONS)                                                 \
  satin_main_task_with (ARGC, ARGV, &NAME##_task, OPTIONS)

/* The function behind satin_main(). */
SATIN_API int satin_main_task (int argc, char **argv, const SatinTask *root);
/* The function behind satin_main_with(). @options: (nullable). */
SATIN_API int satin_main_task_with (int argc, char **argv, const SatinTask *root,
                                    const SatinWorkersOptions *options);

/**
 * satin_argument_is_free:
 * @option: an option of the program, "--time". With "=" at its end, "--output=", it is an option
 *   with a value, which may also be the next word
 *
 * Declares that an option does not matter to the results of jobs: another run may continue from the
 * same checkpoint with the option or without it. Words behind "--" are no options.
 *
 * Threads: the main thread, before satin_main().
 */
SATIN_API void satin_argument_is_free (const char *option);

/**
 * satin_program_describe:
 * @name: the program's name; borrowed by @ret_program
 * @ret_program: (out caller-allocates): has the name, and the digest of the names, arguments and
 *   results of all tasks in the order of their names; its other fields are 0
 *
 * Describes what two nodes must have in common to exchange jobs.
 */
SATIN_API void satin_program_describe (const char *name, SatinProgram *ret_program);

/* The largest sample, encoded, in bytes. */
#define SATIN_SAMPLE_MAX_BYTES ((gsize)64 << 10)

/* Names a job that measures how fast a node is, with its arguments. Without it Satin measures a job
 * that was stolen. Call it before satin_main(); the last call counts.
 *
 *   SATIN_BENCHMARK (forces, sample_bodies, N_SAMPLE);
 */
#define SATIN_BENCHMARK(NAME, ...)                                                                 \
  satin_program_set_benchmark (&NAME##_task, SATIN_ARGS (NAME##_args, __VA_ARGS__))

/* The function behind SATIN_BENCHMARK. @args: encoded at once, into at most half of
 * %SATIN_SAMPLE_MAX_BYTES. A task with objects among its arguments is a programming error. */
SATIN_API void satin_program_set_benchmark (const SatinTask *task, gconstpointer args);

G_END_DECLS
