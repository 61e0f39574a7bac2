/* batches.c - results on their way to who shall keep them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

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

SatinNodeId
steal_find_keeper_of (Steal *self, const StealKept *result)
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

void
steal_send_parcels_after (Steal *self, gint64 delay_us)
{
  satin_loop_timer_cancel (self->loop, &self->parcel_timer);
  self->parcel_timer = satin_loop_timer_add (self->loop, delay_us, send_parcels_again, self);
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
    steal_send_parcels_after (self, next_us - now_us);
}

void
steal_send_parcels_soon (Steal *self)
{
  if (self->is_parcel_soon)
    return;
  self->is_parcel_soon = TRUE;
  steal_send_parcels_after (self, SOON_US);
}

gsize
steal_count_parcel_bytes (const Steal *self)
{
  gsize n_bytes = 0;
  for (guint i = 0; i < self->parcels->len; i++)
    n_bytes += ((const Parcel *)g_ptr_array_index (self->parcels, i))->n_bytes;
  return n_bytes;
}

void
steal_on_kept (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealNumber *message = data;
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

void
steal_keeper_gone (Steal *self, SatinNodeId id)
{
  for (guint i = self->parcels->len; i-- > 0;)
    {
      Parcel *parcel = g_ptr_array_index (self->parcels, i);
      if (parcel->to != id)
        continue;
      parcel->to = steal_find_keeper_of (self, &g_array_index (parcel->results, StealKept, 0));
      parcel->send_us = 0;
      parcel->n_sent = 0;
      if (parcel->to == 0)
        g_ptr_array_remove_index (self->parcels, i);
    }
  steal_send_parcels (self);
  steal_let_go (self);
}

void
steal_parcels_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->parcel_timer);
  g_ptr_array_unref (self->parcels);
}
