/* fleet-world.h - a fleet, between a provisioner and a coordinator that are the test's own
 *
 * The world records the calls of the fleet. The test decides what the provisioner does. The run
 * should have 2 to 5 nodes. The machines are m1 and m2 in cluster a, and m3 in cluster b.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fleet/messages.h"

#define FLEET_WORLD_COORDINATOR 4

/**
 * FleetWorld:
 * @told: what the fleet has told the provisioner: "1: 2@a, back m1, close"
 * @said: what the fleet says: states, orders to leave, and messages for people
 * @gone: machines that ended, as the fleet reports them to the hub
 * @machines: what happened to machines, as the fleet reports it
 * @offer: the offer that the provisioner makes @n_offers times
 * @member: (nullable): a machine whose node is a member
 */
typedef struct
{
  SatinLoop *loop;
  SatinFleet *fleet; /* (owned) (nullable): %NULL once it is closed */
  GString *told;     /* (owned) */
  GString *said;     /* (owned) */
  GString *gone;     /* (owned) */
  GString *machines; /* (owned) */
  SatinOffer offer;
  guint n_offers;
  const char *member;
} FleetWorld;

/* @provision: %NULL: without a provisioner */
void fleet_world_open (FleetWorld *self, gconstpointer provision);
void fleet_world_close (FleetWorld *self, gconstpointer provision);

/* The provisioner grants a machine: m1 for @i 0, and so on. */
void fleet_world_grant (FleetWorld *self, guint i);
void fleet_world_refuse (FleetWorld *self, guint n);

/* The three functions below send messages of a coordinator. */
void fleet_world_look (FleetWorld *self, gint64 term);
void fleet_world_ask (FleetWorld *self, gint64 term, gint64 number, const FleetWish *wishes,
                      gsize n_wishes);
void fleet_world_ask_for (FleetWorld *self, gint64 term, gint64 number, gint32 n,
                          const char *cluster);

void fleet_world_note (GString *log, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Checks what was noted since the last call. */
void fleet_world_assert_noted (GString *log, const char *text);
