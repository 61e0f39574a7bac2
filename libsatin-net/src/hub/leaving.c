/* leaving.c - members that announced that they will leave
 *
 * A leaving member stays in the run until it has left, so that it can return the jobs of other
 * nodes in good order. Meanwhile it gets no more work, is not elected, and is not chosen for the
 * views of other members. The member says how long it needs. When a new hub replaces a lost one,
 * the member announces again that it will leave.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

void
hub_leaving_begin (SatinHub *hub, HubMember *self, gint64 deadline_us)
{
  HubGone leaving;

  if (self->is_leaving || (hub->state != HUB_RUNNING && hub->state != HUB_RESTORING))
    return;
  self->is_leaving = TRUE;
  self->leave_until_us = satin_loop_now_us (hub->loop) + deadline_us + HUB_LEAVE_GRACE_US;
  hub_election_withdraw (hub, self->id);
  leaving = (HubGone){ (gint64)++hub->view_number, self->id, 0 };
  hub_view_tell (hub, self, HUB_MESSAGE_LEAVING, &leaving);
  if (self->connection != NULL)
    hub_connection_send (self->connection, HUB_MESSAGE_LEAVING, &leaving);
  hub_member_tell_changed (hub, self->id, "is leaving");
}

gboolean
hub_leaving_is_overdue (const HubMember *self, gint64 now_us)
{
  return self->is_leaving && now_us > self->leave_until_us;
}
