/* child.h - prepares a child process, waits for its end, and kills the group that it leads
 *
 * GLib's child watch reaps a process before it reports the end of the process. After that another
 * process may get its number, and a signal to the rest of its group may hit other processes. This
 * watch kills the group first.
 *
 * Threads: the callback runs in the thread of its main context.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* What satin_child_prepare() needs. */
typedef struct
{
  int parent;        /* the number of the process that starts the child */
  char oom_score[8]; /* the number for the child's oom_score_adj */
} SatinChildSetup;

/* Fills @ret_setup. Call it before the fork, because it is not safe after one. */
SATIN_API void satin_child_setup_init (SatinChildSetup *ret_setup);

/* Runs in the child between fork and exec, as the setup function of g_spawn_*(); @setup: a
 * SatinChildSetup. The child leads a group of its own, and the kernel kills it when the thread that
 * started it ends. When memory is short, the kernel kills the child before the parent: the child's
 * oom_score_adj is 300 higher, but at most 1000. */
SATIN_API void satin_child_prepare (gpointer setup);

/* Hears of the end of a child. @wait_status: as waitpid() returns it */
typedef void (*SatinChildFunc) (GPid pid, int wait_status, gpointer user_data);

/**
 * satin_child_watch:
 * @context: (nullable): the main context that calls @func; %NULL for the default one
 * @pid: a child of this process that leads a process group of its own
 * @func: called once: the child has ended, the rest of its group was killed, and the child was
 *   reaped
 * @user_data: for @func
 *
 * Watches a child by a pidfd. If there is none, the child is reaped before its group is killed: on
 * kernels before Linux 5.3, or when this process may open no more files.
 *
 * Returns: (transfer full): a source that is attached; destroy it to hear nothing
 */
SATIN_API GSource *satin_child_watch (GMainContext *context, GPid pid, SatinChildFunc func,
                                      gpointer user_data);

G_END_DECLS
