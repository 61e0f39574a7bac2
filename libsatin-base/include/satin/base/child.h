/* child.h - waits for the end of a process and of the group that it leads
 *
 * GLib's child watch reaps a process first and reports its end then. From that moment another
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
 * Watches a child. Kernels before Linux 5.3 cannot wait without reaping: there the child is reaped
 * before its group is killed.
 *
 * Returns: (transfer full): a source that is attached; destroy it to hear nothing
 */
SATIN_API GSource *satin_child_watch (GMainContext *context, GPid pid, SatinChildFunc func,
                                      gpointer user_data);

G_END_DECLS
