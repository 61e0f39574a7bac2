/* inspect-waits.c - reports what a node's membership waits for, to find a run that hangs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link/private.h"
#include "private.h"

static SatinNodeId
whose (const NetLink *self)
{
  return self->peer != NULL ? self->peer->id : self->parked_id;
}

static void
add_link (const NetLink *self, SatinWaitFunc add, gpointer user_data)
{
  SatinWait wait = { .node = whose (self), .deadline = self->link->deadline };

  switch (satin_link_get_state (self->link))
    {
    case LINK_GREETING:
      wait.what = "a link that opens";
      break;
    case LINK_CLOSING:
      wait.what = "a link that closes";
      break;
    case LINK_OPEN:
    case LINK_DOWN:
    case LINK_N_STATES:
      return;
    }
  add (&wait, user_data);
}

/* Reports messages that wait for a peer without a link. If the peer has a link, add_link() reports
 * that link, and the messages are sent when it opens or on the next link when it goes down. */
static void
add_peer (const NetPeer *self, SatinWaitFunc add, gpointer user_data)
{
  SatinWait wait = { .what = "a link to send on", .node = self->id, .deadline = self->retry_timer };

  if (!g_queue_is_empty ((GQueue *)&self->waiting) && self->links == NULL)
    add (&wait, user_data);
}

void
satin_net_waits (SatinNet *self, SatinWaitFunc add, gpointer user_data)
{
  SatinWait wait = { .deadline = self->deadline };

  g_return_if_fail (self != NULL && add != NULL);

  if (self->registry != NULL && self->registry_ops.waits != NULL)
    self->registry_ops.waits (self->registry, add, user_data);
  for (guint i = 0; i < self->links->len; i++)
    add_link (g_ptr_array_index (self->links, i), add, user_data);
  for (guint i = 0; i < self->members->len; i++)
    add_peer (g_ptr_array_index (self->members, i), add, user_data);
  if (self->state != NET_CLOSING && self->state != NET_LEAVING)
    return;
  wait.what = self->state == NET_CLOSING ? "its links to close" : "the registry to let it go";
  add (&wait, user_data);
}
