/* messages.h - messages between the coordinator and the fleet
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/fleet.h>
#include <satin/base/record.h>

/* The most clusters in one FleetState or FleetAsk. */
#define FLEET_MAX_CLUSTERS 1024

/* clang-format off */
/* @term: the term of the coordinator */
SATIN_RECORD (FleetLook, (long, term))
SATIN_RECORD (FleetWish, (string, cluster), (int, n_machines))
/* @number: increases with each ask of a term */
SATIN_RECORD (FleetAsk, (long, term), (long, number), (array_record, wishes, FleetWish))
SATIN_RECORD (FleetOffer, (string, cluster), (int, n_machines), (double, speed))
/* @number: the number of the last ask of @term that was carried out; 0 for none */
SATIN_RECORD (FleetState, (long, term), (long, number), (int, n_awaited), (int, n_least), (int, n_most),
              (array_record, offers, FleetOffer))
/* clang-format on */
