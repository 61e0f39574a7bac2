/* child.c - prepares a child process, waits for its end, and kills the group that it leads
 *
 * A pidfd becomes readable when its process has ended, before the process is reaped. Until then no
 * other process can have its number, so the right group is killed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/child.h>

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_OOM_SCORE 300 /* added to this process's score; 10 points are 1% of memory */
#define OOM_SCORE_MAX   1000

void
satin_child_setup_init (SatinChildSetup *ret_setup)
{
  g_autofree char *own = NULL;
  gint64 score = g_file_get_contents ("/proc/self/oom_score_adj", &own, NULL, NULL)
                     ? g_ascii_strtoll (own, NULL, 10)
                     : 0;
  *ret_setup = (SatinChildSetup){ .parent = getpid () };
  g_snprintf (ret_setup->oom_score, sizeof ret_setup->oom_score, "%d",
              (int)CLAMP (score + CHILD_OOM_SCORE, 0, OOM_SCORE_MAX));
}

static void
set_oom_score (const char *score)
{
  int fd = open ("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  /* If this fails, the child has the score of its parent. */
  G_GNUC_UNUSED ssize_t n_written = write (fd, score, strlen (score));
  close (fd);
}

void
satin_child_prepare (gpointer user_data)
{
  const SatinChildSetup *setup = user_data;
  setpgid (0, 0);
  set_oom_score (setup->oom_score);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  /* The parent may have died before prctl() took effect. */
  if (getppid () != setup->parent)
    _exit (128 + SIGKILL);
}

/* ---- the end ---- */

typedef struct
{
  GPid pid;
  int fd; /* -1: the kernel has given no pidfd */
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
