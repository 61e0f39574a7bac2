/* thief.c - the thief's side: asking for jobs, and taking them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tasks/crash.h"
#include "private.h"

#include <string.h>

/* Ends the request @asked: its answer has come with @n_jobs jobs, or this node does not wait for it
 * any more. */
static void
close_asked (Steal *self, Asked *asked, gsize n_jobs)
{
  steal_note_asked (self, asked, n_jobs);
  satin_loop_timer_cancel (self->loop, &asked->timer);
  self->asking.waited_us += satin_loop_now_us (self->loop) - asked->sent_us;
  steal_note_overdue (self, asked->to, asked->sent_us);
  asked->to = 0;
}

static void
count_failure (Steal *self, Asked *asked)
{
  asked->n_refused++;
  asked->refused_us = asked->sent_us;
  steal_note_answer (self, asked->to, -1);
}

static void
give_up (Steal *self, Asked *asked)
{
  asked->timer = 0;
  satin_loop_probe (self->loop, "steal.request-overdue");
  g_debug ("node %u: no answer to steal request %" G_GUINT64_FORMAT, asked->to, asked->request);
  count_failure (self, asked);
  close_asked (self, asked, 0);
  steal_consider (self);
}

static void
near_overdue (gpointer user_data)
{
  Steal *self = user_data;
  give_up (self, &self->asking.near);
}

static void
far_overdue (gpointer user_data)
{
  Steal *self = user_data;
  give_up (self, &self->asking.far);
}

/* Some node may have jobs now: ends the pauses that follow refusals. */
void
steal_forget_refusals (Steal *self)
{
  self->asking.near.n_refused = self->asking.far.n_refused = 0;
}

static void
start_deadline (Steal *self, Asked *asked, const SatinVictim *to)
{
  SATIN_INJECT_BUG ("forget-deadline", return);
  gint64 deadline_us = MIN (REQUEST_DEADLINE_US + 8 * to->latency_us, REQUEST_DEADLINE_MAX_US);
  asked->timer = satin_loop_timer_add (
      self->loop, deadline_us, asked == &self->asking.near ? near_overdue : far_overdue, self);
}

/* Sends a request. @asked must be free. @max_jobs 0 sets no limit. */
void
steal_ask (Steal *self, Asked *asked, SatinVictim *to, guint max_jobs)
{
  asked->to = to->id;
  asked->request = ++self->asking.last_request;
  asked->sent_us = satin_loop_now_us (self->loop);
  StealRequest request = {
    .request = asked->request,
    .hold_us = MIN (HOLD_US * (1 + (gint64)asked->n_refused), HOLD_MAX_US),
    .n_queued = steal_count_queued (self),
    .max_jobs = (gint32)MIN (max_jobs, MAX_BATCH),
    .is_free = self->jobs_ops->is_free (self->jobs),
  };
  self->asking.n_tried++;
  steal_count_asked (self, to->id);
  asked->is_offered = to->has_offered;
  steal_victims_remove_offer (&self->victims, to);
  start_deadline (self, asked, to);
  steal_send (self, to->id, STEAL_REQUEST, &StealRequest_record, &request);
}

static Asked *
find_asked (Steal *self, SatinNodeId from, gint64 request)
{
  Asked *both[] = { &self->asking.near, &self->asking.far };
  for (guint i = 0; i < G_N_ELEMENTS (both); i++)
    if (both[i]->to == from && both[i]->request == (guint64)request)
      return both[i];
  return NULL;
}

void
steal_on_nothing (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealAnswer *nothing = data;
  Asked *asked = find_asked (self, from, nothing->request);
  if (asked == NULL)
    {
      satin_loop_probe (self->loop, "steal.nothing-late");
      return;
    }
  steal_note_load (self, from, nothing->n_queued);
  count_failure (self, asked);
  close_asked (self, asked, 0);
  steal_consider (self);
}

/* Gives up this node's request if it seems to be pending, or if it went to a far node that had
 * offered nothing, so that this node can ask @offering instead. If jobs come for the old request
 * all the same, they run here. */
static void
leave_pending (Steal *self, const SatinVictim *offering)
{
  Asked *asked = offering->is_near ? &self->asking.near : &self->asking.far;
  gint64 waited_us = satin_loop_now_us (self->loop) - asked->sent_us;
  gboolean is_late = waited_us > PENDING_US + 4 * offering->latency_us;
  gboolean is_vain = asked == &self->asking.far && !asked->is_offered;
  if (asked->to == 0 || (!is_late && !is_vain))
    return;
  satin_loop_probe (self->loop, "steal.pending-left");
  close_asked (self, asked, 0);
}

/* Records that a victim that had refused has jobs now, and asks the policy. */
void
steal_on_offer (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealAnswer *offer = data;
  if (offer->request <= 0 || (guint64)offer->request > self->asking.last_request)
    return; /* this node has sent no such request */
  steal_note_load (self, from, offer->n_queued);
  SatinVictim *victim = steal_find_victim (self, from);
  if (victim == NULL)
    return; /* gone, or not shown to the policy */
  steal_victims_add_offer (&self->victims, victim);
  leave_pending (self, victim);
  steal_consider (self);
}

/* Stores the arguments, lineage and path of @job in @import. */
static void
settle_import (Steal *self, Import *import, const StealJob *job, const StealJobsMessage *message)
{
  gboolean is_known = job->origin >= 0 && (gsize)job->origin < message->n_origins;
  const StealOrigin *origin = is_known ? &message->origins[job->origin] : NULL;
  Baggage baggage = { .args = job->args, .n_args = job->n_args };
  if (is_known)
    {
      baggage.lineage = origin->lineage;
      baggage.n_lineage = origin->n_lineage;
      baggage.path = job->path;
      baggage.n_path = job->n_path;
      baggage.is_placed = job->is_placed;
    }
  steal_import_set_baggage (&self->imports, import, &baggage);
  import->n_far =
      (is_known ? (guint)MAX (origin->n_far, 0) : 0) + steal_is_far (self, import->owner);
}

/* Returns: (transfer full) (nullable): the hints that came with the job */
static gpointer
unpack_hints (Steal *self, SatinNodeId from, const StealJob *job)
{
  if (job->n_hints == 0 || self->recovery == NULL)
    return NULL;
  SatinJobRef ref = { from, job->index, job->generation };
  return self->recovery->ops->unpack (self->recovery, job->hints, job->n_hints, &ref);
}

/* Sends the job back to its owner, which knows the hints that came with it. The owner may be about
 * to send more hints. The part that recovers must ignore them here, so it learns that the job was
 * given back. */
void
steal_return_job (Steal *self, SatinNodeId from, const StealJob *job)
{
  const StealName name = { .index = job->index, .generation = job->generation };
  gpointer hints = unpack_hints (self, from, job);
  if (hints != NULL)
    {
      self->recovery->ops->tell (hints, SATIN_AGAIN_GIVEN_BACK, 0);
      self->recovery->ops->unref (hints);
    }
  steal_send (self, from, STEAL_UNKNOWN, &StealName_record, &name);
}

/* Imports one job. Returns: FALSE when the job cannot begin here or cannot be read; then it was
 * sent back to its owner */
static gboolean
admit (Steal *self, SatinNodeId from, const StealJob *job, const StealJobsMessage *message)
{
  StealName name = { .index = job->index, .generation = job->generation };
  gboolean is_bound = job->n_hints > 0 && self->recovery != NULL && !self->recovery->has_all;
  if (is_bound && !self->jobs_ops->is_free (self->jobs))
    {
      satin_loop_probe (self->loop, "steal.hinted-returned");
      steal_return_job (self, from, job);
      return FALSE;
    }
  Import *import = steal_imports_add_new (&self->imports, from, &name);
  import->task = job->task;
  settle_import (self, import, job, message);
  if (job->n_crashes > 0)
    steal_suspect_all (self, import->import_id, (guint)MIN (job->n_crashes, MAX_CRASHES));
  g_autoptr (GBytes) args = g_bytes_new_static (import->baggage, import->n_args);
  if (self->jobs_ops->give (self->jobs, job->task, args, import->import_id,
                            unpack_hints (self, from, job)))
    {
      import->came_us = satin_loop_now_us (self->loop);
      return TRUE;
    }
  satin_warn_of_peer (&self->warnings, self->loop, from,
                      "a job of task %d cannot be read: returned", job->task);
  steal_send (self, from, STEAL_UNKNOWN, &StealName_record, &import->name);
  steal_imports_remove (&self->imports, import);
  return FALSE;
}

gboolean
steal_return_import (Steal *self, guint64 import_id, gpointer hints)
{
  Import *import = steal_imports_find (&self->imports, import_id);
  if (import->is_orphan)
    return FALSE;
  satin_loop_probe (self->loop, "steal.hinted-returned");
  if (hints == NULL)
    steal_send (self, import->owner, STEAL_UNKNOWN, &StealName_record, &import->name);
  else
    steal_send_back (self, import, hints);
  steal_imports_remove (&self->imports, import);
  return TRUE;
}

/* Takes the jobs of a message, even if their request was given up meanwhile. */
void
steal_on_jobs (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealJobsMessage *message = data;
  Asked *asked = find_asked (self, from, message->request);
  steal_note_load (self, from, message->n_queued);
  gint64 answer_us = asked != NULL ? satin_loop_now_us (self->loop) - asked->sent_us : -1;
  if (asked != NULL)
    {
      steal_note_answer (self, from, answer_us);
      close_asked (self, asked, message->n_jobs);
    }
  else if (message->request != 0)
    satin_loop_probe (self->loop, "steal.jobs-late");
  if (self->is_leaving)
    {
      steal_return_jobs (self, from, message);
      return;
    }
  gboolean is_any = FALSE;
  for (gsize i = 0; i < message->n_jobs; i++)
    if (admit (self, from, &message->jobs[i], message))
      is_any = TRUE;
  if (is_any)
    {
      self->asking.n_won += message->request != 0; /* request 0: the jobs came unasked */
      self->asking.n_won_far += message->request != 0 && steal_is_far (self, from);
      if (asked != NULL)
        steal_count_won (self, from, answer_us);
      steal_forget_refusals (self);
      steal_victims_forgive_all (&self->victims);
    }
  steal_consider (self);
}

void
steal_say_running (Steal *self, const Import *import, guint n_crashes)
{
  StealRunning running = { import->name.index, import->name.generation, (gint32)n_crashes };
  steal_send (self, import->owner, STEAL_RUNNING, &StealRunning_record, &running);
}

void
steal_on_query (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealName *name = data;
  Import *import = steal_imports_find_of (&self->imports, from, name);
  if (import == NULL)
    {
      satin_loop_probe (self->loop, "steal.job-unknown");
      steal_send (self, from, STEAL_UNKNOWN, &StealName_record, name);
    }
  else if (!import->is_over)
    steal_say_running (self, import, steal_count_crashes_of_import (self, import));
  else /* the result is on its way, or will be sent again */
    satin_loop_probe (self->loop, "steal.result-asked");
}

/* Ends the requests to node @id, which is gone, and makes orphans of the jobs that came from it. */
void
steal_peer_gone (Steal *self, SatinNodeId id)
{
  if (self->asking.near.to == id || self->asking.far.to == id)
    satin_loop_probe (self->loop, "steal.victim-lost");
  if (self->asking.near.to == id)
    close_asked (self, &self->asking.near, 0);
  if (self->asking.far.to == id)
    close_asked (self, &self->asking.far, 0);
  /* The part that recovers may drop other orphans when it hears of one. So each job is looked up
   * again. */
  g_autoptr (GArray) import_ids = steal_imports_list_of (&self->imports, id);
  for (guint i = 0; i < import_ids->len; i++)
    {
      Import *import = steal_imports_find (&self->imports, g_array_index (import_ids, guint64, i));
      if (import == NULL || import->is_orphan)
        continue;
      satin_loop_probe (self->loop, "steal.owner-lost");
      steal_orphan_import (self, import);
    }
}

void
steal_thief_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->asking.near.timer);
  satin_loop_timer_cancel (self->loop, &self->asking.far.timer);
}
