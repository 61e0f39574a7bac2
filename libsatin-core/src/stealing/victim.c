/* victim.c - the victim's side: exporting jobs, and taking them back
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#include "private.h"

/* A thief's request that waits until jobs become public. */
typedef struct
{
  SatinNodeId from;
  gint64 request;
  guint max;
  gboolean is_free;
  gint64 until_us;
} Pending;

/* A refused node that gets an OFFER when there are jobs. */
typedef struct
{
  SatinNodeId id;
  gint64 request;
} Hungry;

void
steal_victim_init (StealServing *self)
{
  self->pending = g_array_new (FALSE, FALSE, sizeof (Pending));
  self->hungry = g_array_new (FALSE, FALSE, sizeof (Hungry));
}

static void
give_to_workers (Steal *self, const Export *exported)
{
  SATIN_INJECT_BUG ("drop-returned", return);
  self->jobs_ops->put_back (self->jobs, exported->handle, exported->hints);
}

void
steal_put_back (Steal *self, guint index)
{
  Export exported = *steal_exports_at (&self->exports, index);
  steal_exports_remove (&self->exports, index);
  self->serving.n_returned++;
  if (exported.hints != NULL)
    self->recovery->ops->tell (exported.hints, SATIN_AGAIN_RETURNED, 0);
  give_to_workers (self, &exported);
}

guint
steal_add_export (Steal *self, const StealTaken *taken, SatinNodeId thief)
{
  Export job = { .handle = taken->handle,
                 .thief = thief,
                 .exported_us = satin_loop_now_us (self->loop),
                 .under = taken->under,
                 .hints = taken->hints };
  if (taken->args != NULL)
    job.n_args = (guint32)g_bytes_get_size (taken->args);
  return steal_exports_add (&self->exports, &job);
}

void
steal_count_returned (Steal *self)
{
  self->serving.n_returned++;
}

static void ask_after_jobs (gpointer user_data);

void
steal_start_asking_after_jobs (Steal *self)
{
  SATIN_INJECT_BUG ("forget-reply", return);
  if (self->serving.query_timer == 0)
    self->serving.query_timer = satin_loop_timer_add (self->loop, QUERY_US, ask_after_jobs, self);
}

static void
stop_asking_after_jobs (Steal *self)
{
  SATIN_INJECT_BUG ("keep-timer", return);
  satin_loop_timer_cancel (self->loop, &self->serving.query_timer);
}

static void
query_exported (Steal *self, SatinNodeId thief)
{
  for (guint i = 0; i < self->exports.jobs->len; i++)
    {
      Export *exported = steal_exports_at (&self->exports, i);
      StealName name = { .index = i, .generation = exported->generation };
      if (exported->handle != NULL && (thief == 0 || exported->thief == thief))
        steal_send (self, exported->thief, STEAL_QUERY, &StealName_record, &name);
    }
}

static void
ask_after_jobs (gpointer user_data)
{
  Steal *self = user_data;
  self->serving.query_timer = 0;
  query_exported (self, 0);
  if (self->exports.n > 0)
    steal_start_asking_after_jobs (self);
}

static void
note_exported (Steal *self, SatinNodeId to, StealTaken *taken, StealJob *ret_job)
{
  guint index = steal_add_export (self, taken, to);
  const Export *exported = steal_exports_at (&self->exports, index);
  *ret_job = (StealJob){ .index = index, .generation = exported->generation, .task = taken->task };
  ret_job->args = g_bytes_get_data (taken->args, &ret_job->n_args);
  ret_job->is_placed = taken->path != NULL;
  ret_job->n_crashes = (gint32)steal_count_crashes (self, taken->under, taken->path);
  if (taken->path != NULL)
    ret_job->path = g_bytes_get_data (taken->path, &ret_job->n_path);
  if (taken->hints == NULL)
    return;
  SatinJobRef ref = { satin_peers_get_view (self->peers)->self, (gint32)index,
                      exported->generation };
  taken->packed = self->recovery->ops->pack (self->recovery, taken->hints, to, &ref);
  ret_job->hints = g_bytes_get_data (taken->packed, &ret_job->n_hints);
}

/* Writes the lineages of the jobs. Jobs side by side that descend from the same imported job, or
 * from the root job, share a lineage. Returns: number of lineages */
static gsize
note_origins (Steal *self, StealTaken *taken, guint n, StealJob *jobs, StealOrigin *origins)
{
  gsize n_origins = 0;
  for (guint i = 0; i < n; i++)
    {
      if (i == 0 || taken[i].under != taken[i - 1].under)
        {
          StealOrigin *origin = &origins[n_origins++];
          guint n_far;
          taken[i].lineage = steal_lineage_below (self, taken[i].under, &n_far);
          *origin = (StealOrigin){ .n_far = (gint32)n_far };
          origin->lineage = g_bytes_get_data (taken[i].lineage, &origin->n_lineage);
        }
      jobs[i].origin = (gint32)n_origins - 1;
    }
  return n_origins;
}

/* Returns: how many of the imported jobs that wait here must stay. If @to is far, one job for each
 * near node stays, because each change of cluster delays a job's result */
static guint
count_kept (Steal *self, SatinNodeId to)
{
  return steal_is_far (self, to) ? self->victims.n_all_near : 0;
}

/* The outcome of export(). */
typedef enum
{
  EXPORT_NOTHING, /* there were no jobs, or none may be exported now */
  EXPORT_KEPT,    /* all jobs that there were must not go to the thief's cluster */
  EXPORT_UNSENT,  /* no message can be sent to the thief now: the jobs were put back */
  EXPORT_SENT,
} ExportResult;

/* Frees what the message borrowed. If it was not sent, puts its jobs back. */
static void
finish_export (Steal *self, StealTaken *taken, const StealJob *jobs, guint n, gboolean is_sent)
{
  SATIN_INJECT_BUG ("run-twice", is_sent = FALSE);
  for (guint i = 0; i < n; i++)
    {
      g_bytes_unref (taken[i].args);
      g_clear_pointer (&taken[i].path, g_bytes_unref);
      g_clear_pointer (&taken[i].packed, g_bytes_unref);
      g_clear_pointer (&taken[i].lineage, g_bytes_unref);
      if (!is_sent)
        steal_put_back (self, jobs[i].index);
    }
}

/* Exports at most @max jobs to @to. */
static ExportResult export(Steal *self, SatinNodeId to, gint64 request, guint max, gboolean is_free)
{
  StealTaken taken[MAX_BATCH];
  StealJob jobs[MAX_BATCH];
  StealOrigin origins[MAX_BATCH];
  if (self->is_quiet || self->exports.n >= MAX_EXPORTED)
    return EXPORT_NOTHING;
  StealDemand demand = {
    .max = MIN (max, MAX_BATCH),
    .n_kept = count_kept (self, to),
    .may_be_bound = is_free,
    .cluster = steal_find_cluster (self, to),
  };
  gboolean is_kept;
  guint n = self->jobs_ops->take (self->jobs, &demand, taken, &is_kept);
  if (n == 0)
    return is_kept ? EXPORT_KEPT : EXPORT_NOTHING;
  n = steal_keep_travelled (self, to, taken, n);
  if (n == 0)
    return EXPORT_KEPT;
  for (guint i = 0; i < n; i++)
    note_exported (self, to, &taken[i], &jobs[i]);
  StealJobsMessage data = {
    .request = request,
    .jobs = jobs,
    .n_jobs = n,
    .n_queued = steal_count_queued (self),
    .origins = origins,
    .n_origins = note_origins (self, taken, n, jobs, origins),
  };
  g_autoptr (GBytes) message = steal_message (STEAL_JOBS, &StealJobsMessage_record, &data);
  gboolean is_sent = satin_peers_send (self->peers, to, SATIN_CHANNEL_STEAL, message);
  finish_export (self, taken, jobs, n, is_sent);
  if (!is_sent)
    {
      satin_loop_probe (self->loop, "steal.jobs-unsent");
      return EXPORT_UNSENT;
    }
  self->serving.n_given += n;
  steal_start_asking_after_jobs (self);
  return EXPORT_SENT;
}

/* Sends jobs that nobody asked for, under request 0. Returns: FALSE when there were no jobs to
 * send */
gboolean
steal_push (Steal *self, SatinNodeId to, guint max)
{
  ExportResult result = export(self, to, 0, max, FALSE);
  if (result == EXPORT_SENT)
    self->serving.n_pushed++;
  return result != EXPORT_NOTHING;
}

static void
forget_hungry (Steal *self, SatinNodeId id)
{
  for (guint i = self->serving.hungry->len; i-- > 0;)
    if (g_array_index (self->serving.hungry, Hungry, i).id == id)
      g_array_remove_index (self->serving.hungry, i);
}

/* Refuses a request, and records the node for an OFFER. */
static void
refuse (Steal *self, SatinNodeId to, gint64 request)
{
  StealAnswer nothing = { .request = request, .n_queued = steal_count_queued (self) };
  steal_send (self, to, STEAL_NOTHING, &StealAnswer_record, &nothing);
  if (self->is_quiet || self->serving.hungry->len >= MAX_HUNGRY)
    return;
  Hungry hungry = { to, request };
  g_array_append_val (self->serving.hungry, hungry);
  self->jobs_ops->want (self->jobs);
}

static void hold_over (gpointer user_data);

static void
start_hold_timer (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->serving.hold_timer);
  gint64 first_us = G_MAXINT64;
  for (guint i = 0; i < self->serving.pending->len; i++)
    first_us = MIN (first_us, g_array_index (self->serving.pending, Pending, i).until_us);
  if (self->serving.pending->len == 0)
    return;
  gint64 wait_us = first_us - satin_loop_now_us (self->loop);
  self->serving.hold_timer = satin_loop_timer_add (self->loop, MAX (wait_us, 0), hold_over, self);
}

static void
hold_over (gpointer user_data)
{
  Steal *self = user_data;
  self->serving.hold_timer = 0;
  steal_serve_pending (self);
  gint64 now_us = satin_loop_now_us (self->loop);
  for (guint i = 0; i < self->serving.pending->len;)
    {
      Pending pending = g_array_index (self->serving.pending, Pending, i);
      if (pending.until_us > now_us)
        {
          i++;
          continue;
        }
      g_array_remove_index (self->serving.pending, i);
      refuse (self, pending.from, pending.request);
    }
  start_hold_timer (self);
}

void
steal_on_request (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealRequest *request = data;
  forget_hungry (self, from);
  steal_note_load (self, from, request->n_queued);
  steal_note_request (self, from);
  guint max = request->max_jobs > 0 ? (guint)request->max_jobs : MAX_BATCH;
  ExportResult result = export(self, from, request->request, max, request->is_free);
  if (result == EXPORT_SENT || result == EXPORT_UNSENT)
    return;
  if (result == EXPORT_KEPT || self->is_quiet || self->serving.pending->len >= MAX_PENDING
      || !self->jobs_ops->is_busy (self->jobs))
    {
      refuse (self, from, request->request);
      return;
    }
  Pending pending = {
    .from = from,
    .request = request->request,
    .max = max,
    .is_free = request->is_free,
    .until_us = satin_loop_now_us (self->loop) + CLAMP (request->hold_us, 0, HOLD_MAX_US),
  };
  g_array_append_val (self->serving.pending, pending);
  start_hold_timer (self);
  self->jobs_ops->want (self->jobs);
}

/* Jobs may be public: serves the pending requests, the oldest first. If no message can be sent to a
 * thief, its request is dropped: otherwise jobs would be exported to that thief and put back again
 * and again. The thief has a deadline of its own. */
void
steal_serve_pending (Steal *self)
{
  for (guint i = 0; i < self->serving.pending->len;)
    {
      Pending pending = g_array_index (self->serving.pending, Pending, i);
      ExportResult result =
          export(self, pending.from, pending.request, pending.max, pending.is_free);
      if (result == EXPORT_NOTHING && pending.is_free)
        break; /* not even a thief with a free worker can get a job */
      if (result == EXPORT_NOTHING)
        {
          i++;
          continue;
        }
      g_array_remove_index (self->serving.pending, i);
      if (result == EXPORT_KEPT)
        refuse (self, pending.from, pending.request);
    }
  /* A quiet node has jobs but exports none: want() would report them again and again. */
  if (self->serving.pending->len > 0 && !self->is_quiet)
    self->jobs_ops->want (self->jobs);
}

/* Sends OFFER to the refused nodes. They ask again if they still need jobs. Jobs sent without a new
 * request might reach a node that is not idle any more. */
static void
offer (Steal *self)
{
  for (guint i = 0; i < self->serving.hungry->len; i++)
    {
      const Hungry *hungry = &g_array_index (self->serving.hungry, Hungry, i);
      StealAnswer answer = { .request = hungry->request, .n_queued = steal_count_queued (self) };
      steal_send (self, hungry->id, STEAL_OFFER, &StealAnswer_record, &answer);
    }
  g_array_set_size (self->serving.hungry, 0);
}

void
steal_published (Steal *self)
{
  steal_feed (self);
  steal_serve_pending (self);
  if (self->serving.pending->len == 0 && self->exports.n < MAX_EXPORTED && !self->is_quiet)
    offer (self);
  steal_balance_jobs (self);
}

void
steal_on_unknown (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealName *name = data;
  if (steal_exports_find (&self->exports, from, name->index, name->generation) == NULL)
    {
      steal_abort_answered (self, from, name);
      return;
    }
  satin_loop_probe (self->loop, "steal.job-back");
  steal_put_back (self, name->index);
  steal_let_go (self);
}

void
steal_lose_job (Steal *self, guint index, int signal_number)
{
  Export exported = *steal_exports_at (&self->exports, index);
  steal_exports_remove (&self->exports, index);
  if (steal_give_up (self, &exported, index, signal_number))
    return;
  self->serving.n_returned++;
  steal_lose (self, &exported, index);
}

/* Takes back the jobs of the lost thief @id, and drops its requests. @signal_number: the signal
 * that ended it; 0: none, or not known. */
void
steal_thief_gone (Steal *self, SatinNodeId id, int signal_number)
{
  for (guint i = 0; i < self->exports.jobs->len; i++)
    {
      const Export *exported = steal_exports_at (&self->exports, i);
      if (exported->handle == NULL || exported->thief != id)
        continue;
      satin_loop_probe (self->loop, "steal.thief-lost");
      steal_lose_job (self, i, signal_number);
    }
  for (guint i = self->serving.pending->len; i-- > 0;)
    if (g_array_index (self->serving.pending, Pending, i).from == id)
      {
        satin_loop_probe (self->loop, "steal.pending-lost");
        g_array_remove_index (self->serving.pending, i);
      }
  forget_hungry (self, id);
}

/* Asks the thief @id which jobs it has, because some may have been lost on a broken link. */
void
steal_thief_unsure (Steal *self, SatinNodeId id)
{
  query_exported (self, id);
}

void
steal_victim_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->serving.hold_timer);
  stop_asking_after_jobs (self);
  for (guint i = 0; i < self->exports.jobs->len; i++)
    if (steal_exports_at (&self->exports, i)->handle != NULL)
      steal_put_back (self, i);
  g_array_unref (self->serving.pending);
  g_array_unref (self->serving.hungry);
}

/* Removes an exported job that nobody here waits for any more. */
void
steal_forget_exported (Steal *self, guint index)
{
  Export exported = *steal_exports_at (&self->exports, index);
  steal_exports_remove (&self->exports, index);
  self->jobs_ops->put_back (self->jobs, exported.handle, exported.hints);
}
