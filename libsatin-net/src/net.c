/* net.c - a node's membership: made, asked, left and freed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net-private.h"

#include <string.h>

#define MAX_LINKS_DEFAULT 256

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

/* ---- going ---- */

static void
net_destroy (SatinNet *self)
{
  g_ptr_array_unref (self->members);
  g_ptr_array_unref (self->links);
  g_array_unref (self->rows);
  g_array_unref (self->changes);
  g_hash_table_unref (self->transports);
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

static void
close_transports (SatinNet *self)
{
  GHashTableIter iter;
  gpointer transport;

  self->listener = NULL;
  g_hash_table_iter_init (&iter, self->transports);
  while (g_hash_table_iter_next (&iter, NULL, &transport))
    satin_transport_close (transport, on_transport_closed, self);
}

static void
drop_peers (SatinNet *self)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      NetPeer *peer = g_ptr_array_index (self->members, i);
      NetLink *link;

      net_peer_drop_waiting (peer);
      satin_loop_timer_cancel (self->loop, &peer->retry_timer);
      while ((link = g_queue_peek_head (&peer->links)) != NULL)
        {
          net_link_forget (link);
          net_link_drop (link);
        }
    }
}

/* Empties the links that have something to carry, closes the others. */
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
      g_info ("some links did not close in time and are dropped");
      net_enter (self, NET_LEAVING);
      return;
    }
  g_info ("the registry did not let this node go in time");
  self->registry_ops.abandon (self->registry);
  self->registry = NULL;
  net_enter (self, NET_CLOSED);
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
      self->deadline = satin_loop_timer_add (self->loop, NET_LEAVE_TIMEOUT_US, on_deadline, self);
      if (self->registry != NULL)
        self->registry_ops.leave (self->registry);
      else
        net_enter (self, NET_CLOSED);
      break;
    case NET_CLOSED:
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

      if (peer->links.length > 0 || peer->waiting.length > 0)
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
 * Sends what waits, closes all links in good order, tells the registry, and
 * closes the transports. Takes at most 12 s; mostly some round trips.
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
 * No event comes after this call. Before satin_net_leave() is done the loop must
 * run on until the transports have closed, which frees the memory.
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

/* ---- making ---- */

SatinTransport *
net_transport (SatinNet *self, const char *uri, GError **error)
{
  SatinTransportContext context = {
    .struct_size = sizeof context,
    .loop = self->loop,
    .secret = self->secret,
    .is_insecure = self->is_insecure,
  };
  g_autofree char *scheme = net_uri_scheme (uri, error);
  SatinTransport *transport;

  if (scheme == NULL)
    return NULL;
  transport = g_hash_table_lookup (self->transports, scheme);
  if (transport != NULL)
    return transport;
  if (self->transport_ops != NULL)
    transport = satin_transport_new_with_ops (self->transport_ops, &context, error);
  else
    transport = satin_transport_new (uri, &context, error);
  if (transport == NULL)
    return NULL;
  self->n_transports++;
  g_hash_table_insert (self->transports, g_steal_pointer (&scheme), transport);
  return transport;
}

/* Fills in the operations. Returns: (nullable): the table of its parameters */
static const SatinParam *
load_registry_ops (SatinNet *self, const char *name, GError **error)
{
  static const SatinParam no_params[] = { { NULL, SATIN_PARAM_STRING, NULL, NULL } };
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_REGISTRY, name, error);
  const SatinParam *table;

  if (plugin == NULL)
    return NULL;
  satin_plugin_copy_ops (plugin, &self->registry_ops, sizeof self->registry_ops);
  table = satin_plugin_get_desc (plugin)->params;
  return table != NULL ? table : no_params;
}

/* "NAME" or "NAME:key=value,..." */
static gboolean
load_registry (SatinNet *self, const char *text, GError **error)
{
  const char *colon = strchr (text, ':');
  g_autofree char *name = colon != NULL ? g_strndup (text, (gsize)(colon - text)) : g_strdup (text);
  const SatinParam *table = load_registry_ops (self, name, error);

  if (table == NULL)
    return FALSE;
  self->is_registry_hub = strcmp (name, "hub") == 0;
  self->registry_params = satin_params_parse_text (table, colon != NULL ? colon + 1 : NULL, error);
  if (self->registry_params == NULL)
    g_prefix_error (error, "registry %s: ", name);
  return self->registry_params != NULL;
}

static gboolean
find_registry (SatinNet *self, const SatinNetOptions *options, GError **error)
{
  if (options->registry_ops == NULL)
    return load_registry (self, options->registry != NULL ? options->registry : "hub", error);
  memcpy (&self->registry_ops, options->registry_ops,
          MIN (options->registry_ops->struct_size, sizeof self->registry_ops));
  self->is_registry_hub = TRUE;
  return TRUE;
}

static gboolean
start_listening (SatinNet *self, const SatinNetOptions *options, GError **error)
{
  g_autofree char *uri = g_strdup (options->listen_uri);
  SatinTransport *transport;

  if (uri == NULL)
    uri = net_pick_listen_uri (self->loop, options->registry_uri, options->pid, error);
  transport = uri != NULL ? net_transport (self, uri, error) : NULL;
  if (transport == NULL)
    return FALSE;
  self->listener =
      satin_transport_listen (transport, uri, &self->identity, net_link_accept, self, error);
  return self->listener != NULL;
}

static gboolean
open_registry (SatinNet *self, const SatinNetOptions *options, GError **error)
{
  const char *address = satin_listener_get_uri (self->listener);
  SatinRegistryContext context = {
    .struct_size = sizeof context,
    .loop = self->loop,
    .uri = options->registry_uri,
    .program = &self->program,
    .cluster = self->cluster,
    .address = address,
    .host = options->host != NULL ? options->host : "",
    .pid = options->pid,
  };

  /* The hub speaks over links; other registries have their own ways and schemes. */
  context.transport =
      net_transport (self, self->is_registry_hub ? options->registry_uri : address, error);
  if (context.transport == NULL)
    return FALSE;
  self->registry =
      self->registry_ops.open (&context, self->registry_params, &net_registry_events, self, error);
  return self->registry != NULL;
}

/**
 * satin_net_new:
 * @loop: borrowed, outlives the net
 * @program: copied
 * @options: copied
 * @events: copied; each may be %NULL
 * @error: from the transport, the registry or an address, naming it
 *
 * Listens, and asks the registry to let this node in; joined or over follows. After a
 * failure the loop must run on until what was opened is closed.
 *
 * Returns: (transfer full): leave with satin_net_leave(), then satin_net_free(); or %NULL with
 *   @error set
 */
SatinNet *
satin_net_new (SatinLoop *loop, const SatinProgram *program, const SatinNetOptions *options,
               const SatinNetEvents *events, gpointer user_data, GError **error)
{
  SatinNet *self;

  g_return_val_if_fail (loop != NULL && program != NULL, NULL);
  g_return_val_if_fail (options != NULL && options->registry_uri != NULL, NULL);
  g_return_val_if_fail (events != NULL, NULL);

  self = g_new0 (SatinNet, 1);
  self->peers.ops = &net_peers_ops;
  self->loop = loop;
  self->events = *events;
  self->user_data = user_data;
  self->program = *program;
  self->program_name = g_strdup (program->name);
  self->program.name = self->program_name;
  self->secret = options->secret != NULL ? satin_secret_copy (options->secret) : NULL;
  self->is_insecure = options->is_insecure;
  self->transport_ops = options->transport_ops;
  self->max_links = options->max_links != 0 ? options->max_links : MAX_LINKS_DEFAULT;
  self->cluster = g_strdup (options->cluster != NULL ? options->cluster : "");
  self->identity = (SatinIdentity){ .role = SATIN_ROLE_NODE, .program = &self->program };
  self->transports = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->rows = g_array_new (FALSE, TRUE, sizeof (SatinPeer));
  self->members = g_ptr_array_new_with_free_func (net_peer_free);
  self->links = g_ptr_array_new_with_free_func (g_free);
  self->changes = g_array_new (FALSE, FALSE, sizeof (NetChange));
  self->view.cluster = self->cluster;
  if (find_registry (self, options, error) && start_listening (self, options, error)
      && open_registry (self, options, error))
    return self;
  satin_net_free (self);
  return NULL;
}

/* ---- asking ---- */

SatinPeers *
satin_net_get_peers (SatinNet *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return &self->peers;
}

/* Whether the registry can be told something. */
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
