/* settings.h - the command line of maxclique
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "graph.h"

G_BEGIN_DECLS

/**
 * Plan:
 * @grain: a job searches this many nodes of the search tree, and then divides what is left among
 *   new jobs
 * @node_us: how long a node of the search tree takes in a simulation, microseconds
 */
SATIN_RECORD (Plan, (int, grain), (int, node_us))

/**
 * Settings:
 * @name: (owned): file name, or kind and numbers, of the graph
 * @graph: (owned): the graph as the user numbers it
 * @is_alone: jobs do not learn what other jobs have found
 * @is_shown: print the clique
 */
typedef struct
{
  AppOptions common;
  char *name;
  Graph graph;
  Plan plan;
  gboolean is_alone;
  gboolean is_shown;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv): as given to the root task
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure
 * @error: %SATIN_ERROR_INVALID for wrong options, or as for app_file_read() and dimacs_read()
 *
 * Reads the options. Without --help, it then reads or generates the graph.
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

G_END_DECLS
