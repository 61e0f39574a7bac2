/* command.c - runs a command of Slurm, and waits for no longer than is good
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"

#include "answers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Most bytes that a command may print: a line of squeue for each of 4,096 machines is 1 MiB. */
#define OUTPUT_MAX ((gsize)16 << 20)

/* A command that runs. */
typedef struct
{
  const char *name;
  GPid pid;
  int stop_fd;
  int fds[2];        /* its standard output and error; -1: at their end */
  GString *texts[2]; /* (owned) what came from them */
  gint64 until_us;
  gint64 patience_us;
} Command;

/* Users' own filters and formats would change the answers. */
static char **
make_environment (void)
{
  char **variables = g_get_environ ();
  g_auto (GStrv) names = g_listenv ();
  for (char **name = names; *name != NULL; name++)
    if (g_str_has_prefix (*name, "SQUEUE_") || g_str_has_prefix (*name, "SINFO_")
        || g_str_has_prefix (*name, "SCANCEL_"))
      variables = g_environ_unsetenv (variables, *name);
  variables = g_environ_setenv (variables, "SLURM_TIME_FORMAT", "%s", TRUE);
  return g_environ_setenv (variables, "LC_ALL", "C", TRUE);
}

static gboolean
begin (Command *self, const char *const *arguments, GError **error)
{
  g_auto (GStrv) variables = make_environment ();
  g_autoptr (GError) local = NULL;
  self->name = arguments[0];
  if (g_spawn_async_with_pipes (NULL, (char **)arguments, variables,
                                G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD
                                    | G_SPAWN_STDIN_FROM_DEV_NULL,
                                NULL, NULL, &self->pid, NULL, &self->fds[0], &self->fds[1], &local))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s cannot be started: %s", self->name,
               local->message);
  return FALSE;
}

static void
read_some (Command *self, guint which)
{
  char buffer[65536];
  gssize n = read (self->fds[which], buffer, sizeof buffer);
  if (n > 0)
    g_string_append_len (self->texts[which], buffer, n);
  if (n > 0 || (n < 0 && errno == EINTR))
    return;
  close (self->fds[which]);
  self->fds[which] = -1;
}

static gboolean
is_within_bounds (Command *self, gboolean is_stopped, GError **error)
{
  if (is_stopped)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_CANCELLED, "%s was interrupted", self->name);
  else if (g_get_monotonic_time () >= self->until_us)
    g_set_error (
        error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
        "%s has not ended after %.3g s: slurmctld does not answer, or patience is too short",
        self->name, (double)self->patience_us / G_USEC_PER_SEC);
  else if (self->texts[0]->len > OUTPUT_MAX || self->texts[1]->len > OUTPUT_MAX)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s prints more than %d MiB", self->name,
                 (int)(OUTPUT_MAX >> 20));
  else
    return TRUE;
  return FALSE;
}

/* Until both ends are closed. */
static gboolean
read_all (Command *self, GError **error)
{
  while (self->fds[0] >= 0 || self->fds[1] >= 0)
    {
      struct pollfd polled[] = { { self->fds[0], POLLIN, 0 },
                                 { self->fds[1], POLLIN, 0 },
                                 { self->stop_fd, POLLIN, 0 } };
      gint64 left_us = self->until_us - g_get_monotonic_time ();
      poll (polled, 3, (int)(MAX (left_us, 0) / 1000) + 1);
      if (!is_within_bounds (self, (polled[2].revents & POLLIN) != 0, error))
        return FALSE;
      for (guint i = 0; i < 2; i++)
        if (self->fds[i] >= 0 && polled[i].revents != 0)
          read_some (self, i);
    }
  return TRUE;
}

static int
end (Command *self, gboolean is_over)
{
  int status = 0;
  if (!is_over)
    kill (self->pid, SIGKILL);
  while (waitpid (self->pid, &status, 0) < 0 && errno == EINTR)
    ;
  for (guint i = 0; i < 2; i++)
    if (self->fds[i] >= 0)
      close (self->fds[i]);
  return status;
}

static void
set_refusal (Command *self, GError **error)
{
  const char *text = self->texts[1]->str;
  g_autofree char *complaint = answers_read_complaint (text);
  gboolean is_unreachable = strstr (text, "Unable to contact slurm controller") != NULL
                            || strstr (text, "Socket timed out") != NULL
                            || strstr (text, "Zero Bytes were transmitted") != NULL;
  g_set_error (error, SATIN_ERROR, is_unreachable ? SATIN_ERROR_UNREACHABLE : SATIN_ERROR_INVALID,
               "%s: %s", self->name, complaint);
}

gboolean
command_run (const char *const *arguments, gint64 patience_us, int stop_fd, char **ret_output,
             GError **error)
{
  Command self = { .stop_fd = stop_fd, .fds = { -1, -1 }, .patience_us = patience_us };
  if (!begin (&self, arguments, error))
    return FALSE;
  self.until_us = g_get_monotonic_time () + patience_us;
  self.texts[0] = g_string_new (NULL);
  self.texts[1] = g_string_new (NULL);
  gboolean is_read = read_all (&self, error);
  int status = end (&self, is_read);
  gboolean is_done = is_read && WIFEXITED (status) && WEXITSTATUS (status) == 0;
  if (is_read && !is_done)
    set_refusal (&self, error);
  if (is_done && ret_output != NULL)
    *ret_output = g_string_free (g_steal_pointer (&self.texts[0]), FALSE);
  else
    g_string_free (self.texts[0], TRUE);
  g_string_free (self.texts[1], TRUE);
  return is_done;
}
