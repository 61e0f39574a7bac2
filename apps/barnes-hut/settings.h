/* settings.h - the command line of barnes-hut
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"

/**
 * Settings:
 * @file: (owned) (nullable): bodies to begin with; %NULL: a cluster is made
 * @n_bodies: of the cluster
 * @seed: of the cluster
 * @theta: accuracy of the tree
 * @softening: length
 * @dt: time of an iteration
 * @n_iterations: 0 tells the energy at first
 * @is_direct: without a tree
 * @is_shared: the bodies are a shared object
 * @grain: bodies whose forces are one job, at most
 * @body_us: what the force on a body takes in a simulation, microseconds
 * @tree_us: likewise a body's share of making the tree, which the root does
 * @csv: (owned) (nullable): where a line for each iteration goes
 * @times: (owned) (nullable): likewise, but when each ended
 * @picture: (owned) (nullable): the name of a picture, where %d stands for the iteration
 * @write: (owned) (nullable): where the bodies go at the end
 */
typedef struct
{
  AppOptions common;
  char *file;
  gint n_bodies;
  gint64 seed;
  double theta;
  double softening;
  double dt;
  gint n_iterations;
  gboolean is_direct;
  gboolean is_shared;
  gint grain;
  gint body_us;
  gint tree_us;
  char *csv;
  char *times;
  char *picture;
  char *write;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv): as given to the root task
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure
 * @error: %SATIN_ERROR_INVALID
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)
