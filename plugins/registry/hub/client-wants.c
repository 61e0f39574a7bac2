/* client-wants.c - this node's requests to the hub, repeated on each link until the hub answers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

static void
tell_hub_of_leaving (Client *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  const SatinLeave leave = { MAX (self->leave_until_us - now_us, 0) };

  if (self->is_leaving && self->is_welcomed)
    client_send (self, HUB_MESSAGE_SAY_LEAVING, &leave);
}

void
client_say_leaving (Client *self, gint64 deadline_us)
{
  if (self->is_leaving)
    return;
  self->is_leaving = TRUE;
  self->leave_until_us = satin_loop_now_us (self->loop) + deadline_us;
  tell_hub_of_leaving (self);
}

void
client_tell_end (Client *self)
{
  SatinRunEnd end = { self->end_status, self->end_message };

  if (self->is_welcomed && self->has_end && self->master == self->identity.node)
    client_send (self, HUB_MESSAGE_END, &end);
}

void
client_tell_hub (Client *self)
{
  tell_hub_of_leaving (self); /* first: the hub does not elect a leaving node */
  if (self->is_offering && self->master == 0)
    client_send (self, HUB_MESSAGE_ELECT, NULL);
  client_tell_end (self);
  client_ask_again (self);
  if (self->state == CLIENT_LEAVING)
    client_send (self, HUB_MESSAGE_LEAVE, NULL);
}
