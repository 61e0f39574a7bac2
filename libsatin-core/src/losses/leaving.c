/* leaving.c - a node that leaves: its imported jobs and its results go to nodes that stay
 *
 * A thief that does not know a job answers UNKNOWN, and the owner takes the job back. So UNKNOWN
 * also returns a job that was not begun. If that message is lost, the answer to the owner's next
 * QUERY says the same.
 *
 *   leaving                                      staying
 *     | KEEP (results of finished children) -----> |  keeps each like the result of an orphan
 *     | <------------------------------ KEPT       |
 *     | ORPHANED (jobs) -------------------------> |  its thieves: as if the owner was lost
 *     | RETURNED (job) --------------------------> |  its owner: as if the thief was lost
 *
 * After that, all nodes act as after a loss, except that no finished result is lost.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static void
return_import (guint64 import_id, gpointer user_data)
{
  Steal *self = user_data;
  Import *import = steal_imports_find (&self->imports, import_id);
  if (import == NULL)
    return;
  satin_loop_probe (self->loop, "steal.import-returned");
  if (!import->is_orphan)
    steal_send (self, import->owner, STEAL_UNKNOWN, &StealName_record, &import->name);
  steal_imports_remove (&self->imports, import);
}

void
steal_leave (Steal *self)
{
  steal_quiet (self);
  self->is_leaving = TRUE;
  self->jobs_ops->give_back (self->jobs, return_import, self);
}

/* Returns jobs that were sent before their sender knew that this node leaves. */
void
steal_return_jobs (Steal *self, SatinNodeId from, const StealJobsMessage *message)
{
  satin_loop_probe (self->loop, "steal.jobs-returned");
  for (gsize i = 0; i < message->n_jobs; i++)
    steal_return_job (self, from, &message->jobs[i]);
}

/* ---- returning jobs ---- */

static gboolean
is_leaving (Steal *self, SatinNodeId id)
{
  const SatinPeer *peer = satin_view_find (satin_peers_get_view (self->peers), id);
  return peer != NULL && peer->is_leaving;
}

/* Tells each thief that is not leaving too that nobody waits for its jobs any more, and removes
 * these exported jobs. */
static void
orphan_exported (Steal *self)
{
  for (guint i = 0; i < self->exports.jobs->len; i++)
    {
      const Export *exported = steal_exports_at (&self->exports, i);
      StealName name = { .index = (gint32)i, .generation = exported->generation };
      StealNames names = { .names = &name, .n_names = 1 };
      if (exported->handle == NULL || is_leaving (self, exported->thief))
        continue;
      steal_send (self, exported->thief, STEAL_ORPHANED, &StealNames_record, &names);
      steal_forget_exported (self, i);
    }
}

static gboolean
has_exported_under (Steal *self, guint64 import_id)
{
  return steal_exports_first_under (&self->exports, import_id) != 0;
}

void
steal_send_back (Steal *self, const Import *import, gpointer hints)
{
  StealReturned returned = { .index = import->name.index, .generation = import->name.generation };
  g_autoptr (GBytes) packed = NULL;
  if (hints != NULL)
    {
      SatinJobRef ref = { import->owner, returned.index, returned.generation };
      packed = self->recovery->ops->pack (self->recovery, hints, import->owner, &ref);
      returned.hints = g_bytes_get_data (packed, &returned.n_hints);
    }
  steal_send (self, import->owner, STEAL_RETURNED, &StealReturned_record, &returned);
}

/* Sends back the imported jobs that did not end here. If a thief that is leaving too has a part of
 * such a job, the job waits: the thief first hands over the results below that part, and then sends
 * the part back. */
void
steal_let_go (Steal *self)
{
  if (!self->losses->leave.is_stopped || self->batches.all->len > 0
      || self->losses->leave.has_let_go)
    return;
  orphan_exported (self);
  self->losses->leave.has_let_go = !has_exported_under (self, 0);
  for (const GList *item = self->imports.all.head; item != NULL; item = item->next)
    {
      Import *import = item->data;
      if (import->is_over || import->is_orphan)
        continue;
      if (has_exported_under (self, import->import_id))
        {
          self->losses->leave.has_let_go = FALSE;
          continue;
        }
      steal_send_back (self, import, NULL);
      import->is_orphan = import->is_unwanted = TRUE;
    }
  if (self->losses->leave.has_let_go)
    satin_loop_probe (self->loop, "steal.all-kept");
}

/* ---- handing over results ---- */

/* Returns: a finished child with a new name, whose index is @index, for a message. It borrows from
 * @saved and @lineage */
StealKept
steal_name_saved (Steal *self, const StealSaved *saved, GBytes *lineage, gint32 index)
{
  StealKept result = {
    .owner = (gint32)satin_peers_get_view (self->peers)->self,
    .index = index,
    .generation = steal_exports_next_generation (&self->exports),
    .task = saved->task,
  };
  result.args = g_bytes_get_data (saved->args, &result.n_args);
  result.lineage = g_bytes_get_data (lineage, &result.n_lineage);
  result.path = g_bytes_get_data (saved->path, &result.n_path);
  result.result = g_bytes_get_data (saved->result, &result.n_result);
  return result;
}

static void
on_saved (const StealSaved *saved, gpointer user_data)
{
  Steal *self = user_data;
  guint n_far;
  g_autoptr (GBytes) lineage = steal_lineage_below (self, saved->under, &n_far);
  StealKept result = steal_name_saved (self, saved, lineage, KEPT_INDEX);
  steal_pack_result (self, &result, steal_find_recipient (self, &result));
  /* on_stopped() has sent its batches before this result came. */
  if (self->losses->leave.is_stopped)
    steal_send_batches_after (self, 0);
}

/* Hands the result of @import to the node that must keep it. */
void
steal_save_import (Steal *self, const Import *import)
{
  Baggage baggage = steal_import_get_baggage (import);
  StealKept result = {
    .owner = (gint32)import->owner,
    .index = import->name.index,
    .generation = import->name.generation,
    .task = import->task,
    .args = baggage.args,
    .n_args = baggage.n_args,
    .lineage = baggage.lineage,
    .n_lineage = baggage.n_lineage,
    .path = baggage.path,
    .n_path = baggage.n_path,
  };
  result.result = g_bytes_get_data (import->result, &result.n_result);
  steal_pack_result (self, &result, steal_find_recipient (self, &result));
}

/* Hands over the results of orphans that are here. */
static void
save_orphans (Steal *self)
{
  for (const GList *item = self->imports.all.head; item != NULL; item = item->next)
    {
      const Import *import = item->data;
      if (import->is_orphan && !import->is_unwanted && import->is_over && import->is_placed
          && import->result != NULL)
        steal_save_import (self, import);
    }
}

static void
on_stopped (gpointer user_data)
{
  Steal *self = user_data;
  if (self->losses->leave.is_stopped)
    return;
  self->losses->leave.is_stopped = TRUE;
  save_orphans (self);
  steal_pass_on_backups (self);
  steal_send_batches (self);
  steal_let_go (self);
}

gboolean
steal_is_saving (const Steal *self)
{
  return self->losses->leave.is_saving;
}

gboolean
steal_is_gathering (const Steal *self)
{
  return self->losses->leave.is_saving && !self->losses->leave.is_stopped;
}

gboolean
steal_has_heir (const Steal *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  for (guint i = 0; i < view->n_peers; i++)
    if (!view->peers[i].is_leaving)
      return TRUE;
  return FALSE;
}

gboolean
steal_may_save (const Steal *self)
{
  return self->recovery != NULL && steal_has_heir (self);
}

void
steal_save (Steal *self)
{
  static const StealSavingFuncs funcs = { .saved = on_saved, .stopped = on_stopped };
  self->losses->leave.is_saving = TRUE;
  self->jobs_ops->save (self->jobs, TRUE, NULL, &funcs, self);
}

void
steal_save_rest (Steal *self)
{
  on_stopped (self);
}

/* ---- what is still open ---- */

/* Whether a message to any node still waits to be sent. */
static gboolean
has_queued (const Steal *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  for (guint i = 0; i < view->n_peers; i++)
    if (satin_peers_queued_bytes (self->peers, view->peers[i].id) > 0)
      return TRUE;
  return FALSE;
}

/* Exported jobs need no check: they descend from imported jobs that have not ended. */
gboolean
steal_is_owing (const Steal *self)
{
  if (self->losses->leave.is_saving && (!self->losses->leave.has_let_go || has_queued (self)))
    return TRUE;
  for (const GList *item = self->imports.all.head; item != NULL; item = item->next)
    if (!((const Import *)item->data)->is_orphan)
      return TRUE;
  return FALSE;
}
