/* network.c - the transport "sim": links between hosts of a world
 *
 * A link has two ends; each end belongs to the transport of its host. Sent bytes first wait for the
 * line of the sending host. Between clusters they then wait for the uplinks of both clusters, where
 * small messages need not wait for large ones. Then the bytes travel for the latency and some
 * jitter; they never overtake bytes that were sent before on the same link. Bytes that a paused
 * reader does not take count as waiting at the sender, except the first MiB. A crash breaks the
 * links of the host: the opposite ends are notified after the latency, and after the bytes that are
 * on their way.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network.h"

#include <string.h>

/* How long a link that was shut waits for the opposite side to take more bytes, as in the real
 * transports. */
#define SHUT_TIMEOUT_US ((gint64)5000000)

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

void
transport_finish_closing (SimTransport *self)
{
  if (self->done != NULL && self->ends->len == 0 && self->done_timer == 0)
    self->done_timer = satin_loop_timer_add (&self->host->loop, 0, on_closed, self);
}

static void
sim_close (gpointer transport, SatinDoneFunc done, gpointer user_data)
{
  SimTransport *self = transport;
  self->done = done;
  self->done_data = user_data;
  while (self->ports->len > 0)
    port_close (g_ptr_array_index (self->ports, 0));
  for (guint i = 0; i < self->ends->len; i++)
    link_drop (g_ptr_array_index (self->ends, i));
  transport_finish_closing (self);
}

/* Reads "sim:NUMBER". */
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
  const char *address = self->host->address;
  *ret_uri = address != NULL ? g_strdup (address) : g_strdup_printf ("sim:%u", number);
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

/* Accepts or refuses the call of an end that dials. Runs on the host of the port. */
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
  End *end = network_end_new (port->transport, END_UP);
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
  End *end = network_end_new (self, END_DIALING);
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

/* Frees the transports and ends of the host, without any callback. */
void
network_free (SatinSimHost *host)
{
  GHashTableIter iter;
  gpointer end;
  g_hash_table_iter_init (&iter, host->ends);
  while (g_hash_table_iter_next (&iter, &end, NULL))
    network_end_free (end);
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
  .send = link_send,
  .queued_bytes = link_queued_bytes,
  .pause = link_pause,
  .shut = link_shut,
  .drop = link_drop,
};
