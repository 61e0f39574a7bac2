/* election.c - elects the master: the first member that offers itself while there is no master
 *
 * While a new hub is being restored, the present master may still come back. So an offer waits
 * until the grace is over.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

static void
elect (SatinHub *hub, SatinNodeId id)
{
  HubMember *member = hub_member_find (hub, id);
  HubElected elected;

  if (member != NULL && member->is_leaving)
    {
      satin_loop_probe (hub->loop, "hub.leaving-not-elected");
      return;
    }
  /* When the run ends, the master may have left already. A run that is over gets no new master. */
  if (hub->master != 0 || hub->state == HUB_ENDING || hub->state == HUB_OVER)
    return;
  hub->master = id;
  hub_view_know_all (hub, id);
  hub->term = hub->next_term++;
  elected = (HubElected){ (gint64)++hub->view_number, id, (gint64)hub->term };
  g_info ("node %u is master, term %" G_GUINT64_FORMAT, id, hub->term);
  hub_broadcast (hub, HUB_MESSAGE_ELECTED, &elected, NULL);
  if (hub->events.elected != NULL)
    hub->events.elected (hub, id, hub->user_data);
}

void
hub_election_offer (SatinHub *hub, SatinNodeId id)
{
  if (hub->state != HUB_RESTORING)
    elect (hub, id);
  else if (hub->offered == 0)
    hub->offered = id;
}

void
hub_election_withdraw (SatinHub *hub, SatinNodeId id)
{
  if (hub->offered == id)
    hub->offered = 0;
}

void
hub_election_forget (SatinHub *hub, SatinNodeId id)
{
  if (hub->master == id)
    hub->master = 0;
  hub_election_withdraw (hub, id);
}

void
hub_election_restored (SatinHub *hub)
{
  SatinNodeId offered = hub->offered;
  hub->offered = 0;
  hub_view_know_all (hub, hub->master);
  if (offered != 0)
    elect (hub, offered);
}
