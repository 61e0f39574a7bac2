/* link.c - operations on a link: send, pause, shut, drop
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network.h"

/* Removes the first of the waiting sends, which the line has now sent. */
static void
on_sent (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  self->waiting_bytes -= GPOINTER_TO_SIZE (g_queue_pop_head (&self->going));
  end_check_drained (self);
  end_free_if_done (self);
}

void
link_send (gpointer link, GBytes *bytes)
{
  End *self = link;
  gsize n_bytes = g_bytes_get_size (bytes);
  if (self->state == END_UP && self->far != NULL)
    end_send_in_vain (self);
  if (self->state != END_UP || self->other == NULL || n_bytes == 0)
    return;
  gint64 sent_us = end_send_packet (self, g_bytes_ref (bytes), 0);
  if (sent_us <= host_served_us (self->host))
    return;
  g_queue_push_tail (&self->going, GSIZE_TO_POINTER (n_bytes));
  self->waiting_bytes += n_bytes;
  end_check_above (self);
  end_call_at (self, sent_us, on_sent);
}

gsize
link_queued_bytes (gpointer link)
{
  return end_get_queued_bytes (link);
}

/* How many of the sent bytes the opposite side has not taken yet. The message that the link has
 * ended counts as one byte. */
static gsize
count_untaken (const End *self)
{
  const End *other = self->other;
  if (other == NULL)
    return 0;
  gsize n_bytes = other->coming.n_bytes + end_get_queued_bytes (self) - self->waiting_bytes;
  return self->host->sim->now_us < self->arrives_us ? n_bytes + 1 : n_bytes;
}

/* Takes the end down when the opposite side has taken everything, or has taken nothing for too
 * long. */
static void
check_shut (End *self)
{
  gint64 now_us = self->host->sim->now_us;
  gsize n_bytes = count_untaken (self);
  if (n_bytes == 0)
    end_down (self, 0);
  else if (n_bytes < self->untaken_bytes)
    self->progress_us = now_us;
  else if (now_us - self->progress_us >= self->transport->shut_timeout_us)
    end_give_up (self);
  self->untaken_bytes = n_bytes;
}

static void
on_shut (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  if (self->state == END_SHUT && self->reason == 0)
    check_shut (self);
  if (self->state == END_SHUT && self->reason == 0)
    {
      gint64 at_us = self->progress_us + self->transport->shut_timeout_us;
      if (self->host->sim->now_us < self->arrives_us)
        at_us = MIN (at_us, self->arrives_us);
      end_call_at (self, at_us, on_shut);
    }
  end_free_if_done (self);
}

/* Continues after the opposite side has read bytes that were held while it was paused. */
static void
on_read (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  end_check_drained (self);
  if (self->state == END_SHUT && self->reason == 0)
    check_shut (self);
  end_free_if_done (self);
}

void
link_tell_read (End *self)
{
  SatinSim *sim = self->host->sim;
  End *other = self->other;
  end_call_at (other, sim->now_us + network_latency_us (sim, self->host, other->host), on_read);
}

static void
on_unpaused (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  while (!self->is_paused && self->state == END_UP && self->held.first != NULL)
    {
      end_take (self, packets_pop (&self->held));
    }
  End *other = self->other;
  if (other != NULL && (other->is_above || other->state == END_SHUT))
    link_tell_read (self);
  end_free_if_done (self);
}

void
link_pause (gpointer link, gboolean is_paused)
{
  End *self = link;
  self->is_paused = is_paused;
  gboolean is_awaited =
      self->other != NULL && (self->other->is_above || self->other->state == END_SHUT);
  if (!is_paused && (self->held.first != NULL || is_awaited))
    end_call_at (self, self->host->sim->now_us, on_unpaused);
}

void
link_shut (gpointer link)
{
  End *self = link;
  if (self->state == END_DIALING || self->other == NULL)
    {
      link_drop (self);
      return;
    }
  if (self->state != END_UP)
    return;
  end_send_packet (self, NULL, 0);
  self->state = END_SHUT;
  self->reason = 0;
  self->progress_us = self->host->sim->now_us;
  self->untaken_bytes = count_untaken (self);
  end_call_at (self, MIN (self->arrives_us, self->progress_us + self->transport->shut_timeout_us),
               on_shut);
}

void
link_drop (gpointer link)
{
  End *self = link;
  if (self->state == END_DOWN)
    return;
  if (self->state != END_SHUT && self->other != NULL)
    end_send_packet (self, NULL, SATIN_ERROR_CLOSED); /* also to an end that still dials */
  self->state = END_SHUT;
  end_down_at (self, self->host->sim->now_us, SATIN_ERROR_CANCELLED);
}
