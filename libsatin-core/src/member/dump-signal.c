/* dump-signal.c - the mark of a node's process; SIGQUIT makes a node write its dump into a file
 *
 * `satin dump` uses SIGQUIT for a node that the hub cannot reach. People may send the signal
 * themselves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

static int wish_fd = -1;

/* May run on any thread, in the middle of a job. */
static void
on_quit (int number)
{
  guint64 one = 1;
  int saved_errno = errno;
  gssize n_written = write (wish_fd, &one, sizeof one);
  (void)n_written; /* if it fails, a wish is there already */
  errno = saved_errno;
}

static void
add_figure (const char *name, gint64 value, gpointer user_data)
{
  if (value != 0)
    g_string_append_printf (user_data, "  %s %" G_GINT64_FORMAT "\n", name, value);
}

static void
append_jobs (SatinMembership *self, GString *out)
{
  SatinDump dump;
  gsize n_bytes;
  g_autoptr (GBytes) bytes = satin_node_dump (self->node, SATIN_DUMP_MAX_BYTES);
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  if (!satin_record_decode (&SatinDump_record, data, n_bytes, &dump, NULL))
    return;
  g_autofree char *text = satin_dump_format (&dump);
  g_string_append (out, text);
  satin_record_clear (&SatinDump_record, &dump);
}

/* Returns: (transfer full) */
static char *
make_text (SatinMembership *self)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%F %T");
  guint number = self->peers != NULL ? satin_peers_get_view (self->peers)->self : 0;
  g_string_append_printf (out, "node %u%s of %s, process %d on %s, %s\n", number,
                          member_is_master (self) ? ", the master," : "", self->entry->name,
                          (int)getpid (), g_get_host_name (), time);
  append_jobs (self, out);
  g_string_append (out, "figures:\n");
  satin_node_figures (self->node, add_figure, out);
  return g_string_free (out, FALSE);
}

char *
satin_dump_path (gint64 pid)
{
  g_autofree char *name = g_strdup_printf ("satin-dump-%" G_GINT64_FORMAT ".txt", pid);
  return g_build_filename (g_get_user_runtime_dir (), name, NULL);
}

static gboolean
on_wish (int fd, GIOCondition condition, gpointer user_data)
{
  SatinMembership *self = user_data;
  guint64 n_wishes;
  g_autoptr (GError) error = NULL;
  if (read (fd, &n_wishes, sizeof n_wishes) != sizeof n_wishes)
    return G_SOURCE_CONTINUE;
  g_autofree char *path = satin_dump_path (getpid ());
  g_autofree char *text = make_text (self);
  g_mkdir_with_parents (g_get_user_runtime_dir (), 0700);
  if (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    g_printerr ("%s: the dump of this node is in %s\n", self->entry->name, path);
  else
    g_printerr ("%s: the dump of this node cannot be written: %s\n", self->entry->name,
                error->message);
  return G_SOURCE_CONTINUE;
}

/* Returns: FALSE when the program handles the signal, or when the system refuses */
static gboolean
handle_quit (SatinMembership *member)
{
  struct sigaction now;
  /* A shell makes what it starts in the background ignore the signal. */
  if (sigaction (SIGQUIT, NULL, &now) != 0
      || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN))
    return FALSE;
  wish_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wish_fd < 0)
    return FALSE;
  g_unix_fd_add_full (G_PRIORITY_DEFAULT, wish_fd, G_IO_IN, on_wish, member, NULL);
  const struct sigaction action = { .sa_handler = on_quit, .sa_flags = SA_RESTART };
  return sigaction (SIGQUIT, &action, NULL) == 0;
}

void
dump_on_signal (SatinMembership *member, gboolean is_wanted)
{
  gboolean is_handled = is_wanted && handle_quit (member);
  /* The mark is an empty file in memory, whose name /proc shows. It stays open until the process
   * ends, and a program that a job starts does not get it. Without it the node runs all the same.
   */
  if (memfd_create (is_handled ? SATIN_NODE_MARK_DUMPS : SATIN_NODE_MARK, MFD_CLOEXEC) < 0)
    g_debug ("this process has no mark of a node: %s", g_strerror (errno));
}
