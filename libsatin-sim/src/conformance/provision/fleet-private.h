/* fleet-private.h - the inside of a provisioner under test
 *
 *   fleet.c             opening, lingering, closing
 *   fleet-operations.c  operations, and questions about their results
 *   fleet-told.c        callbacks of the plugin
 *   fleet-heard.c       reports of the commands
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "fleet.h"

/* The mark that follows the text of each report. No shell and no printf changes it. */
#define SAYING_END "<end>"

/* Overwrites @text, which was passed to the plugin. So a plugin that kept no copy is noticed. */
void fleet_wipe (char *text);

/* The callbacks for the plugin; their user_data is the Fleet. */
extern const SatinProvisionHost fleet_host;
void fleet_on_closed (const GError *error, gpointer user_data);
