/* link-end.c - the ends of links: how bytes travel and how an end goes down
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network.h"

/* When more bytes than this have waited to be sent, and later fewer than half as many are left,
 * drained of #SatinLinkEvents is called. */
#define QUEUE_LIMIT_BYTES ((gsize)8 << 20)

/* How many bytes the receiving host holds for a reader that paused. Further bytes count as waiting
 * at the sender. */
#define WINDOW_BYTES ((gsize)1 << 20)

/* A link breaks when bytes that were sent are not acknowledged for this long, as in
 * transport-tcp. */
#define BORNE_US ((gint64)60000000)

End *
network_end_new (SimTransport *transport, EndState state)
{
  End *self = g_new0 (End, 1);
  self->transport = transport;
  self->host = transport->host;
  self->state = state;
  g_queue_init (&self->going);
  g_ptr_array_add (transport->ends, self);
  g_hash_table_add (self->host->ends, self);
  return self;
}

void
network_end_free (End *self)
{
  packets_clear (&self->coming);
  packets_clear (&self->held);
  g_queue_clear (&self->going);
  g_free (self);
}

void
end_free_if_done (End *self)
{
  if (self->state != END_DOWN || self->n_under_way > 0)
    return;
  if (self->other != NULL)
    self->other->other = NULL;
  g_hash_table_remove (self->host->ends, self);
  network_end_free (self);
}

void
end_call_at (End *self, gint64 at_us, SatinLoopFunc func)
{
  if (self->host->is_crashed)
    return;
  self->n_under_way++;
  host_call_at (self->host, at_us, func, self);
}

void
end_down (End *self, SatinErrorCode reason)
{
  g_autoptr (GError) error = NULL;
  SimTransport *transport = self->transport;
  if (self->state == END_DOWN)
    return;
  self->state = END_DOWN;
  if (reason != 0)
    error = g_error_new (SATIN_ERROR, reason, "sim:%u: %s", self->number,
                         reason == SATIN_ERROR_UNREACHABLE ? "nobody accepts links there"
                         : reason == SATIN_ERROR_CANCELLED ? "dropped"
                         : reason == SATIN_ERROR_TIMEOUT   ? "the other side takes nothing"
                                                           : "the other side broke the link");
  self->events->down (self, error, self->user_data);
  g_ptr_array_remove (transport->ends, self);
  self->transport = NULL;
  transport_finish_closing (transport);
}

static void
on_down (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  end_down (self, self->reason);
  end_free_if_done (self);
}

void
end_down_at (End *self, gint64 at_us, SatinErrorCode reason)
{
  self->reason = reason;
  end_call_at (self, at_us, on_down);
}

void
end_take (End *self, Packet *packet)
{
  gsize n_bytes;
  if (packet->bytes == NULL)
    end_down (self, packet->reason);
  else if (self->state == END_UP)
    {
      const guint8 *bytes = g_bytes_get_data (packet->bytes, &n_bytes);
      self->events->received (self, bytes, n_bytes, self->user_data);
    }
  packet_free (packet);
}

gsize
end_get_queued_bytes (const End *self)
{
  const End *other = self->other;
  gsize unread_bytes = other != NULL ? other->held.n_bytes : 0;
  if (other != NULL && other->is_paused && other->coming.n_bytes > self->waiting_bytes)
    unread_bytes += other->coming.n_bytes - self->waiting_bytes;
  return self->waiting_bytes + (unread_bytes > WINDOW_BYTES ? unread_bytes - WINDOW_BYTES : 0);
}

void
end_check_above (End *self)
{
  self->is_above |= end_get_queued_bytes (self) > QUEUE_LIMIT_BYTES;
}

/* Holds back a packet that arrived while the reader is paused, or behind packets that are still
 * held. */
static void
hold_packet (End *self, Packet *packet)
{
  packets_push (&self->held, packet);
  if (self->other != NULL)
    end_check_above (self->other);
}

static void
take_packet (gpointer user_data)
{
  End *self = user_data;
  Packet *packet = packets_pop (&self->coming);
  self->n_under_way--;
  gboolean is_broken = packet->bytes == NULL && packet->reason != 0;
  if (self->state == END_DOWN || packet->is_lost)
    packet_free (packet);
  else if (self->is_paused && is_broken)
    end_take (self, packet); /* the packets in @held are lost with the link */
  else if (self->state == END_UP && (self->is_paused || self->held.first != NULL))
    hold_packet (self, packet);
  else
    end_take (self, packet);
  end_free_if_done (self);
}

/* Like take_packet(), some time after the packet has arrived. The opposite side may wait for it. */
static void
take_served (gpointer user_data)
{
  End *self = user_data;
  if (self->other != NULL && self->other->state == END_SHUT)
    link_tell_read (self);
  take_packet (self);
}

/* A message has arrived. The loop takes it when it is done with it, and with all before it. */
static void
on_message (gpointer user_data)
{
  End *self = user_data;
  host_call_at (self->host, host_serve (self->host), take_served, self);
}

/* The message that the link has ended has arrived. It takes no time, but does not overtake. */
static void
on_last (gpointer user_data)
{
  End *self = user_data;
  host_call_at (self->host, host_served_us (self->host), take_served, self);
}

void
end_check_drained (End *self)
{
  if (!self->is_above || end_get_queued_bytes (self) >= QUEUE_LIMIT_BYTES / 2)
    return;
  self->is_above = FALSE;
  if (self->state == END_UP && self->events->drained != NULL)
    self->events->drained (self, self->user_data);
}

static void on_unheard (gpointer user_data);

gint64
end_send_packet (End *self, GBytes *bytes, SatinErrorCode reason)
{
  SatinSim *sim = self->host->sim;
  End *other = self->other;
  gsize n_bytes = bytes != NULL ? g_bytes_get_size (bytes) : 0;
  gint64 begin_us = n_bytes > 0 ? host_serve (self->host) : host_served_us (self->host);
  gint64 sent_us =
      n_bytes > 0 ? network_send_time_us (self->host, other->host, n_bytes, begin_us) : begin_us;
  gint64 there_us = sent_us + network_latency_us (sim, self->host, other->host);
  gint64 clogged_us = network_clogged_until_us (self->host, other->host, FALSE);
  gint64 at_us = MAX (MAX (there_us, self->arrives_us), clogged_us);
  self->arrives_us = at_us;
  if (n_bytes > 0)
    trace_message (self->host, other->host, n_bytes, at_us);
  Packet *packet = g_new (Packet, 1);
  *packet = (Packet){ .bytes = bytes, .reason = reason };
  if (other->host->is_crashed)
    packet_free (packet);
  else
    {
      packets_push (&other->coming, packet);
      end_call_at (other, at_us,
                   sim->message_ns == 0 ? take_packet
                   : n_bytes > 0        ? on_message
                                        : on_last);
    }
  if (!self->is_unheard && network_cut_until_us (self->host, other->host) > sim->now_us + BORNE_US)
    {
      self->is_unheard = TRUE;
      end_call_at (self, sim->now_us + BORNE_US, on_unheard);
    }
  return sent_us;
}

void
end_give_up (End *self)
{
  if (self->other != NULL)
    {
      for (Packet *packet = self->other->coming.first; packet != NULL; packet = packet->next)
        packet->is_lost = TRUE;
      end_send_packet (self, NULL, SATIN_ERROR_CLOSED);
    }
  end_down (self, SATIN_ERROR_TIMEOUT);
}

static void
on_unheard (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  if (self->state != END_DOWN)
    end_give_up (self);
  end_free_if_done (self);
}

void
end_send_in_vain (End *self)
{
  SatinSim *sim = self->host->sim;
  gint64 at_us = sim->now_us + network_latency_us (sim, self->host, self->far);
  at_us = MAX (at_us, network_clogged_until_us (self->host, self->far, FALSE));
  at_us += network_latency_us (sim, self->far, self->host);
  at_us = MAX (at_us, network_clogged_until_us (self->far, self->host, FALSE));
  if (self->is_unheard)
    return;
  self->is_unheard = TRUE;
  if (self->is_answered && at_us <= sim->now_us + BORNE_US)
    end_down_at (self, at_us, SATIN_ERROR_CLOSED);
  else
    end_call_at (self, sim->now_us + BORNE_US, on_unheard);
}
