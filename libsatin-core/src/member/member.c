/* member.c - a program as a node of a run
 *
 * When the run is complete, each node offers itself as master, and the first offer wins. The master
 * puts the root job into its workers' inbox. When the root job has ended, the master ends the run.
 * The other nodes only steal. A node may leave (leave.c). When the master is gone, the other nodes
 * elect another one if there is a part that recovers; otherwise they end at once with an error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"
#include "threads/process.h"

#include <satin/base/run.h>

#define DEFAULT_POLICY "crs"

gboolean
member_is_master (SatinMembership *self)
{
  const SatinView *view = self->peers != NULL ? satin_peers_get_view (self->peers) : NULL;
  return view != NULL && view->master != 0 && view->master == view->self;
}

void
member_say (SatinMembership *self, const GError *error)
{
  g_printerr ("%s: %s\n", self->entry->name, error->message);
}

static void
on_stopped (const GError *error, gpointer user_data)
{
  SatinMembership *self = user_data;
  if (error != NULL)
    g_debug ("leaving: %s", error->message);
  self->events->over (self, self->exit_status, self->events_data);
}

/* Ends the membership. Only the first call counts. */
static void
end (SatinMembership *self, int exit_status, const GError *error)
{
  if (self->is_over)
    return;
  self->is_over = TRUE;
  self->exit_status = exit_status;
  if (error != NULL)
    member_say (self, error);
  /* The next master runs the root job again, and only that master may print the answer. So the
   * workers stop here. */
  if (self->is_root_started && !SATIN_LOAD (&self->is_root_over))
    {
      satin_loop_probe (self->loop, "member.root-given-up");
      pool_stop (self->workers);
    }
  /* The peers belong to a part, which goes when the node stops, so stealing ends first. Workers may
   * still report results. */
  leave_cancel (&self->leave);
  jobs_connect (self->jobs, NULL);
  g_clear_pointer (&self->steal, steal_free);
  satin_loop_timer_cancel (self->loop, &self->root_timer);
  self->recovery = NULL;
  self->peers = NULL;
  self->run = NULL;
  satin_node_stop (self->node, on_stopped, self);
}

static void
on_gone (gpointer user_data)
{
  SatinMembership *self = user_data;
  self->has_left = !self->is_over;
  end (self, 0, NULL);
}

static void
on_fail (const GError *error, gpointer user_data)
{
  end (user_data, satin_error_exit_status (error), error);
}

/* Makes the nodes elect another master, because master @id has gone. Without a part that recovers,
 * this node fails. */
static void
replace_master (SatinMembership *self, SatinNodeId id)
{
  if (self->recovery != NULL && self->run != NULL)
    satin_run_elect (self->run);
  else
    satin_node_fail (self->node,
                     g_error_new (SATIN_ERROR, SATIN_ERROR_NODE_LOST,
                                  "the master, node %u, is lost: the run cannot go on", id));
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  SatinMembership *self = user_data;
  if (self->is_over)
    return;
  const SatinView *view = satin_peers_get_view (self->peers);
  if (change == SATIN_PEER_MASTER)
    self->master = id;
  if (change == SATIN_PEER_DIED && id == self->master)
    member_master_died (self, id, view->death_signal);
  if (change == SATIN_PEER_MASTER && member_is_master (self))
    member_become_master (self);
  else if (change == SATIN_PEER_MASTER || (change == SATIN_PEER_JOINED && member_is_master (self)))
    member_tell_root_crashes (self, id);
  gboolean is_gone = change == SATIN_PEER_DIED || change == SATIN_PEER_LEFT;
  if (is_gone && view->master == 0 && view->term > 0)
    replace_master (self, id);
}

static void
on_complete (gpointer user_data)
{
  SatinMembership *self = user_data;
  if (!self->is_over)
    satin_run_elect (self->run);
}

/* Whether there ever was a master, as far as this node knows. */
static gboolean
has_begun (const SatinMembership *self)
{
  const SatinView *view = self->peers != NULL ? satin_peers_get_view (self->peers) : NULL;
  return view != NULL && view->term > 0;
}

/* Only the master ends with the run's status; the other nodes end with 0. A run that never began
 * has no master: every node ends with the run's status. */
static void
on_over (int exit_status, const char *message, const GError *error, gpointer user_data)
{
  SatinMembership *self = user_data;
  gboolean is_unbegun = error == NULL && !self->is_over && exit_status != 0 && !has_begun (self);
  if (is_unbegun)
    self->why_unbegun = g_strdup (message);
  if (error != NULL || is_unbegun)
    end (self, exit_status, error);
  else
    end (self, member_is_master (self) ? exit_status : 0, NULL);
}

static void
on_signal (const char *word, GBytes *payload, gpointer user_data)
{
  SatinMembership *self = user_data;
  g_autoptr (GError) error = NULL;
  self->is_stopping |= g_str_equal (word, SATIN_SIGNAL_STOP);
  if (g_str_equal (word, SATIN_SIGNAL_CRASH))
    member_note_crash (self, payload);
  if (g_str_equal (word, MEMBER_SIGNAL_ROOT_CRASHES))
    member_note_root_crashes (self, payload);
  if (!g_str_equal (word, SATIN_SIGNAL_LEAVE)
      || satin_membership_leave (self, satin_leave_read_deadline_us (payload), &error))
    return;
  g_warning ("asked to leave: %s", error->message);
}

static void
on_long_job (const char *job, gint64 ran_us, gpointer user_data)
{
  SatinMembership *self = user_data;
  const SatinEventValue value = { "ran_us", ran_us };
  if (self->run != NULL)
    satin_run_tell (self->run, SATIN_EVENT_LONG_JOB, job, &value, 1);
}

static void
on_details (gpointer interface, gpointer user_data)
{
  SatinMembership *self = user_data;
  steal_set_details (self->steal, interface);
}

static void
on_peers (gpointer interface, gpointer user_data)
{
  SatinMembership *self = user_data;
  self->peers = interface;
  self->master = satin_peers_get_view (self->peers)->master;
  satin_peers_add_change_func (self->peers, on_change, self);
  self->steal = steal_new (self->loop, self->peers, &jobs_ops, self->jobs, &self->policy_ops,
                           g_steal_pointer (&self->policy));
  steal_set_long_job_func (self->steal, on_long_job, self);
  satin_node_await (self->node, SATIN_INTERFACE_DETAILS, on_details, self);
  jobs_connect (self->jobs, self->steal);
}

static void
on_recovery (gpointer interface, gpointer user_data)
{
  SatinMembership *self = user_data;
  self->recovery = interface;
  self->workers->recovery_ops = self->recovery->ops;
  self->workers->has_all_hinted = self->recovery->has_all;
  steal_set_recovery (self->steal, self->recovery);
}

static void
on_run (gpointer interface, gpointer user_data)
{
  static const SatinRunEvents events = { .struct_size = sizeof (SatinRunEvents),
                                         .complete = on_complete,
                                         .signal = on_signal,
                                         .over = on_over };
  SatinMembership *self = user_data;
  self->run = interface;
  satin_run_add_events (self->run, &events, self);
}

static void
add_figures (SatinFigureFunc add, gpointer add_data, gpointer user_data)
{
  SatinMembership *self = user_data;
  member_look_at_workers (self);
  satin_workers_figures (self->workers, add, add_data);
  double progress = satin_workers_progress (self->workers);
  if (self->steal != NULL)
    {
      steal_figures (self->steal, add, add_data);
      steal_tell_progress (self->steal);
    }
  if (member_is_master (self))
    add ("progress-permille", (gint64)(progress * 1000), add_data);
}

/* @text: "NAME" or "NAME:key=value,...". */
static gboolean
open_policy (SatinMembership *self, const char *text, GError **error)
{
  g_autoptr (SatinParams) params = NULL;
  const SatinPlugin *plugin = satin_plugin_load_spec (SATIN_PLUGIN_POLICY, text, &params, error);
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_policy_required, &self->policy_ops,
                                 sizeof self->policy_ops, error))
    return FALSE;
  self->policy = self->policy_ops.open (params, error);
  if (self->policy == NULL)
    satin_plugin_explain (plugin, error);
  return self->policy != NULL;
}

static gboolean
add_parts (SatinMembership *self, const char *texts, GError **error)
{
  g_auto (GStrv) parts = satin_params_split (texts);
  for (guint i = 0; parts[i] != NULL; i++)
    if (!satin_node_add_part (self->node, parts[i], error))
      return FALSE;
  return TRUE;
}

typedef struct
{
  SatinMembership *self;
  SatinInputFunc done;
  gpointer user_data;
} Input;

static void
on_input_settled (const GError *error, gpointer user_data)
{
  g_autofree Input *input = user_data;
  SatinMembership *self = input->self;
  if (error != NULL && self->input_error == NULL && !self->is_over && member_is_master (self))
    self->input_error = g_error_copy (error);
  input->done (error, input->user_data);
}

static void
on_input (InputDesk *desk, const char *name, const guint8 *digest, SatinInputFunc done,
          gpointer user_data)
{
  SatinMembership *self = (SatinMembership *)desk;
  if (self->is_over)
    {
      g_autoptr (GError) error =
          g_error_new_literal (SATIN_ERROR, SATIN_ERROR_CLOSED, "the run is over");
      done (error, user_data);
      return;
    }
  if (self->recovery == NULL)
    {
      done (NULL, user_data);
      return;
    }
  Input *input = g_new0 (Input, 1);
  *input = (Input){ self, done, user_data };
  self->recovery->ops->input (self->recovery, name, digest, on_input_settled, input);
}

static gboolean
start (SatinMembership *self, const char *parts, const char *policy, GError **error)
{
  satin_node_set_fail_func (self->node, on_fail, self);
  satin_node_add_figures (self->node, add_figures, self);
  satin_node_set_insight (self->node, &member_insight, self);
  satin_node_provide (self->node, SATIN_INTERFACE_CORE, self->workers);
  satin_node_provide (self->node, SATIN_INTERFACE_DEPARTURE, &self->departure);
  satin_node_await (self->node, SATIN_INTERFACE_PEERS, on_peers, self);
  satin_node_await (self->node, SATIN_INTERFACE_RECOVERY, on_recovery, self);
  satin_node_await (self->node, SATIN_INTERFACE_RUN, on_run, self);
  return open_policy (self, policy != NULL && *policy != '\0' ? policy : DEFAULT_POLICY, error)
         && add_parts (self, parts, error);
}

SatinMembership *
satin_membership_new (SatinLoop *loop, const SatinEntry *entry, SatinWorkers *workers,
                      const char *parts, const char *policy, const SatinMembershipEvents *events,
                      gpointer user_data)
{
  g_return_val_if_fail (loop != NULL && entry != NULL && workers != NULL, NULL);
  g_return_val_if_fail (events != NULL, NULL);

  SatinMembership *self = g_new0 (SatinMembership, 1);
  SatinProgram program;
  self->departure = (SatinDeparture){ &member_departure_ops };
  self->loop = loop;
  self->entry = entry;
  self->workers = workers;
  self->events = events;
  self->events_data = user_data;
  self->input_desk = (InputDesk){ .loop = loop, .name = on_input };
  SATIN_STORE (&workers->input_desk, &self->input_desk);
  member_fill_root (self, entry);
  satin_program_describe (entry->name, &program);
  g_autofree char *arguments = member_describe_root (entry, program.root);
  program.arguments = arguments;
  program.build = entry->build;
  self->node = satin_node_new (loop, &program);
  self->jobs = jobs_new (workers, loop);
  g_autoptr (GError) error = NULL;
  if (!start (self, parts, policy, &error))
    end (self, satin_error_exit_status (error), error);
  return self;
}

void
satin_membership_free (SatinMembership *self)
{
  if (self == NULL)
    return;
  g_return_if_fail (self->is_over);
  satin_node_free (self->node);
  jobs_free (self->jobs);
  jobs_backups_free (self->backups);
  if (self->policy != NULL)
    self->policy_ops.close (self->policy);
  SATIN_STORE (&self->workers->input_desk, NULL);
  g_clear_error (&self->root_error);
  g_clear_error (&self->input_error);
  g_free (self->crash_job);
  g_free (self->why_unbegun);
  g_free (self->sights);
  hints_unref (self->workers, self->root_job.hints);
  g_free (self);
}

/* Whether this node may leave. The last node stays. A master stays if nobody could replace it; so
 * does a node that knows no master, because it may have been elected itself. */
static gboolean
may_go (SatinMembership *self)
{
  gboolean may_be_master =
      member_is_master (self) || satin_peers_get_view (self->peers)->master == 0;
  return steal_has_heir (self->steal) && (self->recovery != NULL || !may_be_master);
}

gboolean
satin_membership_leave (SatinMembership *self, gint64 deadline_us, GError **error)
{
  g_return_val_if_fail (deadline_us >= 0 && deadline_us <= SATIN_LEAVE_MAX_US, FALSE);
  if (self->is_over || self->run == NULL || self->steal == NULL)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_CLOSED, "this node is not in a run");
  else if (self->leave.is_leaving)
    leave_hurry (&self->leave, deadline_us);
  else if (!may_go (self))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "no node would stay to continue the run when node %u leaves: end the run instead",
                 satin_peers_get_view (self->peers)->self);
  else
    {
      self->leave = (Leave){ self->loop, self->peers, self->steal, on_gone, self };
      satin_run_leaving (self->run, deadline_us);
      leave_begin (&self->leave, deadline_us);
    }
  return self->leave.is_leaving;
}

void
member_stop_run (SatinMembership *self, gint64 deadline_us)
{
  const SatinLeave leave = { deadline_us };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  satin_run_signal (self->run, 0, SATIN_SIGNAL_STOP, payload);
}

static void
become_master (SatinMembership *member, gpointer user_data)
{
  process_set_master ();
}

static gboolean
write_answer (SatinMembership *member, gpointer user_data, GError **error)
{
  return process_flush (error);
}

static void
quit (SatinMembership *member, int exit_status, gpointer user_data)
{
  g_main_loop_quit (user_data);
}

int
member_run (const char *parts, const SatinEntry *entry, SatinWorkers *workers,
            SatinWorkersFlags flags)
{
  static const SatinMembershipEvents events = { .struct_size = sizeof (SatinMembershipEvents),
                                                .began = become_master,
                                                .answered = write_answer,
                                                .over = quit };
  GMainContext *context = g_main_context_default ();
  g_autoptr (GError) error = NULL;
  SatinLoop *loop = satin_loop_new (context, 0, &error);
  if (loop == NULL)
    {
      g_printerr ("%s: %s\n", entry->name, error->message);
      return satin_error_exit_status (error);
    }
  g_autoptr (GMainLoop) main = g_main_loop_new (context, FALSE);
  if (!(flags & SATIN_WORKERS_KEEP_NICE))
    satin_thread_be_prompt ();
  SatinMembership *self =
      satin_membership_new (loop, entry, workers, parts, g_getenv ("SATIN_POLICY"), &events, main);
  if (!(flags & SATIN_WORKERS_KEEP_TERM))
    leave_on_signal (self);
  memory_watch (self);
  parent_watch ();
  dump_on_signal (self, !(flags & SATIN_WORKERS_KEEP_QUIT));
  if (!(flags & SATIN_WORKERS_KEEP_SEGV))
    crash_watch (self);
  g_main_loop_run (main);
  /* If the process that started this node holds the hub, it has printed the message. */
  if (self->why_unbegun != NULL && *self->why_unbegun != '\0'
      && g_getenv ("SATIN_HUB_IS_HERE") == NULL)
    g_printerr ("%s: %s\n", entry->name, self->why_unbegun);
  if (self->has_left)
    process_set_left ();
  /* Workers may be in jobs that nobody waits for, and use everything else here. So nothing is freed
   * before the process ends. */
  return self->exit_status;
}
