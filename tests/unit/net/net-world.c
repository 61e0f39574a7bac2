/* net-world.c - a few nodes in one process, for tests of membership and of links between them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net-world.h"

#include <string.h>

/* ---- what a node hears ---- */

static void
add_message (NetNode *self, SatinNodeId from, guint channel, GBytes *payload)
{
  gsize n_bytes = 0;
  const char *text = g_bytes_get_data (payload, &n_bytes);

  g_string_append_printf (self->got, "%u", from);
  if (channel != 1)
    g_string_append_printf (self->got, "/%u", channel);
  if (n_bytes < 100)
    g_string_append_printf (self->got, ":%.*s,", (int)n_bytes, text);
  else
    g_string_append_printf (self->got, ":%" G_GSIZE_FORMAT ",", n_bytes);
}

static void
on_steal (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  add_message (user_data, from, SATIN_CHANNEL_STEAL, payload);
}

static void
on_adapt (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  add_message (user_data, from, SATIN_CHANNEL_ADAPT, payload);
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  static const char *const names[] = {
    [SATIN_PEER_JOINED] = "joined",   [SATIN_PEER_LEFT] = "left",
    [SATIN_PEER_DIED] = "died",       [SATIN_PEER_LINK_BROKEN] = "broken",
    [SATIN_PEER_MASTER] = "master",   [SATIN_PEER_LEAVING] = "leaving",
    [SATIN_PEER_UNKNOWN] = "unknown",
  };
  NetNode *self = user_data;

  const SatinView *view = satin_peers_get_view (self->peers);
  int death_signal = view->death_signal;
  g_free (self->gone_cluster);
  self->gone_cluster = g_strdup (view->gone_cluster);
  g_string_append_printf (self->changes, "%s %u", names[change], id);
  if (death_signal != 0)
    g_string_append_printf (self->changes, " by %d", death_signal);
  g_string_append_c (self->changes, ',');
}

static void
on_joined (SatinNet *net, gpointer user_data)
{
  NetNode *self = user_data;

  self->n_joined++;
}

static void
on_complete (SatinNet *net, gpointer user_data)
{
  NetNode *self = user_data;

  self->n_complete++;
}

static void
on_signal (SatinNet *net, const char *word, GBytes *payload, gpointer user_data)
{
  NetNode *self = user_data;

  g_string_append_printf (self->words, "%s,", word);
}

static void
on_asked (SatinNet *net, gsize dump_bytes, gpointer user_data)
{
  NetNode *self = user_data;

  self->n_asked++;
}

static void
on_over (SatinNet *net, const GError *error, gpointer user_data)
{
  NetNode *self = user_data;

  self->n_over++;
  g_clear_error (&self->error);
  self->error = error != NULL ? g_error_copy (error) : NULL;
}

static const SatinNetEvents events = {
  .joined = on_joined,
  .complete = on_complete,
  .signal = on_signal,
  .asked = on_asked,
  .over = on_over,
};

/* ---- the world ---- */

void
net_world_open (NetWorld *self, gconstpointer unused)
{
  self->loop = satin_loop_new_manual (g_test_rand_int ());
  self->network = pipe_network_new (self->loop);
  self->registry = fake_registry_new (self->loop);
  self->registry_ops = &fake_registry_ops;
  self->program = (SatinProgram){ .name = "fib" };
  for (guint i = 1; i <= NET_WORLD_MAX_NODES; i++)
    {
      self->nodes[i].got = g_string_new (NULL);
      self->nodes[i].changes = g_string_new (NULL);
      self->nodes[i].words = g_string_new (NULL);
    }
}

void
net_world_close (NetWorld *self, gconstpointer unused)
{
  for (guint i = 1; i <= NET_WORLD_MAX_NODES; i++)
    net_world_free_node (self, i);
  satin_loop_advance (self->loop, 10 * G_USEC_PER_SEC);
  for (guint i = 1; i <= NET_WORLD_MAX_NODES; i++)
    {
      g_clear_error (&self->nodes[i].error);
      g_string_free (self->nodes[i].got, TRUE);
      g_string_free (self->nodes[i].changes, TRUE);
      g_free (self->nodes[i].gone_cluster);
      g_string_free (self->nodes[i].words, TRUE);
    }
  fake_registry_free (self->registry);
  pipe_network_free (self->network);
  satin_loop_free (self->loop);
}

void
net_world_start (NetWorld *self, guint i, const char *cluster)
{
  NetNode *node = &self->nodes[i];
  g_autofree char *uri = g_strdup_printf ("pipe:n%u", i);
  SatinNetOptions options = {
    .registry_uri = "pipe:hub",
    .listen_uri = uri,
    .cluster = cluster,
    .gateways = self->gateways,
    .max_links = self->max_links,
    .max_queue_bytes = self->max_queue_bytes,
    .transport_ops = &pipe_transport_ops,
    .registry_ops = self->registry_ops,
  };
  g_autoptr (GError) error = NULL;

  node->net = satin_net_new (self->loop, &self->program, &options, &events, node, &error);
  g_assert_no_error (error);
  node->peers = satin_net_get_peers (node->net);
  satin_peers_add_change_func (node->peers, on_change, node);
  satin_peers_set_message_func (node->peers, SATIN_CHANNEL_STEAL, on_steal, node);
  satin_peers_set_message_func (node->peers, SATIN_CHANNEL_ADAPT, on_adapt, node);
}

void
net_world_join (NetWorld *self, guint n)
{
  for (guint i = 1; i <= n; i++)
    net_world_start (self, i, NULL);
  satin_loop_advance (self->loop, 0);
  for (guint i = 1; i <= n; i++)
    {
      g_assert_cmpuint (self->nodes[i].n_joined, ==, 1);
      g_string_truncate (self->nodes[i].changes, 0);
    }
}

void
net_world_run (NetWorld *self, gint64 duration_us)
{
  satin_loop_advance (self->loop, duration_us);
}

gboolean
net_world_send (NetWorld *self, guint from, SatinNodeId to, const char *text)
{
  g_autoptr (GBytes) payload = g_bytes_new (text, strlen (text));

  return satin_peers_send (self->nodes[from].peers, to, SATIN_CHANNEL_STEAL, payload);
}

gboolean
net_world_send_size (NetWorld *self, guint from, SatinNodeId to, gsize n_bytes)
{
  g_autoptr (GBytes) payload = g_bytes_new_take (g_malloc0 (n_bytes), n_bytes);

  return satin_peers_send (self->nodes[from].peers, to, SATIN_CHANNEL_STEAL, payload);
}

static void
on_left (const GError *error, gpointer user_data)
{
  NetNode *self = user_data;

  g_assert_no_error (error);
  self->n_left++;
}

void
net_world_leave (NetWorld *self, guint i)
{
  satin_net_leave (self->nodes[i].net, on_left, &self->nodes[i]);
}

void
net_world_free_node (NetWorld *self, guint i)
{
  g_clear_pointer (&self->nodes[i].net, satin_net_free);
}

char *
net_world_view (NetWorld *self, guint i)
{
  const SatinView *view = satin_peers_get_view (self->nodes[i].peers);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%u of", view->self);
  for (guint p = 0; p < view->n_peers; p++)
    g_string_append_printf (text, " %u", view->peers[p].id);
  g_string_append_printf (text, " master %u term %" G_GUINT64_FORMAT, view->master, view->term);
  return g_string_free (text, FALSE);
}
