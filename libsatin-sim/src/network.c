/* network.c - the transport "sim": links between hosts of a world
 *
 * A link has two ends, each owned by its host's transport. What is sent waits for
 * the host's own link and, between clusters, for the uplinks of both, where small messages do not
 * wait for all that is large; then it travels for the latency and some jitter, and never overtakes
 * what was sent before. What a reader that paused does not take counts as waiting with the sender,
 * but for a window. A crash breaks the links of the host: the other ends hear of it a latency
 * later.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network.h"

#include <stdlib.h>
#include <string.h>

/* When more than this waits to be sent, a link says so when half is left. */
#define QUEUE_LIMIT_BYTES ((gsize)8 << 20)

/* So much is put away for a reader that paused; the rest waits with who sent it. */
#define WINDOW_BYTES ((gsize)1 << 20)

/* What an uplink's router holds, and the largest message that goes as one packet. */
#define ROUTER_BYTES ((gsize)64 << 10)
#define PACKET_BYTES ((gsize)1400)

/* How long a link that was shut waits for the other side to take more; as the real ones do. */
#define SHUT_TIMEOUT_US ((gint64)5000000)

/* How long nothing that was sent may be acknowledged until a link breaks: what transport-tcp sets.
 */
#define BORNE_US ((gint64)60000000)

/* ---- times ---- */

gint64
network_latency_us (SatinSim *sim, const SatinSimHost *a, const SatinSimHost *b)
{
  const Uplink *uplinks = (const Uplink *)(gpointer)sim->uplinks->data;
  gint64 base_us = a->cluster == b->cluster
                       ? sim->options.lan_us
                       : MAX (uplinks[a->cluster].latency_us, uplinks[b->cluster].latency_us);
  double share = (double)(satin_sim_random (&sim->random) >> 11) / (double)((guint64)1 << 53);
  return base_us + (gint64)((double)base_us * sim->options.jitter * share);
}

/* Takes a line that is busy until *@busy_until_us for @n_bytes. Returns: when they are through */
static gint64
take_line (gint64 *busy_until_us, gint64 from_us, gsize n_bytes, guint64 bandwidth)
{
  gint64 begin_us = MAX (*busy_until_us, from_us);
  gint64 end_us = begin_us;
  if (bandwidth > 0)
    end_us += (gint64)((double)n_bytes * 1e6 / (double)bandwidth);
  *busy_until_us = end_us;
  return end_us;
}

/* The same for an uplink, which shares itself among links: what fits into a packet comes behind
 * what waits in the router, and not behind all that hosts have to send. */
static gint64
take_uplink (gint64 *busy_until_us, gint64 from_us, gsize n_bytes, guint64 bandwidth)
{
  gint64 end_us = take_line (busy_until_us, from_us, n_bytes, bandwidth);
  if (n_bytes > PACKET_BYTES || bandwidth == 0)
    return end_us;
  return MIN (end_us,
              from_us + (gint64)((double)(ROUTER_BYTES + n_bytes) * 1e6 / (double)bandwidth));
}

/* Returns: when @n_bytes from @from are on their way to @to */
static gint64
send_time_us (SatinSimHost *from, const SatinSimHost *to, gsize n_bytes)
{
  SatinSim *sim = from->sim;
  gint64 sent_us =
      take_line (&from->sending_until_us, sim->now_us, n_bytes, sim->options.lan_bandwidth);
  if (from->cluster == to->cluster)
    {
      sim->figures.lan_bytes += n_bytes;
      return sent_us;
    }
  sim->figures.wan_bytes += n_bytes;
  Uplink *out = &g_array_index (sim->uplinks, Uplink, from->cluster);
  Uplink *in = &g_array_index (sim->uplinks, Uplink, to->cluster);
  sent_us = take_uplink (&out->busy_until_us[0], sent_us, n_bytes, out->bandwidth);
  return take_uplink (&in->busy_until_us[1], sent_us, n_bytes, in->bandwidth);
}

/* ---- parcels ---- */

static gsize
parcel_size (const Parcel *self)
{
  return self->bytes != NULL ? g_bytes_get_size (self->bytes) : 0;
}

static void
parcel_free (Parcel *self)
{
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

static void
parcels_push (Parcels *self, Parcel *parcel)
{
  if (self->last != NULL)
    self->last->next = parcel;
  else
    self->first = parcel;
  self->last = parcel;
  self->n_bytes += parcel_size (parcel);
}

/* Returns: (transfer full) (nullable): the first one */
static Parcel *
parcels_pop (Parcels *self)
{
  Parcel *parcel = self->first;
  if (parcel == NULL)
    return NULL;
  self->first = g_steal_pointer (&parcel->next);
  if (self->first == NULL)
    self->last = NULL;
  self->n_bytes -= parcel_size (parcel);
  return parcel;
}

static void
parcels_clear (Parcels *self)
{
  Parcel *parcel;
  while ((parcel = parcels_pop (self)) != NULL)
    parcel_free (parcel);
}

/* ---- ends ---- */

static End *
end_new (SimTransport *transport, EndState state)
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

static void
end_free (End *self)
{
  parcels_clear (&self->coming);
  parcels_clear (&self->held);
  g_queue_clear (&self->going);
  g_free (self);
}

static void
end_free_if_done (End *self)
{
  if (self->state != END_DOWN || self->n_under_way > 0)
    return;
  if (self->other != NULL)
    self->other->other = NULL;
  g_hash_table_remove (self->host->ends, self);
  end_free (self);
}

/* Calls @func with the end on its host, then. */
static void
end_call_at (End *self, gint64 at_us, SatinLoopFunc func)
{
  if (self->host->is_crashed)
    return;
  self->n_under_way++;
  host_call_at (self->host, at_us, func, self);
}

static void finish_closing (SimTransport *self);

static void
say_down (End *self, SatinErrorCode reason)
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
  finish_closing (transport);
}

static void
on_down (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  say_down (self, self->reason);
  end_free_if_done (self);
}

void
end_down_at (End *self, gint64 at_us, SatinErrorCode reason)
{
  self->reason = reason;
  end_call_at (self, at_us, on_down);
}

static void
take_parcel (End *self, Parcel *parcel)
{
  gsize n_bytes;
  if (parcel->bytes == NULL)
    say_down (self, parcel->reason);
  else if (self->state == END_UP)
    {
      const guint8 *bytes = g_bytes_get_data (parcel->bytes, &n_bytes);
      self->events->received (self, bytes, n_bytes, self->user_data);
    }
  parcel_free (parcel);
}

/* What was sent and waits: for its line, or for a reader that paused. */
static gsize
get_queued_bytes (const End *self)
{
  const End *other = self->other;
  gsize unread_bytes = other != NULL ? other->held.n_bytes : 0;
  if (other != NULL && other->is_paused && other->coming.n_bytes > self->waiting_bytes)
    unread_bytes += other->coming.n_bytes - self->waiting_bytes;
  return self->waiting_bytes + (unread_bytes > WINDOW_BYTES ? unread_bytes - WINDOW_BYTES : 0);
}

/* Keeps what arrived for later, behind what was held before. */
static void
hold_parcel (End *self, Parcel *parcel)
{
  parcels_push (&self->held, parcel);
  if (self->other != NULL)
    self->other->is_above |= get_queued_bytes (self->other) > QUEUE_LIMIT_BYTES;
}

static void
on_parcel (gpointer user_data)
{
  End *self = user_data;
  Parcel *parcel = parcels_pop (&self->coming);
  self->n_under_way--;
  gboolean is_broken = parcel->bytes == NULL && parcel->reason != 0;
  if (self->state == END_DOWN || parcel->is_lost)
    parcel_free (parcel);
  else if (self->is_paused && is_broken)
    take_parcel (self, parcel); /* what is held is lost with the link */
  else if (self->state == END_UP && (self->is_paused || self->held.first != NULL))
    hold_parcel (self, parcel);
  else
    take_parcel (self, parcel);
  end_free_if_done (self);
}

static void
check_drained (End *self)
{
  if (!self->is_above || get_queued_bytes (self) >= QUEUE_LIMIT_BYTES / 2)
    return;
  self->is_above = FALSE;
  if (self->state == END_UP && self->events->drained != NULL)
    self->events->drained (self, self->user_data);
}

static void on_unheard (gpointer user_data);

gint64
end_send_parcel (End *self, GBytes *bytes, SatinErrorCode reason)
{
  SatinSim *sim = self->host->sim;
  End *other = self->other;
  gsize n_bytes = bytes != NULL ? g_bytes_get_size (bytes) : 0;
  gint64 sent_us = n_bytes > 0 ? send_time_us (self->host, other->host, n_bytes) : sim->now_us;
  gint64 there_us = sent_us + network_latency_us (sim, self->host, other->host);
  gint64 clogged_us = network_clogged_until_us (self->host, other->host, FALSE);
  gint64 at_us = MAX (MAX (there_us, self->arrives_us), clogged_us);
  self->arrives_us = at_us;
  if (n_bytes > 0)
    trace_message (self->host, other->host, n_bytes, at_us);
  Parcel *parcel = g_new (Parcel, 1);
  *parcel = (Parcel){ .bytes = bytes, .reason = reason };
  if (other->host->is_crashed)
    parcel_free (parcel);
  else
    {
      parcels_push (&other->coming, parcel);
      end_call_at (other, at_us, on_parcel);
    }
  if (!self->is_unheard && network_cut_until_us (self->host, other->host) > sim->now_us + BORNE_US)
    {
      self->is_unheard = TRUE;
      end_call_at (self, sim->now_us + BORNE_US, on_unheard);
    }
  return sent_us;
}

/* It goes down now because the other side takes nothing; that one hears of it when it can, and gets
 * no more of what was sent. */
static void
give_up (End *self)
{
  if (self->other != NULL)
    {
      for (Parcel *parcel = self->other->coming.first; parcel != NULL; parcel = parcel->next)
        parcel->is_lost = TRUE;
      end_send_parcel (self, NULL, SATIN_ERROR_CLOSED);
    }
  say_down (self, SATIN_ERROR_TIMEOUT);
}

static void
on_unheard (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  if (self->state != END_DOWN)
    give_up (self);
  end_free_if_done (self);
}

/* Something goes to a side that has forgotten the link: it is refused, or nobody answers. */
static void
send_in_vain (End *self)
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

/* ---- operations ---- */

static gpointer
sim_open (const SatinTransportContext *context, const SatinParams *params, GError **error)
{
  SatinSimHost *host = satin_sim_host_of (context->loop);
  if (host == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "the transport sim works in a simulation only: see satin sim --help");
      return NULL;
    }
  SimTransport *self = g_new0 (SimTransport, 1);
  self->host = host;
  gboolean is_told = params != NULL && satin_params_has (params, "shut-timeout");
  self->shut_timeout_us =
      is_told ? satin_params_get_duration_us (params, "shut-timeout") : SHUT_TIMEOUT_US;
  self->ends = g_ptr_array_new ();
  self->ports = g_ptr_array_new ();
  g_ptr_array_add (host->transports, self);
  return self;
}

void
port_close (Port *self)
{
  GHashTable *ports = self->transport->host->sim->ports;
  if (g_hash_table_lookup (ports, GUINT_TO_POINTER (self->number)) == self)
    g_hash_table_remove (ports, GUINT_TO_POINTER (self->number));
  g_ptr_array_remove (self->transport->ports, self);
  g_free (self);
}

static void
free_transport (gpointer transport)
{
  SimTransport *self = transport;
  while (self->ports->len > 0)
    port_close (g_ptr_array_index (self->ports, 0));
  g_ptr_array_unref (self->ends);
  g_ptr_array_unref (self->ports);
  g_free (self);
}

static void
on_closed (gpointer user_data)
{
  SimTransport *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_ptr_array_remove (self->host->transports, self);
  free_transport (self);
  done (NULL, done_data);
}

static void
finish_closing (SimTransport *self)
{
  if (self->done != NULL && self->ends->len == 0 && self->done_timer == 0)
    self->done_timer = satin_loop_timer_add (&self->host->loop, 0, on_closed, self);
}

static void sim_drop (gpointer link);

static void
sim_close (gpointer transport, SatinDoneFunc done, gpointer user_data)
{
  SimTransport *self = transport;
  self->done = done;
  self->done_data = user_data;
  while (self->ports->len > 0)
    port_close (g_ptr_array_index (self->ports, 0));
  for (guint i = 0; i < self->ends->len; i++)
    sim_drop (g_ptr_array_index (self->ends, i));
  finish_closing (self);
}

/* "sim:NUMBER" */
static gboolean
read_number (const char *uri, guint *ret_number, GError **error)
{
  guint64 number;
  if (g_str_has_prefix (uri, "sim:")
      && g_ascii_string_to_unsigned (uri + strlen ("sim:"), 10, 0, G_MAXINT, &number, NULL))
    {
      *ret_number = (guint)number;
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "'%s' is no address of the form sim:NUMBER",
               uri);
  return FALSE;
}

static gpointer
sim_listen (gpointer transport, const char *uri, const SatinListenEvents *events,
            gpointer user_data, char **ret_uri, GError **error)
{
  SimTransport *self = transport;
  SatinSim *sim = self->host->sim;
  guint number;
  if (!read_number (uri, &number, error))
    return NULL;
  while (number == 0 && g_hash_table_contains (sim->ports, GUINT_TO_POINTER (++sim->last_port)))
    ;
  if (number == 0)
    number = sim->last_port;
  if (g_hash_table_contains (sim->ports, GUINT_TO_POINTER (number)))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE,
                   "sim:%u is in use: give another number, or 0 for any", number);
      return NULL;
    }
  Port *port = g_new (Port, 1);
  *port = (Port){ .transport = self, .number = number, .events = events, .user_data = user_data };
  g_ptr_array_add (self->ports, port);
  g_hash_table_insert (sim->ports, GUINT_TO_POINTER (number), port);
  *ret_uri = g_strdup_printf ("sim:%u", number);
  return port;
}

static void
sim_unlisten (gpointer listener)
{
  port_close (listener);
}

static void
on_up (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  if (self->state == END_DIALING)
    {
      self->state = END_UP;
      self->events->up (self, self->user_data);
    }
  end_free_if_done (self);
}

/* The call of an end that dials, on the host of the port. */
static void
on_call (gpointer user_data)
{
  End *from = user_data;
  SatinSim *sim = from->host->sim;
  const Port *port = g_hash_table_lookup (sim->ports, GUINT_TO_POINTER (from->number));
  gint64 back_us = sim->now_us + network_latency_us (sim, from->callee, from->host);
  back_us = MAX (back_us, network_cut_until_us (from->callee, from->host));
  from->callee = NULL;
  from->n_under_way--;
  if (from->state != END_DIALING || from->host->is_crashed)
    {
      end_free_if_done (from);
      return;
    }
  if (port == NULL || port->transport->done != NULL)
    {
      end_down_at (from, back_us, SATIN_ERROR_UNREACHABLE);
      return;
    }
  End *end = end_new (port->transport, END_UP);
  end->number = from->number;
  end->other = from;
  end->arrives_us = back_us;
  from->other = end;
  end_call_at (from, back_us, on_up);
  port->events->accepted ((gpointer)port, end, &end->events, &end->user_data, port->user_data);
}

static gpointer
sim_connect (gpointer transport, const char *uri, const SatinLinkEvents *events, gpointer user_data,
             GError **error)
{
  SimTransport *self = transport;
  SatinSim *sim = self->host->sim;
  guint number;
  if (!read_number (uri, &number, error))
    return NULL;
  End *end = end_new (self, END_DIALING);
  end->events = events;
  end->user_data = user_data;
  end->number = number;
  const Port *port = g_hash_table_lookup (sim->ports, GUINT_TO_POINTER (number));
  SatinSimHost *host = port != NULL ? port->transport->host : self->host;
  gint64 there_us = sim->now_us + network_latency_us (sim, self->host, host);
  if (port == NULL)
    {
      end_down_at (end, there_us, SATIN_ERROR_UNREACHABLE);
      return end;
    }
  end->callee = host;
  end->n_under_way++;
  there_us = MAX (there_us, network_cut_until_us (self->host, host));
  host_call_at (host, there_us, on_call, end);
  return end;
}

/* What waited longest has gone. */
static void
on_sent (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  self->waiting_bytes -= GPOINTER_TO_SIZE (g_queue_pop_head (&self->going));
  check_drained (self);
  end_free_if_done (self);
}

static void
sim_send (gpointer link, GBytes *bytes)
{
  End *self = link;
  gsize n_bytes = g_bytes_get_size (bytes);
  if (self->state == END_UP && self->far != NULL)
    send_in_vain (self);
  if (self->state != END_UP || self->other == NULL || n_bytes == 0)
    return;
  gint64 sent_us = end_send_parcel (self, g_bytes_ref (bytes), 0);
  if (sent_us <= self->host->sim->now_us)
    return;
  g_queue_push_tail (&self->going, GSIZE_TO_POINTER (n_bytes));
  self->waiting_bytes += n_bytes;
  self->is_above |= get_queued_bytes (self) > QUEUE_LIMIT_BYTES;
  end_call_at (self, sent_us, on_sent);
}

static gsize
sim_queued_bytes (gpointer link)
{
  return get_queued_bytes (link);
}

/* Of what was sent before the link was shut; the end itself counts as a byte. */
static gsize
count_untaken (const End *self)
{
  const End *other = self->other;
  if (other == NULL)
    return 0;
  gsize n_bytes = other->coming.n_bytes + get_queued_bytes (self) - self->waiting_bytes;
  return self->host->sim->now_us < self->arrives_us ? n_bytes + 1 : n_bytes;
}

/* Goes down when the other side has taken all, or no more of it for too long. */
static void
check_shut (End *self)
{
  gint64 now_us = self->host->sim->now_us;
  gsize n_bytes = count_untaken (self);
  if (n_bytes == 0)
    say_down (self, 0);
  else if (n_bytes < self->untaken_bytes)
    self->progress_us = now_us;
  else if (now_us - self->progress_us >= self->transport->shut_timeout_us)
    give_up (self);
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

/* The other side has read what it had held. */
static void
on_read (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  check_drained (self);
  if (self->state == END_SHUT && self->reason == 0)
    check_shut (self);
  end_free_if_done (self);
}

static void
on_unpaused (gpointer user_data)
{
  End *self = user_data;
  self->n_under_way--;
  while (!self->is_paused && self->state == END_UP && self->held.first != NULL)
    {
      take_parcel (self, parcels_pop (&self->held));
    }
  End *other = self->other;
  if (other != NULL && (other->is_above || other->state == END_SHUT))
    end_call_at (other,
                 self->host->sim->now_us
                     + network_latency_us (self->host->sim, self->host, other->host),
                 on_read);
  end_free_if_done (self);
}

static void
sim_pause (gpointer link, gboolean is_paused)
{
  End *self = link;
  self->is_paused = is_paused;
  gboolean is_awaited =
      self->other != NULL && (self->other->is_above || self->other->state == END_SHUT);
  if (!is_paused && (self->held.first != NULL || is_awaited))
    end_call_at (self, self->host->sim->now_us, on_unpaused);
}

static void
sim_shut (gpointer link)
{
  End *self = link;
  if (self->state == END_DIALING || self->other == NULL)
    {
      sim_drop (self);
      return;
    }
  if (self->state != END_UP)
    return;
  end_send_parcel (self, NULL, 0);
  self->state = END_SHUT;
  self->reason = 0;
  self->progress_us = self->host->sim->now_us;
  self->untaken_bytes = count_untaken (self);
  end_call_at (self, MIN (self->arrives_us, self->progress_us + self->transport->shut_timeout_us),
               on_shut);
}

static void
sim_drop (gpointer link)
{
  End *self = link;
  if (self->state == END_DOWN)
    return;
  if (self->state != END_SHUT && self->other != NULL)
    end_send_parcel (self, NULL, SATIN_ERROR_CLOSED); /* also before this side is up */
  self->state = END_SHUT;
  end_down_at (self, self->host->sim->now_us, SATIN_ERROR_CANCELLED);
}

/* All goes as it stands; nobody hears of it. */
void
network_free (SatinSimHost *host)
{
  GHashTableIter iter;
  gpointer end;
  g_hash_table_iter_init (&iter, host->ends);
  while (g_hash_table_iter_next (&iter, &end, NULL))
    end_free (end);
  g_hash_table_unref (host->ends);
  for (guint i = 0; i < host->transports->len; i++)
    free_transport (g_ptr_array_index (host->transports, i));
  g_ptr_array_unref (host->transports);
}

const SatinTransportOps satin_sim_transport_ops = {
  .struct_size = sizeof (SatinTransportOps),
  .open = sim_open,
  .close = sim_close,
  .listen = sim_listen,
  .unlisten = sim_unlisten,
  .connect = sim_connect,
  .send = sim_send,
  .queued_bytes = sim_queued_bytes,
  .pause = sim_pause,
  .shut = sim_shut,
  .drop = sim_drop,
};
