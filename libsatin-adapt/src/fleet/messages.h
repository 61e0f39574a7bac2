/* messages.h - what coordinator and fleet say to each other
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/fleet.h>
#include <satin/base/record.h>

/* Most clusters that machines are offered in, and asked for in at once. */
#define FLEET_MAX_CLUSTERS 1024

/* clang-format off */
/* @term: of the coordinator. */
SATIN_RECORD (FleetLook, (long, term))
SATIN_RECORD (FleetWish, (string, cluster), (int, n_machines))
/* @number: grows with each in a term. */
SATIN_RECORD (FleetAsk, (long, term), (long, number), (array_record, wishes, FleetWish))
SATIN_RECORD (FleetOffer, (string, cluster), (int, n_machines), (double, speed))
/* @number: of the last that was done in that term, 0 for none. */
SATIN_RECORD (FleetState, (long, term), (long, number), (int, n_awaited), (int, n_least), (int, n_most),
              (array_record, offers, FleetOffer))
/* clang-format on */
