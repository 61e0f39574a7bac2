/* copy.c - `satin copy`: files from one storage to another
 *
 * The copying blocks, so it has a thread, and so has the reading; the main thread has signals and
 * the line of progress.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "copy-progress.h"
#include "run-terminal.h"
#include "stop-signals.h"

#include <errno.h>
#include <glib-unix.h>
#include <satin/base/atomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static const char details[] =
    "FROM and TO are URIs: file:/path, sftp://user@host/path and others; satin inspect storage\n"
    "lists them with their parameters. One that ends with a slash is a folder, any other a file.\n"
    "From a folder all files are copied, without folders in it.\n"
    "\n"
    "A file gets its name when all of it is there and safe; until then it is NAME.part. When a "
    "copy\n"
    "was stopped, the same command goes on where it was. A file that is there already is left\n"
    "alone when it is the same; when it is another, nothing is copied without --force.\n"
    "\n"
    "Examples:\n"
    "  satin copy file:/var/runs/ sftp://backup.example.org/runs/\n"
    "  satin copy sftp://ann@backup.example.org/runs/log file:/tmp/log-of-ann\n"
    "  satin copy --to key=/root/copy-key,known-hosts=/root/hosts file:/data/x sftp://host/~/x";

/* How often the line is drawn, and operations are interrupted until the copy has stopped. */
#define PROGRESS_MS  100
#define INTERRUPT_MS 50

typedef struct
{
  Copy copy;
  GMainLoop *loop; /* (owned) */
  int over_fd;     /* (owned): an eventfd that can be read when the copying thread is at its end */
  RunTerminal *terminal; /* (owned) */
  gint64 began_us;
  int signal_number;  /* that stopped it, 0 for none */
  guint interrupting; /* source */

  /* By the copying thread; read when it has ended. */
  gboolean is_done;
  GError *error; /* (owned) (nullable) */
} Command;

typedef struct
{
  char *from_params; /* (owned) (nullable) */
  char *to_params;   /* (owned) (nullable) */
  gboolean is_forced;
  gboolean is_quiet;
} CopyOptions;

static gboolean
on_over (int fd, GIOCondition condition, gpointer user_data)
{
  Command *self = user_data;
  g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

static void *
run_copy (void *data)
{
  Command *self = data;
  self->is_done = copy_files (&self->copy, &self->error);
  eventfd_write (self->over_fd, 1);
  return NULL;
}

/* An interrupt may have met no operation: again, until the thread has ended. */
static gboolean
on_interrupt (gpointer user_data)
{
  Command *self = user_data;
  copy_place_interrupt (&self->copy.from);
  copy_place_interrupt (&self->copy.to);
  return G_SOURCE_CONTINUE;
}

static void
on_stop (int signal_number, gpointer user_data)
{
  Command *self = user_data;
  if (self->signal_number != 0)
    return;
  self->signal_number = signal_number;
  SATIN_STORE (&self->copy.is_stopped, TRUE);
  on_interrupt (self);
  self->interrupting = g_timeout_add (INTERRUPT_MS, on_interrupt, self);
}

static gboolean
on_progress (gpointer user_data)
{
  Command *self = user_data;
  gint64 elapsed_us = g_get_monotonic_time () - self->began_us;
  g_autofree char *line = copy_progress_format (&self->copy, elapsed_us);
  run_terminal_show (self->terminal, line);
  return G_SOURCE_CONTINUE;
}

/* Copies on a thread while this one runs the loop. */
static void
run_beside (Command *self)
{
  pthread_t thread;
  guint progress = g_timeout_add (PROGRESS_MS, on_progress, self);
  guint over = g_unix_fd_add (self->over_fd, G_IO_IN, on_over, self);
  StopSignals *signals = stop_signals_watch (on_stop, self);
  self->began_us = g_get_monotonic_time ();
  int status = pthread_create (&thread, NULL, run_copy, self);
  g_assert (status == 0);
  g_main_loop_run (self->loop);
  pthread_join (thread, NULL);
  stop_signals_free (signals);
  g_source_remove (progress);
  g_source_remove (over);
  if (self->interrupting != 0)
    g_source_remove (self->interrupting);
  run_terminal_finish (self->terminal);
}

/* Returns: %FALSE with @error, unless a signal stopped it */
static gboolean
tell_result (Command *self, gboolean is_quiet, int *ret_status, GError **error)
{
  gint64 elapsed_us = g_get_monotonic_time () - self->began_us;
  if (!self->is_done && self->signal_number != 0)
    {
      run_terminal_say (self->terminal,
                        "stopped by signal %d (%s); the same command goes on where it was",
                        self->signal_number, strsignal (self->signal_number));
      g_clear_error (&self->error);
      *ret_status = 128 + self->signal_number;
      return TRUE;
    }
  if (!self->is_done)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  g_autofree char *summary = copy_progress_summary (&self->copy, elapsed_us);
  if (!is_quiet)
    g_print ("%s\n", summary);
  *ret_status = 0;
  return TRUE;
}

static gboolean
check_places (const Copy *copy, GError **error)
{
  const char *target = copy->to.name != NULL ? copy->to.name : copy->from.name;
  if (copy->from.name == NULL && copy->to.name != NULL)
    return command_refuse (error, "copy",
                           "a folder cannot be copied to the file %s%s: end it with "
                           "a slash",
                           copy->to.folder, copy->to.name);
  if (g_str_equal (copy->from.folder, copy->to.folder) && g_strcmp0 (copy->from.name, target) == 0)
    return command_refuse (error, "copy", "%s%s cannot be copied to itself", copy->from.folder,
                           copy->from.name != NULL ? copy->from.name : "");
  return TRUE;
}

static gboolean
run (Command *self, const CopyOptions *options, char **words, int *ret_status, GError **error)
{
  Copy *copy = &self->copy;
  copy->is_forced = options->is_forced;
  if (!copy_place_parse (&copy->from, words[0], error)
      || !copy_place_parse (&copy->to, words[1], error) || !check_places (copy, error)
      || !copy_place_open (&copy->from, options->from_params, FALSE, error)
      || !copy_place_open (&copy->to, options->to_params, TRUE, error))
    return FALSE;
  self->over_fd = eventfd (0, EFD_CLOEXEC);
  if (self->over_fd < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make an eventfd: %s",
                   g_strerror (errno));
      return FALSE;
    }
  self->loop = g_main_loop_new (NULL, FALSE);
  self->terminal = run_terminal_new (options->is_quiet);
  run_beside (self);
  return tell_result (self, options->is_quiet, ret_status, error);
}

static gboolean
parse (CopyOptions *self, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "force", 'f', 0, G_OPTION_ARG_NONE, &self->is_forced, "Copy over other files", NULL },
    { "from", 0, 0, G_OPTION_ARG_STRING, &self->from_params, "Parameters of FROM's storage",
      "KEY=VALUE,..." },
    { "to", 0, 0, G_OPTION_ARG_STRING, &self->to_params, "Parameters of TO's storage",
      "KEY=VALUE,..." },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet, "Print nothing but errors", NULL },
    G_OPTION_ENTRY_NULL
  };
  const CommandSyntax syntax = {
    .name = "copy",
    .usage = "FROM TO",
    .summary = "Copies files from one storage to another.",
    .details = details,
    .options = entries,
    .n_words_min = 2,
    .n_words_max = 2,
  };
  return command_parse (&syntax, argc, argv, error);
}

gboolean
command_copy (int argc, char **argv, int *ret_status, GError **error)
{
  CopyOptions options = { 0 };
  Command self = { .over_fd = -1 };
  gboolean is_right =
      parse (&options, &argc, &argv, error) && run (&self, &options, argv + 1, ret_status, error);
  copy_place_clear (&self.copy.from);
  copy_place_clear (&self.copy.to);
  run_terminal_free (self.terminal);
  g_clear_pointer (&self.loop, g_main_loop_unref);
  if (self.over_fd >= 0)
    close (self.over_fd);
  g_free (options.from_params);
  g_free (options.to_params);
  return is_right;
}
