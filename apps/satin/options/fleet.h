/* fleet.h - the options that say where the machines of a run come from, and how many
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* A number that was not given. */
#define FLEET_NO_NUMBER G_MININT

/**
 * FleetOptions:
 * @provision: (nullable): the provisioner and its parameters; %NULL: no machines
 * @is_local: machines are processes of this one
 * @n_least: machines that are asked for at the start, and again when they are lost
 * @n_most: most machines at a time
 * @adaptation: (nullable): what decides, with its parameters; %NULL: nothing does
 * @period: (nullable): between two decisions
 *
 * The words of the command line; after fleet_options_check() with all that was not given.
 */
typedef struct
{
  char *provision; /* (owned) */
  gboolean is_local;
  int n_least;
  int n_most;
  char *adaptation; /* (owned) */
  char *period;     /* (owned) */
} FleetOptions;

#define FLEET_OPTIONS_INIT                                                                         \
  {                                                                                                \
    .n_least = FLEET_NO_NUMBER, .n_most = FLEET_NO_NUMBER                                          \
  }

/* --adapt may stand without a value: then it is this. */
#define FLEET_ADAPT_OPTION  "adapt"
#define FLEET_ADAPT_DEFAULT "--adapt=learning"

/* For the table of a command. */
/* clang-format off */
#define FLEET_OPTIONS(self) \
    { "provision", 0, 0, G_OPTION_ARG_STRING, &(self)->provision, "Get machines there, a node on each: local, exec:script=PATH, slurm", "NAME[:KEY=VALUE,...]" }, \
    { "min", 0, 0, G_OPTION_ARG_INT, &(self)->n_least, "Keep so many machines (default: 1)", "N" }, \
    { "max", 0, 0, G_OPTION_ARG_INT, &(self)->n_most, "Have so many at most (default: 16, or the least)", "N" }, \
    { FLEET_ADAPT_OPTION, 0, 0, G_OPTION_ARG_STRING, &(self)->adaptation, "Decide by what the nodes do how many machines there are; --adapt alone is learning", "POLICY" }, \
    { "period", 0, 0, G_OPTION_ARG_STRING, &(self)->period, "How often --adapt decides (default: 30s)", "TIME" }
/* clang-format on */

/**
 * fleet_options_check:
 * @is_import: another command holds the registry
 * @error: %SATIN_ERROR_INVALID with the cure, and what is wrong with a plugin or its parameters
 *
 * Asks for no machine.
 */
gboolean fleet_options_check (FleetOptions *self, gboolean is_import, GError **error);

/* Returns: (transfer full) (nullable): the part that adapts, with its parameters. @is_kept: that
 * node is never sent away */
char *fleet_options_make_part (const FleetOptions *self, gboolean is_kept);

void fleet_options_clear (FleetOptions *self);

G_END_DECLS
