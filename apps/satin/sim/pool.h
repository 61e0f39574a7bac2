/* pool.h - the processes of a sweep, which a signal ends
 *
 * Each process leads a group of its own, so Ctrl-C at a terminal reaches only this command. If this
 * command is killed, the kernel kills the processes.
 *
 * Threads: the main thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _SweepPool SweepPool;

/**
 * sweep_pool_new:
 * @path: (transfer none): the program; outlives the pool
 * @argv: (transfer none): its name and arguments; outlive the pool
 *
 * From here to sweep_pool_free(), SIGINT, SIGTERM and SIGHUP kill all processes of the pool. A
 * second signal ends the wait for them, too.
 *
 * Returns: (transfer full): a pool without processes
 */
SweepPool *sweep_pool_new (const char *path, char **argv);

/**
 * sweep_pool_start:
 * @world: (nullable): the value of SATIN_WORLD
 * @func: called in sweep_pool_wait() when the process has ended; calls sweep_pool_finish()
 *
 * Returns: (transfer full): the process
 */
GSubprocess *sweep_pool_start (SweepPool *self, const char *world, GAsyncReadyCallback func,
                               gpointer user_data, GError **error);

/* Takes a process that has ended out of the pool. @ret_stdout, @ret_stderr: (out) (transfer full):
 * what it has printed */
gboolean sweep_pool_finish (SweepPool *self, GSubprocess *process, GAsyncResult *result,
                            char **ret_stdout, char **ret_stderr, GError **error);

/* Runs the program to its end. @ret_stdout, @ret_stderr: (out) (optional) (transfer full): what it
 * has printed. Returns: (transfer full): the process */
GSubprocess *sweep_pool_run (SweepPool *self, const char *world, char **ret_stdout,
                             char **ret_stderr, GError **error);

/* Waits until the pool has no process. */
void sweep_pool_wait (SweepPool *self);

guint sweep_pool_count (const SweepPool *self);

/* Returns: the first signal that has come; 0 for none */
int sweep_pool_get_signal (const SweepPool *self);

/* @self: (nullable) */
void sweep_pool_free (SweepPool *self);

G_END_DECLS
