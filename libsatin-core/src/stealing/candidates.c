/* candidates.c - the list of other nodes that the policy sees
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "candidates.h"

#include <satin/base/sorted.h>

void
steal_victims_init (StealVictims *self, SatinLoop *loop)
{
  *self = (StealVictims){
    .loop = loop,
    .shown = g_array_new (FALSE, FALSE, sizeof (SatinVictim)),
    .refusing = g_array_new (FALSE, FALSE, sizeof (SatinNodeId)),
    .clusters = g_ptr_array_new_with_free_func (g_free),
    .read = g_array_new (FALSE, FALSE, sizeof (SatinNodeId)),
  };
}

void
steal_victims_done (StealVictims *self)
{
  g_array_unref (self->shown);
  g_array_unref (self->refusing);
  g_ptr_array_unref (self->clusters);
  g_array_unref (self->read);
}

static SatinVictim *
victim_at (const StealVictims *self, guint place)
{
  return &g_array_index (self->shown, SatinVictim, place);
}

/* The place of @id, or the place where it belongs, in [@low, @high]. */
static guint
find_place (const StealVictims *self, SatinNodeId id, guint low, guint high)
{
  return low + SATIN_SORTED_PLACE (i, high - low, victim_at (self, low + i)->id < id);
}

SatinVictim *
steal_victims_find (const StealVictims *self, SatinNodeId id)
{
  guint place = find_place (self, id, 0, self->n_near);
  if (place < self->n_near && victim_at (self, place)->id == id)
    return victim_at (self, place);
  place = find_place (self, id, self->n_near, self->shown->len);
  if (place < self->shown->len && victim_at (self, place)->id == id)
    return victim_at (self, place);
  return NULL;
}

/* ---- refusals and offers ---- */

static void
forgive (StealVictims *self, SatinVictim *victim)
{
  if (victim->n_refused == 0)
    return;
  victim->n_refused = 0;
  for (guint i = 0; i < self->refusing->len; i++)
    if (g_array_index (self->refusing, SatinNodeId, i) == victim->id)
      {
        g_array_remove_index_fast (self->refusing, i);
        return;
      }
}

void
steal_victims_count_refusal (StealVictims *self, SatinVictim *victim)
{
  if (victim->n_refused++ == 0)
    g_array_append_val (self->refusing, victim->id);
}

void
steal_victims_forgive_all (StealVictims *self)
{
  for (guint i = 0; i < self->refusing->len; i++)
    steal_victims_find (self, g_array_index (self->refusing, SatinNodeId, i))->n_refused = 0;
  g_array_set_size (self->refusing, 0);
}

static void
drop_offer (StealVictims *self, guint number)
{
  victim_at (self, self->offers[number])->has_offered = FALSE;
  self->n_offers--;
  for (guint i = number; i < self->n_offers; i++)
    self->offers[i] = self->offers[i + 1];
}

void
steal_victims_remove_offer (StealVictims *self, SatinVictim *victim)
{
  guint place = (guint)(victim - victim_at (self, 0));
  for (guint i = 0; victim->has_offered; i++)
    if (self->offers[i] == place)
      drop_offer (self, i);
}

void
steal_victims_add_offer (StealVictims *self, SatinVictim *victim)
{
  forgive (self, victim);
  if (victim->has_offered)
    return;
  if (self->n_offers == SATIN_OFFERS_MAX)
    drop_offer (self, 0);
  self->offers[self->n_offers++] = (guint)(victim - victim_at (self, 0));
  victim->has_offered = TRUE;
}

/* ---- which nodes are shown ---- */

static void
move_offers (StealVictims *self, guint from, int by)
{
  for (guint i = 0; i < self->n_offers; i++)
    if (self->offers[i] >= from)
      self->offers[i] += by;
}

static void
insert (StealVictims *self, const SatinVictim *victim)
{
  guint place = victim->is_near ? find_place (self, victim->id, 0, self->n_near)
                                : find_place (self, victim->id, self->n_near, self->shown->len);
  move_offers (self, place, 1);
  g_array_insert_vals (self->shown, place, victim, 1);
  self->n_near += victim->is_near;
}

/* Removes a random near or far node, but never the master, and never the near node with the lowest
 * id. The list must have another node of that kind. */
static void
remove_any (StealVictims *self, gboolean is_near)
{
  guint from = is_near ? 1 : self->n_near;
  guint n = (is_near ? self->n_near : self->shown->len) - from;
  guint number = (guint)satin_loop_random_below (self->loop, n);
  if (victim_at (self, from + number)->is_master)
    number = (number + 1) % n;
  SatinVictim *victim = victim_at (self, from + number);
  steal_victims_remove_offer (self, victim);
  forgive (self, victim);
  self->n_near -= is_near;
  g_array_remove_index (self->shown, from + number);
  move_offers (self, from + number, -1);
}

/* Returns: how many near nodes to show when the list is full */
static guint
count_near_places (const StealVictims *self)
{
  guint n_free = SATIN_VICTIMS_MAX - MIN (self->n_all_far, SATIN_VICTIMS_MAX);
  return MIN (self->n_all_near, MAX (SATIN_VICTIMS_MAX / 2, n_free));
}

/* Shows @victim or drops it. The near node with the lowest id is always shown. All other near nodes
 * have the same chance to be shown, and so have all far nodes. */
static void
offer_place (StealVictims *self, const SatinVictim *victim)
{
  if (self->shown->len == SATIN_VICTIMS_MAX)
    {
      guint n_near = count_near_places (self);
      gboolean is_near_full = self->n_near >= n_near, is_far_full = self->n_near <= n_near;
      guint n_shown = victim->is_near ? self->n_near : SATIN_VICTIMS_MAX - self->n_near;
      guint n_all = victim->is_near ? self->n_all_near : self->n_all_far;
      gboolean is_replacing = victim->is_near ? is_near_full : is_far_full;
      if (is_replacing && satin_loop_random_below (self->loop, n_all) >= n_shown)
        return;
      remove_any (self, victim->is_near == is_replacing);
    }
  insert (self, victim);
}

/* ---- reading the view ---- */

static guint
number_cluster (StealVictims *self, const char *cluster)
{
  guint number;
  if (!g_ptr_array_find_with_equal_func (self->clusters, cluster, g_str_equal, &number))
    {
      number = self->clusters->len;
      g_ptr_array_add (self->clusters, g_strdup (cluster));
    }
  return number;
}

static void
number_self (StealVictims *self, const SatinView *view)
{
  if (!self->is_self_numbered)
    self->self_cluster = number_cluster (self, view->cluster);
  self->is_self_numbered = TRUE;
}

static SatinVictim
make_victim (const SatinPeer *peer, guint cluster, gboolean is_near)
{
  return (SatinVictim){
    .id = peer->id,
    .is_near = is_near,
    .latency_us = peer->latency_us,
    .cluster = cluster,
    .n_queued = -1,
    .success = 1,
  };
}

/* Reads the nodes that joined since the last reading. */
static void
read_newcomers (StealVictims *self, const SatinView *view)
{
  while (self->read->len < view->n_peers)
    {
      const SatinPeer *peer = &view->peers[self->read->len];
      if (peer->id > view->self)
        number_self (self, view);
      g_array_append_val (self->read, peer->id);
      if (peer->is_leaving)
        continue;
      gboolean is_near = g_str_equal (peer->cluster, view->cluster);
      SatinVictim victim = make_victim (peer, number_cluster (self, peer->cluster), is_near);
      victim.is_master = peer->id == view->master;
      self->n_all_near += is_near;
      self->n_all_far += !is_near;
      offer_place (self, &victim);
    }
  number_self (self, view);
}

/* Copies from @before the facts about nodes that are still shown. */
static void
remember (StealVictims *self, const StealVictims *before)
{
  for (guint i = 0; i < before->shown->len; i++)
    {
      const SatinVictim *old = victim_at (before, i);
      SatinVictim *victim = steal_victims_find (self, old->id);
      if (victim == NULL)
        continue;
      victim->n_refused = old->n_refused;
      victim->n_queued = old->n_queued;
      victim->told_us = old->told_us;
      victim->answer_us = old->answer_us;
      victim->success = old->success;
      if (victim->n_refused > 0)
        g_array_append_val (self->refusing, victim->id);
    }
  for (guint i = 0; i < before->n_offers; i++)
    {
      SatinVictim *victim = steal_victims_find (self, victim_at (before, before->offers[i])->id);
      if (victim != NULL)
        steal_victims_add_offer (self, victim);
    }
}

static void
read_anew (StealVictims *self, const SatinView *view)
{
  StealVictims before = *self;
  steal_victims_init (self, before.loop);
  read_newcomers (self, view);
  remember (self, &before);
  steal_victims_done (&before);
}

/* Whether the view has all nodes of the view that was read before, in the same places, and new
 * nodes behind them. Then the numbers of clusters stay valid. All ids are compared, because nodes
 * may also have gone, or have come in between. */
static gboolean
has_only_grown (const StealVictims *self, const SatinView *view)
{
  guint n = self->read->len;
  if (self->self != view->self || n == 0 || n >= view->n_peers || view->peers[n].id <= view->self)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (view->peers[i].id != g_array_index (self->read, SatinNodeId, i))
      return FALSE;
  return TRUE;
}

/* Draws at random whether the master would be missing from the list, if it had only the chance of
 * any other node to be in it. */
static gboolean
is_extra (StealVictims *self, const SatinView *view)
{
  /* In a partial view the size of the run is unknown. Ids are given in turn, so the largest id
   * estimates it. */
  guint n_all = self->n_all_near + self->n_all_far;
  if (view->is_partial)
    n_all = MAX (view->self, view->peers[view->n_peers - 1].id);
  return n_all > self->shown->len
         && (guint)satin_loop_random_below (self->loop, n_all) >= self->shown->len;
}

/* Shows the master, in place of another node if need be. */
static void
mark_master (StealVictims *self, const SatinView *view)
{
  SatinVictim *old = steal_victims_find (self, self->master);
  if (old != NULL)
    old->is_master = old->is_extra = FALSE;
  self->master = view->master;
  SatinVictim *victim = steal_victims_find (self, view->master);
  const SatinPeer *peer = satin_view_find (view, view->master);
  if (victim != NULL)
    {
      victim->is_master = TRUE;
      victim->is_extra = is_extra (self, view);
    }
  else if (peer != NULL && !peer->is_leaving)
    {
      gboolean is_near = g_str_equal (peer->cluster, view->cluster);
      SatinVictim added = make_victim (peer, number_cluster (self, peer->cluster), is_near);
      added.is_master = TRUE;
      added.is_extra = is_extra (self, view);
      remove_any (self, is_near);
      insert (self, &added);
    }
}

void
steal_victims_forget_view (StealVictims *self)
{
  g_array_set_size (self->read, 0);
}

void
steal_victims_update (StealVictims *self, const SatinView *view)
{
  if (self->number == view->number && self->read->len == view->n_peers
      && self->master == view->master)
    return;
  if (has_only_grown (self, view))
    read_newcomers (self, view);
  else
    read_anew (self, view);
  mark_master (self, view);
  self->self = view->self;
  self->number = view->number;
}
