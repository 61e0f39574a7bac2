/* net.c - the states of a node's membership, calls to the registry, leaving and freeing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

#define TO(state) (1u << (state))

/* clang-format off */
static const struct { const char *name; guint next; } states[NET_N_STATES] = {
  [NET_JOINING] = { "joining", TO (NET_MEMBER) | TO (NET_LEAVING) | TO (NET_CLOSED) },
  [NET_MEMBER] = { "member", TO (NET_CLOSING) | TO (NET_CLOSED) },
  [NET_CLOSING] = { "closing", TO (NET_LEAVING) | TO (NET_CLOSED) },
  [NET_LEAVING] = { "leaving", TO (NET_CLOSED) },
  [NET_CLOSED] = { "closed", 0 },
};
/* clang-format on */

gboolean
net_state_may (NetState from, NetState to)
{
  return (states[from].next & TO (to)) != 0;
}

/* ---- leaving ---- */

static void
net_destroy (SatinNet *self)
{
  g_ptr_array_unref (self->members);
  g_ptr_array_unref (self->links);
  g_array_unref (self->rows);
  g_array_unref (self->changes);
  g_tree_unref (self->transports);
  g_ptr_array_unref (self->ways);
  g_clear_pointer (&self->routes, g_ptr_array_unref);
  satin_params_free (self->registry_params);
  satin_secret_free (self->secret);
  g_free (self->program_name);
  g_free (self->cluster);
  g_free (self);
}

static void
on_transport_closed (const GError *error, gpointer user_data)
{
  SatinNet *self = user_data;

  if (--self->n_transports > 0)
    return;
  if (self->is_freed)
    net_destroy (self);
  else if (self->done != NULL)
    self->done (NULL, self->done_data);
}

static gboolean
close_transport (gpointer scheme, gpointer transport, gpointer user_data)
{
  satin_transport_close (transport, on_transport_closed, user_data);
  return FALSE;
}

static void
close_transports (SatinNet *self)
{
  self->listener = NULL;
  g_tree_foreach (self->transports, close_transport, self);
}

static void
drop_peers (SatinNet *self)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      NetPeer *peer = g_ptr_array_index (self->members, i);

      net_peer_drop_waiting (peer);
      satin_loop_timer_cancel (self->loop, &peer->retry_timer);
      while (peer->links != NULL)
        {
          NetLink *link = peer->links;

          net_link_forget (link);
          net_link_drop (link);
        }
    }
}

/* Closes all links in good order. A dialed link that is not open yet is dropped, unless messages
 * wait for it: then it closes when it has opened and sent them. */
static void
close_links (SatinNet *self)
{
  for (guint i = 0; i < self->members->len && (self->is_ended || self->is_over); i++)
    net_peer_drop_waiting (g_ptr_array_index (self->members, i));
  for (guint i = 0; i < self->links->len; i++)
    {
      NetLink *link = g_ptr_array_index (self->links, i);

      if (link->peer == NULL)
        continue;
      if (link->was_open || !link->has_dialed)
        satin_link_close (link->link, NULL);
      else if (g_queue_is_empty (&link->peer->waiting))
        net_link_drop (link);
    }
}

static void
on_deadline (gpointer user_data)
{
  SatinNet *self = user_data;

  self->deadline = 0;
  if (self->state == NET_CLOSING)
    {
      satin_loop_probe (self->loop, "net.close-overdue");
      g_info ("some links did not close in time and are dropped");
      net_enter (self, NET_LEAVING);
      return;
    }
  g_info ("the registry did not let this node go in time");
  self->registry_ops.abandon (self->registry);
  self->registry = NULL;
  net_enter (self, NET_CLOSED);
}

/* Whether the registry is likely to be in reach: it has announced that the run is over or that this
 * node is leaving, or nobody has asked it to announce that this node is leaving. */
static gboolean
is_heard (const SatinNet *self)
{
  return self->is_ended || !self->has_said_leaving || self->view.is_leaving;
}

void
net_enter (SatinNet *self, NetState to)
{
  g_debug ("net: %s to %s", states[self->state].name, states[to].name);
  g_assert (net_state_may (self->state, to));
  satin_loop_timer_cancel (self->loop, &self->deadline);
  self->state = to;
  switch (to)
    {
    case NET_JOINING:
    case NET_N_STATES:
      g_assert_not_reached ();
    case NET_MEMBER:
      for (guint i = 0; i < self->links->len; i++)
        satin_link_pause (((NetLink *)g_ptr_array_index (self->links, i))->link, FALSE);
      break;
    case NET_CLOSING:
      self->deadline = satin_loop_timer_add (self->loop, NET_CLOSE_TIMEOUT_US, on_deadline, self);
      close_links (self);
      net_check_closed (self);
      break;
    case NET_LEAVING:
      drop_peers (self);
      self->deadline = satin_loop_timer_add (self->loop,
                                             self->lost_us != 0 ? NET_CLOSE_TIMEOUT_US
                                             : is_heard (self)  ? NET_LEAVE_TIMEOUT_US
                                                                : NET_LEAVE_UNHEARD_US,
                                             on_deadline, self);
      if (self->registry != NULL)
        self->registry_ops.leave (self->registry);
      else
        net_enter (self, NET_CLOSED);
      break;
    case NET_CLOSED:
      net_lost_end (self);
      drop_peers (self);
      close_transports (self);
      break;
    }
}

void
net_check_closed (SatinNet *self)
{
  if (self->state != NET_CLOSING)
    return;
  for (guint i = 0; i < self->members->len; i++)
    {
      const NetPeer *peer = g_ptr_array_index (self->members, i);

      if (peer->links != NULL || peer->waiting.length > 0)
        return;
    }
  net_enter (self, NET_LEAVING);
}

void
net_over (SatinNet *self, const GError *error)
{
  if (self->is_over || self->is_freed)
    return;
  self->is_over = TRUE;
  if (self->events.over != NULL)
    self->events.over (self, error, self->user_data);
}

void
net_fenced (SatinNet *self, const GError *error)
{
  if (self->state != NET_MEMBER || self->is_over)
    return;
  satin_loop_probe (self->loop, "net.fenced");
  if (self->registry != NULL)
    self->registry_ops.abandon (self->registry);
  self->registry = NULL;
  net_over (self, error);
}

/**
 * satin_net_leave:
 * @done: (not nullable): runs once, on the loop, not inside this call; never when satin_net_free()
 *   comes first
 *
 * Sends the messages that wait, closes all links in good order, tells the registry, and closes the
 * transports. This takes some round trips, at most 12 s.
 */
void
satin_net_leave (SatinNet *self, SatinDoneFunc done, gpointer user_data)
{
  g_return_if_fail (self != NULL && done != NULL && self->done == NULL);

  self->done = done;
  self->done_data = user_data;
  net_enter (self, self->state == NET_MEMBER ? NET_CLOSING : NET_LEAVING);
}

/**
 * satin_net_free:
 *
 * No event comes after this call. If satin_net_leave() is not done yet, the loop must run on until
 * the transports have closed; then the memory is freed.
 */
void
satin_net_free (SatinNet *self)
{
  if (self == NULL)
    return;
  g_return_if_fail (!self->is_freed);

  self->is_freed = TRUE;
  if (self->registry != NULL)
    self->registry_ops.abandon (self->registry);
  self->registry = NULL;
  if (self->state != NET_CLOSED)
    net_enter (self, NET_CLOSED);
  if (self->n_transports == 0)
    net_destroy (self);
}

/* ---- calls to the registry ---- */

SatinPeers *
satin_net_get_peers (SatinNet *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->peers;
}

/* Whether the registry can be told anything in this state. */
static gboolean
may_tell (SatinNet *self)
{
  return self->registry != NULL && (self->state == NET_MEMBER || self->state == NET_CLOSING);
}

void
satin_net_elect (SatinNet *self)
{
  g_return_if_fail (self != NULL);

  if (may_tell (self))
    self->registry_ops.elect (self->registry);
}

void
satin_net_signal (SatinNet *self, SatinNodeId to, const char *word, GBytes *payload)
{
  g_return_if_fail (self != NULL && word != NULL);

  if (may_tell (self))
    self->registry_ops.signal (self->registry, to, word, payload);
}

void
satin_net_leaving (SatinNet *self, gint64 deadline_us)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (deadline_us >= 0 && deadline_us <= SATIN_LEAVE_MAX_US);

  if (may_tell (self) && self->registry_ops.leaving != NULL)
    {
      self->has_said_leaving = TRUE;
      self->registry_ops.leaving (self->registry, deadline_us);
    }
  else
    self->view.is_leaving = TRUE; /* the registry announces nothing: only this node knows this */
}

void
satin_net_end_run (SatinNet *self, int exit_status, const char *message)
{
  g_return_if_fail (self != NULL);

  if (may_tell (self))
    self->registry_ops.end (self->registry, exit_status, message);
}

void
satin_net_report (SatinNet *self, const SatinReport *report)
{
  g_autoptr (GBytes) bytes = NULL;

  g_return_if_fail (self != NULL && report != NULL);

  if (!may_tell (self))
    return;
  bytes = satin_record_to_bytes (&SatinReport_record, report);
  self->registry_ops.report (self->registry, bytes);
}

void
satin_net_figures (SatinNet *self, SatinFigureFunc add, gpointer user_data)
{
  guint64 sent_bytes[2];
  guint64 received_bytes[2];
  guint n_open = 0;

  g_return_if_fail (self != NULL && add != NULL);

  memcpy (sent_bytes, self->sent_bytes, sizeof sent_bytes);
  memcpy (received_bytes, self->received_bytes, sizeof received_bytes);
  for (guint i = 0; i < self->links->len; i++)
    {
      const NetLink *link = g_ptr_array_index (self->links, i);

      sent_bytes[link->is_wan] += satin_link_get_bytes_sent (link->link);
      received_bytes[link->is_wan] += satin_link_get_bytes_received (link->link);
      n_open += (guint)satin_link_is_open (link->link);
    }
  add ("net.sent-lan", (gint64)sent_bytes[0], user_data);
  add ("net.sent-wan", (gint64)sent_bytes[1], user_data);
  add ("net.received-lan", (gint64)received_bytes[0], user_data);
  add ("net.received-wan", (gint64)received_bytes[1], user_data);
  add ("net.links", n_open, user_data);
  add ("net.messages", (gint64)self->n_messages, user_data);
}
