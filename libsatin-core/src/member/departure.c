/* departure.c - whether a node may go now, when maybe all nodes are asked to go
 *
 * If all nodes are asked at once, no node stays that could continue. So in a run that stores
 * results the master first waits a moment, while the other nodes hand their results over to it. If
 * all of them leave, the master stores the results and ends the run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* How long a master waits although another node stays: that node may be asked to go, too. */
#define HEIR_US ((gint64)1000000)

SatinDepartureState
member_depart (SatinMembership *self, gint64 waited_us, gint64 most_us, GError **error)
{
  MemberOutlook outlook = member_look_around (self);
  gint64 others_us = most_us / 2; /* how long a master waits for the other nodes to leave */
  gint64 left_us = CLAMP (most_us - waited_us, 0, SATIN_LEAVE_MAX_US);
  if (self->is_over || outlook.is_stopping)
    return SATIN_DEPARTURE_GOING;
  if (outlook.may_stop && (outlook.is_alone || (!outlook.has_heir && waited_us > others_us)))
    {
      member_stop_run (self, MAX (left_us, MIN (others_us, SATIN_LEAVE_MAX_US)));
      return SATIN_DEPARTURE_GOING;
    }
  if (outlook.may_stop && (!outlook.has_heir || waited_us < MIN (HEIR_US, others_us)))
    return SATIN_DEPARTURE_WAITING;
  return satin_membership_leave (self, left_us, error) ? SATIN_DEPARTURE_GOING
                                                       : SATIN_DEPARTURE_REFUSED;
}

static SatinDepartureState
attempt (SatinDeparture *departure, gint64 waited_us, gint64 most_us, GError **error)
{
  char *member = (char *)departure - G_STRUCT_OFFSET (SatinMembership, departure);
  return member_depart ((SatinMembership *)(gpointer)member, waited_us, most_us, error);
}

const SatinDepartureOps member_departure_ops = { .struct_size = sizeof (SatinDepartureOps),
                                                 .attempt = attempt };
