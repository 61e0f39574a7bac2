/* parent.c - ends a node when the process that started it does not care about it any more
 *
 * The kernel kills a node with `satin run`, and `satin run` kills the process group of a node. A
 * node in a container may escape both: it is not a child of `satin run`, and not in that process
 * group. But it has one end of a pipe. The other end is closed when `satin run` ends, and when the
 * process ends that `satin run` has started for the node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "threads/process.h"

#include <glib-unix.h>
#include <signal.h>
#include <unistd.h>

/* The descriptor is no pipe any more if a job has closed it. */
static gboolean
on_closed (int fd, GIOCondition condition, gpointer user_data)
{
  if ((condition & G_IO_NVAL) == 0 && process_has_parent ())
    _exit (128 + SIGKILL);
  return G_SOURCE_REMOVE;
}

void
parent_watch (void)
{
  int fd = process_get_parent_fd ();
  if (fd >= 0)
    g_unix_fd_add (fd, G_IO_ERR, on_closed, NULL);
}
