/* page.c - `satin page`: a run in the browser, while it runs or later
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "journal/folders.h"
#include "screen/stop-signals.h"
#include "server.h"

#include <satin/journal.h>
#include <stdio.h>

static const char details[] =
    "Serves a web page about a run on 127.0.0.1, and prints its address. The page follows the "
    "run:\n"
    "how far it is, where the time of its processors goes, each node, figures and events. The\n"
    "address has a random token, so only somebody who knows the address can see the page. RUN is "
    "a\n"
    "name that satin journal list prints, or a path; without RUN it is the latest run. The\n"
    "command goes on until Ctrl-C, SIGTERM or SIGHUP.\n"
    "\n"
    "ADDRESS/metrics has the figures for Prometheus.\n"
    "\n"
    "Examples:\n"
    "  satin page                         the latest run\n"
    "  satin page --port 8080 fib         the latest run of fib, at a port of your choice\n"
    "  ssh -L 8080:127.0.0.1:8080 host    makes port 8080 of host a port of this machine";

typedef struct
{
  char *port; /* (owned) (nullable) */
} Options;

static gboolean
parse (Options *self, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = { { "port", 'p', 0, G_OPTION_ARG_STRING, &self->port,
                                     "Serve the page at PORT (default: any free port)", "PORT" },
                                   G_OPTION_ENTRY_NULL };
  const CommandSyntax syntax = {
    .name = "page",
    .usage = "[RUN]",
    .summary = "Shows a run in the browser, while it runs or later.",
    .details = details,
    .options = entries,
    .n_words_max = 1,
  };
  return command_parse (&syntax, argc, argv, error);
}

static void
on_stop (int signal_number, gpointer user_data)
{
  g_main_loop_quit (user_data);
}

static void
warn_of_damage (const char *path)
{
  SatinJournalEvent event;
  g_autoptr (SatinJournalReader) reader = satin_journal_reader_new (path, NULL);
  while (reader != NULL && satin_journal_reader_next (reader, &event))
    ;
  const char *damage = reader != NULL ? satin_journal_reader_get_damage (reader) : NULL;
  if (damage != NULL)
    g_printerr ("satin: %s; the page ends there\n", damage);
}

/* Prints the address, and serves the page until a signal comes. */
static void
serve_until_signal (PageServer *server)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autofree char *hint = page_server_get_hint (server);
  /* Whoever reads the address may send the signal at once. */
  StopSignals *signals = stop_signals_watch (on_stop, loop);
  g_print ("%s\n", page_server_get_url (server));
  fflush (stdout);
  if (hint != NULL)
    g_printerr ("satin: %s\n", hint);
  g_main_loop_run (loop);
  stop_signals_free (signals);
}

static gboolean
serve (const Options *options, const char *run, GError **error)
{
  guint16 port = 0;
  g_autofree char *path = journal_find (run, error);
  if (path == NULL || (options->port != NULL && !page_option_read (options->port, &port, error)))
    return FALSE;
  g_autoptr (PageServer) server = page_server_new (path, NULL, port, error);
  if (server == NULL)
    return FALSE;
  warn_of_damage (path);
  serve_until_signal (server);
  return TRUE;
}

gboolean
command_page (int argc, char **argv, int *ret_status, GError **error)
{
  Options options = { 0 };
  gboolean is_served =
      parse (&options, &argc, &argv, error) && serve (&options, argc > 1 ? argv[1] : NULL, error);
  g_free (options.port);
  *ret_status = 0;
  return is_served;
}
