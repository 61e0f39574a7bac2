/* child.c - waits for the end of a process and of the group that it leads
 *
 * A pidfd becomes readable when its process has ended, before the process is reaped. Until then no
 * other process can have its number, so the right group is killed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/child.h>

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  GPid pid;
  int fd; /* -1: the kernel has no pidfds */
  SatinChildFunc func;
  gpointer user_data;
} Child;

static void
child_free (gpointer data)
{
  Child *self = data;
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

static gboolean
on_ended (gint fd, GIOCondition condition, gpointer data)
{
  const Child *self = data;
  int status = 0;
  kill (-self->pid, SIGKILL);
  while (waitpid (self->pid, &status, 0) < 0 && errno == EINTR)
    ;
  self->func (self->pid, status, self->user_data);
  return G_SOURCE_REMOVE;
}

static void
on_reaped (GPid pid, gint wait_status, gpointer data)
{
  const Child *self = data;
  kill (-pid, SIGKILL);
  self->func (pid, wait_status, self->user_data);
}

GSource *
satin_child_watch (GMainContext *context, GPid pid, SatinChildFunc func, gpointer user_data)
{
  g_return_val_if_fail (pid > 0 && func != NULL, NULL);
  Child *self = g_new (Child, 1);
  *self = (Child){ pid, (int)syscall (SYS_pidfd_open, pid, 0), func, user_data };
  GSource *source =
      self->fd >= 0 ? g_unix_fd_source_new (self->fd, G_IO_IN) : g_child_watch_source_new (pid);
  g_source_set_callback (source,
                         self->fd >= 0 ? G_SOURCE_FUNC (on_ended) : G_SOURCE_FUNC (on_reaped), self,
                         child_free);
  g_source_attach (source, context);
  return source;
}
