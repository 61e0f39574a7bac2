/* fleet-private.h - the inside of a provisioner under test
 *
 *   fleet.c             opening, lingering, closing
 *   fleet-operations.c  operations, and questions about what became of them
 *   fleet-told.c        what the plugin tells
 *   fleet-heard.c       what the commands tell
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fleet.h"

/* Spoils a text that the plugin was to copy. */
void fleet_wipe (char *text);

/* What the plugin calls; their data is the Fleet. */
extern const SatinProvisionHost fleet_host;
void fleet_on_closed (const GError *error, gpointer user_data);
