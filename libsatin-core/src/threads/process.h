/* process.h - the end of a program's process, which must not come from a job
 *
 * A process ends with status 0 only if satin_main() ends it, or the main() that called
 * satin_main(). If a job ends the process or its worker's thread, the process ends with a message
 * and another status.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* From now on it is a failure if a job ends the process. On a node that is not the master, the
 * failure counts as a crash of the job. @name: the program, for messages; it is copied. */
void process_begin (const char *name, gboolean is_node);
/* The descriptor of a pipe to the process that started this node; -1 when there is none. */
int process_get_parent_fd (void);
/* Whether that descriptor is still the pipe: a job may have closed it. */
gboolean process_has_parent (void);
/* Records that this node is the master, so that its failure ends the run. Threads: any */
void process_set_master (void);
/* Records that this node has left a run that continues. Threads: the thread that calls
 * process_end() */
void process_set_left (void);
/* Undoes process_begin(): from now on the process may end in any way. */
void process_finish (void);

/* Called at the beginning and the end of a worker's thread. If the thread ends in between, the
 * process ends. */
void process_thread_begin (void);
void process_thread_end (void);

/**
 * process_flush:
 * @error: %SATIN_ERROR_IO
 *
 * Writes the rest of the data in standard output. May block as long as its reader does.
 *
 * Threads: any. Returns: whether everything that was ever printed there was written
 */
gboolean process_flush (GError **error);

/* Flushes standard output and ends the process while workers may run. Exit handlers and destructors
 * do not run, because jobs may still use the things that these destroy. A node that ends with
 * status 0 reports that to the process that started it. */
void process_end (int exit_status) G_GNUC_NORETURN;
