/* thief.c - the thief's side: asking, running, returning results
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "workers/crash.h"
#include "private.h"

#include <string.h>

/* The answer to @asked came, or will not come. */
static void
close_asked (Steal *self, Asked *asked)
{
  satin_loop_timer_cancel (self->loop, &asked->timer);
  self->waited_us += satin_loop_now_us (self->loop) - asked->sent_us;
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
  close_asked (self, asked);
  steal_consider (self);
}

static void
near_overdue (gpointer user_data)
{
  Steal *self = user_data;
  give_up (self, &self->near);
}

static void
far_overdue (gpointer user_data)
{
  Steal *self = user_data;
  give_up (self, &self->far);
}

static void
start_deadline (Steal *self, Asked *asked, const SatinVictim *to)
{
  SATIN_INJECT_BUG ("forget-deadline", return);
  gint64 deadline_us = MIN (REQUEST_DEADLINE_US + 8 * to->latency_us, REQUEST_DEADLINE_MAX_US);
  asked->timer = satin_loop_timer_add (self->loop, deadline_us,
                                       asked == &self->near ? near_overdue : far_overdue, self);
}

/* @asked is free; @max_jobs 0 is as many as it likes. */
void
steal_ask (Steal *self, Asked *asked, SatinVictim *to, guint max_jobs)
{
  asked->to = to->id;
  asked->request = ++self->last_request;
  asked->sent_us = satin_loop_now_us (self->loop);
  StealRequest request = {
    .request = asked->request,
    .hold_us = MIN (HOLD_US * (1 + (gint64)asked->n_refused), HOLD_MAX_US),
    .n_queued = steal_count_queued (self),
    .max_jobs = (gint32)MIN (max_jobs, MAX_BATCH),
    .is_free = self->jobs_ops->is_free (self->jobs),
  };
  self->n_tried++;
  asked->is_offered = to->has_offered;
  steal_victims_remove_offer (&self->victims, to);
  start_deadline (self, asked, to);
  steal_send (self, to->id, STEAL_REQUEST, &StealRequest_record, &request);
}

static Asked *
find_asked (Steal *self, SatinNodeId from, gint64 request)
{
  Asked *both[] = { &self->near, &self->far };
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
  close_asked (self, asked);
  steal_consider (self);
}

/* A request that waits elsewhere is given up for one that can be answered now; should jobs come for
 * it all the same, they are welcome. */
static void
leave_held (Steal *self, const SatinVictim *offering)
{
  Asked *asked = offering->is_near ? &self->near : &self->far;
  gint64 waited_us = satin_loop_now_us (self->loop) - asked->sent_us;
  gboolean is_overdue = waited_us > HELD_US + 4 * offering->latency_us;
  gboolean is_vain = asked == &self->far && !asked->is_offered;
  if (asked->to == 0 || (!is_overdue && !is_vain))
    return;
  satin_loop_probe (self->loop, "steal.held-left");
  close_asked (self, asked);
}

/* It had nothing when it was asked, and has now. */
void
steal_on_offer (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealAnswer *offer = data;
  if (offer->request <= 0 || (guint64)offer->request > self->last_request)
    return; /* to nothing that was asked here */
  steal_note_load (self, from, offer->n_queued);
  SatinVictim *victim = steal_find_victim (self, from);
  if (victim == NULL)
    return; /* gone, or not among those that can be asked */
  steal_victims_add_offer (&self->victims, victim);
  leave_held (self, victim);
  steal_consider (self);
}

/* Where @job comes from, as the message says. */
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
  steal_import_set_baggage (self, import, &baggage);
  import->n_far =
      (is_known ? (guint)MAX (origin->n_far, 0) : 0) + steal_is_far (self, import->owner);
}

/* Returns: (transfer full) (nullable): what is known of the descendants of a lost job */
static gpointer
unpack_hints (Steal *self, SatinNodeId from, const StealJob *job)
{
  if (job->n_hints == 0 || self->recovery == NULL)
    return NULL;
  SatinJobRef ref = { from, job->index, job->generation };
  return self->recovery->ops->unpack (self->recovery, job->hints, job->n_hints, &ref);
}

/* The job is not for here. Its owner knows what it sent along, and may be about to send more of
 * that, which is not to be refused. */
void
steal_return_job (Steal *self, SatinNodeId from, const StealJob *job)
{
  const StealName name = { .index = job->index, .generation = job->generation };
  gpointer hints = unpack_hints (self, from, job);
  if (hints != NULL)
    self->recovery->ops->give_back (hints);
  steal_send (self, from, STEAL_UNKNOWN, &StealName_record, &name);
}

/* One job that came. Returns: FALSE when it cannot be read; its owner was told */
static gboolean
admit (Steal *self, SatinNodeId from, const StealJob *job, const StealJobsMessage *message)
{
  StealName name = { .index = job->index, .generation = job->generation };
  gboolean is_bound =
      job->n_hints > 0 && self->recovery != NULL && !SATIN_HAS (self->recovery->ops, has_all);
  if (is_bound && !self->jobs_ops->is_free (self->jobs))
    {
      satin_loop_probe (self->loop, "steal.hinted-returned");
      steal_return_job (self, from, job);
      return FALSE;
    }
  Import *import = steal_add_import (self, from, &name);
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
  steal_forget_import (self, import);
  return FALSE;
}

gboolean
steal_return_import (Steal *self, guint64 import_id, gpointer hints)
{
  Import *import = steal_find_import (self, import_id);
  if (import->is_orphan)
    return FALSE;
  satin_loop_probe (self->loop, "steal.hinted-returned");
  if (hints == NULL)
    steal_send (self, import->owner, STEAL_UNKNOWN, &StealName_record, &import->name);
  else
    steal_send_back (self, import, hints);
  steal_forget_import (self, import);
  return TRUE;
}

/* Jobs are ours from here on, also when their request was given up meanwhile. */
void
steal_on_jobs (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealJobsMessage *message = data;
  Asked *asked = find_asked (self, from, message->request);
  steal_note_load (self, from, message->n_queued);
  if (asked != NULL)
    {
      steal_note_answer (self, from, satin_loop_now_us (self->loop) - asked->sent_us);
      close_asked (self, asked);
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
      self->n_won += message->request != 0; /* 0: they came unasked */
      self->n_won_far += message->request != 0 && steal_is_far (self, from);
      self->near.n_refused = self->far.n_refused = 0;
      steal_victims_forgive_all (&self->victims);
    }
  steal_consider (self);
}

/* What was sent and still waits in the queue to its owner is not sent again: that queue would grow
 * for ever where results are large and the link is slow. */
static gboolean
is_due (Steal *self, Import *import, gint64 now_us)
{
  if (!import->is_over || import->is_orphan || import->send_us > now_us)
    return FALSE;
  if (import->n_sent == 0 || satin_peers_queued_bytes (self->peers, import->owner) == 0)
    return TRUE;
  satin_loop_probe (self->loop, "steal.result-queued");
  import->send_us = now_us + RESEND_US;
  return FALSE;
}

/* Says when the results of @imports, which were sent just now, are to be sent again. */
static void
note_sent (Steal *self, Import *const *imports, guint n_imports, gboolean is_sent, gint64 now_us)
{
  for (guint i = 0; i < n_imports; i++)
    {
      imports[i]->send_us = now_us + steal_again_us (RESEND_US, imports[i]->n_sent);
      imports[i]->n_sent += is_sent != FALSE;
      steal_outbox_update (self, imports[i]);
    }
}

static StealResult
describe_result (const Import *import, gint64 now_us)
{
  StealResult result = {
    .index = import->name.index,
    .generation = import->name.generation,
    .status = import->status,
    .code = import->code,
    .message = import->message,
    .domain = steal_domain_name (import->domain),
  };
  if (import->result != NULL)
    result.result = g_bytes_get_data (import->result, &result.n_result);
  if (import->n_args + result.n_result > LARGE_BYTES)
    {
      result.ran_us = import->ran_us;
      result.held_us = now_us - import->came_us;
    }
  return result;
}

static gsize
count_bytes (const Import *import)
{
  gsize size_bytes = import->result != NULL ? g_bytes_get_size (import->result) : 0;
  return size_bytes + (import->message != NULL ? strlen (import->message) : 0);
}

/* The results of the first @imports, as many as one message may take now. */
static GArray *
gather_results (Steal *self, Import *const *imports, guint n_imports, gint64 now_us)
{
  GArray *results = g_array_new (FALSE, FALSE, sizeof (StealResult));
  gsize n_bytes = 0;
  for (guint i = 0; i < n_imports; i++)
    {
      if (imports[i]->owner != imports[0]->owner || !is_due (self, imports[i], now_us))
        break;
      n_bytes += count_bytes (imports[i]);
      if (i > 0 && n_bytes > RESULTS_MAX_BYTES)
        break;
      StealResult result = describe_result (imports[i], now_us);
      g_array_append_val (results, result);
      if (imports[i]->n_sent > 0)
        satin_loop_probe (self->loop, "steal.result-again");
    }
  return results;
}

/* Sends the results of the first @imports to their owner, as many as one message takes. Returns:
 * how many */
static guint
send_results (Steal *self, Import *const *imports, guint n_imports, gint64 now_us)
{
  g_autoptr (GArray) results = gather_results (self, imports, n_imports, now_us);
  if (results->len == 0)
    return 0;
  StealResults message = {
    .results = (const StealResult *)results->data,
    .n_results = results->len,
    .n_queued = steal_count_queued (self),
  };
  gboolean is_sent =
      steal_send (self, imports[0]->owner, STEAL_RESULTS, &StealResults_record, &message);
  note_sent (self, imports, results->len, is_sent, now_us);
  return results->len;
}

static void flush_later (gpointer user_data);

/* Sends what is due and comes back when the next is. */
static void
flush (Steal *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  g_autoptr (GPtrArray) due = steal_outbox_take_due (self, now_us);
  for (guint i = 0; i < due->len;)
    {
      Import *const *imports = (Import *const *)due->pdata + i;
      guint n = send_results (self, imports, due->len - i, now_us);
      if (n == 0)
        steal_outbox_update (self, imports[0]); /* later */
      i += MAX (n, 1);
    }
  gint64 next_us = steal_outbox_next_us (self);
  satin_loop_timer_cancel (self->loop, &self->resend_timer);
  if (next_us < G_MAXINT64)
    self->resend_timer =
        satin_loop_timer_add (self->loop, MAX (next_us - now_us, 0), flush_later, self);
}

static void
flush_later (gpointer user_data)
{
  Steal *self = user_data;
  self->resend_timer = 0;
  flush (self);
}

/* Results that end in one turn of the loop travel together: they are sent in the next. */
static void
flush_soon (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->resend_timer);
  self->resend_timer = satin_loop_timer_add (self->loop, 0, flush_later, self);
}

void
steal_finished (Steal *self, guint64 import_id, const StealOutcome *outcome)
{
  Import *import = steal_find_import (self, import_id);
  g_return_if_fail (import != NULL && !import->is_over);
  if (outcome->status == STEAL_OK && outcome->result != NULL && !outcome->is_theirs)
    steal_tell_ended (self, import, outcome->result);
  if (import->is_unwanted)
    {
      satin_loop_probe (self->loop, "steal.result-unwanted");
      steal_forget_import (self, import);
      return;
    }
  import->is_over = TRUE;
  import->over_us = import->send_us = satin_loop_now_us (self->loop);
  import->ran_us = outcome->ran_us;
  import->status = outcome->status;
  gboolean has_name = steal_domain_name (outcome->domain) != NULL;
  import->domain = has_name ? outcome->domain : SATIN_ERROR;
  import->code = has_name ? outcome->code : SATIN_ERROR_JOB;
  import->message = steal_bound_message (outcome->message);
  import->result = outcome->result != NULL ? g_bytes_ref (outcome->result) : NULL;
  steal_outbox_update (self, import);
  if (import->is_orphan)
    steal_orphan_over (self, import);
  else
    flush_soon (self);
}

/* Sends the result of @import, which is over, to its owner. */
void
steal_send_result (Steal *self, Import *import)
{
  import->n_sent = 0;
  import->send_us = satin_loop_now_us (self->loop);
  steal_outbox_update (self, import);
  flush_soon (self);
}

/* The owner @from has the result of job @name. */
static void
forget_acknowledged (Steal *self, SatinNodeId from, const StealName *name)
{
  SATIN_INJECT_BUG ("keep-table", return);
  Import *import = steal_find_import_of (self, from, name);
  if (import == NULL || !import->is_over)
    return;
  steal_note_overdue (self, from, import->over_us);
  steal_forget_import (self, import);
}

void
steal_on_ack (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealNames *acked = data;
  for (gsize i = 0; i < acked->n_names; i++)
    forget_acknowledged (self, from, &acked->names[i]);
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
  Import *import = steal_find_import_of (self, from, name);
  if (import == NULL)
    {
      satin_loop_probe (self->loop, "steal.job-unknown");
      steal_send (self, from, STEAL_UNKNOWN, &StealName_record, name);
    }
  else if (!import->is_over)
    steal_say_running (self, import, steal_count_crashes_of_import (self, import));
  else /* it is on its way, or will go again */
    satin_loop_probe (self->loop, "steal.result-asked");
}

/* A node is gone: nobody waits for what it exported to us. */
void
steal_peer_gone (Steal *self, SatinNodeId id)
{
  if (self->near.to == id || self->far.to == id)
    satin_loop_probe (self->loop, "steal.victim-lost");
  if (self->near.to == id)
    close_asked (self, &self->near);
  if (self->far.to == id)
    close_asked (self, &self->far);
  /* Who is told of an orphan may have others dropped. */
  g_autoptr (GArray) import_ids = steal_list_imports_of (self, id);
  for (guint i = 0; i < import_ids->len; i++)
    {
      Import *import = steal_find_import (self, g_array_index (import_ids, guint64, i));
      if (import == NULL || import->is_orphan)
        continue;
      satin_loop_probe (self->loop, "steal.owner-lost");
      steal_orphan_import (self, import);
    }
}

/* A link broke: results may be lost, so all that were not acknowledged go again. */
void
steal_peer_unsure (Steal *self, SatinNodeId id)
{
  for (const GList *item = self->imports.head; item != NULL; item = item->next)
    {
      Import *import = item->data;
      if (import->owner != id || !import->is_over || import->is_orphan)
        continue;
      import->n_sent = 0;
      import->send_us = satin_loop_now_us (self->loop);
      steal_outbox_update (self, import);
    }
  flush_soon (self);
}

void
steal_thief_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->near.timer);
  satin_loop_timer_cancel (self->loop, &self->far.timer);
  satin_loop_timer_cancel (self->loop, &self->resend_timer);
}
