/* steal-thief.c - the thief's side: asking, running, returning results
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-private.h"

#define MIN_WAIT_US ((gint64)10)

static guint
count_refused (Steal *self, SatinNodeId id)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->refused, GUINT_TO_POINTER (id)));
}

/* The answer to @asked came, or will not come. */
static void
close_asked (Steal *self, Asked *asked)
{
  satin_loop_timer_cancel (self->loop, &asked->timer);
  self->waited_us += satin_loop_now_us (self->loop) - asked->sent_us;
  asked->to = 0;
}

static void
count_failure (Steal *self, Asked *asked)
{
  SatinNodeId id = asked->to;
  asked->n_refused++;
  asked->refused_us = asked->sent_us;
  g_hash_table_insert (self->refused, GUINT_TO_POINTER (id),
                       GUINT_TO_POINTER (count_refused (self, id) + 1));
}

static void
give_up (Steal *self, Asked *asked)
{
  asked->timer = 0;
  g_debug ("node %u: no answer to steal request %" G_GUINT64_FORMAT, asked->to, asked->request);
  count_failure (self, asked);
  close_asked (self, asked);
  steal_consider (self);
}

static void
near_late (gpointer user_data)
{
  Steal *self = user_data;
  give_up (self, &self->near);
}

static void
far_late (gpointer user_data)
{
  Steal *self = user_data;
  give_up (self, &self->far);
}

static void
ask (Steal *self, Asked *asked, SatinNodeId to, gint64 latency_us)
{
  asked->to = to;
  asked->request = ++self->last_request;
  asked->sent_us = satin_loop_now_us (self->loop);
  StealRequest request = {
    .request = asked->request,
    .hold_us = MIN (HOLD_US * (1 + (gint64)asked->n_refused), HOLD_MAX_US),
  };
  self->n_tried++;
  asked->timer = satin_loop_timer_add (self->loop, REQUEST_DEADLINE_US + 8 * latency_us,
                                       asked == &self->near ? near_late : far_late, self);
  steal_send (self, to, STEAL_REQUEST, &StealRequest_record, &request);
}

static void
consider_again (gpointer user_data)
{
  Steal *self = user_data;
  self->consider_timer = 0;
  steal_consider (self);
}

static SatinStealHistory
history (Steal *self, const Asked *asked)
{
  return (SatinStealHistory){
    .n_refused = asked->n_refused,
    .since_us = satin_loop_now_us (self->loop) - asked->refused_us,
  };
}

/* Shows the policy the peers and does what it says. */
static void
consult (Steal *self, const SatinView *view, guint n_idle)
{
  g_autofree SatinVictim *victims = g_new (SatinVictim, view->n_peers);
  for (guint i = 0; i < view->n_peers; i++)
    victims[i] = (SatinVictim){
      .id = view->peers[i].id,
      .is_near = g_str_equal (view->peers[i].cluster, view->cluster),
      .latency_us = view->peers[i].latency_us,
      .n_refused = count_refused (self, view->peers[i].id),
    };
  SatinStealSituation situation = {
    .n_idle = n_idle,
    .n_victims = view->n_peers,
    .victims = victims,
    .near_asked = self->near.to,
    .far_asked = self->far.to,
    .near_history = history (self, &self->near),
    .far_history = history (self, &self->far),
  };
  for (guint i = 0; i < G_N_ELEMENTS (situation.random); i++)
    situation.random[i] = satin_loop_random (self->loop);
  SatinStealChoice choice = { 0 };
  self->policy_ops->choose (self->policy, &situation, &choice);
  const SatinPeer *near = choice.near != 0 ? satin_view_find (view, choice.near) : NULL;
  const SatinPeer *far = choice.far != 0 ? satin_view_find (view, choice.far) : NULL;
  if (near != NULL && self->near.to == 0)
    ask (self, &self->near, near->id, near->latency_us);
  if (far != NULL && self->far.to == 0)
    ask (self, &self->far, far->id, far->latency_us);
  if (choice.wait_us > 0)
    self->consider_timer =
        satin_loop_timer_add (self->loop, MAX (choice.wait_us, MIN_WAIT_US), consider_again, self);
}

/* Asks the policy what to do now, if anything is wanted. */
void
steal_consider (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->consider_timer);
  const SatinView *view = satin_peers_get_view (self->peers);
  if (self->is_quiet || view == NULL || view->n_peers == 0)
    return;
  guint n_idle = self->jobs_ops->n_idle (self->jobs);
  if (n_idle > 0)
    consult (self, view, n_idle);
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
steal_on_nothing (Steal *self, SatinNodeId from, const StealNothing *nothing)
{
  Asked *asked = find_asked (self, from, nothing->request);
  if (asked == NULL)
    return; /* later than its deadline */
  count_failure (self, asked);
  close_asked (self, asked);
  steal_consider (self);
}

/* A job is ours from here on, also when its request was given up meanwhile. */
void
steal_on_job (Steal *self, SatinNodeId from, const StealJob *job)
{
  Asked *asked = find_asked (self, from, job->request);
  if (asked != NULL)
    close_asked (self, asked);
  g_autoptr (GBytes) args = g_bytes_new (job->args, job->n_args);
  guint64 ticket = ++self->last_ticket;
  if (!self->jobs_ops->give (self->jobs, job->task, args, ticket))
    {
      StealName name = { .index = job->index, .generation = job->generation };
      g_warning ("node %u: a job of task %d cannot be read: returned", from, job->task);
      steal_send (self, from, STEAL_UNKNOWN, &StealName_record, &name);
      return;
    }
  self->n_won++;
  self->near.n_refused = self->far.n_refused = 0;
  g_hash_table_remove_all (self->refused);
  Guest *guest = g_new (Guest, 1);
  *guest = (Guest){
    .steal = self,
    .ticket = ticket,
    .owner = from,
    .index = job->index,
    .generation = job->generation,
  };
  g_hash_table_insert (self->guests, &guest->ticket, guest);
  g_ptr_array_add (self->guest_list, guest);
  steal_consider (self);
}

static void
forget_guest (Steal *self, Guest *guest)
{
  g_ptr_array_remove (self->guest_list, guest);
  g_hash_table_remove (self->guests, &guest->ticket);
}

static void
send_result (gpointer user_data)
{
  Guest *guest = user_data;
  Steal *self = guest->steal;
  satin_peers_send (self->peers, guest->owner, SATIN_CHANNEL_STEAL, guest->result);
  guest->resend = satin_loop_timer_add (self->loop, RESEND_US, send_result, guest);
}

void
steal_finished (Steal *self, guint64 ticket, const StealOutcome *outcome)
{
  Guest *guest = g_hash_table_lookup (self->guests, &ticket);
  g_return_if_fail (guest != NULL && guest->result == NULL);
  if (guest->owner == 0)
    {
      forget_guest (self, guest);
      return;
    }
  gsize n_bytes = 0;
  const guint8 *bytes =
      outcome->result != NULL ? g_bytes_get_data (outcome->result, &n_bytes) : NULL;
  StealResult result = {
    .index = guest->index,
    .generation = guest->generation,
    .status = outcome->status,
    .code = outcome->code,
    .message = outcome->message,
    .result = bytes,
    .n_result = n_bytes,
  };
  guest->result = steal_message (STEAL_RESULT, &StealResult_record, &result);
  send_result (guest);
}

static Guest *
find_guest (Steal *self, SatinNodeId owner, const StealName *name)
{
  for (guint i = 0; i < self->guest_list->len; i++)
    {
      Guest *guest = g_ptr_array_index (self->guest_list, i);
      if (guest->owner == owner && guest->index == name->index
          && guest->generation == name->generation)
        return guest;
    }
  return NULL;
}

void
steal_on_ack (Steal *self, SatinNodeId from, const StealName *name)
{
  Guest *guest = find_guest (self, from, name);
  if (guest != NULL && guest->result != NULL)
    forget_guest (self, guest);
}

void
steal_on_query (Steal *self, SatinNodeId from, const StealName *name)
{
  Guest *guest = find_guest (self, from, name);
  if (guest == NULL)
    steal_send (self, from, STEAL_UNKNOWN, &StealName_record, name);
  else if (guest->result == NULL)
    steal_send (self, from, STEAL_RUNNING, &StealName_record, name);
  else
    {
      satin_loop_timer_cancel (self->loop, &guest->resend);
      send_result (guest);
    }
}

/* A node is gone: nobody waits for what it lent us. */
void
steal_peer_gone (Steal *self, SatinNodeId id)
{
  if (self->near.to == id)
    close_asked (self, &self->near);
  if (self->far.to == id)
    close_asked (self, &self->far);
  g_hash_table_remove (self->refused, GUINT_TO_POINTER (id));
  for (guint i = self->guest_list->len; i-- > 0;)
    {
      Guest *guest = g_ptr_array_index (self->guest_list, i);
      if (guest->owner != id)
        continue;
      guest->owner = 0;
      if (guest->result != NULL)
        forget_guest (self, guest);
    }
}

/* A link broke: results may be lost, so all that were not acknowledged go again. */
void
steal_peer_unsure (Steal *self, SatinNodeId id)
{
  for (guint i = 0; i < self->guest_list->len; i++)
    {
      Guest *guest = g_ptr_array_index (self->guest_list, i);
      if (guest->owner != id || guest->result == NULL)
        continue;
      satin_loop_timer_cancel (self->loop, &guest->resend);
      send_result (guest);
    }
}
