/* peer.c - keeps the messages that wait for a peer, and decides when to dial it
 *
 * A message waits here until a link is open, and is then handed to the link at once. So a broken
 * link loses only messages that it was given.
 *
 * The first waiting messages are sent early: right behind this side's hello, before the other
 * side's hello arrives. Each early message gets a number, whose upper half is the receiver's node
 * number. The sender keeps these messages until the link is open. If the link goes down before
 * that, they are sent again on the next link with the same numbers, and the receiver drops those
 * that it already has.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link/private.h"
#include "private.h"

#include <string.h>

#define EARLY_HEAD_BYTES (SATIN_FRAME_HEAD_BYTES + SATIN_LINK_NUMBER_BYTES)

static void
message_free (gpointer data)
{
  NetMessage *message = data;

  g_bytes_unref (message->payload);
  g_free (message);
}

NetPeer *
net_peer_new (SatinNet *net, const SatinMember *member)
{
  NetPeer *self = g_new0 (NetPeer, 1);

  self->net = net;
  self->id = member->id;
  self->cluster = g_ref_string_new_intern (member->cluster != NULL ? member->cluster : "");
  self->address = g_ref_string_new_intern (member->address);
  self->route = net_routes_find (net->routes, self->cluster);
  self->is_wan = g_strcmp0 (self->cluster, net->cluster) != 0;
  self->sent_number = (guint64)member->id << 32;
  g_queue_init (&self->waiting);
  return self;
}

void
net_peer_drop_waiting (NetPeer *self)
{
  g_queue_clear_full (&self->waiting, message_free);
  self->waiting_bytes = 0;
}

void
net_peer_free (gpointer data)
{
  NetPeer *self = data;

  satin_loop_timer_cancel (self->net->loop, &self->retry_timer);
  net_peer_drop_waiting (self);
  g_ref_string_release (self->cluster);
  g_ref_string_release (self->address);
  g_free (self);
}

gsize
net_peer_queued_bytes (NetPeer *self)
{
  const NetLink *last = net_link_last (self);

  return self->waiting_bytes + (last != NULL ? satin_link_queued_bytes (last->link) : 0);
}

gboolean
net_peer_send (NetPeer *self, SatinChannel channel, GBytes *payload)
{
  NetLink *last = net_link_last (self);
  NetMessage *message;

  if (self->net->state != NET_MEMBER || net_peer_queued_bytes (self) >= self->net->max_queue_bytes)
    return FALSE;
  self->net->n_messages++;
  if (last != NULL && satin_link_is_open (last->link))
    {
      net_link_send (last, channel, payload);
      return TRUE;
    }
  message = g_new0 (NetMessage, 1);
  message->channel = channel;
  message->payload = g_bytes_ref (payload);
  g_queue_push_tail (&self->waiting, message);
  self->waiting_bytes += g_bytes_get_size (payload) + SATIN_FRAME_HEAD_BYTES;
  if (last != NULL && satin_link_has_greeted (last->link))
    net_peer_send_early (self);
  net_peer_wake (self);
  return TRUE;
}

void
net_peer_send_early (NetPeer *self)
{
  NetLink *last = net_link_last (self);

  for (GList *item = self->waiting.head; item != NULL; item = item->next)
    {
      NetMessage *message = item->data;

      if (message->number != 0 && message->number <= last->early_number)
        continue;
      last->early_bytes += g_bytes_get_size (message->payload) + EARLY_HEAD_BYTES;
      if (last->early_bytes > SATIN_LINK_EARLY_MAX_BYTES)
        return;
      if (message->number == 0)
        message->number = ++self->sent_number;
      last->early_number = message->number;
      satin_link_send_early (last->link, message->channel, message->number, message->payload);
    }
}

gboolean
net_peer_take_number (NetPeer *self, guint64 number)
{
  if (number >> 32 != self->net->view.self)
    {
      satin_loop_probe (self->net->loop, "net.early-astray");
      return FALSE;
    }
  if (number <= self->got_number)
    return FALSE;
  self->got_number = number;
  return TRUE;
}

void
net_peer_flush (NetPeer *self)
{
  NetLink *last = net_link_last (self);
  NetMessage *message;

  self->n_failures = 0;
  satin_loop_timer_cancel (self->net->loop, &self->retry_timer);
  while ((message = g_queue_pop_head (&self->waiting)) != NULL)
    {
      if (message->number == 0)
        net_link_send (last, message->channel, message->payload);
      else if (message->number > last->early_number)
        satin_link_send_early (last->link, message->channel, message->number, message->payload);
      message_free (message);
    }
  self->waiting_bytes = 0;
}

/* ---- dialing ---- */

static void retry_later (NetPeer *self);

static void
on_retry (gpointer user_data)
{
  NetPeer *self = user_data;

  self->retry_timer = 0;
  satin_loop_probe (self->net->loop, "net.retry");
  /* Nothing is dialed now, so a failure of a later attempt is a first one. */
  if (g_queue_is_empty (&self->waiting))
    self->n_failures = 0;
  net_peer_wake (self);
}

/* Asks the peer to dial this node, after some failures. A peer that is behind a firewall, or has
 * announced a wrong address, cannot be dialed, but may be able to dial others. */
static void
ask_to_call (NetPeer *self)
{
  SatinNet *net = self->net;
  if (g_queue_is_empty (&self->waiting) || self->n_failures < NET_CALL_FAILURES
      || net->registry == NULL || net->state != NET_MEMBER)
    return;
  g_autofree char *number = g_strdup_printf ("%u", net->view.self);
  g_autoptr (GBytes) payload = g_bytes_new (number, strlen (number));
  satin_loop_probe (net->loop, "net.asked-to-call");
  net->registry_ops.signal (net->registry, self->id, NET_SIGNAL_CALL, payload);
}

void
net_peer_call (SatinNet *net, GBytes *payload)
{
  gsize n_bytes = 0;
  const char *bytes = payload != NULL ? g_bytes_get_data (payload, &n_bytes) : NULL;
  g_autofree char *number = g_strndup (bytes != NULL ? bytes : "", MIN (n_bytes, 16));
  guint64 id;
  NetPeer *self = NULL;
  if (g_ascii_string_to_unsigned (number, 10, 1, G_MAXINT32, &id, NULL))
    self = net_view_find (net, (SatinNodeId)id);
  if (self == NULL || self->links != NULL || self->retry_timer != 0 || net->state != NET_MEMBER)
    return;
  satin_loop_probe (net->loop, "net.called");
  if (!net_link_dial (self, NULL))
    retry_later (self);
}

/* Whether this node should end, because it and a peer cannot reach each other. If no node has ever
 * reached this one, its own address is probably wrong. When it ends, others take over its jobs. The
 * master never ends for this reason. */
static gboolean
is_astray (const NetPeer *self)
{
  const SatinNet *net = self->net;
  return self->waiting.length > 0 && !net->was_dialed && net->registry != NULL
         && net->view.master != net->view.self
         && satin_loop_now_us (net->loop) > self->failed_us + NET_ASTRAY_US;
}

static void
end_astray (NetPeer *self)
{
  g_autoptr (GError) error = g_error_new (SATIN_ERROR, SATIN_ERROR_UNREACHABLE,
                                          "node %u cannot be reached, and no member has ever "
                                          "reached this node at %s: is that address right? "
                                          "Give another: net:listen=URI in SATIN_PARTS, "
                                          "or satin run --with net:listen=URI",
                                          self->id, satin_listener_get_uri (self->net->listener));
  satin_loop_probe (self->net->loop, "net.astray");
  net_fenced (self->net, error);
}

/* Dials the peer again after a delay. Up to half of the delay is random, so that two nodes that
 * dial each other do not collide each time. */
static void
retry_later (NetPeer *self)
{
  SatinLoop *loop = self->net->loop;
  gint64 delay_us = NET_RETRY_MIN_US << MIN (self->n_failures, 10);

  delay_us = MIN (delay_us, NET_RETRY_MAX_US);
  delay_us -= satin_loop_random_below (loop, (guint32)(delay_us / 2));
  if (self->n_failures++ == 0)
    self->failed_us = satin_loop_now_us (loop);
  satin_loop_timer_cancel (loop, &self->retry_timer);
  self->retry_timer = satin_loop_timer_add (loop, delay_us, on_retry, self);
  if (is_astray (self))
    end_astray (self);
  else
    ask_to_call (self);
}

void
net_peer_wake (NetPeer *self)
{
  g_autoptr (GError) error = NULL;

  if (g_queue_is_empty (&self->waiting) || self->links != NULL || self->retry_timer != 0
      || self->net->state > NET_CLOSING)
    return;
  if (net_link_dial (self, &error))
    return;
  if (!self->has_complained && (self->route == NULL || !self->route->has_complained))
    g_warning ("node %u cannot be dialed at %s: %s", self->id, self->address, error->message);
  self->has_complained = TRUE;
  if (self->route != NULL)
    {
      self->route->has_complained = TRUE;
      net_route_failed (self->route, &self->attempt, self->attempt.way);
    }
  retry_later (self);
}

void
net_peer_link_down (NetPeer *self, gboolean is_failure)
{
  if (is_failure)
    retry_later (self);
  else
    net_peer_wake (self);
}
