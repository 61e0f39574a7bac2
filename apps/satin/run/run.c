/* run.c - `satin run`: several nodes of one program on this machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "programs.h"
#include "control.h"
#include "runs/folder.h"
#include "screen/stats.h"
#include "options/secret.h"
#include "screen/stop-signals.h"

#include <unistd.h>

/* How long rank 0 stays to turn away other ranks when the run has ended before they have joined. */
#define LATE_RANKS_US ((gint64)3000000)

static void
on_stop (int signal_number, gpointer user_data)
{
  run_control_interrupt (user_data, signal_number);
}

static gboolean
report (RunControl *control, GError **error)
{
  const RunOptions *options = control->options;
  gint64 elapsed_us = control->ended_us - control->began_us;
  if (!control->has_final)
    return TRUE;
  if (options->has_stats)
    {
      g_autofree char *table = run_stats_table (&control->final, elapsed_us);
      g_printerr ("%s", table);
    }
  return options->stats_file == NULL
         || run_stats_write_json (options->stats_file, &control->final, control->exit_status,
                                  elapsed_us, error);
}

/* Takes the secret that rank 0 has given, or reads the user's secret. If there is none, but links
 * of this command's hub need one, makes a secret. */
static gboolean
get_secret (const RunOptions *options, SatinSecret **ret_secret, GError **error)
{
  if (options->hub_secret != NULL)
    {
      *ret_secret = satin_secret_copy (options->hub_secret);
      return TRUE;
    }
  if (!secret_options_read (options->secret_file, SECRET_FD_NONE, options->is_insecure, ret_secret,
                            error))
    return FALSE;
  if (*ret_secret == NULL && options->is_between_hosts && options->hub_uri == NULL
      && !options->is_insecure)
    *ret_secret = satin_secret_new_random (error);
  return *ret_secret != NULL || !options->is_between_hosts || options->is_insecure
         || options->hub_uri != NULL;
}

/* Returns: (transfer full): the word for @path in a command line: the program's name if
 * program_find() finds @path by that name, else @path */
static char *
name_program (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *found = program_find (name, NULL);
  return g_strdup (g_strcmp0 (found, path) == 0 ? name : path);
}

/* Publishes the run in its folder. If the run has a secret that is in no file of the user's, the
 * secret is written into the folder too, for `satin status` and `satin node`. */
static gboolean
publish (RunControl *control, RunDir *dir, GError **error)
{
  const RunOptions *options = control->options;
  g_autofree char *program = g_path_get_basename (options->program);
  g_autofree char *secret_file =
      options->secret_file != NULL ? g_canonicalize_filename (options->secret_file, NULL) : NULL;
  if (secret_file == NULL && control->session->secret != NULL)
    {
      secret_file = run_dir_write_secret (dir, control->session->secret, error);
      if (secret_file == NULL)
        return FALSE;
    }
  const char *uri = run_hub_get_uri (control->hub);
  if (!run_dir_publish (dir, options->listen_uri, uri, program, secret_file, error))
    return FALSE;
  g_autofree char *name = name_program (options->program);
  if (options->is_announced && !options->is_quiet)
    run_terminal_say (control->terminal, "others join with: satin node --hub %s%s%s %s ...", uri,
                      secret_file != NULL ? " --secret-file " : "",
                      secret_file != NULL ? secret_file : "", name);
  return TRUE;
}

/* Joins another command's hub. If the registry is no hub, only the nodes speak with it, and a
 * stand-in takes the place of the hub here. */
static RunHub *
join (RunControl *control, const char *uri, GError **error)
{
  if (control->options->registry.uri != NULL)
    return run_hub_stand_in (control->session, uri, &run_control_hub_funcs, control);
  return run_hub_join (control->session, uri, &run_control_hub_funcs, control, error);
}

/* If another command holds the hub, there is no journal. */
static gboolean
keep_journal (RunControl *control, GError **error)
{
  const RunOptions *options = control->options;
  g_autofree char *name = g_path_get_basename (options->program);
  g_autofree char *line = g_strjoinv (" ", options->arguments);
  g_autofree char *warning = NULL;
  const HubJournalPlace place = { options->journal, name, line };
  if (!run_hub_is_own (control->hub))
    return TRUE;
  gboolean is_open = hub_journal_open (&place, control->session->loop, run_hub_get (control->hub),
                                       &control->journal, &warning, error);
  if (warning != NULL)
    run_terminal_warn (control->terminal, "%s", warning);
  return is_open && (control->journal == NULL || run_control_keep_output (control, error));
}

static void
note (const char *text, gboolean is_warning, gpointer user_data)
{
  hub_journal_note (((RunControl *)user_data)->journal, text, is_warning);
}

/* Serves the page if the user wants one. Without a journal there is no page, and the user was told
 * why. */
static gboolean
serve_page (RunControl *control, GError **error)
{
  const char *path = hub_journal_get_path (control->journal);
  if (!control->options->has_page || path == NULL)
    return TRUE;
  control->page =
      page_server_new (path, control->options->picture, control->options->page_port, error);
  if (control->page == NULL)
    return FALSE;
  run_terminal_say (control->terminal, "the run is at %s", page_server_get_url (control->page));
  g_autofree char *hint = page_server_get_hint (control->page);
  if (hint != NULL)
    run_terminal_say (control->terminal, "%s", hint);
  return TRUE;
}

static void
on_stall (const char *text, gpointer user_data)
{
  run_terminal_warn (((RunControl *)user_data)->terminal, "%s", text);
}

static void
watch_for_stalls (RunControl *control)
{
  if (run_hub_is_own (control->hub))
    control->stall = stall_watch_new (control->options->stall_us, control->session->loop,
                                      run_hub_get (control->hub),
                                      hub_journal_get_path (control->journal), on_stall, control);
}

/* If the run has ended before all ranks have joined, the other ranks may still be on their way to
 * the meeting. The hub tells them that the run is over, so that they do not wait for it. */
static void
wait_for_late_ranks (RunControl *control, const RunDir *dir)
{
  if (dir != NULL && control->options->rank != NULL
      && control->n_joined < run_options_count_members (control->options))
    session_pause (control->session, LATE_RANKS_US);
}

/* Makes or joins the hub, runs all nodes to their end, and frees the hub. */
static gboolean
run_with_hub (RunControl *control, RunDir *dir, const char *uri, GError **error)
{
  const RunOptions *options = control->options;
  guint n_nodes = options->is_open ? 0 : run_options_count_members (options);
  g_autoptr (RunHub) hub = dir == NULL ? join (control, uri, error)
                                       : run_hub_new (control->session, uri, n_nodes,
                                                      &run_control_hub_funcs, control, error);
  if (hub == NULL)
    return FALSE;
  control->hub = hub;
  /* From here on others can see the run, and may send a signal as soon as they do. */
  g_autoptr (StopSignals) signals = stop_signals_watch (on_stop, control);
  if (dir != NULL && !publish (control, dir, error))
    return FALSE;
  if (dir != NULL && options->rank != NULL
      && !run_rank_give (options->rank, run_hub_get_uri (hub), control->session->secret, error))
    return FALSE;
  if (!keep_journal (control, error))
    return FALSE;
  if (!serve_page (control, error))
    return FALSE;
  watch_for_stalls (control);
  if (options->fleet.provision != NULL)
    {
      control->fleet = run_fleet_open (options, control->session, hub, control->terminal,
                                       run_control_fleet_closed, control, error);
      if (control->fleet == NULL)
        return FALSE;
      run_fleet_set_journal (control->fleet, control->journal);
    }
  run_terminal_set_listener (control->terminal, note, control);
  run_control_start (control);
  session_run_until (&control->is_finished);
  g_clear_pointer (&signals, stop_signals_free);
  relay_drain (control->relay);
  wait_for_late_ranks (control, dir);
  hub_journal_end (control->journal, control->has_final ? &control->final : NULL,
                   control->exit_status);
  return TRUE;
}

static gboolean
run_with_options (RunControl *control, const RunOptions *options, GError **error)
{
  const char *others_uri = options->hub_uri != NULL ? options->hub_uri : options->registry.uri;
  g_autoptr (RunDir) dir = others_uri == NULL ? run_dir_new (error) : NULL;
  if (others_uri == NULL && dir == NULL)
    return FALSE;
  g_autofree char *private_uri =
      dir != NULL ? g_strdup_printf ("%s:%s/hub", options->private_scheme, run_dir_get_path (dir))
                  : NULL;
  const char *uri = others_uri != NULL            ? others_uri
                    : options->listen_uri != NULL ? options->listen_uri
                                                  : private_uri;
  SatinSecret *secret = NULL;
  if (!get_secret (options, &secret, error))
    return FALSE;
  g_autoptr (Session) session = session_open (options->registry.uri != NULL ? NULL : uri, secret,
                                              options->is_insecure, error);
  if (session == NULL)
    return FALSE;
  control->session = session;
  g_autoptr (GError) failure = NULL;
  gboolean is_run = run_with_hub (control, dir, uri, &failure);
  if (!is_run)
    {
      hub_journal_end (control->journal, NULL, satin_error_exit_status (failure));
      g_propagate_error (error, g_steal_pointer (&failure));
    }
  /* These three are freed after the hub, which may call the first two until its end, and before the
   * loop, which they need. */
  g_clear_pointer (&control->journal, hub_journal_free);
  g_clear_pointer (&control->stall, stall_watch_free);
  g_clear_pointer (&control->page, page_server_free);
  /* An abandoned provisioner still uses the session's loop, so the session stays open. */
  if (run_fleet_is_abandoned (control->fleet))
    g_steal_pointer (&session);
  return is_run;
}

gboolean
command_run (int argc, char **argv, int *ret_status, GError **error)
{
  g_autoptr (RunOptions) options = run_options_parse (argc, argv, error);
  if (options == NULL || (options->is_follower && !run_options_follow (options, error)))
    return FALSE;
  g_autoptr (RunTerminal) terminal = run_terminal_new (options->is_quiet);
  RunControl control;
  run_control_init (&control, options, terminal);
  gboolean is_run = run_with_options (&control, options, error);
  if (!is_run && options->rank != NULL && !options->is_follower)
    run_rank_give_up (options->rank);
  run_terminal_finish (terminal);
  is_run = is_run && report (&control, error);
  *ret_status = control.exit_status;
  /* An abandoned provisioner may still be working. _exit() ends its work at once. */
  if (is_run && run_fleet_is_abandoned (control.fleet))
    _exit (control.exit_status);
  run_control_clear (&control);
  return is_run;
}
