/* leaving.c - a node that will leave: what it has of others goes to nodes that stay
 *
 * A thief that does not know a job says UNKNOWN, and its owner takes it back; so nothing more is
 * needed to return one that was not begun. If that message is lost, the owner hears the same when
 * it asks.
 *
 *   leaving                                      staying
 *     | KEEP (results of finished children) -----> |  keeps each as if it were an orphan of its own
 *     | <------------------------------ KEPT       |
 *     | RETURNED (job) --------------------------> |  its owner: as if the thief was lost
 *     | ORPHANED (jobs) -------------------------> |  its thieves: as if the owner was lost
 *
 * So what comes after is what comes after a loss, but nothing finished is lost.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stealing/private.h"

static void
return_guest (guint64 ticket, gpointer user_data)
{
  Steal *self = user_data;
  Guest *guest = steal_find_guest (self, ticket);
  if (guest == NULL)
    return;
  satin_loop_probe (self->loop, "steal.guest-returned");
  if (!guest->is_orphan)
    steal_send (self, guest->owner, STEAL_UNKNOWN, &StealName_record, &guest->name);
  steal_forget_guest (self, guest);
}

void
steal_leave (Steal *self)
{
  steal_quiet (self);
  self->is_leaving = TRUE;
  self->jobs_ops->give_back (self->jobs, return_guest, self);
}

/* They were under way when this node said that it leaves. */
void
steal_return_jobs (Steal *self, SatinNodeId from, const StealJobsMessage *message)
{
  satin_loop_probe (self->loop, "steal.jobs-returned");
  for (gsize i = 0; i < message->n_jobs; i++)
    steal_return_job (self, from, &message->jobs[i]);
}

/* ---- what goes back ---- */

static gboolean
is_leaving (Steal *self, SatinNodeId id)
{
  const SatinPeer *peer = satin_view_find (satin_peers_get_view (self->peers), id);
  return peer != NULL && peer->is_leaving;
}

/* Nobody here waits for what thieves have that stay. */
static void
orphan_lent (Steal *self)
{
  for (guint i = 0; i < self->lent->len; i++)
    {
      const Lent *lent = &g_array_index (self->lent, Lent, i);
      StealName name = { .index = (gint32)i, .generation = lent->generation };
      StealNames names = { .names = &name, .n_names = 1 };
      if (lent->handle == NULL || is_leaving (self, lent->thief))
        continue;
      steal_send (self, lent->thief, STEAL_ORPHANED, &StealNames_record, &names);
      steal_forget_lent (self, i);
    }
}

static gboolean
has_lent_under (Steal *self, guint64 ticket)
{
  return steal_first_lent_under (self, ticket) != 0;
}

/* @hints: (nullable): what is known of the job here. */
void
steal_send_back (Steal *self, const Guest *guest, gpointer hints)
{
  StealReturned returned = { .index = guest->name.index, .generation = guest->name.generation };
  g_autoptr (GBytes) packed = NULL;
  if (hints != NULL)
    {
      packed = self->recovery->ops->send_back (self->recovery, hints, guest->owner, returned.index,
                                               returned.generation);
      returned.hints = g_bytes_get_data (packed, &returned.n_hints);
    }
  steal_send (self, guest->owner, STEAL_RETURNED, &StealReturned_record, &returned);
}

/* Jobs that did not end here go back. Not while a thief that leaves as well has a part of one:
 * before it returns that, it hands over what belongs below, and so comes before the whole. */
void
steal_let_go (Steal *self)
{
  if (!self->is_stopped || self->parcels->len > 0 || self->has_let_go)
    return;
  orphan_lent (self);
  self->has_let_go = !has_lent_under (self, 0);
  for (const GList *item = self->guests.head; item != NULL; item = item->next)
    {
      Guest *guest = item->data;
      if (guest->is_over || guest->is_orphan)
        continue;
      if (has_lent_under (self, guest->ticket))
        {
          self->has_let_go = FALSE;
          continue;
        }
      steal_send_back (self, guest, NULL);
      guest->is_orphan = guest->is_unwanted = TRUE;
    }
  if (self->has_let_go)
    satin_loop_probe (self->loop, "steal.all-kept");
}

/* ---- what the workers had ---- */

/* Returns: pointers into the other two */
StealKept
steal_name_saved (Steal *self, const StealSaved *saved, GBytes *lineage, gint32 index)
{
  StealKept result = {
    .owner = (gint32)satin_peers_get_view (self->peers)->self,
    .index = index,
    .generation = ++self->last_generation,
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
  steal_pack_result (self, &result, steal_find_keeper_of (self, &result));
  if (self->is_stopped) /* too late to travel with the others */
    steal_send_parcels_after (self, 0);
}

/* Whoever is to keep its result does so from now on. */
void
steal_save_guest (Steal *self, const Guest *guest)
{
  Baggage baggage = steal_guest_get_baggage (guest);
  StealKept result = {
    .owner = (gint32)guest->owner,
    .index = guest->name.index,
    .generation = guest->name.generation,
    .task = guest->task,
    .args = baggage.args,
    .n_args = baggage.n_args,
    .lineage = baggage.lineage,
    .n_lineage = baggage.n_lineage,
    .path = baggage.path,
    .n_path = baggage.n_path,
  };
  result.result = g_bytes_get_data (guest->result, &result.n_result);
  steal_pack_result (self, &result, steal_find_keeper_of (self, &result));
}

/* Orphans whose results are here are somebody's as well. */
static void
save_orphans (Steal *self)
{
  for (const GList *item = self->guests.head; item != NULL; item = item->next)
    {
      const Guest *guest = item->data;
      if (guest->is_orphan && !guest->is_unwanted && guest->is_over && guest->is_placed
          && guest->result != NULL)
        steal_save_guest (self, guest);
    }
}

static void
on_stopped (gpointer user_data)
{
  Steal *self = user_data;
  if (self->is_stopped)
    return;
  self->is_stopped = TRUE;
  save_orphans (self);
  steal_pass_on_backups (self);
  steal_send_parcels (self);
  steal_let_go (self);
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
  self->is_saving = TRUE;
  self->jobs_ops->save (self->jobs, TRUE, NULL, &funcs, self);
}

void
steal_save_rest (Steal *self)
{
  on_stopped (self);
}

/* ---- */

/* Whether something waits to be sent. */
static gboolean
has_queued (const Steal *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  for (guint i = 0; i < view->n_peers; i++)
    if (satin_peers_queued_bytes (self->peers, view->peers[i].id) > 0)
      return TRUE;
  return FALSE;
}

/* What it has lent itself belongs to jobs that have not ended then. */
gboolean
steal_is_owing (const Steal *self)
{
  if (self->is_saving && (!self->has_let_go || has_queued (self)))
    return TRUE;
  for (const GList *item = self->guests.head; item != NULL; item = item->next)
    if (!((const Guest *)item->data)->is_orphan)
      return TRUE;
  return FALSE;
}
