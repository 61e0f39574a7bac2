/* steal-policy.c - what the policy is shown, and doing what it says
 *
 * choose is asked while workers are idle; balance, when the policy has it, also while
 * all are busy, no more often than every BALANCE_US.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-private.h"

#define MIN_WAIT_US ((gint64)10)

/* Weight of the newest answer in what is remembered of a node. */
#define NOTE_SHARE 8

void
steal_policy_init (Steal *self)
{
  self->notes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->clusters = g_array_new (FALSE, FALSE, sizeof (guint));
  self->balanced_us = -BALANCE_US; /* long ago, also when the clock starts at 0 */
}

void
steal_policy_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->consider_timer);
  satin_loop_timer_cancel (self->loop, &self->balance_timer);
  satin_loop_timer_cancel (self->loop, &self->tell_timer);
  g_hash_table_unref (self->notes);
  g_array_unref (self->clusters);
  self->policy_ops->close (self->policy);
}

/* Jobs that could be given away, as it travels. */
gint
steal_count_queued (Steal *self)
{
  return (gint)MIN (self->jobs_ops->n_queued (self->jobs), (guint)G_MAXINT);
}

/* ---- what is known of the others ---- */

static Note *
note_of (Steal *self, SatinNodeId id)
{
  Note *note = g_hash_table_lookup (self->notes, GUINT_TO_POINTER (id));
  if (note != NULL)
    return note;
  note = g_new (Note, 1);
  *note = (Note){ .n_queued = -1, .success = 1 };
  g_hash_table_insert (self->notes, GUINT_TO_POINTER (id), note);
  return note;
}

/* A request to @id is over: its jobs took @answer_us, or none came when that is negative. */
void
steal_note_answer (Steal *self, SatinNodeId id, gint64 answer_us)
{
  Note *note = note_of (self, id);
  note->success += ((answer_us >= 0 ? 1 : 0) - note->success) / NOTE_SHARE;
  if (answer_us < 0)
    return;
  if (note->answer_us > 0)
    answer_us = ((NOTE_SHARE - 1) * note->answer_us + answer_us) / NOTE_SHARE;
  note->answer_us = MAX (answer_us, 1);
}

void
steal_note_load (Steal *self, SatinNodeId id, gint n_queued)
{
  Note *note = note_of (self, id);
  note->n_queued = MAX (n_queued, 0);
  note->told_us = satin_loop_now_us (self->loop);
}

void
steal_forget_notes (Steal *self, SatinNodeId id)
{
  g_hash_table_remove (self->notes, GUINT_TO_POINTER (id));
  if (self->told != id)
    return;
  self->told = 0;
  satin_loop_timer_cancel (self->loop, &self->tell_timer);
}

static guint
number_cluster (Steal *self, GHashTable *numbers, const char *cluster)
{
  gpointer found = g_hash_table_lookup (numbers, cluster);
  if (found == NULL)
    {
      found = GUINT_TO_POINTER (++self->n_clusters);
      g_hash_table_insert (numbers, (gpointer)cluster, found);
    }
  return GPOINTER_TO_UINT (found) - 1;
}

/* Numbers the clusters by their lowest node, once for each view. */
static void
number_clusters (Steal *self, const SatinView *view)
{
  if (self->numbered == view->number && self->clusters->len == view->n_peers)
    return;
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  self->n_clusters = 0;
  g_array_set_size (self->clusters, view->n_peers);
  guint i = 0;
  for (; i < view->n_peers && view->peers[i].id < view->self; i++)
    g_array_index (self->clusters, guint, i) =
        number_cluster (self, numbers, view->peers[i].cluster);
  self->self_cluster = number_cluster (self, numbers, view->cluster);
  for (; i < view->n_peers; i++)
    g_array_index (self->clusters, guint, i) =
        number_cluster (self, numbers, view->peers[i].cluster);
  self->numbered = view->number;
}

/* ---- the snapshot ---- */

static SatinVictim
show_victim (Steal *self, const SatinView *view, guint index)
{
  const SatinPeer *peer = &view->peers[index];
  const Note *note = g_hash_table_lookup (self->notes, GUINT_TO_POINTER (peer->id));
  guint cluster = g_array_index (self->clusters, guint, index);
  return (SatinVictim){
    .id = peer->id,
    .is_near = cluster == self->self_cluster,
    .latency_us = peer->latency_us,
    .n_refused = steal_count_refused (self, peer->id),
    .has_offered = g_hash_table_contains (self->offers, GUINT_TO_POINTER (peer->id)),
    .is_master = peer->id == view->master,
    .cluster = cluster,
    .n_queued = note != NULL ? note->n_queued : -1,
    .told_ago_us = note != NULL ? satin_loop_now_us (self->loop) - note->told_us : 0,
    .answer_us = note != NULL ? note->answer_us : 0,
    .success = note != NULL ? note->success : 1,
  };
}

static SatinStealHistory
history (Steal *self, const Asked *asked)
{
  return (SatinStealHistory){
    .n_refused = asked->n_refused,
    .since_us = satin_loop_now_us (self->loop) - asked->refused_us,
  };
}

static SatinStealSituation
show_situation (Steal *self, const SatinView *view, const SatinVictim *victims)
{
  SatinStealSituation situation = {
    .n_idle = self->jobs_ops->n_idle (self->jobs),
    .n_victims = view->n_peers,
    .victims = victims,
    .near_asked = self->near.to,
    .far_asked = self->far.to,
    .near_history = history (self, &self->near),
    .far_history = history (self, &self->far),
    .self = view->self,
    .self_cluster = self->self_cluster,
    .n_clusters = self->n_clusters,
    .is_master = view->master == view->self,
    .n_queued = self->jobs_ops->n_queued (self->jobs),
  };
  for (guint i = 0; i < G_N_ELEMENTS (situation.random); i++)
    situation.random[i] = satin_loop_random (self->loop);
  return situation;
}

/* ---- doing what it says ---- */

static void tell_later (gpointer user_data);

/* Comes back as long as there may be something new to tell. */
static void
tell_load (Steal *self)
{
  StealLoad load = { .n_queued = steal_count_queued (self) };
  if (load.n_queued != self->told_queued)
    steal_send (self, self->told, STEAL_LOAD, &StealLoad_record, &load);
  else if (load.n_queued == 0)
    return;
  self->told_queued = load.n_queued;
  self->tell_timer = satin_loop_timer_add (self->loop, TELL_US, tell_later, self);
}

static void
tell_later (gpointer user_data)
{
  Steal *self = user_data;
  self->tell_timer = 0;
  if (!self->is_quiet)
    tell_load (self);
}

static void
tell (Steal *self, SatinNodeId to)
{
  if (to != self->told)
    self->told_queued = -1;
  self->told = to;
  if (self->tell_timer == 0)
    tell_load (self);
}

/* What was told may be lost. */
void
steal_tell_again (Steal *self, SatinNodeId id)
{
  if (self->told != id || self->is_quiet)
    return;
  self->told_queued = -1;
  if (self->tell_timer == 0)
    tell_load (self);
}

static void
consider_again (gpointer user_data)
{
  Steal *self = user_data;
  self->consider_timer = 0;
  steal_consider (self);
}

static void
obey (Steal *self, const SatinView *view, const SatinStealChoice *choice)
{
  const SatinPeer *near = choice->near != 0 ? satin_view_find (view, choice->near) : NULL;
  const SatinPeer *far = choice->far != 0 ? satin_view_find (view, choice->far) : NULL;
  if (near != NULL && self->near.to == 0)
    steal_ask (self, &self->near, near, choice->n_jobs);
  if (far != NULL && self->far.to == 0)
    steal_ask (self, &self->far, far, choice->n_jobs);
  if (choice->push != 0 && satin_view_find (view, choice->push) != NULL)
    steal_push (self, choice->push, MAX (choice->n_push, 1));
  if (choice->tell != 0 && satin_view_find (view, choice->tell) != NULL)
    tell (self, choice->tell);
  /* What choose waits for is not put off by balance. */
  if (choice->wait_us > 0 && self->consider_timer == 0)
    self->consider_timer =
        satin_loop_timer_add (self->loop, MAX (choice->wait_us, MIN_WAIT_US), consider_again, self);
}

/* ---- asking it ---- */

typedef void (*PolicyFunc) (gpointer policy, const SatinStealSituation *situation,
                            SatinStealChoice *ret_choice);

/* Shows the policy the peers and does what it says. */
static void
consult (Steal *self, PolicyFunc func)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  number_clusters (self, view);
  g_autofree SatinVictim *victims = g_new (SatinVictim, view->n_peers);
  for (guint i = 0; i < view->n_peers; i++)
    victims[i] = show_victim (self, view, i);
  SatinStealSituation situation = show_situation (self, view, victims);
  SatinStealChoice choice = { 0 };
  func (self->policy, &situation, &choice);
  obey (self, view, &choice);
  if (self->policy_ops->balance == NULL || self->is_waiting_for_jobs)
    return;
  self->is_waiting_for_jobs = TRUE;
  self->jobs_ops->want (self->jobs);
}

static gboolean
may_consult (Steal *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  return !self->is_quiet && view != NULL && view->n_peers > 0;
}

static void
balance_again (gpointer user_data)
{
  Steal *self = user_data;
  self->balance_timer = 0;
  steal_balance (self);
}

/* Jobs were put out here, or a load was told: a policy that looks at these is asked, now or soon.
 */
void
steal_balance (Steal *self)
{
  if (self->policy_ops->balance == NULL || self->balance_timer != 0 || !may_consult (self))
    return;
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 wait_us = self->balanced_us + BALANCE_US - now_us;
  if (wait_us > 0)
    {
      self->balance_timer = satin_loop_timer_add (self->loop, wait_us, balance_again, self);
      return;
    }
  self->balanced_us = now_us;
  consult (self, self->policy_ops->balance);
}

/* Asks the policy what to do now, if anything is wanted. */
void
steal_consider (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->consider_timer);
  if (!may_consult (self))
    return;
  if (self->jobs_ops->n_idle (self->jobs) > 0)
    consult (self, self->policy_ops->choose);
  else
    steal_balance (self);
}
