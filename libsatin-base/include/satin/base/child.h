/* child.h - waits for the end of a process and of the group that it leads
 *
 * GLib's child watch reaps a process first and tells of it then. From there on its number may be
 * another process's, and a signal for what is left of its group may hit strangers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* @wait_status: as waitpid() has it */
typedef void (*SatinChildFunc) (GPid pid, int wait_status, gpointer user_data);

/**
 * satin_child_watch:
 * @context: (nullable): the main context that calls @func; %NULL: the default one
 * @pid: a child of this process that leads a process group of its own
 * @func: called once, when the child has ended, all others of its group were killed and it was
 * reaped
 * @user_data: for @func
 *
 * A kernel before Linux 5.3 cannot wait so: there the child is reaped before its group is killed.
 *
 * Returns: (transfer full): a source that is attached; destroy it to be told nothing
 */
SATIN_API GSource *satin_child_watch (GMainContext *context, GPid pid, SatinChildFunc func,
                                      gpointer user_data);

G_END_DECLS
