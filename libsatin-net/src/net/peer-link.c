/* peer-link.c - one link to a peer: dials or accepts it, delivers its frames, handles its end
 *
 * link-choice.c decides which of two links to the same peer stays.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "link/private.h"
#include "private.h"

NetLink *
net_link_last (NetPeer *peer)
{
  NetLink *last = peer->links;

  while (last != NULL && last->next != NULL)
    last = last->next;
  return last;
}

void
net_link_belong_to (NetLink *self, NetPeer *peer)
{
  NetLink *last = net_link_last (peer);

  *(last != NULL ? &last->next : &peer->links) = self;
  self->peer = peer;
  self->is_wan = peer->is_wan;
}

static void
touch (NetLink *self)
{
  self->used = ++self->net->n_uses;
}

static NetLink *
net_link_new (SatinNet *net, gboolean has_dialed)
{
  NetLink *self = g_new0 (NetLink, 1);

  self->net = net;
  self->has_dialed = has_dialed;
  g_ptr_array_add (net->links, self);
  return self;
}

/* Pings the peer from time to time when a message is sent. The ping goes before the message, so
 * that the message does not delay it. */
static void
measure (NetLink *self)
{
  gint64 now_us = satin_loop_now_us (self->net->loop);

  if (self->peer == NULL || !self->was_open || now_us - self->peer->pinged_us < NET_LATENCY_PING_US)
    return;
  self->peer->pinged_us = now_us;
  satin_link_ping (self->link);
}

void
net_link_send (NetLink *self, SatinChannel channel, GBytes *payload)
{
  touch (self);
  measure (self);
  satin_link_send (self->link, SATIN_FRAME_MESSAGE, channel, payload);
}

void
net_link_drop (NetLink *self)
{
  self->is_dropped = TRUE;
  satin_link_drop (self->link);
}

gint64
net_link_heard_us (const NetLink *self)
{
  return self->was_open ? satin_link_get_last_heard_us (self->link) : 0;
}

void
net_link_forget (NetLink *self)
{
  NetLink **place;

  if (self->peer == NULL)
    return;
  self->peer->heard_us = MAX (self->peer->heard_us, net_link_heard_us (self));
  for (place = &self->peer->links; *place != self; place = &(*place)->next)
    ;
  *place = g_steal_pointer (&self->next);
  self->peer = NULL;
}

/* ---- opening, and the limit of open links ---- */

static void
close_least_used (SatinNet *net)
{
  NetLink *least = NULL;
  guint n_open = 0;

  if (net->links->len <= net->max_links)
    return;
  for (guint i = 0; i < net->links->len; i++)
    {
      NetLink *self = g_ptr_array_index (net->links, i);

      if (!satin_link_is_open (self->link))
        continue;
      n_open++;
      if (least == NULL || self->used < least->used)
        least = self;
    }
  if (n_open > net->max_links)
    satin_link_close (least->link, NULL);
}

static void
on_open (SatinLink *link, gpointer user_data)
{
  NetLink *self = user_data;

  self->was_open = TRUE;
  satin_link_drop_hello (link);
  touch (self);
  if (self->peer == NULL)
    return;
  self->peer->pinged_us = satin_loop_now_us (self->net->loop);
  if (self->peer->route != NULL && self->has_dialed)
    net_route_opened (self->peer->route, &self->peer->attempt, self->way);
  if (net_link_last (self->peer) == self)
    net_peer_flush (self->peer);
  if (self->net->state == NET_MEMBER)
    close_least_used (self->net);
  else
    satin_link_close (link, NULL);
}

static void
on_greeted (SatinLink *link, gpointer user_data)
{
  NetLink *self = user_data;

  if (self->peer != NULL && net_link_last (self->peer) == self)
    net_peer_send_early (self->peer);
}

/* ---- frames ---- */

/* The message in a frame of kind EARLY. Returns: (transfer full) (nullable): %NULL when the message
 * is malformed, is for another node, or has come before */
static GBytes *
take_early (NetLink *self, GBytes *payload)
{
  gsize n_bytes = 0;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  guint64 number;

  if (n_bytes < sizeof number)
    return NULL;
  memcpy (&number, bytes, sizeof number);
  if (!net_peer_take_number (self->peer, GUINT64_FROM_LE (number)))
    return NULL;
  return g_bytes_new_from_bytes (payload, sizeof number, n_bytes - sizeof number);
}

static void
on_frame (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload, gpointer user_data)
{
  NetLink *self = user_data;
  const NetChannel *owner;
  g_autoptr (GBytes) message = NULL;

  if (self->peer == NULL || self->net->is_freed)
    return;
  touch (self);
  if (kind == SATIN_FRAME_MESSAGE)
    message = g_bytes_ref (payload);
  else if (kind == SATIN_FRAME_EARLY)
    message = take_early (self, payload);
  if (message == NULL || channel >= SATIN_N_CHANNELS)
    {
      g_info ("node %u: a frame of kind %d for channel %u was ignored", self->peer->id, kind,
              channel);
      return;
    }
  owner = &self->net->channels[channel];
  if (owner->func != NULL)
    owner->func (self->peer->id, message, owner->user_data);
  else
    g_debug ("node %u: nobody takes channel %u", self->peer->id, channel);
}

static void
on_measured (SatinLink *link, gint64 round_trip_us, gpointer user_data)
{
  NetLink *self = user_data;

  if (self->peer != NULL)
    net_view_measured (self->net, self->peer, round_trip_us);
}

/* ---- down ---- */

/* Drops the present link to the node that dialed @self, if that link is dead: @self waited for it
 * until @self timed out, and the present link has received nothing in this time. */
static void
blame_silent (NetLink *self)
{
  NetPeer *peer = net_view_find (self->net, self->parked_id);
  NetLink *last = peer != NULL ? net_link_last (peer) : NULL;

  if (last != NULL && satin_link_is_open (last->link)
      && satin_link_get_last_heard_us (last->link) < self->parked_us)
    {
      satin_loop_probe (self->net->loop, "net.link-silent");
      satin_link_drop (last->link);
    }
}

/* Tells the registry that the link broke or was not made. Tells the other parts of the node that it
 * broke, before the peer's next link may deliver messages. So the parts see these messages after
 * the break. */
static void
tell_broken (NetLink *self, const GError *error)
{
  SatinNet *net = self->net;
  SatinNodeId id = self->peer->id;

  g_info ("node %u: link %s: %s", id, self->was_open ? "broken" : "not made", error->message);
  if (!self->is_dropped && net->registry != NULL && net->state == NET_MEMBER)
    net->registry_ops.suspect (net->registry, id);
  if (self->was_open)
    net_tell_change (net, SATIN_PEER_LINK_BROKEN, id);
}

/* Whether the end of the link is a failure. The end is no failure if the link closed in good order,
 * if this side dropped it, or if the other side dialed the link and it never opened. */
static gboolean
is_failure (const NetLink *self, const GError *error)
{
  return error != NULL && !self->is_dropped && (self->was_open || self->has_dialed);
}

/* Warns, once for each gateway, of an error there that the user must repair. */
static void
complain_of_gateway (const NetLink *self, NetRoute *route, const GError *error)
{
  if (self->way != NET_WAY_GATEWAY || route->has_complained
      || !(g_error_matches (error, SATIN_ERROR, SATIN_ERROR_SECRET)
           || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_INVALID)))
    return;
  route->has_complained = TRUE;
  g_warning ("cluster %s cannot be reached through its gateway: %s", route->cluster,
             error->message);
}

/* Notes in the peer's route that this link failed. Returns: whether to dial the other way at
 * once */
static gboolean
has_another_way (const NetLink *self, const GError *error)
{
  NetPeer *peer = self->peer;

  if (peer->route == NULL || self->was_open || !is_failure (self, error))
    return FALSE;
  complain_of_gateway (self, peer->route, error);
  if (!net_route_failed (peer->route, &peer->attempt, self->way))
    return FALSE;
  g_info ("node %u: link not made, another way is tried: %s", peer->id, error->message);
  satin_loop_probe (self->net->loop, "net.another-way");
  return TRUE;
}

static void
leave_peer (NetLink *self, const GError *error)
{
  NetPeer *peer = self->peer;
  SatinNodeId id = peer->id;

  if (has_another_way (self, error))
    {
      net_link_forget (self);
      net_peer_link_down (peer, FALSE);
      return;
    }
  if (error != NULL && (self->was_open || is_failure (self, error)))
    tell_broken (self, error);
  /* A function that heard of the break may have removed the peer, or taken this link from the
   * peer. */
  peer = net_view_find (self->net, id);
  if (peer == NULL || self->peer == NULL)
    return;
  net_link_forget (self);
  net_peer_link_down (peer, is_failure (self, error));
}

static void
count_bytes (NetLink *self)
{
  self->net->sent_bytes[self->is_wan] += satin_link_get_bytes_sent (self->link);
  self->net->received_bytes[self->is_wan] += satin_link_get_bytes_received (self->link);
}

static void
on_down (SatinLink *link, const GError *error, gpointer user_data)
{
  NetLink *self = user_data;
  SatinNet *net = self->net;

  count_bytes (self);
  if (self->parked_id != 0 && g_error_matches (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT))
    blame_silent (self);
  if (self->peer != NULL)
    leave_peer (self, error);
  if (satin_link_was_told_goodbye (link)
      && g_error_matches (error, SATIN_ERROR, SATIN_ERROR_FENCED))
    net_fenced (net, error);
  net_link_unpark (self);
  g_ptr_array_remove_fast (net->links, self);
  net_link_judge_parked (net);
  net_check_closed (net);
}

static const SatinLinkFuncs funcs = {
  .check = net_link_check,
  .open = on_open,
  .frame = on_frame,
  .down = on_down,
  .measured = on_measured,
  .greeted = on_greeted,
};

/* ---- dialing and accepting ---- */

gboolean
net_link_dial (NetPeer *peer, GError **error)
{
  NetWay way = peer->route != NULL ? net_route_begin (peer->route, &peer->attempt) : NET_WAY_DIRECT;
  g_autofree char *uri = net_route_join (peer->route, &way, peer->address);
  SatinTransport *transport =
      net_may_dial (peer->net, uri, error) ? net_transport (peer->net, uri, error) : NULL;
  NetLink *self;

  if (transport == NULL)
    return FALSE;
  self = net_link_new (peer->net, TRUE);
  self->way = way;
  self->link = satin_transport_connect (transport, uri, &peer->net->identity, &funcs, self, error);
  if (self->link == NULL)
    {
      g_ptr_array_remove_fast (peer->net->links, self);
      return FALSE;
    }
  net_link_belong_to (self, peer);
  return TRUE;
}

void
net_link_accept (SatinListener *listener, SatinLink *link, const SatinLinkFuncs **ret_funcs,
                 gpointer *ret_user_data, gpointer user_data)
{
  SatinNet *net = user_data;
  NetLink *self = net_link_new (net, FALSE);

  self->link = link;
  *ret_funcs = &funcs;
  *ret_user_data = self;
  if (net->state == NET_JOINING)
    satin_link_pause (link, TRUE);
}
