/* network-world.c - hosts with a transport each, and a trace of the events on their links
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network-world.h"

#include <string.h>

const SatinSimOptions net_plain = { .seed = 1, .lan_us = 10, .wan_us = 100 };

static const SatinTransportOps *const ops = &satin_sim_transport_ops;

static void G_GNUC_PRINTF (2, 3) say (Net *self, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_string_append_vprintf (self->trace, format, arguments);
  va_end (arguments);
  g_string_append_printf (self->trace, "@%" G_GINT64_FORMAT " ", net_now_us (self));
}

/* ---- events of links ---- */

static void
on_up (gpointer link, gpointer user_data)
{
  Side *self = user_data;
  say (self->net, "%c:up", self->letter);
}

static void
on_received (gpointer link, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  Side *self = user_data;
  self->last_us = net_now_us (self->net);
  if (self->received->len == 0)
    self->first_us = self->last_us;
  g_byte_array_append (self->received, bytes, (guint)n_bytes);
  say (self->net, "%c:%" G_GSIZE_FORMAT, self->letter, n_bytes);
  if (self->net->on_received != NULL)
    self->net->on_received (self);
}

static void
on_drained (gpointer link, gpointer user_data)
{
  Side *self = user_data;
  self->n_drained++;
  say (self->net, "%c:drained", self->letter);
}

static void
on_down (gpointer link, const GError *error, gpointer user_data)
{
  static const char *const names[] = {
    [SATIN_ERROR_CANCELLED] = "cancelled",
    [SATIN_ERROR_CLOSED] = "closed",
    [SATIN_ERROR_UNREACHABLE] = "unreachable",
    [SATIN_ERROR_TIMEOUT] = "timeout",
  };
  Side *self = user_data;
  g_assert_nonnull (self->link);
  self->link = NULL;
  if (error != NULL)
    g_assert_cmpint (error->code, <, G_N_ELEMENTS (names));
  say (self->net, "%c:%s", self->letter, error == NULL ? "down" : names[error->code]);
}

static const SatinLinkEvents link_events = {
  .struct_size = sizeof (SatinLinkEvents),
  .up = on_up,
  .received = on_received,
  .drained = on_drained,
  .down = on_down,
};

static Side *
side_new (Net *net, gpointer link)
{
  Side *self = g_new0 (Side, 1);
  self->net = net;
  self->letter = net->next_letter++;
  self->link = link;
  self->received = g_byte_array_new ();
  g_ptr_array_add (net->sides, self);
  return self;
}

static void
side_free (gpointer side)
{
  Side *self = side;
  g_byte_array_unref (self->received);
  g_free (self);
}

static void
on_accepted (gpointer listener, gpointer link, const SatinLinkEvents **ret_events,
             gpointer *ret_user_data, gpointer user_data)
{
  Net *self = user_data;
  Side *side = side_new (self, link);
  *ret_events = &link_events;
  *ret_user_data = side;
  say (self, "%c:accepted", side->letter);
}

static const SatinListenEvents listen_events = { .struct_size = sizeof (SatinListenEvents),
                                                 .accepted = on_accepted };

/* ---- the net ---- */

Net *
net_new (const SatinSimOptions *options, const char *clusters)
{
  Net *self = g_new0 (Net, 1);
  self->sim = satin_sim_new (options);
  self->trace = g_string_new (NULL);
  self->sides = g_ptr_array_new_with_free_func (side_free);
  self->next_letter = 'a';
  self->n_hosts = (guint)strlen (clusters);
  g_assert_cmpuint (self->n_hosts, <=, MAX_HOSTS);
  for (guint i = 0; i < self->n_hosts; i++)
    {
      self->hosts[i] = satin_sim_add_host (self->sim, (guint)(clusters[i] - '0'), 1);
      SatinTransportContext context = { .struct_size = sizeof context,
                                        .loop = satin_sim_host_get_loop (self->hosts[i]) };
      g_autoptr (GError) error = NULL;
      self->transports[i] = ops->open (&context, NULL, &error);
      g_assert_no_error (error);
    }
  return self;
}

void
net_free (Net *self)
{
  satin_sim_free (self->sim);
  g_ptr_array_unref (self->sides);
  g_string_free (self->trace, TRUE);
  g_free (self);
}

void
net_run (Net *self)
{
  net_run_until (self, G_MAXINT64);
}

void
net_run_until (Net *self, gint64 until_us)
{
  satin_sim_run (self->sim, until_us, NULL, NULL);
}

gint64
net_now_us (const Net *self)
{
  return satin_sim_now_us (self->sim);
}

SatinSimFigures
net_figures (const Net *self)
{
  SatinSimFigures figures;
  satin_sim_get_figures (self->sim, &figures);
  return figures;
}

const char *
net_listen (Net *self, guint host, const char *uri)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *real_uri = NULL;
  self->listener =
      ops->listen (self->transports[host], uri, &listen_events, self, &real_uri, &error);
  g_assert_no_error (error);
  return g_intern_string (real_uri);
}

Side *
net_connect (Net *self, guint host, const char *uri)
{
  g_autoptr (GError) error = NULL;
  Side *side = side_new (self, NULL);
  side->link = ops->connect (self->transports[host], uri, &link_events, side, &error);
  g_assert_no_error (error);
  return side;
}

void
net_link (Net *self, guint from, guint to, Side **ret_from, Side **ret_to)
{
  *ret_from = net_connect (self, from, net_listen (self, to, "sim:0"));
  net_run (self);
  *ret_to = g_ptr_array_index (self->sides, self->sides->len - 1);
  g_string_truncate (self->trace, 0);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  g_assert_no_error (error);
  say (user_data, "closed");
}

void
net_close (Net *self, guint host)
{
  ops->close (self->transports[host], on_closed, self);
}

/* ---- one side ---- */

void
side_send (Side *self, gsize n_bytes)
{
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_malloc0 (n_bytes), n_bytes);
  ops->send (self->link, bytes);
}

void
side_send_number (Side *self, guint8 number)
{
  guint8 numbers[8];
  memset (numbers, number, sizeof numbers);
  g_autoptr (GBytes) bytes = g_bytes_new (numbers, sizeof numbers);
  ops->send (self->link, bytes);
}

void
side_pause (Side *self, gboolean is_paused)
{
  ops->pause (self->link, is_paused);
}

void
side_shut (Side *self)
{
  ops->shut (self->link);
}

void
side_drop (Side *self)
{
  ops->drop (self->link);
}

gsize
side_queued_bytes (Side *self)
{
  return ops->queued_bytes (self->link);
}
