/* settings.h - the command line of grammar
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "tree.h"

G_BEGIN_DECLS

/**
 * Settings:
 * @name: (owned): file name, or the numbers of --generate
 * @sample: (owned)
 * @tree: (owned): the prefix tree of the sample
 * @grain: a job searches this many nodes of the search tree, and then divides what is left among
 *   new jobs
 * @is_shown: print the automaton
 */
typedef struct
{
  AppOptions common;
  char *name;
  Sample sample;
  Tree tree;
  int grain;
  gboolean is_shown;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv): as given to the root task
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure
 * @error: %SATIN_ERROR_INVALID for wrong options, or as for app_file_read(), sample_read() and
 *   tree_build()
 *
 * Reads the options. Without --help, it then reads or generates the sample.
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)

G_END_DECLS
