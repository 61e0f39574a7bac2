/* oom-watch.c - finds out whether the kernel killed a process for lack of memory
 *
 * The counter is in the file memory.events of a control group of version 2, or in
 * memory.oom_control of version 1. If there is neither, the counter of the whole machine is in
 * /proc/vmstat.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "oom-watch.h"

#include <string.h>

struct _OomWatch
{
  char *path;       /* (owned) (nullable) the file with the counter */
  guint64 n_struck; /* kills that happened before the watch began, or were reported since */
};

/* Reads the number after "oom_kill " at the start of a line. Returns: FALSE when there is none */
static gboolean
read_counter (const char *path, guint64 *ret_n)
{
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "oom_kill "))
      {
        *ret_n = g_ascii_strtoull (lines[i] + strlen ("oom_kill "), NULL, 10);
        return TRUE;
      }
  return FALSE;
}

/* @line: a line of /proc/self/cgroup, "0::/path" or "9:memory:/path". Returns: (transfer full)
 * (nullable): the path of the file with the counter */
static char *
find_file (const char *root, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, ":", 3);
  if (g_strv_length (words) < 3)
    return NULL;
  if (*words[1] == '\0')
    return g_build_filename (root, "sys/fs/cgroup", words[2], "memory.events", NULL);
  if (g_str_equal (words[1], "memory"))
    return g_build_filename (root, "sys/fs/cgroup/memory", words[2], "memory.oom_control", NULL);
  return NULL;
}

OomWatch *
oom_watch_new (const char *root)
{
  OomWatch *self = g_new0 (OomWatch, 1);
  g_autofree char *groups = g_build_filename (root, "proc/self/cgroup", NULL);
  g_autofree char *text = NULL;
  if (g_file_get_contents (groups, &text, NULL, NULL))
    {
      g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
      for (guint i = 0; lines[i] != NULL && self->path == NULL; i++)
        {
          g_autofree char *path = find_file (root, lines[i]);
          if (path != NULL && read_counter (path, &self->n_struck))
            self->path = g_steal_pointer (&path);
        }
    }
  if (self->path == NULL)
    {
      self->path = g_build_filename (root, "proc/vmstat", NULL);
      if (!read_counter (self->path, &self->n_struck))
        g_clear_pointer (&self->path, g_free);
    }
  return self;
}

gboolean
oom_watch_has_struck (OomWatch *self)
{
  guint64 n = 0;
  if (self->path == NULL || !read_counter (self->path, &n) || n <= self->n_struck)
    return FALSE;
  self->n_struck++;
  return TRUE;
}

void
oom_watch_free (OomWatch *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self);
}
