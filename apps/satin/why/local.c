/* local.c - nodes that are processes of this machine, without the help of a hub
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "local.h"

#include <satin/core/membership.h>

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a node may take to write its dump, and how often the command looks for the dump. */
#define PATIENCE_US ((gint64)2000000)
#define LOOK_US     ((gulong)20000)

/* Reads a file of a process. Returns: (transfer full) (nullable): with a zero at its end */
static char *
read_of (gint64 pid, const char *name, gsize *ret_n_bytes)
{
  char *text = NULL;
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/%s", pid, name);
  return g_file_get_contents (path, &text, ret_n_bytes, NULL) ? text : NULL;
}

/* Returns: (transfer full) (nullable): the value of a variable of a process */
static char *
get_variable (gint64 pid, const char *name)
{
  gsize n_bytes = 0;
  g_autofree char *head = g_strdup_printf ("%s=", name);
  g_autofree char *environment = read_of (pid, "environ", &n_bytes);
  for (gsize at = 0; environment != NULL && at < n_bytes; at += strlen (environment + at) + 1)
    if (g_str_has_prefix (environment + at, head))
      return g_strdup (environment + at + strlen (head));
  return NULL;
}

/* Whether the process handles SIGQUIT, which otherwise ends it. */
static gboolean
handles_quit (gint64 pid)
{
  gsize n_bytes;
  g_autofree char *status = read_of (pid, "status", &n_bytes);
  const char *caught = status != NULL ? strstr (status, "\nSigCgt:") : NULL;
  guint64 mask = caught != NULL ? g_ascii_strtoull (caught + strlen ("\nSigCgt:"), NULL, 16) : 0;
  return (mask >> (SIGQUIT - 1)) & 1;
}

/* Whether the process has the mark of a node, or of a node that writes dumps. */
static gboolean
has_mark (gint64 pid, gboolean writes_dumps)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/fd", pid);
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const char *wanted = writes_dumps ? "/memfd:" SATIN_NODE_MARK_DUMPS : "/memfd:" SATIN_NODE_MARK;
  const char *name;
  while (files != NULL && (name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *target = g_file_read_link (path, NULL);
      if (target != NULL && g_str_has_prefix (target, wanted))
        return TRUE;
    }
  return FALSE;
}

/* Whether the process is a node of this user that has the same runtime directory. */
static gboolean
is_node (gint64 pid)
{
  GStatBuf about;
  g_autofree char *process = g_strdup_printf ("/proc/%" G_GINT64_FORMAT, pid);
  if (g_stat (process, &about) != 0 || about.st_uid != getuid () || !has_mark (pid, FALSE))
    return FALSE;
  g_autofree char *folder = get_variable (pid, "XDG_RUNTIME_DIR");
  return g_strcmp0 (folder, g_getenv ("XDG_RUNTIME_DIR")) == 0;
}

/* Whether the process would write its dump where this command looks for it. A job may have changed
 * the handler, and then the signal could end the process. */
static gboolean
writes_dumps (gint64 pid)
{
  return is_node (pid) && has_mark (pid, TRUE) && handles_quit (pid);
}

static int
compare_pids (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
  return (x > y) - (x < y);
}

GArray *
local_nodes_list (void)
{
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;
  while (proc != NULL && (name = g_dir_read_name (proc)) != NULL)
    {
      gint64 pid = g_ascii_strtoll (name, NULL, 10);
      if (pid > 0 && pid != getpid () && is_node (pid))
        g_array_append_val (pids, pid);
    }
  g_array_sort (pids, compare_pids);
  return pids;
}

/* Returns: (transfer full): "S (sleeping)" */
static char *
describe_state (gint64 pid)
{
  gsize n_bytes;
  g_autofree char *status = read_of (pid, "status", &n_bytes);
  const char *state = status != NULL ? strstr (status, "\nState:") : NULL;
  if (state == NULL)
    return g_strdup ("gone");
  state += strlen ("\nState:");
  g_autofree char *word = g_strndup (state, strcspn (state + 1, "\n") + 1);
  return g_strdup (g_strstrip (word));
}

/* A dump file, as it was before the signal: a node replaces it by a new file. */
typedef struct
{
  gboolean is_there;
  GStatBuf about;
} OldDump;

static OldDump
look_at_old (const char *path)
{
  OldDump old = { 0 };
  old.is_there = g_stat (path, &old.about) == 0;
  return old;
}

/* Returns: (transfer full) (nullable): the text of a dump that was not there before */
static char *
read_new (const char *path, const OldDump *old)
{
  GStatBuf about;
  char *text = NULL;
  if (g_stat (path, &about) != 0
      || (old->is_there && about.st_ino == old->about.st_ino
          && memcmp (&about.st_ctim, &old->about.st_ctim, sizeof about.st_ctim) == 0))
    return NULL;
  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

char *
local_node_dump (gint64 pid, GError **error)
{
  g_autofree char *path = satin_dump_path (pid);
  const OldDump old = look_at_old (path);
  if (!writes_dumps (pid) || kill ((pid_t)pid, SIGQUIT) != 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                   "process %" G_GINT64_FORMAT
                   " writes no dump: it is no node of yours, has another XDG_RUNTIME_DIR, or its "
                   "program handles SIGQUIT",
                   pid);
      return NULL;
    }
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;
  char *text = NULL;
  while ((text = read_new (path, &old)) == NULL && g_get_monotonic_time () < until_us)
    g_usleep (LOOK_US);
  if (text != NULL)
    {
      /* If a person had asked for a dump before, the new dump stays for that person. */
      if (!old.is_there)
        g_unlink (path);
      return text;
    }
  g_autofree char *state = describe_state (pid);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
               "process %" G_GINT64_FORMAT " wrote no dump within %d s; its state is %s", pid,
               (int)(PATIENCE_US / G_USEC_PER_SEC), state);
  return NULL;
}
