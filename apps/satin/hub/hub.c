/* hub.c - `satin hub`: runs the hub of a run that nodes on many machines join
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "journal/hub-journal.h"
#include "why/stall.h"
#include "runs/figures.h"
#include "runs/folder.h"
#include "runs/folders.h"
#include "run/options.h"
#include "screen/stats.h"
#include "options/secret.h"
#include "runs/session.h"
#include "screen/stop-signals.h"

#include <glib/gstdio.h>
#include <satin/base/run.h>
#include <stdio.h>
#include <string.h>

#define FINAL_ASK_US ((gint64)50000)
/* After a signal: how long nodes may take to report whether the run has a checkpoint, and how often
 * they are asked to store. The first request, too, waits for STORE_US: a shutdown sends SIGTERM to
 * all processes, and nodes that leave need this time to hand over their results. */
#define FIGURES_ASK_US          ((gint64)200000)
#define STORE_US                ((gint64)1000000)
#define DEFAULT_JOIN_TIMEOUT_US ((gint64)600 * G_USEC_PER_SEC)
/* How long a hub that replaces a lost hub waits for a first node. */
#define RESTART_PATIENCE_US ((gint64)30 * G_USEC_PER_SEC)

static const char details[] =
    "The hub prints its URI and serves one run. When the run is over, it ends with the program's\n"
    "exit status. Nodes join with satin run --hub URI or satin node --hub URI, on any machine.\n\n"
    "Examples:\n"
    "  satin hub --nodes 8 --new-secret key             make a secret; copy the file to the "
    "others\n"
    "  satin hub --nodes 8 --secret-file key            use it again\n"
    "  satin hub --listen unix:/tmp/mine/hub --nodes 2  on this machine only, no secret needed\n"
    "  satin hub --nodes 8 --secret-file key --restart  after it was lost: its run goes on";

/* The values from the command line. */
typedef struct
{
  char *listen; /* (owned) */
  int n_nodes;
  gint64 join_timeout_us;
  gint64 stall_us;
  char *secret_file; /* (owned) (nullable) */
  char *new_secret;  /* (owned) (nullable) */
  gboolean is_insecure;
  gboolean is_restarted;
  gboolean has_stats;
  char *stats_file; /* (owned) (nullable) */
  char *journal;    /* (owned) (nullable) */
  gboolean is_quiet;
} HubOptions;

/* A running hub. */
typedef struct
{
  const HubOptions *options; /* (borrowed) */
  SatinHub *hub;             /* (owned) */
  HubJournal *journal;       /* (owned) (nullable) */
  StallWatch *stall;         /* (owned) (nullable) */
  SatinLoop *loop;           /* (borrowed) */
  int signal_number;         /* the last signal that asked the hub to end; 0: none */
  SatinTimerId store_timer;
  SatinTimerId restart_timer;
  int exit_status;
  gboolean is_published; /* other commands can find the hub */
  gint64 ended_us;
  gboolean is_stopping;
  gboolean is_over;
  gboolean has_final;
  SatinRunStatus final; /* (owned) */
  gboolean is_finished;
} Server;

static gboolean
read_times (HubOptions *self, const char *join_timeout, const char *stall, GError **error)
{
  self->join_timeout_us = DEFAULT_JOIN_TIMEOUT_US;
  if (join_timeout == NULL || satin_parse_duration (join_timeout, &self->join_timeout_us, error))
    return stall_option_read (stall, &self->stall_us, error);
  g_prefix_error (error, "--join-timeout: ");
  return FALSE;
}

static gboolean
parse (HubOptions *self, int *argc, char ***argv, GError **error)
{
  g_autofree char *join_timeout = NULL, *stall = NULL;
  /* clang-format off */
  const GOptionEntry entries[] = {
    { "listen", 0, 0, G_OPTION_ARG_FILENAME, &self->listen, "Address at which nodes reach the hub (default: tcp://0.0.0.0:7000)", "URI" },
    { "nodes", 'n', 0, G_OPTION_ARG_INT, &self->n_nodes, "Begin when N nodes are there (default: with the first)", "N" },
    { "join-timeout", 0, 0, G_OPTION_ARG_STRING, &join_timeout, "How long these nodes may take to join (default: 10m)", "TIME" },
    { "secret-file", 0, 0, G_OPTION_ARG_FILENAME, &self->secret_file, "The cluster secret", "FILE" },
    { "new-secret", 0, 0, G_OPTION_ARG_FILENAME, &self->new_secret, "Make a new cluster secret in this file", "FILE" },
    { "insecure", 0, 0, G_OPTION_ARG_NONE, &self->is_insecure, "Links without secret and encryption", NULL },
    { "restart", 0, 0, G_OPTION_ARG_NONE, &self->is_restarted, "Take the place of a lost hub: accept its nodes before new ones", NULL },
    STALL_OPTION (&stall),
    { "stats", 0, 0, G_OPTION_ARG_NONE, &self->has_stats, "At the end, print a table of the figures of each node", NULL },
    { "stats-json", 0, 0, G_OPTION_ARG_FILENAME, &self->stats_file, "At the end, write these figures as JSON", "FILE" },
    { "journal", 0, 0, G_OPTION_ARG_FILENAME, &self->journal, "Keep the journal there (default: see satin journal --help)", "FOLDER|none" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet, "Do not print which nodes join, leave and die", NULL },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "hub",
    .summary = "Serves a run: tells its nodes of each other, and declares lost nodes dead.",
    .details = details,
    .options = entries,
  };

  if (!command_parse (&syntax, argc, argv, error))
    return FALSE;
  if (self->n_nodes < 0 || self->n_nodes > RUN_MAX_NODES)
    return command_refuse (error, "hub", "--nodes wants a whole number from 1 to %d",
                           RUN_MAX_NODES);
  if (self->new_secret != NULL && (self->secret_file != NULL || self->is_insecure))
    return command_refuse (error, "hub",
                           "--new-secret makes the secret: leave --secret-file and --insecure out");
  if (self->listen == NULL)
    self->listen = g_strdup ("tcp://0.0.0.0:7000");
  return read_times (self, join_timeout, stall, error);
}

static gboolean
get_secret (HubOptions *options, SatinSecret **ret_secret, GError **error)
{
  if (options->new_secret == NULL)
    return secret_options_read (options->secret_file, SECRET_FD_NONE, options->is_insecure,
                                ret_secret, error);
  if (g_file_test (options->new_secret, G_FILE_TEST_EXISTS))
    return command_refuse (error, "hub",
                           "--new-secret: there is a file %s: use it with --secret-file, or choose "
                           "another name",
                           options->new_secret);
  g_autoptr (SatinSecret) secret = satin_secret_new_random (error);
  if (secret == NULL || !run_info_write_secret (options->new_secret, secret, error))
    {
      g_prefix_error (error, "--new-secret: ");
      return FALSE;
    }
  options->secret_file = g_strdup (options->new_secret);
  *ret_secret = g_steal_pointer (&secret);
  return TRUE;
}

/* Tells the user something, and notes it in the journal. */
static void
say (Server *self, const char *text)
{
  g_printerr ("satin: %s\n", text);
  hub_journal_note (self->journal, text, FALSE);
}

/* Like say(), for a message that something is wrong. */
static void
warn (Server *self, const char *text)
{
  g_printerr ("satin: %s\n", text);
  hub_journal_note (self->journal, text, TRUE);
}

/* Ends the run if no node is left. Called only for an open run, one without --nodes: SatinHub
 * itself ends a run with --nodes. */
static void
check_any_left (const SatinRunStatus *status, gpointer user_data)
{
  Server *self = user_data;
  if (figure_count_members (status) == 0)
    satin_hub_end (self->hub, satin_error_code_exit_status (SATIN_ERROR_NODE_LOST),
                   "no node is left, and the run is not over");
}

static void
on_changed (SatinHub *hub, SatinNodeId id, const char *what, gpointer user_data)
{
  Server *self = user_data;
  g_autofree char *text = g_strdup_printf ("node %u %s", id, what);
  if (!self->options->is_quiet)
    say (self, text);
  gboolean is_gone = g_str_equal (what, "left") || g_str_equal (what, "died");
  if (is_gone)
    hub_journal_gone (self->journal, id);
  else
    hub_journal_changed (self->journal);
  if (is_gone && self->options->n_nodes == 0)
    satin_hub_ask_status (hub, 0, check_any_left, self);
}

/* Tells the user that the machine of node @from will be taken away. */
static void
tell_notice (Server *self, SatinNodeId from, GBytes *payload)
{
  SatinNotice notice;
  if (!satin_notice_read (payload, &notice))
    return;
  g_autofree char *text = satin_notice_describe (from, &notice);
  if (!self->options->is_quiet)
    warn (self, text);
  satin_record_clear (&SatinNotice_record, &notice);
}

/* Tells the user that a job crashes a node. */
static void
tell_crash (Server *self, GBytes *payload)
{
  SatinCrash crash;
  if (!satin_crash_read (payload, &crash))
    return;
  g_autofree char *text = satin_crash_describe (&crash);
  if (crash.owner != SATIN_CRASH_NOBODY)
    warn (self, text);
  satin_record_clear (&SatinCrash_record, &crash);
}

static void
on_told (SatinHub *hub, SatinNodeId from, const char *word, GBytes *payload, gpointer user_data)
{
  Server *self = user_data;
  if (g_str_equal (word, SATIN_SIGNAL_NOTICE))
    tell_notice (self, from, payload);
  else if (g_str_equal (word, SATIN_SIGNAL_CRASH))
    tell_crash (self, payload);
  else if (g_str_equal (word, SATIN_SIGNAL_EVENT))
    hub_journal_event (self->journal, from, payload);
}

static void
on_elected (SatinHub *hub, SatinNodeId id, gpointer user_data)
{
  hub_journal_changed (((Server *)user_data)->journal);
}

static void
on_silent (SatinHub *hub, SatinNodeId id, const char *why, gpointer user_data)
{
  Server *self = user_data;
  const char *host = satin_hub_get_host (hub, id);
  g_autofree char *text = g_strdup_printf ("node %u (host %s) is declared dead: %s", id,
                                           host != NULL ? host : "?", why);
  if (!self->options->is_quiet)
    warn (self, text);
}

static void
on_final (const SatinRunStatus *status, gpointer user_data)
{
  Server *self = user_data;
  satin_record_copy (&SatinRunStatus_record, status, &self->final);
  self->has_final = TRUE;
  self->is_finished = TRUE;
}

static void
on_over (SatinHub *hub, int exit_status, const char *message, gpointer user_data)
{
  Server *self = user_data;
  self->exit_status = exit_status;
  self->is_over = TRUE;
  satin_loop_timer_cancel (self->loop, &self->store_timer);
  stall_watch_stop (self->stall);
  if (exit_status != 0 && message != NULL && *message != '\0')
    warn (self, message);
  satin_hub_ask_status (hub, FINAL_ASK_US, on_final, self);
}

/* Ends the run for all nodes. A second call does not wait for them any more. */
static void
end_run (Server *self)
{
  g_autofree char *message = g_strdup_printf ("the hub was stopped by signal %d (%s)",
                                              self->signal_number, strsignal (self->signal_number));
  if (self->is_stopping)
    {
      self->exit_status = 128 + self->signal_number;
      self->is_finished = TRUE;
    }
  self->is_stopping = TRUE;
  satin_loop_timer_cancel (self->loop, &self->store_timer);
  satin_hub_end (self->hub, 128 + self->signal_number, message);
}

static void
ask_to_store (gpointer user_data)
{
  Server *self = user_data;
  satin_hub_signal (self->hub, 0, SATIN_SIGNAL_STOP, NULL);
  self->store_timer = satin_loop_timer_add (self->loop, STORE_US, ask_to_store, self);
}

static void
store_or_end (const SatinRunStatus *status, gpointer user_data)
{
  Server *self = user_data;
  if (self->is_over || self->is_stopping)
    return;
  if (!figure_is_known (status, FIGURE_STORED))
    {
      end_run (self);
      return;
    }
  say (self, self->signal_number == SIGINT ? "storing what is finished; Ctrl-C again ends at once"
                                           : "storing what is finished");
  self->store_timer = satin_loop_timer_add (self->loop, STORE_US, ask_to_store, self);
}

/* Handles a signal. The first signal makes a run with a checkpoint store its results, and ends any
 * other run. Each further signal goes one step further: it ends the run, or ends this command
 * without waiting for the nodes. */
static void
on_stop (int signal_number, gpointer user_data)
{
  Server *self = user_data;
  gboolean is_first = self->signal_number == 0;
  self->signal_number = signal_number;
  if (is_first)
    satin_hub_ask_status (self->hub, FIGURES_ASK_US, store_or_end, self);
  else
    end_run (self);
}

/* Whether this hub replaces a lost one: because the user gave --restart, or because a hub at
 * the same address was killed on this machine. */
static gboolean
find_lost (const HubOptions *options)
{
  return options->is_restarted || run_dir_was_lost (options->listen);
}

static gboolean
open_hub (Server *self, Session *session, gboolean is_restarted, GError **error)
{
  static const SatinHubEvents events = { .changed = on_changed,
                                         .over = on_over,
                                         .told = on_told,
                                         .silent = on_silent,
                                         .elected = on_elected };
  const HubOptions *options = self->options;
  SatinHubOptions hub_options = { .n_nodes = (guint)options->n_nodes,
                                  .join_timeout_us = options->join_timeout_us,
                                  .is_restarted = is_restarted };
  self->hub = satin_hub_new (session->loop, session->transport, options->listen, &hub_options,
                             &events, self, error);
  return self->hub != NULL;
}

static void
check_any_came (const SatinRunStatus *status, gpointer user_data)
{
  Server *self = user_data;
  g_autoptr (GError) lost = g_error_new (
      SATIN_ERROR, SATIN_ERROR_NODE_LOST,
      "no node came within %d s: the run of the hub that was lost is over; start it anew",
      (int)(RESTART_PATIENCE_US / G_USEC_PER_SEC));
  if (figure_count_members (status) == 0)
    satin_hub_end (self->hub, satin_error_exit_status (lost), lost->message);
}

static void
on_restart_timer (gpointer user_data)
{
  Server *self = user_data;
  self->restart_timer = 0;
  satin_hub_ask_status (self->hub, 0, check_any_came, self);
}

static gboolean
publish (Server *self, RunDir *dir, GError **error)
{
  const char *file = self->options->secret_file;
  g_autofree char *path = file != NULL ? g_canonicalize_filename (file, NULL) : NULL;
  const char *uri = satin_hub_get_uri (self->hub);
  if (!run_dir_publish (dir, self->options->listen, uri, "(hub)", path, error))
    return FALSE;
  self->is_published = TRUE;
  g_print ("%s\n", uri);
  fflush (stdout);
  return TRUE;
}

static gboolean
report (const Server *self, gint64 elapsed_us, GError **error)
{
  const HubOptions *options = self->options;
  if (!self->has_final)
    return TRUE;
  if (options->has_stats)
    {
      g_autofree char *table = run_stats_table (&self->final, elapsed_us);
      g_printerr ("%s", table);
    }
  return options->stats_file == NULL
         || run_stats_write_json (options->stats_file, &self->final, self->exit_status, elapsed_us,
                                  error);
}

static gboolean
keep_journal (Server *self, GError **error)
{
  const HubOptions *options = self->options;
  g_autofree char *line = g_strdup_printf ("satin hub --listen %s", options->listen);
  g_autofree char *warning = NULL;
  const HubJournalPlace place = { options->journal, "hub", line };
  gboolean is_open =
      hub_journal_open (&place, self->loop, self->hub, &self->journal, &warning, error);
  if (warning != NULL)
    g_printerr ("satin: %s\n", warning);
  return is_open;
}

static void
on_stall (const char *text, gpointer user_data)
{
  warn (user_data, text);
}

static gboolean
serve (Server *self, Session *session, GError **error)
{
  gboolean is_restarted = find_lost (self->options);
  g_autoptr (RunDir) dir = run_dir_new (error);
  if (dir == NULL || !open_hub (self, session, is_restarted, error) || !keep_journal (self, error))
    return FALSE;
  self->stall = stall_watch_new (self->options->stall_us, self->loop, self->hub,
                                 hub_journal_get_path (self->journal), on_stall, self);
  if (is_restarted && !self->options->is_quiet)
    say (self, "a hub was lost here: for 5 s its nodes may come back, then new ones join");
  /* From here on others can see the hub, and may send a signal as soon as they do. */
  g_autoptr (StopSignals) signals = stop_signals_watch (on_stop, self);
  if (!publish (self, dir, error))
    return FALSE;
  gint64 began_us = satin_loop_now_us (session->loop);
  if (is_restarted)
    self->restart_timer =
        satin_loop_timer_add (self->loop, RESTART_PATIENCE_US, on_restart_timer, self);
  session_run_until (&self->is_finished);
  g_clear_pointer (&signals, stop_signals_free);
  satin_loop_timer_cancel (self->loop, &self->restart_timer);
  hub_journal_end (self->journal, self->has_final ? &self->final : NULL, self->exit_status);
  return report (self, satin_loop_now_us (session->loop) - began_us, error);
}

/* @secret: (transfer full) (nullable) */
static gboolean
run_session (Server *self, SatinSecret *secret, GError **error)
{
  const HubOptions *options = self->options;
  g_autoptr (Session) session = session_open (options->listen, secret, options->is_insecure, error);
  if (session == NULL)
    return FALSE;
  self->loop = session->loop;
  gboolean is_served = serve (self, session, error);
  satin_hub_free (self->hub);
  hub_journal_free (self->journal);
  stall_watch_free (self->stall);
  return is_served;
}

static gboolean
run_server (HubOptions *options, int *ret_status, GError **error)
{
  Server server = { .options = options };
  SatinSecret *secret = NULL;
  if (!get_secret (options, &secret, error))
    return FALSE;
  gboolean is_served = run_session (&server, secret, error);
  /* So the same command can be tried again. */
  if (!server.is_published && options->new_secret != NULL)
    g_unlink (options->new_secret);
  if (server.has_final)
    satin_record_clear (&SatinRunStatus_record, &server.final);
  *ret_status = server.exit_status;
  return is_served;
}

gboolean
command_hub (int argc, char **argv, int *ret_status, GError **error)
{
  HubOptions options = { 0 };
  gboolean is_done =
      parse (&options, &argc, &argv, error) && run_server (&options, ret_status, error);
  g_free (options.listen);
  g_free (options.secret_file);
  g_free (options.new_secret);
  g_free (options.stats_file);
  g_free (options.journal);
  return is_done;
}
