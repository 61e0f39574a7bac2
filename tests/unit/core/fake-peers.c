/* fake-peers.c - a network of n nodes in memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fake-peers.h"

#define LATENCY_US 100

typedef struct
{
  guint id;
  SatinPeersChangeFunc func;
  gpointer user_data;
} Listener;

/* A node's view of the other nodes, and the functions that it has registered. */
typedef struct
{
  SatinPeers base;
  FakeNet *net; /* (borrowed) */
  SatinNodeId id;
  const char *cluster; /* (static) */
  gboolean is_gone;
  gboolean is_clogged;
  gsize n_queued_bytes; /* bytes that wait at each other node for this node */
  gboolean is_leaving;
  SatinNodeId hidden; /* the node that is missing in its view; 0: none */
  guint n_asked;      /* times that it asked for that node */
  SatinView view;
  GArray *peers; /* (owned) of SatinPeer */
  SatinPeersMessageFunc funcs[SATIN_N_CHANNELS];
  gpointer user_data[SATIN_N_CHANNELS];
  GArray *listeners; /* (owned) of Listener */
  guint last_listener;
} FakeNode;

/* A message on its way. */
typedef struct
{
  FakeNet *net; /* (borrowed) */
  SatinNodeId from, to;
  SatinChannel channel;
  GBytes *payload; /* (owned) */
  SatinTimerId timer;
} Flight;

struct _FakeNet
{
  SatinLoop *loop;    /* (borrowed) */
  GPtrArray *nodes;   /* (owned) of FakeNode */
  GPtrArray *flights; /* (owned) of Flight */
  gint64 latency_us;
  gboolean is_latency_shown;
  guint64 view_number;
  guint term;
  SatinNodeId master;     /* 0: none */
  FakeFateFunc fate_func; /* (nullable) */
  gpointer fate_data;
  guint n_sent;
  gsize largest_bytes;
};

static FakeNode *
node_at (FakeNet *self, SatinNodeId id)
{
  return g_ptr_array_index (self->nodes, id - 1);
}

/* Brings all views up to date. */
static void
refresh_views (FakeNet *self)
{
  self->view_number++;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      FakeNode *node = g_ptr_array_index (self->nodes, i);
      g_array_set_size (node->peers, 0);
      for (guint j = 0; j < self->nodes->len; j++)
        {
          const FakeNode *other = g_ptr_array_index (self->nodes, j);
          SatinPeer peer = { .id = other->id,
                             .cluster = other->cluster,
                             .latency_us = self->is_latency_shown ? self->latency_us : 0,
                             .is_leaving = other->is_leaving };
          if (i != j && !other->is_gone && other->id != node->hidden)
            g_array_append_val (node->peers, peer);
        }
      node->view = (SatinView){ .number = self->view_number,
                                .self = node->id,
                                .cluster = node->cluster,
                                .term = self->term,
                                .master = self->master,
                                .n_peers = node->peers->len,
                                .peers = (const SatinPeer *)node->peers->data,
                                .is_partial = node->n_asked > 0 || node->hidden != 0,
                                .is_leaving = node->is_leaving };
    }
}

static void
tell (FakeNode *node, SatinPeerChange change, SatinNodeId id)
{
  for (guint i = 0; i < node->listeners->len; i++)
    {
      Listener listener = g_array_index (node->listeners, Listener, i);
      listener.func (change, id, listener.user_data);
    }
}

static void
deliver (FakeNet *self, SatinNodeId from, SatinNodeId to, SatinChannel channel, GBytes *payload)
{
  FakeNode *node = node_at (self, to);
  if (!node->is_gone && !node_at (self, from)->is_gone && node->funcs[channel] != NULL)
    node->funcs[channel](from, payload, node->user_data[channel]);
}

static void
flight_free (gpointer data)
{
  Flight *self = data;
  satin_loop_timer_cancel (self->net->loop, &self->timer);
  g_bytes_unref (self->payload);
  g_free (self);
}

static void
arrive (gpointer data)
{
  Flight *self = data;
  self->timer = 0;
  deliver (self->net, self->from, self->to, self->channel, self->payload);
  g_ptr_array_remove (self->net->flights, self);
}

static void
depart (FakeNet *self, SatinNodeId from, SatinNodeId to, SatinChannel channel, GBytes *payload)
{
  Flight *flight = g_new0 (Flight, 1);
  *flight = (Flight){
    .net = self, .from = from, .to = to, .channel = channel, .payload = g_bytes_ref (payload)
  };
  flight->timer = satin_loop_timer_add (self->loop, self->latency_us, arrive, flight);
  g_ptr_array_add (self->flights, flight);
}

/* ---- the interface ---- */

static const SatinView *
fake_get_view (SatinPeers *peers)
{
  return &((FakeNode *)peers)->view;
}

static gboolean
fake_send (SatinPeers *peers, SatinNodeId to, SatinChannel channel, GBytes *payload)
{
  FakeNode *self = (FakeNode *)peers;
  FakeNet *net = self->net;
  g_assert_cmpuint (to, !=, self->id);
  g_assert_cmpuint (g_bytes_get_size (payload), <=, SATIN_MESSAGE_MAX_BYTES);
  if (satin_view_find (&self->view, to) == NULL || node_at (net, to)->is_clogged)
    return FALSE;
  net->n_sent++;
  net->largest_bytes = MAX (net->largest_bytes, g_bytes_get_size (payload));
  FakeFate fate = net->fate_func == NULL ? FAKE_ARRIVES
                                         : net->fate_func (self->id, to, payload, net->fate_data);
  if (fate != FAKE_IS_LOST)
    depart (net, self->id, to, channel, payload);
  if (fate == FAKE_ARRIVES_TWICE)
    depart (net, self->id, to, channel, payload);
  return TRUE;
}

static gsize
fake_queued_bytes (SatinPeers *peers, SatinNodeId to)
{
  return node_at (((FakeNode *)peers)->net, to)->n_queued_bytes;
}

static void
fake_set_message_func (SatinPeers *peers, SatinChannel channel, SatinPeersMessageFunc func,
                       gpointer user_data)
{
  FakeNode *self = (FakeNode *)peers;
  self->funcs[channel] = func;
  self->user_data[channel] = user_data;
}

static guint
fake_add_change_func (SatinPeers *peers, SatinPeersChangeFunc func, gpointer user_data)
{
  FakeNode *self = (FakeNode *)peers;
  Listener listener = { ++self->last_listener, func, user_data };
  g_array_append_val (self->listeners, listener);
  return listener.id;
}

static void
fake_remove_change_func (SatinPeers *peers, guint id)
{
  FakeNode *self = (FakeNode *)peers;
  for (guint i = 0; i < self->listeners->len; i++)
    if (g_array_index (self->listeners, Listener, i).id == id)
      {
        g_array_remove_index (self->listeners, i);
        return;
      }
  g_assert_not_reached ();
}

static gboolean
fake_meet (SatinPeers *peers, SatinNodeId id)
{
  FakeNode *self = (FakeNode *)peers;
  if (!self->view.is_partial || self->hidden != id)
    return FALSE;
  self->n_asked++;
  return TRUE;
}

static const SatinPeersOps fake_ops = {
  .struct_size = sizeof (SatinPeersOps),
  .get_view = fake_get_view,
  .send = fake_send,
  .queued_bytes = fake_queued_bytes,
  .set_message_func = fake_set_message_func,
  .add_change_func = fake_add_change_func,
  .remove_change_func = fake_remove_change_func,
  .meet = fake_meet,
};

/* ---- for the test ---- */

static void
node_free (gpointer data)
{
  FakeNode *self = data;
  g_array_unref (self->peers);
  g_array_unref (self->listeners);
  g_free (self);
}

FakeNet *
fake_net_new (SatinLoop *loop, guint n_nodes)
{
  FakeNet *self = g_new0 (FakeNet, 1);
  self->loop = loop;
  self->latency_us = LATENCY_US;
  self->term = 2; /* as if one master was lost before */
  self->is_latency_shown = TRUE;
  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->flights = g_ptr_array_new_with_free_func (flight_free);
  for (guint i = 0; i < n_nodes; i++)
    {
      FakeNode *node = g_new0 (FakeNode, 1);
      node->base.ops = &fake_ops;
      node->net = self;
      node->id = i + 1;
      node->cluster = "here";
      node->peers = g_array_new (FALSE, FALSE, sizeof (SatinPeer));
      node->listeners = g_array_new (FALSE, FALSE, sizeof (Listener));
      g_ptr_array_add (self->nodes, node);
    }
  refresh_views (self);
  return self;
}

void
fake_net_free (FakeNet *self)
{
  g_ptr_array_unref (self->flights);
  g_ptr_array_unref (self->nodes);
  g_free (self);
}

SatinPeers *
fake_net_get_peers (FakeNet *self, SatinNodeId id)
{
  return &node_at (self, id)->base;
}

void
fake_net_set_cluster (FakeNet *self, SatinNodeId id, const char *cluster)
{
  node_at (self, id)->cluster = cluster;
  refresh_views (self);
}

void
fake_net_set_latency (FakeNet *self, gint64 latency_us)
{
  self->latency_us = latency_us;
  refresh_views (self);
}

void
fake_net_show_latency (FakeNet *self, gboolean is_shown)
{
  self->is_latency_shown = is_shown;
  refresh_views (self);
}

void
fake_net_set_fate_func (FakeNet *self, FakeFateFunc func, gpointer user_data)
{
  self->fate_func = func;
  self->fate_data = user_data;
}

void
fake_net_clog (FakeNet *self, SatinNodeId to, gboolean is_clogged)
{
  node_at (self, to)->is_clogged = is_clogged;
}

void
fake_net_set_queued (FakeNet *self, SatinNodeId to, gsize n_bytes)
{
  node_at (self, to)->n_queued_bytes = n_bytes;
}

void
fake_net_say_leaving (FakeNet *self, SatinNodeId id)
{
  node_at (self, id)->is_leaving = TRUE;
  refresh_views (self);
  for (guint i = 0; i < self->nodes->len; i++)
    tell (g_ptr_array_index (self->nodes, i), SATIN_PEER_LEAVING, id);
}

void
fake_net_set_term (FakeNet *self, guint term)
{
  self->term = term;
  refresh_views (self);
}

void
fake_net_set_master (FakeNet *self, SatinNodeId id)
{
  self->master = id;
  refresh_views (self);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      FakeNode *node = g_ptr_array_index (self->nodes, i);
      if (!node->is_gone)
        tell (node, SATIN_PEER_MASTER, id);
    }
}

static void
remove_node (FakeNet *self, SatinNodeId id, SatinPeerChange change, int signal_number)
{
  node_at (self, id)->is_gone = TRUE;
  if (self->master == id)
    self->master = 0;
  refresh_views (self);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      FakeNode *node = g_ptr_array_index (self->nodes, i);
      node->view.death_signal = signal_number;
      node->view.gone_cluster = node_at (self, id)->cluster;
      if (!node->is_gone)
        tell (node, change, id);
      node->view.death_signal = 0;
      node->view.gone_cluster = NULL;
    }
}

void
fake_net_remove (FakeNet *self, SatinNodeId id, SatinPeerChange change)
{
  remove_node (self, id, change, 0);
}

void
fake_net_kill (FakeNet *self, SatinNodeId id, int signal_number)
{
  remove_node (self, id, SATIN_PEER_DIED, signal_number);
}

void
fake_net_hide (FakeNet *self, SatinNodeId id, SatinNodeId other)
{
  node_at (self, id)->hidden = other;
  refresh_views (self);
}

guint
fake_net_count_asked (FakeNet *self, SatinNodeId id)
{
  return node_at (self, id)->n_asked;
}

void
fake_net_introduce (FakeNet *self, SatinNodeId id, SatinNodeId other)
{
  FakeNode *node = node_at (self, id);
  g_assert_cmpuint (node->hidden, ==, other);
  node->hidden = 0;
  refresh_views (self);
  tell (node, node_at (self, other)->is_gone ? SATIN_PEER_UNKNOWN : SATIN_PEER_JOINED, other);
}

void
fake_net_break_link (FakeNet *self, SatinNodeId a, SatinNodeId b)
{
  for (guint i = self->flights->len; i-- > 0;)
    {
      const Flight *flight = g_ptr_array_index (self->flights, i);
      if ((flight->from == a && flight->to == b) || (flight->from == b && flight->to == a))
        g_ptr_array_remove_index (self->flights, i);
    }
  tell (node_at (self, a), SATIN_PEER_LINK_BROKEN, b);
  tell (node_at (self, b), SATIN_PEER_LINK_BROKEN, a);
}

void
fake_net_inject (FakeNet *self, SatinNodeId from, SatinNodeId to, GBytes *payload)
{
  fake_net_inject_on (self, SATIN_CHANNEL_STEAL, from, to, payload);
}

void
fake_net_inject_on (FakeNet *self, SatinChannel channel, SatinNodeId from, SatinNodeId to,
                    GBytes *payload)
{
  deliver (self, from, to, channel, payload);
}

guint
fake_net_count_sent (const FakeNet *self)
{
  return self->n_sent;
}

gsize
fake_net_largest_bytes (const FakeNet *self)
{
  return self->largest_bytes;
}
