/* member.c - a program as a node of a run
 *
 * When all members are here
 * each offers itself as master and the first offer wins; the master puts the root job into its
 * workers' inbox, and when that has ended it ends the run. The others have only
 * their stealing, and may leave (leave.c). A node whose master dies ends at once with an error,
 * unless a part takes care of that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/main.h>
#include <satin/core/membership.h>

#include "crash.h"
#include "jobs.h"
#include "leave.h"
#include "member.h"
#include "task.h"

#include <string.h>

#define DEFAULT_POLICY "crs"

/* What the root has finished sooner than this is not kept by others: it is as soon done again as
 * asked for. */
#define BACKUP_MIN_US ((gint64)1000)

struct _SatinMembership
{
  SatinLoop *loop;       /* (borrowed) */
  SatinNode *node;       /* (owned) */
  SatinWorkers *workers; /* (borrowed) */
  Jobs *jobs;            /* (owned) */
  Steal *steal;          /* (owned) NULL until there are peers */
  SatinPolicyOps policy_ops;
  gpointer policy;                     /* (owned) until the steal has it */
  SatinPeers *peers;                   /* (borrowed) */
  SatinRun *run;                       /* (borrowed) */
  SatinRecovery *recovery;             /* (borrowed) (nullable) */
  SatinTimerId root_timer;             /* the root begins anew, soon */
  const SatinEntry *entry;             /* (borrowed) */
  const SatinMembershipEvents *events; /* (borrowed) */
  gpointer events_data;
  SatinNodeId master; /* the last one that was elected */
  guint n_crashes;    /* of masters */
  int crash_signal;   /* of the last of them */
  gboolean is_root_started;
  Job root_job;         /* when this is the master */
  JobsBackups *backups; /* (owned) NULL: nobody keeps what its frame has finished */
  gint32 root_status;
  int is_root_over;   /* atomic: no worker has it */
  GError *root_error; /* (owned) */
  Leave leave;
  gboolean is_stopping; /* the run was told to store what it has, and to end */
  gboolean is_over;
  int exit_status;
};

static gboolean
is_master (SatinMembership *self)
{
  const SatinView *view = self->peers != NULL ? satin_peers_get_view (self->peers) : NULL;
  return view != NULL && view->master != 0 && view->master == view->self;
}

static void
say (SatinMembership *self, const GError *error)
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

/* The end, for whatever reason; the first one counts. */
static void
end (SatinMembership *self, int exit_status, const GError *error)
{
  if (self->is_over)
    return;
  self->is_over = TRUE;
  self->exit_status = exit_status;
  if (error != NULL)
    say (self, error);
  /* Whoever is the master after this one runs it, and it is to say once what it has found. */
  if (self->is_root_started && !SATIN_LOAD (&self->is_root_over))
    {
      satin_loop_probe (self->loop, "member.root-given-up");
      pool_stop (self->workers);
    }
  /* The peers go with their part, so stealing ends first. Workers may still come with results. */
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
  end (user_data, 0, NULL);
}

static void
on_fail (const GError *error, gpointer user_data)
{
  end (user_data, satin_error_exit_status (error), error);
}

/* The root job has ended; the part may want to do something first. */
static void
end_run (gpointer user_data)
{
  SatinMembership *self = user_data;
  gint64 wait_us = 0;
  self->root_timer = 0;
  if (self->recovery != NULL && SATIN_RECOVERY_HAS (self->recovery->ops, root_over_us))
    wait_us = self->recovery->ops->root_over_us (self->recovery, self->root_error == NULL);
  if (wait_us > 0)
    self->root_timer = satin_loop_timer_add (self->loop, wait_us, end_run, self);
  else
    satin_run_end (self->run, self->exit_status,
                   self->root_error != NULL ? self->root_error->message : NULL);
}

/* On the loop: the root job has ended. Out of the run, it is nobody's any more. */
static void
root_over (gpointer user_data)
{
  SatinMembership *self = user_data;
  int status = self->root_status;
  if (self->is_over)
    return;
  if (self->root_error != NULL)
    {
      status = satin_error_exit_status (self->root_error);
      say (self, self->root_error);
    }
  self->exit_status = status;
  if (self->events->ended != NULL)
    self->events->ended (self, self->events_data);
  end_run (self);
}

static SatinMembership *
from_root (Job *job)
{
  return (SatinMembership *)((char *)job - G_STRUCT_OFFSET (SatinMembership, root_job));
}

/* On the worker. */
static void
root_done (Job *job, GError *error)
{
  SatinMembership *self = from_root (job);
  self->root_error = error;
  SATIN_STORE (&self->is_root_over, 1);
  satin_loop_post (self->loop, root_over, self);
}

/* On the worker, as the next two. */
static void
root_begun (Job *job)
{
  jobs_backups_begin (from_root (job)->backups);
}

static void
root_synced (Job *job, SatinSlot *base, SatinSlot *head)
{
  jobs_backups_note (from_root (job)->backups, base, head);
}

static void
root_goes_on (Job *job)
{
  jobs_backups_hand_over (from_root (job)->backups);
}

static void
on_backups (const StealSaved *backups, guint n, gpointer user_data)
{
  SatinMembership *self = user_data;
  if (self->steal == NULL)
    return;
  steal_hand_out (self->steal, backups, n);
  steal_tell_finished (self->steal, backups, n);
}

/* Others keep what the root's frame finishes, for when this node is lost. */
static void
watch_root (SatinMembership *self)
{
  self->backups = jobs_backups_new (self->workers, self->loop, BACKUP_MIN_US, on_backups, self);
  self->root_job.begin = root_begun;
  self->root_job.synced = root_synced;
  self->root_job.goes_on = root_goes_on;
}

static void
begin_root (SatinMembership *self)
{
  if (self->events->began != NULL)
    self->events->began (self, self->events_data);
  gpointer hints = self->root_job.hints;
  pool_submit (self->workers, &self->root_job);
  if (SATIN_LOAD (&self->workers->n_free) == 0)
    pool_need_spare (self->workers, hints);
}

/* The part may want to know first what was stored of it. */
static void
prepare_root (gpointer user_data)
{
  SatinMembership *self = user_data;
  const SatinRecoveryOps *ops = self->recovery->ops;
  gint64 wait_us = 0;
  self->root_timer = 0;
  if (SATIN_RECOVERY_HAS (ops, root_wait_us))
    wait_us = ops->root_wait_us (self->recovery, &self->root_error);
  if (wait_us > 0)
    {
      self->root_timer = satin_loop_timer_add (self->loop, wait_us, prepare_root, self);
      return;
    }
  if (wait_us < 0)
    {
      satin_loop_post (self->loop, root_over, self);
      return;
    }
  self->root_job.hints = ops->root (self->recovery);
  begin_root (self);
}

/* Each master has crashed so far, and so would this one. */
static void
refuse_root (SatinMembership *self)
{
  SatinSlot *slot = &self->root_job.slot;
  g_autofree char *job = task_describe (
      self->entry->root, satin_slot_args (slot, self->entry->root->args->size_bytes));
  self->root_error =
      g_error_new (SATIN_ERROR, SATIN_ERROR_JOB,
                   "the root job, %s, crashed %d masters, the last by signal %d "
                   "(%s): the program has an error; run it on one node in a debugger",
                   job, MAX_CRASHES, self->crash_signal, crash_name (self->crash_signal));
  satin_loop_post (self->loop, root_over, self);
}

/* The master of a later term begins the root job anew, when others had time to say what they have
 * of it. */
static void
become_master (SatinMembership *self)
{
  if (self->is_root_started || self->is_over)
    return;
  if (self->leave.is_leaving)
    {
      /* The registry had not heard yet that it leaves. When it has left, the others elect again. */
      satin_loop_probe (self->loop, "member.elected-leaving");
      return;
    }
  self->is_root_started = TRUE;
  g_info ("this node is the master");
  steal_suspect_root (self->steal, self->n_crashes);
  if (self->n_crashes >= MAX_CRASHES)
    {
      refuse_root (self);
      return;
    }
  if (self->recovery != NULL)
    watch_root (self);
  if (self->recovery == NULL)
    begin_root (self);
  else if (satin_peers_get_view (self->peers)->term <= 1)
    prepare_root (self);
  else
    self->root_timer = satin_loop_timer_add (
        self->loop, self->recovery->ops->grace_us (self->recovery), prepare_root, self);
}

/* There was a master, and now there is none. */
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
  if (change == SATIN_PEER_DIED && id == self->master && crash_name (view->death_signal) != NULL)
    {
      self->n_crashes++;
      self->crash_signal = view->death_signal;
    }
  if (change == SATIN_PEER_MASTER && is_master (self))
    become_master (self);
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

static void
on_over (int exit_status, const char *message, const GError *error, gpointer user_data)
{
  SatinMembership *self = user_data;
  if (error != NULL)
    end (self, exit_status, error);
  else
    end (self, is_master (self) ? exit_status : 0, NULL);
}

static void
on_signal (const char *word, GBytes *payload, gpointer user_data)
{
  SatinMembership *self = user_data;
  g_autoptr (GError) error = NULL;
  self->is_stopping |= g_str_equal (word, SATIN_SIGNAL_STOP);
  if (!g_str_equal (word, SATIN_SIGNAL_LEAVE)
      || satin_membership_leave (self, satin_leave_read_deadline_us (payload), &error))
    return;
  g_warning ("asked to leave: %s", error->message);
}

static void
on_peers (gpointer interface, gpointer user_data)
{
  SatinMembership *self = user_data;
  self->peers = interface;
  satin_peers_add_change_func (self->peers, on_change, self);
  self->steal = steal_new (self->loop, self->peers, &jobs_ops, self->jobs, &self->policy_ops,
                           g_steal_pointer (&self->policy));
  jobs_connect (self->jobs, self->steal);
}

static void
on_recovery (gpointer interface, gpointer user_data)
{
  SatinMembership *self = user_data;
  self->recovery = interface;
  self->workers->recovery_ops = self->recovery->ops;
  steal_set_recovery (self->steal, self->recovery);
}

static void
on_run (gpointer interface, gpointer user_data)
{
  static const SatinRunEvents events = { .complete = on_complete,
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
  satin_workers_figures (self->workers, add, add_data);
  if (self->steal != NULL)
    steal_figures (self->steal, add, add_data);
  if (is_master (self))
    add ("progress-permille", (gint64)(satin_workers_progress (self->workers) * 1000), add_data);
}

/* "NAME" or "NAME:key=value,..." */
static gboolean
open_policy (SatinMembership *self, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 2);
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_POLICY, parts[0], error);
  if (plugin == NULL)
    return FALSE;
  g_autoptr (SatinParams) params = satin_params_parse_text (
      satin_plugin_get_desc (plugin)->params, parts[1] != NULL ? parts[1] : "", error);
  if (params == NULL)
    {
      g_prefix_error (error, "policy %s: ", parts[0]);
      return FALSE;
    }
  satin_plugin_copy_ops (plugin, &self->policy_ops, sizeof self->policy_ops);
  self->policy = self->policy_ops.open (params, error);
  return self->policy != NULL;
}

static gboolean
add_parts (SatinMembership *self, const char *texts, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (texts, ";", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0' && !satin_node_add_part (self->node, parts[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
start (SatinMembership *self, const char *parts, const char *policy, GError **error)
{
  satin_node_set_fail_func (self->node, on_fail, self);
  satin_node_add_figures (self->node, add_figures, self);
  satin_node_provide (self->node, SATIN_INTERFACE_CORE, self->workers);
  satin_node_await (self->node, SATIN_INTERFACE_PEERS, on_peers, self);
  satin_node_await (self->node, SATIN_INTERFACE_RECOVERY, on_recovery, self);
  satin_node_await (self->node, SATIN_INTERFACE_RUN, on_run, self);
  return open_policy (self, policy != NULL && *policy != '\0' ? policy : DEFAULT_POLICY, error)
         && add_parts (self, parts, error);
}

/* The arguments of the root task lie in its slot, or are found through it. */
static void
fill_root (SatinMembership *self, const SatinEntry *entry)
{
  RootArgs args = { .argv = (const SatinString *)entry->argv, .n_argv = entry->argc };
  G_STATIC_ASSERT (sizeof args <= SATIN_SLOT_ARGS_BYTES);
  self->root_job.done = root_done;
  self->root_job.slot.task = (guintptr)entry->root;
  self->root_job.slot.result = &self->root_status;
  memcpy (self->root_job.slot.args, &args, sizeof args);
}

/* Fills in its key, to which it does not matter where the program lies. Returns: (transfer full):
 * its arguments in words */
static char *
describe_root (const SatinEntry *entry, guint8 *ret_key)
{
  const RootArgs args = { .argv = (const SatinString *)entry->argv + 1,
                          .n_argv = (gsize)MAX (entry->argc - 1, 0) };
  satin_record_digest (entry->root->args, entry->root->name, &args, ret_key);
  return g_strjoinv (" ", entry->argv + MIN (entry->argc, 1));
}

SatinMembership *
satin_membership_new (SatinLoop *loop, const SatinEntry *entry, SatinWorkers *workers,
                      const char *parts, const char *policy, const SatinMembershipEvents *events,
                      gpointer user_data)
{
  SatinMembership *self = g_new0 (SatinMembership, 1);
  SatinProgram program;
  self->loop = loop;
  self->entry = entry;
  self->workers = workers;
  self->events = events;
  self->events_data = user_data;
  fill_root (self, entry);
  satin_program_describe (entry->name, &program);
  g_autofree char *arguments = describe_root (entry, program.root);
  program.arguments = arguments;
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
  g_clear_error (&self->root_error);
  hints_unref (self->workers, self->root_job.hints);
  g_free (self);
}

/* The last one stays, and so does a master that nobody could replace. Who knows of none may have
 * been elected itself. */
static gboolean
may_go (SatinMembership *self)
{
  gboolean may_be_master = is_master (self) || satin_peers_get_view (self->peers)->master == 0;
  return steal_has_heir (self->steal) && (self->recovery != NULL || !may_be_master);
}

gboolean
satin_membership_leave (SatinMembership *self, gint64 deadline_us, GError **error)
{
  g_return_val_if_fail (deadline_us >= 0 && deadline_us <= SATIN_LEAVE_MAX_US, FALSE);
  if (self->is_over || self->run == NULL || self->steal == NULL)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_CLOSED, "this node is not in a run");
  else if (!may_go (self))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "nobody stays who could go on when node %u leaves: end the run instead",
                 satin_peers_get_view (self->peers)->self);
  else if (self->leave.is_leaving)
    leave_hurry (&self->leave, deadline_us);
  else
    {
      self->leave = (Leave){ self->loop, self->peers, self->steal, on_gone, self };
      satin_run_leaving (self->run, deadline_us);
      leave_begin (&self->leave, deadline_us);
    }
  return self->leave.is_leaving;
}

MemberOutlook
member_look_around (SatinMembership *self)
{
  MemberOutlook outlook = { .is_stopping = self->is_stopping };
  if (self->is_over || self->run == NULL || self->steal == NULL)
    return outlook;
  outlook.may_stop = is_master (self) && self->recovery != NULL
                     && SATIN_RECOVERY_HAS (self->recovery->ops, finished);
  outlook.has_heir = steal_has_heir (self->steal);
  outlook.is_alone = satin_peers_get_view (self->peers)->n_peers == 0;
  return outlook;
}

void
member_stop_run (SatinMembership *self, gint64 deadline_us)
{
  const SatinLeave leave = { deadline_us };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  satin_run_signal (self->run, 0, SATIN_SIGNAL_STOP, payload);
}

gboolean
satin_membership_is_over (const SatinMembership *self)
{
  return self->is_over;
}

SatinNode *
satin_membership_get_node (SatinMembership *self)
{
  return self->node;
}

guint
satin_membership_count_away (const SatinMembership *self)
{
  return self->steal != NULL ? steal_count_lent (self->steal) + steal_count_held (self->steal) : 0;
}

gboolean
satin_membership_look (const SatinMembership *self, SatinHoldings *ret_holdings)
{
  *ret_holdings = (SatinHoldings){
    .n_lent = self->steal != NULL ? steal_count_lent (self->steal) : 0,
    .n_guests = self->steal != NULL ? steal_count_guests (self->steal) : 0,
    .n_queued = pool_count_queued (self->workers),
    .n_aborted = self->steal != NULL ? steal_count_aborted (self->steal) : 0,
    .n_in_use = pool_count_in_use (self->workers),
    .n_refilled = (guint)SATIN_LOAD_RELAXED (&self->workers->n_refilled),
  };
  return self->steal != NULL
         && !self->leave.is_saving; /* its workers stand still with all they had */
}

void
satin_membership_foreach_loan (const SatinMembership *self, SatinLoanFunc func, gpointer user_data)
{
  if (self->steal != NULL)
    steal_foreach_loan (self->steal, func, user_data);
}

gboolean
satin_membership_wants (const SatinMembership *self, SatinNodeId thief, const SatinLoan *loan)
{
  return self->steal == NULL || steal_wants (self->steal, thief, loan);
}

guint64
satin_membership_get_running (const SatinMembership *self, gconstpointer thread)
{
  const Job *job = pool_get_running (self->workers, pool_find_worker (self->workers, thread));
  return job != NULL && job->is_remote ? jobs_get_ticket (job) : 0;
}

gboolean
satin_membership_find_guest (const SatinMembership *self, guint64 ticket, SatinLoan *ret_loan)
{
  return self->steal != NULL && steal_find_loan (self->steal, ticket, ret_loan);
}

guint64
satin_membership_get_under (const SatinMembership *self, SatinNodeId thief, const SatinLoan *loan)
{
  return self->steal != NULL ? steal_get_under (self->steal, thief, loan) : 0;
}

void
satin_membership_waits (const SatinMembership *self, SatinWaitFunc add, gpointer user_data)
{
  if (self->steal != NULL)
    steal_waits (self->steal, add, user_data);
  leave_waits (&self->leave, add, user_data);
  satin_node_waits (self->node, add, user_data);
}

static void
quit (SatinMembership *member, int exit_status, gpointer user_data)
{
  g_main_loop_quit (user_data);
}

int
member_run (const char *parts, const SatinEntry *entry, SatinWorkers *workers)
{
  static const SatinMembershipEvents events = { .over = quit };
  GMainContext *context = g_main_context_default ();
  SatinLoop *loop = satin_loop_new (context, 0);
  g_autoptr (GMainLoop) main = g_main_loop_new (context, FALSE);
  satin_thread_be_prompt ();
  SatinMembership *self =
      satin_membership_new (loop, entry, workers, parts, g_getenv ("SATIN_POLICY"), &events, main);
  leave_on_signal (self);
  g_main_loop_run (main);
  /* Workers may be inside jobs that nobody waits for; the process ends under them. So the rest,
   * which they can see, is left to that. */
  return self->exit_status;
}
