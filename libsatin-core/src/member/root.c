/* root.c - the root job, on the node that is the master
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "arguments.h"
#include "private.h"
#include "tasks/task.h"

#include <string.h>

/* Other nodes get no backup of a sync that took less time than this and exported no job: running it
 * again is as fast as asking for the results. */
#define BACKUP_MIN_US ((gint64)1000)

/* The root job has ended. Ends the run when the part that recovers is ready for it. */
static void
end_run (gpointer user_data)
{
  SatinMembership *self = user_data;
  SatinRootPhase phase = self->root_error == NULL ? SATIN_ROOT_ENDED : SATIN_ROOT_FAILED;
  gint64 wait_us = 0;
  self->root_timer = 0;
  if (self->recovery != NULL)
    wait_us = self->recovery->ops->root_wait_us (self->recovery, phase, NULL);
  if (wait_us > 0)
    self->root_timer = satin_loop_timer_add (self->loop, wait_us, end_run, self);
  else
    satin_run_end (self->run, self->exit_status,
                   self->root_error != NULL ? self->root_error->message : NULL);
}

/* On the loop: the root job has ended, or cannot begin. If this node is out of the run, the result
 * goes nowhere. */
static void
root_over (gpointer user_data)
{
  SatinMembership *self = user_data;
  int status = self->root_status;
  if (self->is_over)
    return;
  if (self->root_error == NULL)
    self->root_error = g_steal_pointer (&self->input_error);
  if (self->root_error != NULL)
    {
      status = satin_error_exit_status (self->root_error);
      member_say (self, self->root_error);
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

/* On the worker. If the answer cannot be written the run fails, and its checkpoint stays. */
static void
root_done (Job *job, GError *error)
{
  SatinMembership *self = from_root (job);
  if (error == NULL && SATIN_HAS (self->events, answered))
    self->events->answered (self, self->events_data, &error);
  self->root_error = error;
  SATIN_STORE (&self->is_root_over, 1);
  satin_loop_post (self->loop, root_over, self);
}

/* Runs on the root job's worker, like the next two functions. */
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

/* Makes other nodes keep backups of what the root's frame finishes, and a part that stores results
 * store them. */
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
  steal_suspect_root (self->steal, self->n_crashes);
  gpointer hints = self->root_job.hints;
  pool_submit (self->workers, &self->root_job);
  if (SATIN_LOAD (&self->workers->n_free) == 0)
    pool_need_spare (self->workers, hints);
}

/* Ends the run instead of beginning the root job, if that has crashed too many masters. */
static gboolean
refuse (SatinMembership *self)
{
  if (member_may_run_root (self))
    return FALSE;
  self->root_error = member_refuse_root (self);
  satin_loop_post (self->loop, root_over, self);
  return TRUE;
}

/* Begins the root job when the part that recovers is ready: it may first read what was stored. */
static void
prepare_root (gpointer user_data)
{
  SatinMembership *self = user_data;
  const SatinRecoveryOps *ops = self->recovery->ops;
  self->root_timer = 0;
  if (refuse (self))
    return;
  gint64 wait_us = ops->root_wait_us (self->recovery, SATIN_ROOT_BEGINS, &self->root_error);
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

void
member_become_master (SatinMembership *self)
{
  if (self->is_root_started || self->is_over)
    return;
  if (self->leave.is_leaving)
    {
      /* The registry did not know yet that this node leaves. When it has left, there is another
       * election. */
      satin_loop_probe (self->loop, "member.elected-leaving");
      return;
    }
  self->is_root_started = TRUE;
  self->root_since_us = satin_loop_now_us (self->loop);
  g_info ("this node is the master");
  member_tell_root_crashes (self, 0);
  if (refuse (self))
    return;
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

void
member_fill_root (SatinMembership *self, const SatinEntry *entry)
{
  RootArgs args = { .argv = (const SatinString *)entry->argv, .n_argv = entry->argc };
  G_STATIC_ASSERT (sizeof args <= SATIN_SLOT_ARGS_BYTES);
  self->root_job.done = root_done;
  self->root_job.slot.task = (guintptr)entry->root;
  self->root_job.slot.result = &self->root_status;
  memcpy (self->root_job.slot.args, &args, sizeof args);
}

char *
member_describe_root (const SatinEntry *entry, guint8 *ret_key)
{
  g_autoptr (GPtrArray) words =
      arguments_that_matter (entry->argv + MIN (entry->argc, 1), (gsize)MAX (entry->argc - 1, 0));
  const RootArgs args = { .argv = (const SatinString *)words->pdata, .n_argv = words->len };
  satin_record_digest (entry->root->args, entry->root->name, &args, ret_key);
  return g_strjoinv (" ", entry->argv + MIN (entry->argc, 1));
}
