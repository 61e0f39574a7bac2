/* control.c - the state machine of `satin run`, from the first node to the end of the last one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "control.h"
#include "node-command.h"

#include <satin/base/run.h>
#include <signal.h>
#include <string.h>

/* How long nodes may take to end: after the end of the run, after the hub has told them to stop,
 * and after SIGTERM. KILL_PATIENCE_US is the time between two SIGKILLs. */
#define END_PATIENCE_US  ((gint64)3000000)
#define STOP_PATIENCE_US ((gint64)150000)
#define TERM_PATIENCE_US ((gint64)600000)
#define KILL_PATIENCE_US ((gint64)200000)

#define PROGRESS_PERIOD_US ((gint64)400000)
#define PROGRESS_ASK_US    ((gint64)200000)
#define FINAL_ASK_US       ((gint64)50000)
#define STORE_PERIOD_US    ((gint64)500000)
/* How long rank 0 has to end the run after a signal that all ranks got. */
#define FOLLOW_US ((gint64)2000000)
/* How long after SIGTERM the nodes are asked to store. */
#define STORE_AFTER_US ((gint64)1000000)

#define TO(phase) (1u << (phase))

static const struct
{
  const char *name;
  guint next;
} phases[RUN_N_PHASES] = {
  [RUN_FIRST] = { "first", TO (RUN_ALL) | TO (RUN_ENDING) | TO (RUN_STOPPING) | TO (RUN_DONE) },
  [RUN_ALL] = { "all", TO (RUN_STORING) | TO (RUN_ENDING) | TO (RUN_STOPPING) | TO (RUN_DONE) },
  [RUN_STORING] = { "storing", TO (RUN_ENDING) | TO (RUN_STOPPING) | TO (RUN_DONE) },
  [RUN_ENDING] = { "ending", TO (RUN_STOPPING) | TO (RUN_DONE) },
  [RUN_STOPPING] = { "stopping", TO (RUN_DONE) },
  [RUN_DONE] = { "done", 0 },
};

gboolean
run_phase_may (RunPhase from, RunPhase to)
{
  return (phases[from].next & TO (to)) != 0;
}

static void enter (RunControl *self, RunPhase to);
static void terminate_nodes (RunControl *self);
static void ask_to_store (gpointer user_data);

static void
on_final (const SatinRunStatus *status, const GError *error, gpointer user_data)
{
  RunControl *self = user_data;
  if (error == NULL)
    {
      satin_record_copy (&SatinRunStatus_record, status, &self->final);
      self->has_final = TRUE;
    }
  self->is_finished = TRUE;
}

static void
on_patience_out (gpointer user_data)
{
  RunControl *self = user_data;
  self->patience_timer = 0;
  if (self->phase == RUN_ENDING)
    enter (self, RUN_STOPPING);
  else if (!self->is_signalled)
    terminate_nodes (self);
  else if (run_processes_count_running (self->processes) > 0)
    {
      run_processes_signal (self->processes, SIGKILL);
      self->patience_timer =
          satin_loop_timer_add (self->session->loop, KILL_PATIENCE_US, on_patience_out, self);
    }
  else
    {
      self->is_patience_out = TRUE;
      run_control_check_done (self);
    }
}

static void
wait_at_most (RunControl *self, gint64 time_us)
{
  satin_loop_timer_cancel (self->session->loop, &self->patience_timer);
  self->patience_timer = satin_loop_timer_add (self->session->loop, time_us, on_patience_out, self);
}

static void
terminate_nodes (RunControl *self)
{
  self->is_signalled = TRUE;
  run_processes_signal (self->processes, SIGTERM);
  wait_at_most (self, TERM_PATIENCE_US);
}

/* Enters a phase and begins its work. From RUN_ENDING on, first cancels the timers of earlier
 * phases, and gives the machines back. */
static void
enter (RunControl *self, RunPhase to)
{
  SatinLoop *loop = self->session->loop;
  g_debug ("run: %s to %s", phases[self->phase].name, phases[to].name);
  g_assert (run_phase_may (self->phase, to));
  self->phase = to;
  if (to >= RUN_ENDING)
    {
      satin_loop_timer_cancel (loop, &self->progress_timer);
      satin_loop_timer_cancel (loop, &self->timeout_timer);
      satin_loop_timer_cancel (loop, &self->store_timer);
      satin_loop_timer_cancel (loop, &self->follow_timer);
      stall_watch_stop (self->stall);
      run_fleet_close (self->fleet);
      if (self->ended_us == 0)
        self->ended_us = satin_loop_now_us (loop);
    }
  switch (to)
    {
    case RUN_FIRST:
    case RUN_ALL:
      break;
    case RUN_STORING:
      self->store_timer = satin_loop_timer_add (loop, self->store_after_us, ask_to_store, self);
      break;
    case RUN_ENDING:
      wait_at_most (self, END_PATIENCE_US);
      break;
    case RUN_STOPPING:
      /* When the hub tells the nodes that the run is over, they end at once. SIGTERM would ask them
       * to leave in good order, which takes longer, so it comes second. */
      if (run_hub_is_own (self->hub))
        wait_at_most (self, STOP_PATIENCE_US);
      else
        terminate_nodes (self);
      break;
    case RUN_DONE:
      satin_loop_timer_cancel (loop, &self->patience_timer);
      if (self->options->has_stats || self->options->stats_file != NULL || self->journal != NULL)
        run_hub_ask (self->hub, FINAL_ASK_US, on_final, self);
      else
        self->is_finished = TRUE;
      break;
    case RUN_N_PHASES:
      g_assert_not_reached ();
    }
}

void
run_control_check_done (RunControl *self)
{
  gboolean is_over = self->is_over || self->is_patience_out || !run_hub_is_own (self->hub);
  if (self->phase < RUN_DONE && is_over && run_processes_count_running (self->processes) == 0
      && !run_fleet_is_open (self->fleet))
    enter (self, RUN_DONE);
}

void
run_control_fleet_closed (gpointer user_data)
{
  run_control_check_done (user_data);
}

void
run_control_fail (RunControl *self, int exit_status, const char *message)
{
  if (self->phase >= RUN_STOPPING)
    return;
  run_terminal_warn (self->terminal, "%s", message);
  self->exit_status = exit_status;
  enter (self, RUN_STOPPING);
  run_hub_end (self->hub, exit_status, message);
  run_control_check_done (self);
}

/* Asks all nodes to store their results. Repeats the request until the run is over, because a node
 * that has no link to the hub misses a request. */
static void
ask_to_store (gpointer user_data)
{
  RunControl *self = user_data;
  run_hub_signal (self->hub, SATIN_SIGNAL_STOP);
  self->store_timer =
      satin_loop_timer_add (self->session->loop, STORE_PERIOD_US, ask_to_store, self);
}

/* Whether the nodes can store their results. They cannot before all nodes have joined. */
static gboolean
may_store (const RunControl *self)
{
  return self->phase == RUN_ALL && self->options->has_checkpoint && run_hub_is_own (self->hub)
         && self->n_joined >= run_options_count_members (self->options);
}

static void
stop_by_signal (RunControl *self)
{
  g_autofree char *message = g_strdup_printf ("stopped by signal %d (%s)", self->signal_number,
                                              strsignal (self->signal_number));
  run_control_fail (self, 128 + self->signal_number, message);
}

static void
on_not_led (gpointer user_data)
{
  RunControl *self = user_data;
  self->follow_timer = 0;
  stop_by_signal (self);
}

/* A launcher gives a signal to all ranks, and rank 0 ends the run then, or has the results stored
 * first. If the signal was for this rank alone, this rank must end by itself: at the next signal,
 * and in a run without a checkpoint after FOLLOW_US. Returns: whether to wait */
static gboolean
wait_for_rank_zero (RunControl *self)
{
  if (!self->options->is_follower || self->signal_number != 0 || self->phase >= RUN_STOPPING)
    return FALSE;
  if (!self->options->has_checkpoint)
    self->follow_timer = satin_loop_timer_add (self->session->loop, FOLLOW_US, on_not_led, self);
  return TRUE;
}

void
run_control_interrupt (RunControl *self, int signal_number)
{
  gboolean has_to_wait = wait_for_rank_zero (self);
  self->signal_number = signal_number;
  if (has_to_wait)
    return;
  if (may_store (self))
    {
      /* A shutdown sends SIGTERM to all processes at the same time, the nodes too. These leave
       * then, and get some time to hand over their results before they are asked to store. */
      self->store_after_us = signal_number == SIGTERM ? STORE_AFTER_US : 0;
      run_terminal_say (self->terminal, "storing what is finished%s",
                        signal_number == SIGINT ? "; Ctrl-C again ends at once" : "");
      enter (self, RUN_STORING);
      return;
    }
  if (self->phase >= RUN_STOPPING)
    {
      run_processes_signal (self->processes, SIGKILL);
      run_fleet_abandon (self->fleet);
      return;
    }
  stop_by_signal (self);
}

static void
on_line (guint source, const char *line, gpointer user_data)
{
  RunControl *self = user_data;
  hub_journal_output (self->journal, run_processes_get_pid (self->processes, source), line);
}

gboolean
run_control_keep_output (RunControl *self, GError **error)
{
  int error_fd = run_terminal_get_error_fd (self->terminal);
  self->relay = relay_new (error_fd >= 0 ? error_fd : STDERR_FILENO, on_line, self, error);
  return self->relay != NULL;
}

static gboolean
launch (RunControl *self, RunLaunch *launch, GError **error)
{
  guint index = run_processes_count_started (self->processes);
  if (self->relay != NULL && (launch->error_fd = relay_open (self->relay, index, error)) < 0)
    return FALSE;
  const RunProcess *process = run_processes_start (self->processes, launch, error);
  if (self->relay != NULL)
    close (launch->error_fd);
  if (process != NULL && process->index == 0)
    run_hub_expect (self->hub, process->pid);
  return process != NULL;
}

/* Makes the command line of a node, behind the words of --wrap and --before. */
static char **
make_wrapped (const RunControl *self, const char *cluster)
{
  const RunOptions *options = self->options;
  g_autoptr (GStrvBuilder) line = g_strv_builder_new ();
  g_strv_builder_add (line, options->program);
  g_strv_builder_addv (line, (const char **)options->arguments + 1);
  g_auto (GStrv) command = g_strv_builder_end (line);
  guint64 number = run_processes_count_started (self->processes) + 1;
  return wrap_options_make (&options->wrap, cluster, number, (const char *const *)command);
}

gboolean
run_control_start_node (RunControl *self, const char *cluster, GError **error)
{
  const RunOptions *options = self->options;
  g_auto (GStrv) parts = run_start_parts (options, TRUE);
  NodeEnvironment environment = run_start_environment (options, run_hub_get_uri (self->hub),
                                                       self->session->secret != NULL, parts);
  gboolean is_wrapped = wrap_options_are_set (&options->wrap);
  environment.cluster = cluster;
  if (is_wrapped)
    environment.host = g_get_host_name ();
  g_auto (GStrv) variables = node_environment_make (&environment);
  g_auto (GStrv) wrapped = is_wrapped ? make_wrapped (self, cluster) : NULL;
  RunLaunch node = {
    .program = is_wrapped ? wrapped[0] : options->program,
    .arguments = is_wrapped ? wrapped : options->arguments,
    .is_wrapped = is_wrapped,
    .variables = variables,
    .secret = self->session->secret,
    .output_fd = run_terminal_get_output_fd (self->terminal),
    .error_fd = run_terminal_get_error_fd (self->terminal),
  };
  return launch (self, &node, error);
}

static void
start_nodes (RunControl *self, guint from, guint to)
{
  g_autoptr (GError) error = NULL;
  for (guint i = from; i < to; i++)
    if (!run_control_start_node (self, g_ptr_array_index (self->options->labels, i), &error))
      {
        run_control_fail (self, satin_error_exit_status (error), error->message);
        return;
      }
}

static void
on_joined (SatinNodeId id, gpointer user_data)
{
  RunControl *self = user_data;
  self->n_joined++;
  hub_journal_changed (self->journal);
  run_fleet_joined (self->fleet, id);
  if (self->n_joined >= run_options_count_members (self->options))
    run_rank_release (self->options->rank);
  if (self->phase != RUN_FIRST)
    return;
  enter (self, RUN_ALL);
  start_nodes (self, 1, self->options->labels->len);
  if (self->phase == RUN_ALL)
    run_fleet_begin (self->fleet);
}

static void
on_elected (SatinNodeId id, gpointer user_data)
{
  hub_journal_changed (((RunControl *)user_data)->journal);
}

static void
on_told (SatinNodeId from, const char *word, GBytes *payload, gpointer user_data)
{
  RunControl *self = user_data;
  if (g_str_equal (word, SATIN_SIGNAL_CRASH))
    run_control_node_crashes (self, from, payload);
  else if (g_str_equal (word, SATIN_SIGNAL_NOTICE))
    run_control_node_noticed (self, from, payload);
  else if (g_str_equal (word, SATIN_SIGNAL_EVENT))
    hub_journal_event (self->journal, from, payload);
  else
    run_fleet_told (self->fleet, from, word, payload);
}

static GBytes *
describe (gpointer user_data)
{
  return run_fleet_describe (((RunControl *)user_data)->fleet);
}

/* Prints why the run has ended, if no node can print it: before all nodes have joined, when no node
 * is left, and when the run was stopped. If the program has failed, the master has printed why. */
static void
say_over (RunControl *self, int exit_status, const char *message)
{
  gboolean is_for_us = self->n_joined < run_options_count_members (self->options)
                       || exit_status == satin_error_code_exit_status (SATIN_ERROR_NODE_LOST)
                       || exit_status == satin_error_code_exit_status (SATIN_ERROR_STOPPED);
  if (is_for_us && message != NULL && *message != '\0')
    run_terminal_warn (self->terminal, "%s", message);
}

static void
on_over (int exit_status, const char *message, gpointer user_data)
{
  RunControl *self = user_data;
  self->is_over = TRUE;
  if (self->phase < RUN_ENDING)
    {
      g_autofree char *why = g_strdup (message);
      self->exit_status = run_control_judge_end (self, exit_status, &why);
      say_over (self, exit_status, why);
      enter (self, RUN_ENDING);
    }
  run_control_check_done (self);
}

const RunHubFuncs run_control_hub_funcs = { .joined = on_joined,
                                            .leaving = run_control_node_leaving,
                                            .gone = run_control_node_gone,
                                            .died = run_control_node_died,
                                            .over = on_over,
                                            .asked = run_control_asked,
                                            .told = on_told,
                                            .describe = describe,
                                            .silent = run_control_node_silent,
                                            .elected = on_elected };

static void show_progress (gpointer user_data);

static void
on_progress (const SatinRunStatus *status, const GError *error, gpointer user_data)
{
  RunControl *self = user_data;
  if (self->phase >= RUN_ENDING)
    return;
  SatinLoop *loop = self->session->loop;
  if (error == NULL)
    {
      self->progress.n_awaited = run_fleet_count_awaited (self->fleet);
      g_autofree char *line =
          run_progress_format (&self->progress, status, satin_loop_now_us (loop) - self->began_us);
      run_terminal_show (self->terminal, line);
    }
  self->progress_timer = satin_loop_timer_add (loop, PROGRESS_PERIOD_US, show_progress, self);
}

static void
show_progress (gpointer user_data)
{
  RunControl *self = user_data;
  self->progress_timer = 0;
  run_hub_ask (self->hub, PROGRESS_ASK_US, on_progress, self);
}

static void
on_timeout (gpointer user_data)
{
  RunControl *self = user_data;
  g_autoptr (GError) error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT, "the run did not end within %.6g s",
                   (double)self->options->timeout_us / G_USEC_PER_SEC);
  self->timeout_timer = 0;
  run_control_fail (self, satin_error_exit_status (error), error->message);
}

void
run_control_init (RunControl *self, const RunOptions *options, RunTerminal *terminal)
{
  *self = (RunControl){ .options = options, .terminal = terminal };
  self->oom = oom_watch_new ("/");
  self->processes = run_processes_new (run_control_process_ended, self);
  self->leaving = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
}

void
run_control_start (RunControl *self)
{
  SatinLoop *loop = self->session->loop;
  self->began_us = satin_loop_now_us (loop);
  if (run_terminal_has_line (self->terminal) && run_hub_has_status (self->hub))
    self->progress_timer = satin_loop_timer_add (loop, PROGRESS_PERIOD_US, show_progress, self);
  if (self->options->timeout_us > 0)
    self->timeout_timer = satin_loop_timer_add (loop, self->options->timeout_us, on_timeout, self);
  start_nodes (self, 0, 1);
}

void
run_control_clear (RunControl *self)
{
  run_fleet_free (self->fleet);
  run_processes_free (self->processes);
  relay_free (self->relay);
  g_array_unref (self->leaving);
  g_free (self->crash);
  oom_watch_free (self->oom);
  if (self->has_final)
    satin_record_clear (&SatinRunStatus_record, &self->final);
}
