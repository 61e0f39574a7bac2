/* watch.c - decides what the end of a node's process means for the run
 *
 * If the node has left the run, its work is done; the user is told when the run continues without
 * it. If the node has not left, it is lost, and the run continues without it, even without the
 * master. But a master that exits by itself has ended the program, and so it ends the run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "control.h"
#include "runs/figures.h"

#include <satin/base/run.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* The end of a process. judge() handles it when the status of the run arrives. @process lives
 * longer than this struct. */
typedef struct
{
  RunControl *control; /* (borrowed) */
  const RunProcess *process;
  int signal_number; /* the signal that ended it, or SATIN_DEATH_OUT_OF_MEMORY; 0: none */
} Ending;

static const SatinNodeStatus *
find_node (const SatinRunStatus *status, gint64 pid)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    if (figure_is_of_process (&status->nodes[i], pid))
      return &status->nodes[i];
  return NULL;
}

static int
find_signal (const RunControl *self, const RunProcess *process)
{
  int number = WIFSIGNALED (process->wait_status) ? WTERMSIG (process->wait_status) : 0;
  return number == SIGKILL && oom_watch_has_struck (self->oom) ? SATIN_DEATH_OUT_OF_MEMORY : number;
}

/* Like run_process_describe_end(), but also describes a lack of memory. The kernel kills the
 * process with the most memory, so the largest size of any child is the size of that process. */
static char *
describe_end (const Ending *ending)
{
  struct rusage usage = { 0 };
  if (ending->signal_number != SATIN_DEATH_OUT_OF_MEMORY)
    return run_process_describe_end (ending->process);
  getrusage (RUSAGE_CHILDREN, &usage);
  return g_strdup_printf ("was killed by the kernel for lack of memory, having %ld MiB,",
                          usage.ru_maxrss >> 10);
}

/* Handles a process that ended before its node joined: ends the run, unless another command asked
 * for this node (add.c). */
static void
fail_early (RunControl *self, const RunProcess *process, const char *how)
{
  int exit_status = run_process_exit_status (process);
  gboolean is_added = process->index >= self->options->labels->len;
  g_autofree char *message =
      g_strdup_printf ("%s %s before it joined the run%s", self->options->program, how,
                       is_added           ? "; the others go on without it"
                       : exit_status == 0 ? "; is it a Satin program?"
                                          : "");
  if (is_added)
    run_terminal_warn (self->terminal, "%s", message);
  else
    run_control_fail (self, exit_status != 0 ? exit_status : 1, message);
}

/* Returns: the exit status of a process that ended before the run was over. If it is 0, a job has
 * called _exit (0); the status of a failed job takes its place. */
static int
get_failure_status (const RunProcess *process)
{
  g_autoptr (GError) failed = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, "");
  int exit_status = run_process_exit_status (process);
  return exit_status != 0 ? exit_status : satin_error_exit_status (failed);
}

static void
lose (const Ending *ending, const SatinNodeStatus *node, const char *how)
{
  RunControl *self = ending->control;
  const RunProcess *process = ending->process;
  gboolean is_end = node->is_master && !WIFSIGNALED (process->wait_status);
  const char *cause = run_process_exit_status (process) == 0 ? " (did a job call _exit (0)?)" : "";
  g_autofree char *message =
      g_strdup_printf ("node %" G_GINT64_FORMAT "%s (pid %d%s%s) %s before the run was over%s%s",
                       node->node, node->is_master ? ", the master" : "", (int)process->pid,
                       *node->cluster != '\0' ? ", cluster " : "", node->cluster, how, cause,
                       is_end ? "" : "; the others go on without it");
  if (is_end)
    run_control_fail (self, get_failure_status (process), message);
  else
    run_terminal_warn (self->terminal, "%s", message);
  run_hub_process_ended (self->hub, process->pid, ending->signal_number, how);
}

static gboolean
is_known_leaver (const RunControl *self, const SatinNodeStatus *node)
{
  for (guint i = 0; i < self->leaving->len; i++)
    if (g_array_index (self->leaving, SatinNodeId, i) == node->node)
      return g_str_equal (node->state, "left");
  return FALSE;
}

static void
tell_left (RunControl *self, const RunProcess *process, const SatinNodeStatus *node)
{
  run_terminal_say (
      self->terminal, "node %" G_GINT64_FORMAT " (pid %d%s%s) left the run; the others go on",
      node->node, (int)process->pid, *node->cluster != '\0' ? ", cluster " : "", node->cluster);
}

/* Ends the run when no node is left, unless the hub is ending the run already: then nodes may leave
 * before on_over() is called. @gone_pid: an ended process that @status may still show as a member,
 * or 0 */
static void
check_any_left (RunControl *self, gint64 gone_pid, const SatinRunStatus *status)
{
  guint n_members = 0;
  for (gsize i = 0; i < status->n_nodes; i++)
    n_members +=
        !figure_is_of_process (&status->nodes[i], gone_pid) && figure_is_member (&status->nodes[i]);
  if (self->phase < RUN_ENDING && n_members == 0 && !run_hub_is_ending (self->hub)
      && run_processes_count_running (self->processes) == 0)
    {
      g_autofree char *why = g_strdup ("no node is left, and the run is not over");
      int exit_status =
          run_control_judge_end (self, satin_error_code_exit_status (SATIN_ERROR_NODE_LOST), &why);
      run_control_fail (self, exit_status, why);
    }
}

static void
judge (const SatinRunStatus *status, const GError *error, gpointer user_data)
{
  g_autofree Ending *ending = user_data;
  RunControl *self = ending->control;
  const RunProcess *process = ending->process;
  const SatinNodeStatus *node = find_node (status, process->pid);
  g_autofree char *how = describe_end (ending);

  if (self->phase >= RUN_ENDING)
    run_hub_process_ended (self->hub, process->pid, ending->signal_number, how);
  else if (node == NULL)
    fail_early (self, process, how);
  else if (figure_is_member (node))
    lose (ending, node, how);
  else if (is_known_leaver (self, node) && run_process_exit_status (process) == 0)
    tell_left (self, process, node);
  check_any_left (self, process->pid, status);
  run_control_check_done (self);
}

/* Whether a process exited with status 0 although its node had not reported that it left or that
 * the run was over. */
static gboolean
is_unexplained (const RunProcess *process)
{
  return run_process_exit_status (process) == 0 && process->word == RUN_WORD_NONE;
}

/* Whether the end concerns only this node, and not the run: the node was killed, a job ended it, it
 * was declared dead, or it was not let in because the run was over. */
static gboolean
is_lost (const RunProcess *process)
{
  int exit_status = run_process_exit_status (process);
  return WIFSIGNALED (process->wait_status) || is_unexplained (process)
         || exit_status == satin_error_code_exit_status (SATIN_ERROR_FENCED)
         || exit_status == satin_error_code_exit_status (SATIN_ERROR_CLOSED);
}

/* In a rank other than 0: whether rank 0 reports how the run ended, so that this rank ends with
 * status 0 whatever became of its node. Rank 0 does so if the node was a member, this rank got no
 * signal, and the node has not ended because the hub is gone. */
static gboolean
is_led (const RunControl *self, int exit_status)
{
  return self->options->is_follower && self->phase > RUN_FIRST && self->signal_number == 0
         && exit_status != satin_error_code_exit_status (SATIN_ERROR_UNREACHABLE);
}

/* With another command's hub: decides what the exit status of a node means for the exit status of
 * this command. The run continues without a lost node. So the status of a lost node counts only
 * when no node of this command saw the end of the run. */
static void
take_import_status (RunControl *self, const RunProcess *process)
{
  int exit_status = get_failure_status (process);
  if (is_led (self, exit_status))
    return;
  if (is_lost (process))
    self->lost_status = exit_status;
  else if (process->word == RUN_WORD_NONE)
    {
      self->has_seen_end = TRUE;
      if (self->exit_status == 0)
        self->exit_status = exit_status;
    }
  else
    self->has_seen_end |= process->word == RUN_WORD_OVER;
  if (!self->has_seen_end && self->exit_status == 0
      && run_processes_count_running (self->processes) == 0)
    self->exit_status = self->lost_status;
}

static void
tell_import_lost (RunControl *self, const RunProcess *process)
{
  g_autofree char *how = run_process_describe_end (process);
  const char *cause = is_unexplained (process)
                          ? " before the run was over; did a job call _exit (0)? A job ends by "
                            "return, and fails by satin_fail ()"
                          : "";
  run_terminal_warn (self->terminal, "%s (pid %d) %s%s", self->options->program, (int)process->pid,
                     how, cause);
}

/* Handles the end of a process if another command holds the hub. That command notices by itself
 * that the node is gone, so only the exit status matters here. */
static void
end_as_import (RunControl *self, const RunProcess *process)
{
  if (self->phase < RUN_ENDING && (WIFSIGNALED (process->wait_status) || is_unexplained (process)))
    tell_import_lost (self, process);
  take_import_status (self, process);
  run_control_check_done (self);
}

void
run_control_process_ended (const RunProcess *process, gpointer user_data)
{
  RunControl *self = user_data;
  /* The node's own messages are printed before the message about its end. */
  relay_drain (self->relay);
  if (!run_hub_is_own (self->hub))
    {
      end_as_import (self, process);
      return;
    }
  if (self->phase >= RUN_ENDING)
    {
      g_autofree char *how = run_process_describe_end (process);
      run_hub_process_ended (self->hub, process->pid, find_signal (self, process), how);
      run_control_check_done (self);
      return;
    }
  Ending *ending = g_new (Ending, 1);
  *ending = (Ending){ self, process, find_signal (self, process) };
  run_hub_ask (self->hub, 0, judge, ending);
}

/* ---- jobs that crash nodes ---- */

/* Keeps the crash for run_control_judge_end(). Prints it, unless the node itself has printed it to
 * the same place: a node with the name of this host, or one that a launcher has started. */
void
run_control_node_crashes (RunControl *self, SatinNodeId from, GBytes *payload)
{
  const char *host = run_hub_get_host (self->hub, from);
  SatinCrash crash;
  if (!satin_crash_read (payload, &crash))
    return;
  if (crash.owner != SATIN_CRASH_NOBODY)
    {
      g_free (self->crash);
      self->crash = satin_crash_describe (&crash);
      if (self->options->rank == NULL && g_strcmp0 (host, g_get_host_name ()) != 0)
        run_terminal_warn (self->terminal, "%s", self->crash);
    }
  satin_record_clear (&SatinCrash_record, &crash);
}

/* A job is the cause of the end if no node is left and a job has crashed a node. */
int
run_control_judge_end (const RunControl *self, int exit_status, char **message)
{
  if (exit_status != satin_error_code_exit_status (SATIN_ERROR_NODE_LOST) || self->crash == NULL)
    return exit_status;
  g_autofree char *bare = *message;
  *message = g_strdup_printf ("%s: %s; the program has an error, run it on one node in a debugger",
                              bare != NULL ? bare : "the run is lost", self->crash);
  return satin_error_code_exit_status (SATIN_ERROR_JOB);
}

/* ---- machines that are taken away ---- */

/* Prints the notice, unless the node itself has printed it to the same place: a node on this
 * machine, or one that a launcher has started. */
void
run_control_node_noticed (RunControl *self, SatinNodeId from, GBytes *payload)
{
  const char *host = run_hub_get_host (self->hub, from);
  SatinNotice notice;
  if (!satin_notice_read (payload, &notice))
    return;
  g_autofree char *text = satin_notice_describe (from, &notice);
  gboolean is_here = self->options->rank != NULL || self->options->fleet.is_local
                     || g_strcmp0 (host, g_get_host_name ()) == 0;
  if (!is_here)
    run_terminal_warn (self->terminal, "%s", text);
  run_fleet_noticed (self->fleet, from);
  satin_record_clear (&SatinNotice_record, &notice);
}

/* ---- nodes that the hub does not hear ---- */

void
run_control_node_silent (SatinNodeId id, const char *why, gpointer user_data)
{
  RunControl *self = user_data;
  const char *host = run_hub_get_host (self->hub, id);
  /* A node of this command is reported by run_control_node_died(), or when its process ends. A node
   * with the name of this host counts as a node of this command, unless a launcher has started
   * commands here. */
  if (self->phase < RUN_ENDING
      && (self->options->rank != NULL || g_strcmp0 (host, g_get_host_name ()) != 0))
    run_terminal_warn (self->terminal,
                       "node %u (host %s) was declared dead: %s; the others go on without it", id,
                       host != NULL ? host : "?", why);
}

static void
on_members (const SatinRunStatus *status, const GError *error, gpointer user_data)
{
  check_any_left (user_data, 0, status);
}

void
run_control_node_leaving (SatinNodeId id, gpointer user_data)
{
  RunControl *self = user_data;
  g_array_append_val (self->leaving, id);
  hub_journal_changed (self->journal);
}

/* Kills the process of a node that was declared dead, because it no longer belongs to the run.
 * Above all, a master that lives on would end the program again and print its output twice. */
void
run_control_node_died (SatinNodeId id, gint64 pid, gpointer user_data)
{
  RunControl *self = user_data;
  if (self->phase < RUN_ENDING && run_processes_kill (self->processes, pid))
    run_terminal_warn (self->terminal,
                       "node %u (pid %" G_GINT64_FORMAT ") was declared dead, as it was silent for "
                       "too long, and is killed; the others go on without it",
                       id, pid);
}

/* Ends the run if no node is left. The last node of an open run may belong to another command. Then
 * no process ends here, and only this event shows that no node is left. */
void
run_control_node_gone (SatinNodeId id, gpointer user_data)
{
  RunControl *self = user_data;
  run_fleet_left (self->fleet, id);
  hub_journal_gone (self->journal, id);
  if (self->phase < RUN_ENDING && run_processes_count_running (self->processes) == 0)
    run_hub_ask (self->hub, 0, on_members, self);
}
