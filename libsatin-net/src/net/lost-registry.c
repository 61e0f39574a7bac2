/* lost-registry.c - decides how long a node continues without a registry
 *
 * While the registry is out of reach, no node can be declared dead, so the jobs of a lost node are
 * not given to others. As long as all members can be reached this does no harm, and the run
 * continues. If the registry stays away, and there is no master or another member cannot be reached
 * either, this node could wait for ever. So after the registry timeout it asks all members for
 * signs of life. If one is missing, or there is no master, the node gives up and frees its machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#include "private.h"

/* How long members have to give a sign of life. The time is long, because a link may have to be
 * dialed first. */
#define PROBE_US ((gint64)30000000)

/* Whether @peer was heard, on a link that is there or on one that is gone. */
static gboolean
is_reached (const NetPeer *peer, gint64 since_us)
{
  gint64 heard_us = peer->heard_us;

  for (const NetLink *link = peer->links; link != NULL; link = link->next)
    heard_us = MAX (heard_us, net_link_heard_us (link));
  return heard_us >= since_us;
}

/* Checks whether this node can continue without a registry. Returns: (transfer full) (nullable):
 * why it cannot; %NULL when it can */
static char *
find_trouble (SatinNet *self)
{
  if (self->view.master == 0)
    return g_strdup ("there is no master, and no node can become master");
  for (guint i = 0; i < self->members->len; i++)
    {
      const NetPeer *peer = g_ptr_array_index (self->members, i);

      if (!is_reached (peer, self->probe_us))
        return g_strdup_printf (
            "node %u cannot be reached either, and nobody can take over its jobs", peer->id);
    }
  return NULL;
}

static void
give_up (SatinNet *self, const char *why)
{
  gint64 lost_us = satin_loop_now_us (self->loop) - self->lost_us;
  g_autoptr (GError) error = g_error_new (
      SATIN_ERROR, SATIN_ERROR_UNREACHABLE,
      "the registry was out of reach for %.3g s (registry-timeout of the part net), and %s",
      (double)lost_us / G_USEC_PER_SEC, why);

  satin_loop_probe (self->loop, "net.registry-given-up");
  if (self->registry != NULL)
    self->registry_ops.abandon (self->registry);
  self->registry = NULL;
  net_over (self, error);
}

/* Asks all members for a sign of life: pings each open link. Sends an empty message to a member
 * without an open link, so that it is dialed, unless a message waits for it already. */
static void
probe_all (SatinNet *self)
{
  g_autoptr (GBytes) nothing = g_bytes_new (NULL, 0);

  self->probe_us = satin_loop_now_us (self->loop);
  for (guint i = 0; i < self->members->len; i++)
    {
      NetPeer *peer = g_ptr_array_index (self->members, i);
      NetLink *last = net_link_last (peer);

      if (last != NULL && satin_link_is_open (last->link))
        satin_link_ping (last->link);
      else if (g_queue_is_empty (&peer->waiting))
        net_peer_send (peer, SATIN_CHANNEL_RUN, nothing);
    }
}

static void
on_probed (gpointer user_data)
{
  SatinNet *self = user_data;
  g_autofree char *why = NULL;

  self->lost_timer = 0;
  if (self->state != NET_MEMBER || self->is_over)
    return;
  why = self->probe_us != 0 ? find_trouble (self) : NULL;
  if (why != NULL)
    {
      give_up (self, why);
      return;
    }
  if (self->probe_us != 0)
    satin_loop_probe (self->loop, "net.registry-missed");
  probe_all (self);
  self->lost_timer = satin_loop_timer_add (self->loop, PROBE_US, on_probed, self);
}

void
net_lost_begin (SatinNet *self)
{
  SATIN_INJECT_BUG ("wait-for-registry", return);
  if (self->lost_us != 0)
    return;
  self->lost_us = satin_loop_now_us (self->loop);
  self->probe_us = 0;
  self->lost_timer = satin_loop_timer_add (self->loop, self->registry_timeout_us, on_probed, self);
}

void
net_lost_end (SatinNet *self)
{
  self->lost_us = 0;
  satin_loop_timer_cancel (self->loop, &self->lost_timer);
}
