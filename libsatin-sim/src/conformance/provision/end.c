/* end.c - rules of provisioners: how machines end, by themselves, by a withdrawal, by close
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet.h"
#include "provision.h"

#include <string.h>

/* The time until a deadline, so short that a case can wait for the deadline. */
#define SHORT_US ((gint64)300000)

/* The beginning of a script: starts a child that ignores the signal to end. */
#define CHILD "( trap '' TERM; while [ -e \"$folder/life\" ]; do sleep 0.1; done ) & "

/* Requests one machine and waits for its end. Returns: (nullable): the machine; %NULL when it does
 * not end, and the case is then broken */
static const Granted *
get_ended (Fleet *fleet)
{
  if (fleet == NULL || !fleet_get (fleet, 1))
    return NULL;
  const Granted *granted = fleet_granted (fleet, 0);
  return fleet_wait (fleet, fleet_has_ended, granted, "ended of a command that has ended") ? granted
                                                                                           : NULL;
}

void
provision_ends_well (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, "say runs; exit 0");
  const Granted *granted = get_ended (fleet);
  if (granted != NULL)
    CASE_EXPECT (c, granted->reason == NULL, "a command ended with status 0, and the machine: %s",
                 granted->reason->message);
}

void
provision_tells_failures (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, "say runs; exit 3");
  const Granted *granted = get_ended (fleet);
  if (granted != NULL)
    CASE_EXPECT (c, granted->reason != NULL, "a command ended with status 3, without a reason");
}

void
provision_tells_signals (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, "say runs; kill -KILL $$");
  const Granted *granted = get_ended (fleet);
  if (granted != NULL)
    CASE_EXPECT (c, granted->reason != NULL, "a command was killed, without a reason");
}

void
provision_ends_children_of_the_ended (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, CHILD "say runs; exit 0");
  if (get_ended (fleet) != NULL)
    fleet_wait (fleet, fleet_is_dead, NULL, "the end of a child of a command that has ended");
}

/* ---- withdrawals ---- */

void
provision_tells_the_withdrawn (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL || !fleet_get (fleet, 1))
    return;
  const Granted *granted = fleet_granted (fleet, 0);
  fleet_withdraw (fleet, granted->name, 100 * c->patience_us);
  if (fleet_hear (fleet, "term", granted->name) == NULL
      || !fleet_wait (fleet, fleet_has_ended, granted, "the end of a machine that was withdrawn"))
    return;
  CASE_EXPECT (c, granted->reason == NULL, "a machine that was withdrawn ended for a reason: %s",
               granted->reason->message);
}

/* Withdraws the only machine. Its command, and a child if there is one, ignore the signal to end.
 * Waits until all of them have ended. */
static void
withdraw_stubborn (Fleet *fleet)
{
  const Granted *granted = fleet_granted (fleet, 0);
  fleet_withdraw (fleet, granted->name, SHORT_US);
  if (fleet_wait (fleet, fleet_has_ended, granted, "the end at the deadline")
      && fleet_wait (fleet, fleet_is_dead, NULL, "the end of all that it started"))
    CASE_EXPECT (fleet->c, granted->reason == NULL,
                 "a machine that was withdrawn ended for a reason: %s", granted->reason->message);
}

void
provision_kills_at_the_deadline (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_IGNORES);
  if (fleet != NULL && fleet_get (fleet, 1))
    withdraw_stubborn (fleet);
}

void
provision_kills_children_at_the_deadline (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, CHILD BODY_IGNORES);
  if (fleet != NULL && fleet_get (fleet, 1))
    withdraw_stubborn (fleet);
}

/* Checks that a command is not killed before its deadline, because a node may need the time to hand
 * its work over. */
void
provision_waits_for_the_deadline (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_IGNORES);
  if (fleet == NULL || !fleet_get (fleet, 1))
    return;
  const Granted *granted = fleet_granted (fleet, 0);
  gint64 start_us = g_get_monotonic_time ();
  fleet_withdraw (fleet, granted->name, SHORT_US);
  if (fleet_wait (fleet, fleet_has_ended, granted, "the end at the deadline"))
    CASE_EXPECT (c, granted->ended_us - start_us >= SHORT_US,
                 "with %" G_GINT64_FORMAT " ms to go, a machine ends after %" G_GINT64_FORMAT " ms",
                 SHORT_US / 1000, (granted->ended_us - start_us) / 1000);
}

void
provision_takes_the_earliest_deadline (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_IGNORES);
  if (fleet == NULL || !fleet_get (fleet, 1))
    return;
  const Granted *granted = fleet_granted (fleet, 0);
  fleet_withdraw (fleet, granted->name, 100 * c->patience_us);
  fleet_withdraw (fleet, granted->name, SHORT_US);
  fleet_withdraw (fleet, granted->name, 100 * c->patience_us);
  fleet_wait (fleet, fleet_has_ended, granted, "the end at the earliest of three deadlines");
}

void
provision_withdraws_one_alone (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL || !fleet_get (fleet, 3))
    return;
  const Granted *granted = fleet_granted (fleet, 0);
  fleet_withdraw (fleet, granted->name, c->patience_us);
  if (!fleet_wait (fleet, fleet_has_ended, granted, "the end of a machine that was withdrawn"))
    return;
  fleet_linger (fleet);
  for (guint i = 1; i < fleet->granted->len; i++)
    CASE_EXPECT (c,
                 fleet_granted (fleet, i)->n_ended == 0
                     && fleet_n_heard (fleet, "term", fleet_granted (fleet, i)->name) == 0,
                 "another machine than the one that was withdrawn was told or ended");
}

void
provision_withdraws_nobody (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL || !fleet_get (fleet, 2))
    return;
  g_autofree char *name = g_strdup (fleet_granted (fleet, 0)->name);
  fleet_withdraw (fleet, "no such machine", 0);
  fleet_withdraw (fleet, name, c->patience_us);
  if (!fleet_wait (fleet, fleet_has_ended, fleet_granted (fleet, 0), "the end of a machine"))
    return;
  fleet_withdraw (fleet, name, 0);
  fleet_linger (fleet);
  for (guint i = 1; i < fleet->granted->len; i++)
    CASE_EXPECT (c, fleet_granted (fleet, i)->n_ended == 0,
                 "who withdraws a machine that is not there ends another");
}

/* ---- closing ---- */

void
provision_closes_while_requesting (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL)
    return;
  fleet_request (fleet, fleet_room (fleet, 3), "");
  fleet_close (fleet);
  fleet_wait (fleet, fleet_is_settled, NULL, "that all is granted or refused when it is closed");
}

void
provision_closes_with_machines (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL || !fleet_get (fleet, 3))
    return;
  fleet_close (fleet);
  if (!fleet_wait (fleet, fleet_is_empty, NULL, "the end of all machines when it is closed"))
    return;
  CASE_EXPECT (c, fleet_n_heard (fleet, "term", NULL) == fleet->granted->len,
               "of %u commands, %u were told when it was closed", fleet->granted->len,
               fleet_n_heard (fleet, "term", NULL));
}

void
provision_close_kills (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_IGNORES);
  if (fleet == NULL || !fleet_get (fleet, 2))
    return;
  fleet_close (fleet);
  if (fleet_wait (fleet, fleet_is_empty, NULL, "the end of those who ignore it when it is closed"))
    fleet_wait (fleet, fleet_is_dead, NULL, "the end of all that they started");
}
