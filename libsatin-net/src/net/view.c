/* view.c - the list of members, and the SatinPeers interface for the other parts of the node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/base/sorted.h>

/* ---- the members ---- */

/* The index of @id, or the index where it would be inserted. Searches the rows, not the members,
 * because the rows are contiguous in memory. */
static guint
find_place (SatinNet *self, SatinNodeId id)
{
  return SATIN_SORTED_PLACE (i, self->rows->len, g_array_index (self->rows, SatinPeer, i).id < id);
}

NetPeer *
net_view_find (SatinNet *self, SatinNodeId id)
{
  guint place = find_place (self, id);

  if (place >= self->rows->len || g_array_index (self->rows, SatinPeer, place).id != id)
    return NULL;
  return g_ptr_array_index (self->members, place);
}

static void
show_rows (SatinNet *self)
{
  self->view.n_peers = self->rows->len;
  self->view.peers = (const SatinPeer *)(gpointer)self->rows->data;
}

NetPeer *
net_view_add (SatinNet *self, const SatinMember *member)
{
  NetPeer *peer = net_peer_new (self, member);
  SatinPeer row = { .id = peer->id, .cluster = peer->cluster, .is_leaving = member->is_leaving };
  guint place = find_place (self, peer->id);

  g_ptr_array_insert (self->members, (int)place, peer);
  g_array_insert_val (self->rows, place, row);
  show_rows (self);
  self->highest = MAX (self->highest, peer->id);
  return peer;
}

void
net_view_remove (SatinNet *self, NetPeer *peer)
{
  guint place = find_place (self, peer->id);

  if (self->view.master == peer->id)
    self->view.master = 0;
  g_array_remove_index (self->rows, place);
  g_ptr_array_remove_index (self->members, place);
  show_rows (self);
}

void
net_view_measured (SatinNet *self, NetPeer *peer, gint64 round_trip_us)
{
  SatinPeer *row = &g_array_index (self->rows, SatinPeer, find_place (self, peer->id));

  row->latency_us =
      net_latency_note (&peer->latency, satin_loop_now_us (self->loop), MAX (round_trip_us / 2, 1));
}

void
net_view_mark_leaving (SatinNet *self, const NetPeer *peer)
{
  g_array_index (self->rows, SatinPeer, find_place (self, peer->id)).is_leaving = TRUE;
}

/* Calls the functions that listen for changes. They may add and remove listeners meanwhile. A
 * listener is called if it was there at the beginning and was not removed before its turn. */
void
net_tell_change (SatinNet *self, SatinPeerChange change, SatinNodeId id)
{
  g_autoptr (GArray) listeners = g_array_copy (self->changes);

  if (self->is_freed)
    return;
  for (guint i = 0; i < listeners->len; i++)
    {
      const NetChange *listener = &g_array_index (listeners, NetChange, i);

      for (guint j = 0; j < self->changes->len; j++)
        if (g_array_index (self->changes, NetChange, j).id == listener->id)
          {
            listener->func (change, id, listener->user_data);
            break;
          }
    }
}

/* ---- the operations of SatinPeers ---- */

static SatinNet *
to_net (SatinPeers *peers)
{
  return (SatinNet *)peers;
}

static const SatinView *
peers_get_view (SatinPeers *peers)
{
  return &to_net (peers)->view;
}

static gboolean
peers_send (SatinPeers *peers, SatinNodeId to, SatinChannel channel, GBytes *payload)
{
  NetPeer *peer = net_view_find (to_net (peers), to);

  return peer != NULL && net_peer_send (peer, channel, payload);
}

static gsize
peers_queued_bytes (SatinPeers *peers, SatinNodeId to)
{
  NetPeer *peer = net_view_find (to_net (peers), to);

  return peer != NULL ? net_peer_queued_bytes (peer) : 0;
}

static void
peers_set_message_func (SatinPeers *peers, SatinChannel channel, SatinPeersMessageFunc func,
                        gpointer user_data)
{
  to_net (peers)->channels[channel] = (NetChannel){ func, user_data };
}

static guint
peers_add_change_func (SatinPeers *peers, SatinPeersChangeFunc func, gpointer user_data)
{
  SatinNet *self = to_net (peers);
  NetChange change = { ++self->last_change_id, func, user_data };

  g_array_append_val (self->changes, change);
  return change.id;
}

static void
peers_remove_change_func (SatinPeers *peers, guint id)
{
  SatinNet *self = to_net (peers);

  for (guint i = 0; i < self->changes->len; i++)
    if (g_array_index (self->changes, NetChange, i).id == id)
      {
        g_array_remove_index (self->changes, i);
        return;
      }
}

static gboolean
peers_meet (SatinPeers *peers, SatinNodeId id)
{
  SatinNet *self = to_net (peers);

  return net_view_find (self, id) == NULL && id != self->view.self
         && net_registry_introduce (self, id);
}

const SatinPeersOps net_peers_ops = {
  .struct_size = sizeof (SatinPeersOps),
  .get_view = peers_get_view,
  .send = peers_send,
  .queued_bytes = peers_queued_bytes,
  .set_message_func = peers_set_message_func,
  .add_change_func = peers_add_change_func,
  .remove_change_func = peers_remove_change_func,
  .meet = peers_meet,
};
