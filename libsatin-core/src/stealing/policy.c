/* policy.c - shows the policy the situation, and does what the policy says
 *
 * The policy's choose is asked while workers are idle. Its balance, if it has one, is also asked
 * while all workers are busy, at most every BALANCE_US.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* How often, at most, the policy is asked before there is a master. */
#define EARLY_MAX 8

#define MIN_WAIT_US ((gint64)10)

/* The newest answer has the weight 1 / NOTE_SHARE in the averages of a node. */
#define NOTE_SHARE 8

void
steal_policy_init (Steal *self, const SatinPolicyOps *ops, gpointer policy)
{
  self->policy.ops = ops;
  self->policy.handle = policy;
  steal_victims_init (&self->victims, self->loop);
  self->policy.balanced_us = -BALANCE_US; /* long ago, even if the clock starts at 0 */
}

void
steal_policy_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->policy.consider_timer);
  satin_loop_timer_cancel (self->loop, &self->policy.balance_timer);
  satin_loop_timer_cancel (self->loop, &self->policy.tell_timer);
  steal_victims_done (&self->victims);
  self->policy.ops->close (self->policy.handle);
}

/* Returns: how many jobs this node could give away, for messages */
gint
steal_count_queued (Steal *self)
{
  return (gint)MIN (self->jobs_ops->n_queued (self->jobs), (guint)G_MAXINT);
}

/* ---- the facts about other nodes ---- */

/* Returns: (nullable): the entry of @id for the policy, valid until the view changes; %NULL when
 * the node is gone or not shown */
SatinVictim *
steal_find_victim (Steal *self, SatinNodeId id)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  if (view == NULL)
    return NULL;
  steal_victims_update (&self->victims, view);
  return steal_victims_find (&self->victims, id);
}

/* Returns: (nullable): the cluster of the node; NULL when the node is gone */
const char *
steal_find_cluster (Steal *self, SatinNodeId id)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  const SatinPeer *peer = view != NULL ? satin_view_find (view, id) : NULL;
  return peer != NULL ? peer->cluster : NULL;
}

/* Whether @id is in another cluster. */
gboolean
steal_is_far (Steal *self, SatinNodeId id)
{
  const char *cluster = steal_find_cluster (self, id);
  return cluster != NULL && !g_str_equal (cluster, satin_peers_get_view (self->peers)->cluster);
}

/* Copies the latency, which the links measure, into the entry. */
static void
refresh_latency (Steal *self, SatinVictim *victim)
{
  const SatinPeer *peer = satin_view_find (satin_peers_get_view (self->peers), victim->id);
  if (peer != NULL)
    victim->latency_us = peer->latency_us;
}

/* Records the end of a request to @id. @answer_us: how long the jobs took to come; negative: none
 * came. */
void
steal_note_answer (Steal *self, SatinNodeId id, gint64 answer_us)
{
  SatinVictim *victim = steal_find_victim (self, id);
  if (victim == NULL)
    return;
  refresh_latency (self, victim);
  victim->success += ((answer_us >= 0 ? 1 : 0) - victim->success) / NOTE_SHARE;
  if (answer_us < 0)
    {
      steal_victims_count_refusal (&self->victims, victim);
      return;
    }
  if (victim->answer_us > 0)
    answer_us = ((NOTE_SHARE - 1) * victim->answer_us + answer_us) / NOTE_SHARE;
  victim->answer_us = MAX (answer_us, 1);
}

void
steal_note_load (Steal *self, SatinNodeId id, gint n_queued)
{
  SatinVictim *victim = steal_find_victim (self, id);
  if (victim == NULL)
    return;
  victim->n_queued = MAX (n_queued, 0);
  victim->told_us = satin_loop_now_us (self->loop);
  if (victim->latency_us == 0)
    refresh_latency (self, victim);
}

/* ---- the snapshot ---- */

static SatinStealHistory
history (Steal *self, const Asked *asked)
{
  return (SatinStealHistory){
    .n_refused = asked->n_refused,
    .since_us = satin_loop_now_us (self->loop) - asked->refused_us,
  };
}

static SatinStealSituation
show_situation (Steal *self, const SatinView *view)
{
  const StealVictims *victims = &self->victims;
  SatinStealSituation situation = {
    .n_idle = self->jobs_ops->n_idle (self->jobs),
    .n_victims = victims->shown->len,
    .victims = (const SatinVictim *)victims->shown->data,
    .near_asked = self->asking.near.to,
    .far_asked = self->asking.far.to,
    .near_history = history (self, &self->asking.near),
    .far_history = history (self, &self->asking.far),
    .self = view->self,
    .self_cluster = victims->self_cluster,
    .n_clusters = victims->clusters->len,
    .is_master = view->master == view->self,
    .n_queued = self->jobs_ops->n_queued (self->jobs),
    .n_near = victims->n_near,
    .n_offers = victims->n_offers,
    .offers = victims->offers,
    .now_us = satin_loop_now_us (self->loop),
  };
  for (guint i = 0; i < G_N_ELEMENTS (situation.random); i++)
    situation.random[i] = satin_loop_random (self->loop);
  return situation;
}

/* ---- doing what the policy says ---- */

static void tell_later (gpointer user_data);

/* Sends the load if it has changed. Runs again every TELL_US, until the load stays 0. */
static void
tell_load (Steal *self)
{
  StealLoad load = { .n_queued = steal_count_queued (self) };
  if (load.n_queued != self->policy.told_queued)
    steal_send (self, self->policy.told, STEAL_LOAD, &StealLoad_record, &load);
  else if (load.n_queued == 0)
    return;
  self->policy.told_queued = load.n_queued;
  self->policy.tell_timer = satin_loop_timer_add (self->loop, TELL_US, tell_later, self);
}

static void
tell_later (gpointer user_data)
{
  Steal *self = user_data;
  self->policy.tell_timer = 0;
  if (!self->is_quiet)
    tell_load (self);
}

static void
tell (Steal *self, SatinNodeId to)
{
  if (to != self->policy.told)
    self->policy.told_queued = -1;
  self->policy.told = to;
  if (self->policy.tell_timer == 0)
    tell_load (self);
}

/* Sends the load to @id again, because the link broke and the last message may be lost. */
void
steal_tell_again (Steal *self, SatinNodeId id)
{
  if (self->policy.told != id || self->is_quiet)
    return;
  self->policy.told_queued = -1;
  if (self->policy.tell_timer == 0)
    tell_load (self);
}

/* Stops sending the load to node @id, which is gone. */
void
steal_stop_sending_load (Steal *self, SatinNodeId id)
{
  if (self->policy.told != id)
    return;
  self->policy.told = 0;
  satin_loop_timer_cancel (self->loop, &self->policy.tell_timer);
}

static void
consider_again (gpointer user_data)
{
  Steal *self = user_data;
  self->policy.consider_timer = 0;
  steal_consider (self);
}

static void
obey (Steal *self, const SatinView *view, const SatinStealChoice *choice)
{
  SatinVictim *near = choice->near != 0 ? steal_find_victim (self, choice->near) : NULL;
  if (near != NULL && self->asking.near.to == 0)
    steal_ask (self, &self->asking.near, near, choice->n_jobs);
  SatinVictim *far = choice->far != 0 ? steal_find_victim (self, choice->far) : NULL;
  if (far != NULL && self->asking.far.to == 0)
    steal_ask (self, &self->asking.far, far, choice->n_jobs);
  if (choice->push != 0 && satin_view_find (view, choice->push) != NULL)
    steal_push (self, choice->push, MAX (choice->n_push, 1));
  if (choice->tell != 0 && satin_view_find (view, choice->tell) != NULL)
    tell (self, choice->tell);
  /* Balance must not put off a timer that choose has set. */
  if (choice->wait_us > 0 && self->policy.consider_timer == 0)
    self->policy.consider_timer =
        satin_loop_timer_add (self->loop, MAX (choice->wait_us, MIN_WAIT_US), consider_again, self);
}

/* ---- asking the policy ---- */

typedef void (*PolicyFunc) (gpointer policy, const SatinStealSituation *situation,
                            SatinStealChoice *ret_choice);

/* Shows the policy the situation and does what it says. */
static void
consult (Steal *self, PolicyFunc func)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  steal_victims_update (&self->victims, view);
  if (self->victims.shown->len == 0)
    return; /* all other nodes are leaving */
  self->policy.n_early += view->term == 0;
  SatinStealSituation situation = show_situation (self, view);
  SatinStealChoice choice = { 0 };
  func (self->policy.handle, &situation, &choice);
  obey (self, view, &choice);
  if (self->policy.ops->balance == NULL || self->policy.is_waiting_for_jobs)
    return;
  self->policy.is_waiting_for_jobs = TRUE;
  self->jobs_ops->want (self->jobs);
}

/* Whether the policy may be asked. Before the first master no node has jobs, but a few requests are
 * sent all the same: they open links, and victims learn to which nodes to offer the first jobs. */
static gboolean
may_consult (Steal *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  return !self->is_quiet && view != NULL && view->n_peers > 0
         && (view->term > 0 || self->policy.n_early < EARLY_MAX);
}

static void
balance_again (gpointer user_data)
{
  Steal *self = user_data;
  self->policy.balance_timer = 0;
  steal_balance (self);
}

/* Asks a policy that balances, now or soon, because jobs were put out here, a node reported its
 * load, or no worker is idle. */
void
steal_balance (Steal *self)
{
  if (self->policy.ops->balance == NULL || self->policy.balance_timer != 0 || !may_consult (self))
    return;
  gint64 now_us = satin_loop_now_us (self->loop);
  gint64 wait_us = self->policy.balanced_us + BALANCE_US - now_us;
  if (wait_us > 0)
    {
      self->policy.balance_timer = satin_loop_timer_add (self->loop, wait_us, balance_again, self);
      return;
    }
  self->policy.balanced_us = now_us;
  consult (self, self->policy.ops->balance);
}

void
steal_balance_jobs (Steal *self)
{
  self->policy.is_waiting_for_jobs = FALSE;
  steal_balance (self);
}

void
steal_on_load (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealLoad *load = data;
  steal_note_load (self, from, load->n_queued);
  steal_balance (self);
}

/* Asks the policy to choose if a worker is idle, and else to balance. */
void
steal_consider (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->policy.consider_timer);
  if (!may_consult (self))
    return;
  if (self->jobs_ops->n_idle (self->jobs) > 0)
    consult (self, self->policy.ops->choose);
  else
    steal_balance (self);
}
