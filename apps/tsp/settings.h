/* settings.h - the command line of the search for tours
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "first-tour.h"

G_BEGIN_DECLS

/**
 * Plan:
 * @n_raises: see search_new()
 * @grain: so many nodes are one job; what is left then is divided
 * @is_waiting: what is divided ends, child by child, before its next brothers begin
 * @node_us: what a node takes in a simulation, microseconds
 *
 * How jobs are made.
 */
SATIN_RECORD (Plan, (int, n_raises), (int, grain), (boolean, is_waiting), (int, node_us))

/**
 * Settings:
 * @instance: (owned)
 * @is_alone: jobs do not hear of what others have found
 * @is_shown: print the tour
 * @picture: (owned) (nullable): where it is drawn
 */
typedef struct
{
  AppOptions common;
  Instance *instance;
  Plan plan;
  FirstTour first_tour;
  gboolean is_alone;
  gboolean is_shown;
  char *picture;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv): as given to the root task
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure
 * @error: %SATIN_ERROR_INVALID for wrong options, or as for app_file_read() and tsplib_read()
 *
 * Reads the options and the file. There is no instance when help was asked for.
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

G_END_DECLS
