/* link-choice.c - decides which of two links between the same nodes stays
 *
 * Two nodes may dial each other at the same time. A link is open on either side only when both
 * sides have accepted it, and messages that were sent before are kept. So the choice is made before
 * a message can be lost. A node may accept a link that the other side has already dropped; this
 * link goes down without harm.
 *
 *   node 1 (lower number)   ---- x, dialed by node 1 --->   node 2 (higher number)
 *                           <--- y, dialed by node 2 ----
 *
 * Node 2 accepts x and drops y. If node 1 has sent its hello on x, it lets y wait: it neither
 * accepts nor refuses y. Then either x opens, and node 2 drops y; or x goes down, and node 1
 * accepts y. If node 1 has not sent its hello on x yet, it drops x and accepts y. So if only one
 * direction can connect, the other direction does not block it.
 *
 * An incoming link also waits while this node has another link with the same node: one that came in
 * before, or one that is open or closing. Perhaps the incoming link is outdated; then the other
 * node has dropped it. Or perhaps the present link is dead and this node does not know it yet; a
 * ping on the present link shows that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link/private.h"
#include "private.h"

static gboolean
park (NetLink *self, SatinNodeId id)
{
  if (self->parked_id == 0)
    {
      self->parked_us = satin_loop_now_us (self->net->loop);
      self->net->n_parked++;
    }
  self->parked_id = id;
  return FALSE;
}

void
net_link_unpark (NetLink *self)
{
  if (self->parked_id != 0)
    self->net->n_parked--;
  self->parked_id = 0;
}

void
net_link_judge_parked (SatinNet *net)
{
  for (guint i = 0; i < net->links->len && net->n_parked > 0; i++)
    {
      NetLink *self = g_ptr_array_index (net->links, i);

      if (self->parked_id != 0)
        satin_link_pause (self->link, FALSE);
    }
}

static GError *
gone_error (SatinNodeId id)
{
  return g_error_new (
      SATIN_ERROR, SATIN_ERROR_FENCED,
      "node %u is not in the run any more: it left or was declared dead, start a new one", id);
}

/* Judges a link of a stranger: a node that is not in the view. Perhaps the registry has not
 * announced the stranger yet, perhaps the stranger is gone, or perhaps it is a member that a
 * partial view does not show. */
static gboolean
judge_stranger (NetLink *self, SatinNodeId id, GError **error)
{
  SatinNet *net = self->net;

  if (self->parked_id == 0 && net_registry_introduce (net, id))
    satin_loop_probe (net->loop, "net.link-of-stranger");
  if (id > net->highest || net->view.is_partial)
    {
      satin_loop_probe (net->loop, "net.link-early");
      return park (self, id);
    }
  satin_loop_probe (net->loop, "net.link-fenced");
  g_propagate_error (error, gone_error (id));
  return FALSE;
}

void
net_link_refuse_parked (SatinNet *net, SatinNodeId id)
{
  g_autoptr (GError) error = gone_error (id);

  for (guint i = 0; i < net->links->len; i++)
    {
      NetLink *self = g_ptr_array_index (net->links, i);

      if (self->parked_id != id)
        continue;
      satin_loop_probe (net->loop, "net.stranger-refused");
      satin_link_close (self->link, error);
    }
}

/* Whether an incoming link of @peer must wait for its present link @last. */
static gboolean
must_wait (NetPeer *peer, NetLink *last)
{
  LinkState state = satin_link_get_state (last->link);

  if (state == LINK_DOWN)
    return FALSE;
  if (state == LINK_OPEN)
    satin_link_ping (last->link);
  if (state == LINK_GREETING && last->has_dialed)
    return satin_link_has_greeted (last->link) && peer->net->view.self < peer->id;
  return TRUE;
}

static gboolean
judge_incoming (NetLink *self, SatinNodeId id, GError **error)
{
  NetPeer *peer = net_view_find (self->net, id);
  NetLink *last;

  if (peer == NULL)
    return judge_stranger (self, id, error);
  if (self->net->state != NET_MEMBER)
    return park (self, id);
  last = net_link_last (peer);
  if (last != NULL && must_wait (peer, last))
    return park (self, id);
  if (last != NULL && satin_link_get_state (last->link) < LINK_CLOSING)
    {
      satin_loop_probe (self->net->loop, "net.links-cross");
      net_link_drop (last);
    }
  if (self->parked_id != 0)
    satin_loop_probe (self->net->loop, "net.link-waited");
  net_link_unpark (self);
  net_link_belong_to (self, peer);
  return TRUE;
}

gboolean
net_link_check (SatinLink *link, const SatinHello *hello, gpointer user_data, GError **error)
{
  NetLink *self = user_data;
  SatinNodeId id = (SatinNodeId)hello->node;

  if (hello->role != SATIN_ROLE_NODE || id == 0 || id == self->net->view.self)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "node %u speaks only with members: the address is not that of the hub",
                   self->net->view.self);
      return FALSE;
    }
  if (!self->has_dialed)
    {
      self->net->was_dialed = TRUE;
      return judge_incoming (self, id, error);
    }
  if (self->peer == NULL || self->peer->id == id)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "node %u answers at the address of node %u",
               id, self->peer->id);
  return FALSE;
}
