/* settings.h - the command line of tsp
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "first-tour.h"

G_BEGIN_DECLS

/**
 * Plan:
 * @n_raises: as for search_new()
 * @grain: a job searches this many nodes (search.h), and then divides what is left among new jobs
 * @is_waiting: a job waits for its places with the longest paths, before it spawns jobs for places
 *   with shorter paths
 * @node_us: how long a node of the search takes in a simulation, microseconds
 *
 * How the search is divided into jobs.
 */
SATIN_RECORD (Plan, (int, n_raises), (int, grain), (boolean, is_waiting), (int, node_us))

/**
 * Settings:
 * @instance: (owned)
 * @is_alone: jobs do not learn what other jobs have found
 * @is_shown: print the tour
 * @picture: (owned) (nullable): file for a drawing of the tour
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
 * Reads the options. Without --help, it then reads the file.
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

G_END_DECLS
