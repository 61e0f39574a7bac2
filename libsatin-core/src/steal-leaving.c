/* steal-leaving.c - a node that will leave: what it has of others goes to nodes that stay
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
#include "steal-private.h"

#include "task.h"

/* After how long results that nobody said to have are sent again, at first. */
#define PARCEL_US ((gint64)500000)
/* How long those wait that nobody waits for. */
#define SOON_US ((gint64)500)

/* Results under way to who shall keep them. */
typedef struct
{
  gint64 number;
  SatinNodeId to;
  gint64 send_us; /* when it is to be sent (again) */
  guint n_sent;
  gsize n_bytes;   /* of its results */
  GArray *results; /* (owned) of StealKept, whose pointers are (owned) */
} Parcel;

static void
parcel_free (gpointer data)
{
  Parcel *self = data;
  for (guint i = 0; i < self->results->len; i++)
    satin_record_clear (&StealKept_record, &g_array_index (self->results, StealKept, i));
  g_array_unref (self->results);
  g_free (self);
}

GPtrArray *
steal_parcels_new (void)
{
  return g_ptr_array_new_with_free_func (parcel_free);
}

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

/* ---- to those who stay ---- */

static gboolean
is_staying (const SatinView *view, SatinNodeId id)
{
  const SatinPeer *peer = satin_view_find (view, id);
  return peer != NULL && !peer->is_leaving;
}

/* Who is to keep what belongs below @lineage: the nearest owner, the master, or anybody. Returns: 0
 * when nobody stays */
static SatinNodeId
find_keeper (const SatinView *view, const SatinLineage *lineage)
{
  for (gsize i = lineage->n_hops; i-- > 0;)
    if (is_staying (view, (SatinNodeId)lineage->hops[i].owner))
      return (SatinNodeId)lineage->hops[i].owner;
  if (is_staying (view, view->master))
    return view->master;
  for (guint i = 0; i < view->n_peers; i++)
    if (!view->peers[i].is_leaving)
      return view->peers[i].id;
  return 0;
}

static Parcel *
get_parcel (Steal *self, SatinNodeId to)
{
  for (guint i = 0; i < self->parcels->len; i++)
    {
      Parcel *parcel = g_ptr_array_index (self->parcels, i);
      if (parcel->to == to && parcel->number == 0 && parcel->n_bytes < RESULTS_MAX_BYTES)
        return parcel;
    }
  Parcel *parcel = g_new0 (Parcel, 1);
  parcel->to = to;
  parcel->results = g_array_new (FALSE, FALSE, sizeof (StealKept));
  g_ptr_array_add (self->parcels, parcel);
  return parcel;
}

/* As find_keeper(), for @result. */
static SatinNodeId
find_keeper_of (Steal *self, const StealKept *result)
{
  SatinLineage lineage = { 0 };
  if (result->index == BACKUP_INDEX)
    return steal_find_backup_keeper (self, (SatinNodeId)result->owner);
  if (!satin_record_decode (&SatinLineage_record, result->lineage, result->n_lineage, &lineage,
                            NULL))
    return 0;
  SatinNodeId keeper = find_keeper (satin_peers_get_view (self->peers), &lineage);
  satin_record_clear (&SatinLineage_record, &lineage);
  return keeper;
}

/* Puts a copy of it into the parcel of who shall keep it; @to 0: nobody. */
void
steal_pack_result (Steal *self, const StealKept *result, SatinNodeId to)
{
  if (to == 0)
    return;
  StealKept kept = *result;
  kept.args = g_memdup2 (result->args, result->n_args);
  kept.lineage = g_memdup2 (result->lineage, result->n_lineage);
  kept.path = g_memdup2 (result->path, result->n_path);
  kept.result = g_memdup2 (result->result, result->n_result);
  Parcel *parcel = get_parcel (self, to);
  parcel->n_bytes += kept.n_result + kept.n_args;
  g_array_append_val (parcel->results, kept);
}

static void
send_parcels_again (gpointer user_data)
{
  Steal *self = user_data;
  self->parcel_timer = 0;
  steal_send_parcels (self);
}

/* Unless what was sent still waits in the queue. */
static void
send_parcel (Steal *self, Parcel *parcel)
{
  if (parcel->n_sent > 0 && satin_peers_queued_bytes (self->peers, parcel->to) > 0)
    return;
  StealKeep keep = { .number = parcel->number,
                     .results = (const StealKept *)parcel->results->data,
                     .n_results = parcel->results->len };
  if (steal_send (self, parcel->to, STEAL_KEEP, &StealKeep_record, &keep))
    parcel->n_sent++;
}

/* Those that are new, or were not answered in time. */
void
steal_send_parcels (Steal *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 next_us = G_MAXINT64;
  self->is_parcel_soon = FALSE;
  for (guint i = 0; i < self->parcels->len; i++)
    {
      Parcel *parcel = g_ptr_array_index (self->parcels, i);
      if (parcel->number == 0)
        parcel->number = ++self->last_parcel;
      if (parcel->send_us <= now_us)
        {
          parcel->send_us = now_us + steal_again_us (PARCEL_US, parcel->n_sent);
          send_parcel (self, parcel);
        }
      next_us = MIN (next_us, parcel->send_us);
    }
  satin_loop_timer_cancel (self->loop, &self->parcel_timer);
  if (next_us < G_MAXINT64)
    self->parcel_timer =
        satin_loop_timer_add (self->loop, next_us - now_us, send_parcels_again, self);
}

void
steal_send_parcels_soon (Steal *self)
{
  if (self->is_parcel_soon)
    return;
  self->is_parcel_soon = TRUE;
  satin_loop_timer_cancel (self->loop, &self->parcel_timer);
  self->parcel_timer = satin_loop_timer_add (self->loop, SOON_US, send_parcels_again, self);
}

/* Of the results in parcels that nobody has yet. */
gsize
steal_count_parcel_bytes (const Steal *self)
{
  gsize n_bytes = 0;
  for (guint i = 0; i < self->parcels->len; i++)
    n_bytes += ((const Parcel *)g_ptr_array_index (self->parcels, i))->n_bytes;
  return n_bytes;
}

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
  for (guint i = 0; i < self->lent->len; i++)
    {
      const Lent *lent = &g_array_index (self->lent, Lent, i);
      if (lent->handle != NULL && lent->under == ticket)
        return TRUE;
    }
  return FALSE;
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
  for (guint i = 0; i < self->guest_list->len; i++)
    {
      Guest *guest = g_ptr_array_index (self->guest_list, i);
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
  steal_pack_result (self, &result, find_keeper_of (self, &result));
  if (!self->is_stopped)
    return;
  /* Too late to travel with the others. */
  satin_loop_timer_cancel (self->loop, &self->parcel_timer);
  self->parcel_timer = satin_loop_timer_add (self->loop, 0, send_parcels_again, self);
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
  steal_pack_result (self, &result, find_keeper_of (self, &result));
}

/* Orphans whose results are here are somebody's as well. */
static void
save_orphans (Steal *self)
{
  for (guint i = 0; i < self->guest_list->len; i++)
    {
      const Guest *guest = g_ptr_array_index (self->guest_list, i);
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

/* ---- at those who stay ---- */

/* Returns: (transfer full): in no list yet */
static Guest *
make_guest (Steal *self, const StealKept *kept)
{
  const StealName name = { .index = kept->index, .generation = kept->generation };
  Guest *guest = steal_guest_new ((SatinNodeId)kept->owner, &name);
  const Baggage baggage = {
    .args = kept->args,
    .n_args = kept->n_args,
    .lineage = kept->lineage,
    .n_lineage = kept->n_lineage,
    .path = kept->path,
    .n_path = kept->n_path,
    .is_placed = TRUE,
  };
  guest->task = kept->task;
  steal_guest_set_baggage (self, guest, &baggage);
  guest->result = g_bytes_new (kept->result, kept->n_result);
  guest->is_over = TRUE;
  guest->over_us = satin_loop_now_us (self->loop);
  return guest;
}

static void
keep_orphan (Steal *self, const StealKept *kept)
{
  const StealName name = { .index = kept->index, .generation = kept->generation };
  if (steal_find_orphan (self, (SatinNodeId)kept->owner, &name) != NULL)
    return;
  satin_loop_probe (self->loop, "steal.result-kept");
  self->n_kept++;
  Guest *guest = make_guest (self, kept);
  steal_enlist_guest (self, guest);
  steal_orphan_guest (self, guest);
}

/* Who leaves as well keeps nothing and says nothing: the sender hears of that, and finds another.
 * Where there is no recovery nothing is kept, since nobody could find it again; that is answered
 * all the same, as all nodes of a run are alike in this, and the sender shall not wait. */
void
steal_on_keep (Steal *self, SatinNodeId from, const StealKeep *message)
{
  if (self->is_leaving)
    return;
  for (gsize i = 0; i < message->n_results && self->recovery != NULL; i++)
    {
      const StealKept *kept = &message->results[i];
      if (task_at ((guint)kept->task) == NULL)
        continue;
      if (steal_is_backup (self, kept))
        steal_add_backup (self, make_guest (self, kept));
      else
        keep_orphan (self, kept);
    }
  StealNumber number = { message->number };
  steal_send (self, from, STEAL_KEPT, &StealNumber_record, &number);
}

void
steal_on_kept (Steal *self, SatinNodeId from, const StealNumber *message)
{
  for (guint i = 0; i < self->parcels->len; i++)
    {
      const Parcel *parcel = g_ptr_array_index (self->parcels, i);
      if (parcel->to != from || parcel->number != message->number)
        continue;
      g_ptr_array_remove_index (self->parcels, i);
      break;
    }
  steal_let_go (self);
}

void
steal_on_returned (Steal *self, SatinNodeId from, const StealReturned *returned)
{
  if (steal_find_lent (self, from, returned->index, returned->generation) == NULL)
    return;
  satin_loop_probe (self->loop, "steal.job-given-up");
  SatinLoan loan = { satin_peers_get_view (self->peers)->self, returned->index,
                     returned->generation };
  gpointer known = NULL;
  if (returned->n_hints > 0 && self->recovery != NULL)
    known = self->recovery->ops->unpack (self->recovery, returned->hints, returned->n_hints, &loan);
  steal_lose_job (self, (guint)returned->index, 0);
  if (known != NULL)
    self->recovery->ops->unref (known); /* the job's own are of the same tree */
  steal_let_go (self);
}

void
steal_on_orphaned (Steal *self, SatinNodeId from, const StealNames *message)
{
  for (gsize i = 0; i < message->n_names; i++)
    {
      Guest *guest = steal_find_guest_of (self, from, &message->names[i]);
      if (guest == NULL)
        continue;
      satin_loop_probe (self->loop, "steal.owner-leaving");
      steal_orphan_guest (self, guest);
    }
}

/* A link broke, and what was under way to who shall keep it may be lost. */
void
steal_keeper_unsure (Steal *self, SatinNodeId id)
{
  gboolean is_any = FALSE;
  for (guint i = 0; i < self->parcels->len; i++)
    {
      Parcel *parcel = g_ptr_array_index (self->parcels, i);
      if (parcel->to != id || parcel->n_sent == 0)
        continue;
      parcel->n_sent = 0;
      parcel->send_us = 0;
      is_any = TRUE;
    }
  if (is_any)
    steal_send_parcels (self);
}

/* Who was to keep something is gone, or leaves itself: another shall, for all of a parcel the same.
 */
void
steal_keeper_gone (Steal *self, SatinNodeId id)
{
  for (guint i = self->parcels->len; i-- > 0;)
    {
      Parcel *parcel = g_ptr_array_index (self->parcels, i);
      if (parcel->to != id)
        continue;
      parcel->to = find_keeper_of (self, &g_array_index (parcel->results, StealKept, 0));
      parcel->send_us = 0;
      parcel->n_sent = 0;
      if (parcel->to == 0)
        g_ptr_array_remove_index (self->parcels, i);
    }
  steal_send_parcels (self);
  steal_let_go (self);
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
  for (guint i = 0; i < self->guest_list->len; i++)
    if (!((const Guest *)g_ptr_array_index (self->guest_list, i))->is_orphan)
      return TRUE;
  return FALSE;
}

void
steal_leaving_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->parcel_timer);
  g_ptr_array_unref (self->parcels);
}
