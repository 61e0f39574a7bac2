/* process.h - the end of a program's process, and what must be true of it
 *
 * A process ends with status 0 only when satin_main() says so: the root job has ended well and its
 * answer was written. A job that ends the process or its worker's thread ends it with a
 * message and another status.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* From now on an end that comes from a job is a failure. @name: of the program, for messages; a
 * copy is kept. A node's failure counts as a crash of the job. */
void process_begin (const char *name, gboolean is_node);
/* This node is the master: its failure ends the run. Threads: any */
void process_set_master (void);
/* This node has left the run, which goes on. Threads: the one that calls process_end() */
void process_set_left (void);
/* The process may end as it likes. */
void process_finish (void);

/* Around what a worker's thread runs: a thread that ends in between ends the process. */
void process_thread_begin (void);
void process_thread_end (void);

/**
 * process_flush:
 * @error: %SATIN_ERROR_IO
 *
 * Writes what standard output still has. May block for as long as its reader likes.
 *
 * Threads: any. Returns: whether all that was ever printed there was written
 */
gboolean process_flush (GError **error);

/* Flushes and ends the process under its workers: exit handlers and destructors do not run, as jobs
 * may still use what they destroy. A node that ends with status 0 says so to whoever started it. */
void process_end (int exit_status) G_GNUC_NORETURN;
