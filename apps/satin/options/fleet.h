/* fleet.h - the options that say where the machines of a run come from, and how many
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The value of a number that the user did not give. */
#define FLEET_NO_NUMBER G_MININT

/**
 * FleetOptions:
 * @provision: (nullable): the provisioner and its parameters; %NULL: the run gets no machines
 * @is_local: the provisioner is "local": machines are processes on this host
 * @is_allocation: the provisioner is "allocation": machines are the hosts of this allocation
 * @n_least: the number of machines to keep: requested at the start, and again when some are lost
 * @n_most: the largest number of machines at a time
 * @adaptation: (nullable): the policy that decides how many machines there are, with its
 *   parameters; %NULL: no policy, so the number stays at @n_least
 * @period: (nullable): the time between two decisions
 *
 * The values from the command line. fleet_options_check() fills in the defaults.
 */
typedef struct
{
  char *provision; /* (owned) */
  gboolean is_local;
  gboolean is_allocation;
  int n_least;
  int n_most;
  char *adaptation; /* (owned) */
  char *period;     /* (owned) */
} FleetOptions;

#define FLEET_OPTIONS_INIT                                                                         \
  {                                                                                                \
    .n_least = FLEET_NO_NUMBER, .n_most = FLEET_NO_NUMBER                                          \
  }

/* --adapt without a value means FLEET_ADAPT_DEFAULT. */
#define FLEET_ADAPT_OPTION  "adapt"
#define FLEET_ADAPT_DEFAULT "--adapt=learning"

/* The entries for a command's table of options. */
/* clang-format off */
#define FLEET_OPTIONS(self) \
    { "provision", 0, 0, G_OPTION_ARG_FILENAME, &(self)->provision, "Get machines, and start a node on each: local, ssh:hosts=FILE, slurm, allocation, exec:script=PATH", "NAME[:KEY=VALUE,...]" }, \
    { "min", 0, 0, G_OPTION_ARG_INT, &(self)->n_least, "Ask for N machines, and for more when fewer are left (default: 1; allocation: all its hosts)", "N" }, \
    { "max", 0, 0, G_OPTION_ARG_INT, &(self)->n_most, "Largest number of machines (default: 16, or that of --min)", "N" }, \
    { FLEET_ADAPT_OPTION, 0, 0, G_OPTION_ARG_STRING, &(self)->adaptation, "Choose the number of machines by what the nodes do; --adapt alone is learning", "POLICY" }, \
    { "period", 0, 0, G_OPTION_ARG_STRING, &(self)->period, "How often --adapt decides (default: 30s)", "TIME" }
/* clang-format on */

/**
 * fleet_options_check:
 * @is_import: this command joins another command's hub, or a registry
 * @error: %SATIN_ERROR_INVALID, with a message that says what to change; or the error of a plugin
 *
 * Checks the options and fills in the defaults. Requests no machine.
 */
gboolean fleet_options_check (FleetOptions *self, gboolean is_import, GError **error);

/* Makes the text of the part adapt, with its parameters. @is_kept: adaptation never sends the node
 * away. Returns: (transfer full) (nullable): %NULL without --adapt */
char *fleet_options_make_part (const FleetOptions *self, gboolean is_kept);

void fleet_options_clear (FleetOptions *self);

G_END_DECLS
