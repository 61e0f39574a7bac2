/* peers.c - the calls to other nodes, passed on to the part that provides them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/peers.h>
#include <satin/base/sorted.h>

/**
 * satin_peers_get_view:
 *
 * Returns the members of the run that this node knows now.
 *
 * Threads: the loop's. Cost: O(1).
 *
 * Returns: (transfer none): valid until the next change
 */
const SatinView *
satin_peers_get_view (SatinPeers *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->ops->get_view (self);
}

gboolean
satin_peers_send (SatinPeers *self, SatinNodeId to, SatinChannel channel, GBytes *payload)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (channel > 0 && channel < SATIN_N_CHANNELS, FALSE);
  g_return_val_if_fail (payload != NULL, FALSE);
  g_return_val_if_fail (g_bytes_get_size (payload) <= SATIN_MESSAGE_MAX_BYTES, FALSE);

  return self->ops->send (self, to, channel, payload);
}

gsize
satin_peers_queued_bytes (SatinPeers *self, SatinNodeId to)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->ops->queued_bytes (self, to);
}

void
satin_peers_set_message_func (SatinPeers *self, SatinChannel channel, SatinPeersMessageFunc func,
                              gpointer user_data)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (channel > 0 && channel < SATIN_N_CHANNELS);

  self->ops->set_message_func (self, channel, func, user_data);
}

guint
satin_peers_add_change_func (SatinPeers *self, SatinPeersChangeFunc func, gpointer user_data)
{
  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (func != NULL, 0);

  return self->ops->add_change_func (self, func, user_data);
}

void
satin_peers_remove_change_func (SatinPeers *self, guint id)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (id != 0);

  self->ops->remove_change_func (self, id);
}

gboolean
satin_peers_meet (SatinPeers *self, SatinNodeId id)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (id != 0, FALSE);

  return self->ops->meet != NULL && self->ops->meet (self, id);
}

const SatinPeer *
satin_view_find (const SatinView *view, SatinNodeId id)
{
  g_return_val_if_fail (view != NULL, NULL);

  guint place = SATIN_SORTED_PLACE (i, view->n_peers, view->peers[i].id < id);
  return place < view->n_peers && view->peers[place].id == id ? &view->peers[place] : NULL;
}
