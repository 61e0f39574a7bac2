/* lost-jobs.c - lost jobs, orphans, and orphans that find an owner again
 *
 *   A exported a job to B, and B exported a child of it to C. B is lost:
 *
 *   A: the job waits for the grace period (Back),             C: the child is an ORPHAN
 *      then is queued again          |
 *                                    |  its frame spawns the child again: hints know it
 *                                    v
 *      ADOPT (old name, new name, lineage) ---------------->  C: the child is imported from A
 *      <---------- RESULTS; UNKNOWN if C does not have the child any more
 *
 * The orphan runs on meanwhile. The jobs that it has exported stay exported, and their thieves get
 * the new lineage. The part that recovers decides which node hears of which orphan, and what hints
 * are (satin/core/recovery.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include "tasks/task.h"

/* ---- the owner's side ---- */

/* A lost job that waits. Either its thief is lost, and other nodes have time to announce which
 * parts of the job they have. Or a node, the holder, has the job as an orphan, but is not in this
 * node's view yet. */
typedef struct
{
  StealTaken job;     /* (owned) */
  SatinNodeId holder; /* 0: the thief is lost */
  SatinJobRef ref;    /* with a holder: the name that the lost owner gave the orphan */
  gint64 until_us;
} Back;

static void back_over (gpointer user_data);

static void
start_back_timer (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->losses->back.timer);
  if (self->losses->back.jobs->len == 0)
    return;
  gint64 wait_us =
      g_array_index (self->losses->back.jobs, Back, 0).until_us - satin_loop_now_us (self->loop);
  self->losses->back.timer = satin_loop_timer_add (self->loop, MAX (wait_us, 0), back_over, self);
}

/* Ends a lost job with @result (transfer full), which its hints had. */
static void
finish_lost (Steal *self, const StealTaken *job, GBytes *result)
{
  StealOutcome outcome = { .status = STEAL_OK, .result = result, .is_theirs = TRUE };
  satin_loop_probe (self->loop, "recovery.result-found");
  self->recovery->ops->unref (job->hints);
  if (!self->jobs_ops->finish (self->jobs, job->handle, &outcome))
    g_warning ("the result of a lost job cannot be read: the job runs again");
  g_bytes_unref (result);
}

static void
put_back_anew (Steal *self, StealTaken *job)
{
  g_clear_pointer (&job->path, g_bytes_unref);
  self->jobs_ops->put_back (self->jobs, job->handle, job->hints);
}

/* Ends the wait of a lost job. If its hints have the result, the job is done; if they know a node
 * that has the whole job, that node keeps it. Otherwise, or if the holder did not come into view,
 * the job runs again. */
static void
end_back (Steal *self, Back *back)
{
  SatinLook look = { 0 };
  if (back->holder == 0 && back->job.hints != NULL)
    {
      self->recovery->ops->look (back->job.hints, NULL, &look);
      self->recovery->ops->tell (back->job.hints, SATIN_AGAIN_QUEUED, 0);
    }
  if (look.kind == SATIN_LOOK_RESULT)
    finish_lost (self, &back->job, look.result);
  else if (look.kind == SATIN_LOOK_HELD)
    {
      self->jobs_ops->place (self->jobs, back->job.handle, &back->job);
      steal_adopt (self, &back->job, look.holder, &look.ref);
    }
  else
    put_back_anew (self, &back->job);
}

static void
back_over (gpointer user_data)
{
  Steal *self = user_data;
  gint64 now_us = satin_loop_now_us (self->loop);
  guint n = 0;
  self->losses->back.timer = 0;
  while (n < self->losses->back.jobs->len
         && g_array_index (self->losses->back.jobs, Back, n).until_us <= now_us)
    n++;
  /* end_back() may add jobs that wait anew. */
  g_autofree Back *over = g_memdup2 (self->losses->back.jobs->data, n * sizeof (Back));
  g_array_remove_range (self->losses->back.jobs, 0, n);
  for (guint i = 0; i < n; i++)
    end_back (self, &over[i]);
  if (n > 0)
    g_info ("%u lost jobs are queued again, or with others", n);
  start_back_timer (self);
}

static void
add_back (Steal *self, const Back *back)
{
  guint place = self->losses->back.jobs->len;
  while (place > 0
         && g_array_index (self->losses->back.jobs, Back, place - 1).until_us > back->until_us)
    place--;
  g_array_insert_val (self->losses->back.jobs, place, *back);
  start_back_timer (self);
}

/**
 * steal_lose:
 * @exported: its thief is lost; (transfer full) of its handle and hints
 * @index: the index under which it was exported
 *
 * Makes a lost job wait for the grace period; see end_back() for what follows. Without a part that
 * recovers, queues the job at once.
 */
void
steal_lose (Steal *self, const Export *exported, guint index)
{
  SATIN_INJECT_BUG ("drop-returned", return);
  self->losses->n_restarted++;
  if (self->recovery == NULL)
    {
      self->jobs_ops->put_back (self->jobs, exported->handle, exported->hints);
      return;
    }
  SatinRecovery *recovery = self->recovery;
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 grace_us = recovery->ops->grace_us (recovery);
  SatinLost lost = {
    .ref = { satin_peers_get_view (self->peers)->self, (gint32)index, exported->generation },
    .hints = exported->hints,
    .thief = exported->thief,
    .away_us = now_us - exported->exported_us,
  };
  Back back = {
    .job = { .handle = exported->handle,
             .under = exported->under,
             .hints = steal_tell_lost (self, exported->handle, &lost) },
    .until_us = now_us + grace_us,
  };
  add_back (self, &back);
}

static void
send_adopt (Steal *self, StealTaken *taken, SatinNodeId holder, const SatinJobRef *ref)
{
  guint index = steal_add_export (self, taken, holder);
  guint n_far;
  g_autoptr (GBytes) lineage = steal_lineage_below (self, taken->under, &n_far);
  StealAdopt adopt = {
    .owner = (gint32)ref->owner,
    .index = ref->index,
    .generation = ref->generation,
    .as_index = (gint32)index,
    .as_generation = self->exports.last_generation,
    .n_far = (gint32)n_far,
    .is_placed = taken->path != NULL,
  };
  adopt.lineage = g_bytes_get_data (lineage, &adopt.n_lineage);
  if (taken->path != NULL)
    adopt.path = g_bytes_get_data (taken->path, &adopt.n_path);
  gboolean is_sent = steal_send (self, holder, STEAL_ADOPT, &StealAdopt_record, &adopt);
  g_clear_pointer (&taken->path, g_bytes_unref);
  if (is_sent)
    steal_start_asking_after_jobs (self);
  else
    steal_put_back (self, index);
}

void
steal_adopt (Steal *self, StealTaken *taken, SatinNodeId holder, const SatinJobRef *ref)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  if (holder == view->self || satin_view_find (view, holder) != NULL)
    {
      send_adopt (self, taken, holder, ref);
      return;
    }
  if (!satin_peers_meet (self->peers, holder))
    {
      satin_loop_probe (self->loop, "recovery.holder-gone");
      put_back_anew (self, taken);
      return;
    }
  satin_loop_probe (self->loop, "recovery.holder-unknown");
  Back back = {
    .job = *taken,
    .holder = holder,
    .ref = *ref,
    .until_us = satin_loop_now_us (self->loop) + REQUEST_DEADLINE_US,
  };
  add_back (self, &back);
}

typedef gboolean (*BackFunc) (const Steal *self, const Back *back, gpointer user_data);

/* Removes those waiting jobs for which @is_meant returns %TRUE. Returns: (transfer full): of Back:
 * the removed jobs */
static GArray *
take_back (Steal *self, BackFunc is_meant, gpointer user_data)
{
  GArray *taken = g_array_new (FALSE, FALSE, sizeof (Back));
  guint n_kept = 0;
  for (guint i = 0; i < self->losses->back.jobs->len; i++)
    {
      Back back = g_array_index (self->losses->back.jobs, Back, i);
      if (is_meant (self, &back, user_data))
        g_array_append_val (taken, back);
      else
        g_array_index (self->losses->back.jobs, Back, n_kept++) = back;
    }
  g_array_set_size (self->losses->back.jobs, n_kept);
  return taken;
}

static gboolean
is_held_by (const Steal *self, const Back *back, gpointer user_data)
{
  return back->holder == *(const SatinNodeId *)user_data;
}

/* Ends the wait of the jobs that node @id holds: @id is in the view now, or the registry says that
 * it is gone. */
void
steal_holder_met (Steal *self, SatinNodeId id)
{
  g_autoptr (GArray) met = take_back (self, is_held_by, &id);
  for (guint i = 0; i < met->len; i++)
    {
      Back *back = &g_array_index (met, Back, i);
      if (satin_view_find (satin_peers_get_view (self->peers), id) != NULL)
        send_adopt (self, &back->job, id, &back->ref);
      else
        put_back_anew (self, &back->job);
    }
  start_back_timer (self);
}

static gboolean
is_handle_of (const Steal *self, const Back *back, gpointer handle)
{
  return back->job.handle == handle && self->jobs_ops->is_aborted (self->jobs, handle);
}

static gboolean
is_aborted_under (const Steal *self, const Back *back, gpointer import_id)
{
  return back->job.under == *(const guint64 *)import_id
         && self->jobs_ops->is_aborted (self->jobs, back->job.handle);
}

static void
drop_back (Steal *self, BackFunc is_meant, gpointer user_data)
{
  g_autoptr (GArray) dropped = take_back (self, is_meant, user_data);
  for (guint i = 0; i < dropped->len; i++)
    put_back_anew (self, &g_array_index (dropped, Back, i).job);
}

void
steal_drop_lost (Steal *self, gpointer handle)
{
  drop_back (self, is_handle_of, handle);
}

void
steal_drop_lost_under (Steal *self, guint64 import_id)
{
  drop_back (self, is_aborted_under, &import_id);
}

/* ---- the holder's side ---- */

/* Makes @import an orphan, because its owner is gone, and reports it to the part that recovers. If
 * there is no such part, or if only a stored result is being fetched for the job, nobody needs the
 * job. */
void
steal_orphan_import (Steal *self, Import *import)
{
  import->is_orphan = TRUE;
  steal_outbox_update (&self->imports.outbox, import);
  if (self->recovery == NULL || import->is_stored)
    {
      import->is_unwanted = TRUE;
      if (import->is_over)
        steal_imports_remove (&self->imports, import);
      return;
    }
  self->losses->n_orphans++;
  if (import->is_over && import->result != NULL)
    /* A result that a leaving node has handed over was not reported yet. */
    steal_tell_ended (self, import, import->result);
  Baggage baggage = steal_import_get_baggage (import);
  g_autoptr (GBytes) args = g_bytes_new (baggage.args, baggage.n_args);
  g_autoptr (GBytes) lineage = g_bytes_new (baggage.lineage, baggage.n_lineage);
  g_autoptr (GBytes) path = baggage.is_placed ? g_bytes_new (baggage.path, baggage.n_path) : NULL;
  SatinOrphan orphan = {
    .import_id = import->import_id,
    .ref = { import->owner, import->name.index, import->name.generation },
    .task = task_at (import->task),
    .args = args,
    .lineage = lineage,
    .path = path,
    .is_over = import->is_over,
    .n_bytes = import->result != NULL ? g_bytes_get_size (import->result) : 0,
  };
  self->recovery->ops->orphan (self->recovery, SATIN_ORPHAN_NEW, &orphan);
}

void
steal_orphan_over (Steal *self, Import *import)
{
  SatinOrphan orphan = {
    .import_id = import->import_id,
    .n_bytes = import->result != NULL ? g_bytes_get_size (import->result) : 0,
  };
  if (self->recovery != NULL)
    self->recovery->ops->orphan (self->recovery, SATIN_ORPHAN_OVER, &orphan);
}

static void
tell_orphan_gone (Steal *self, const Import *import)
{
  const SatinOrphan orphan = { .import_id = import->import_id };
  if (self->recovery != NULL)
    self->recovery->ops->orphan (self->recovery, SATIN_ORPHAN_GONE, &orphan);
}

/* Sends the new lineage to the thieves of the jobs that were exported below @import. */
static void
tell_lineage (Steal *self, const Import *import)
{
  guint n_far, i = steal_exports_first_under (&self->exports, import->import_id);
  if (i == 0)
    return;
  g_autoptr (GBytes) lineage = steal_lineage_below (self, import->import_id, &n_far);
  while (i > 0)
    {
      const Export *exported = steal_exports_at (&self->exports, i - 1);
      StealLineage message = { .index = (gint32)i - 1, .generation = exported->generation };
      message.lineage = g_bytes_get_data (lineage, &message.n_lineage);
      steal_send (self, exported->thief, STEAL_LINEAGE, &StealLineage_record, &message);
      i = exported->next_under;
    }
}

void
steal_on_adopt (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealAdopt *adopt = data;
  StealName as = { .index = adopt->as_index, .generation = adopt->as_generation };
  StealName was = { .index = adopt->index, .generation = adopt->generation };
  Import *import = steal_imports_find_orphan (&self->imports, (SatinNodeId)adopt->owner, &was);
  if (import == NULL && steal_fetch (self, from, adopt))
    return;
  if (import == NULL)
    {
      satin_loop_probe (self->loop, "recovery.orphan-gone");
      self->losses->n_vain++;
      steal_send (self, from, STEAL_UNKNOWN, &StealName_record, &as);
      return;
    }
  satin_loop_probe (self->loop,
                    import->is_over ? "recovery.result-adopted" : "recovery.job-adopted");
  self->losses->n_adopted++;
  import->is_orphan = FALSE;
  steal_imports_rename (&self->imports, import, from, &as);
  import->n_far = (guint)MAX (adopt->n_far, 0) + steal_is_far (self, from);
  Baggage baggage = {
    .args = import->baggage,
    .n_args = import->n_args,
    .lineage = adopt->lineage,
    .n_lineage = adopt->n_lineage,
    .path = adopt->path,
    .n_path = adopt->n_path,
    .is_placed = adopt->is_placed,
  };
  steal_import_set_baggage (&self->imports, import, &baggage);
  tell_orphan_gone (self, import);
  tell_lineage (self, import);
  guint n_crashes = steal_count_crashes_of_import (self, import);
  if (import->is_over)
    {
      import->over_us = satin_loop_now_us (self->loop); /* no node waited for the result before */
      steal_send_result (self, import);
    }
  else if (n_crashes > 0)
    steal_say_running (self, import, n_crashes);
}

void
steal_on_lineage (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealLineage *message = data;
  StealName name = { .index = message->index, .generation = message->generation };
  Import *import = steal_imports_find_of (&self->imports, from, &name);
  if (import == NULL)
    return;
  satin_loop_probe (self->loop, "recovery.lineage-changed");
  Baggage baggage = steal_import_get_baggage (import);
  baggage.lineage = message->lineage;
  baggage.n_lineage = message->n_lineage;
  steal_import_set_baggage (&self->imports, import, &baggage);
  tell_lineage (self, import);
}

/* ---- the operations for the part ---- */

static gboolean
host_has_ref (gpointer host, gint32 index, gint64 generation)
{
  Steal *self = host;
  if (index < 0 || (guint)index >= self->exports.jobs->len)
    return FALSE;
  const Export *exported = steal_exports_at (&self->exports, index);
  return exported->handle != NULL && exported->generation == generation;
}

static void
host_drop (gpointer host, guint64 import_id)
{
  Steal *self = host;
  Import *import = steal_imports_find (&self->imports, import_id);
  if (import == NULL || !import->is_orphan)
    return;
  satin_loop_probe (self->loop, "recovery.orphan-dropped");
  steal_abort_import (self, import);
  steal_drop_under (self, import_id);
}

static void
host_save (gpointer host, guint64 import_id)
{
  steal_save_orphan (host, import_id);
}

static void
host_walk (gpointer host, gboolean is_end, SatinFinishedFilter *filter)
{
  steal_walk (host, is_end, filter);
}

static void
host_fetched (gpointer host, guint64 import_id, GBytes *result)
{
  steal_fetched (host, import_id, result);
}

static const SatinRecoveryHost host_ops = {
  .struct_size = sizeof (SatinRecoveryHost),
  .has_ref = host_has_ref,
  .drop = host_drop,
  .save = host_save,
  .walk = host_walk,
  .fetched = host_fetched,
};

void
steal_set_recovery (Steal *self, SatinRecovery *recovery)
{
  SatinRecovery *old = self->recovery;
  self->recovery = recovery;
  if (recovery != NULL)
    recovery->ops->attach (recovery, &host_ops, self);
  else if (old != NULL)
    old->ops->attach (old, &host_ops, NULL);
}

void
steal_back_init (StealBack *self)
{
  self->jobs = g_array_new (FALSE, FALSE, sizeof (Back));
}

void
steal_back_free (Steal *self)
{
  StealBack *back = &self->losses->back;
  satin_loop_timer_cancel (self->loop, &back->timer);
  for (guint i = 0; i < back->jobs->len; i++)
    put_back_anew (self, &g_array_index (back->jobs, Back, i).job);
  g_array_unref (back->jobs);
}
