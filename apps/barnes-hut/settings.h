/* settings.h - the command line of barnes-hut
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"

/**
 * Settings:
 * @file: (owned) (nullable): file with the bodies at the beginning; %NULL: make a cluster
 * @n_bodies: number of bodies of the cluster
 * @seed: chooses the cluster
 * @theta: accuracy of the tree, as for tree_build()
 * @softening: as for gravity_of_run()
 * @dt: time of an iteration
 * @n_iterations: number of iterations; 0 only computes the energy at the beginning
 * @is_direct: compute the forces without a tree
 * @sends_trees: jobs carry parts of the tree; else the positions are a shared object
 * @grain: a job with more bodies than this divides, unless all its bodies are in one leaf
 * @body_us: how long the force on a body takes in a simulation, microseconds
 * @tree_us: how long the root job takes in a simulation to make the tree, microseconds for each
 *   body
 * @csv: (owned) (nullable): file for the energies of each iteration
 * @times: (owned) (nullable): file for the end times of each iteration
 * @picture: (owned) (nullable): name of the pictures, where %d stands for the iteration
 * @write: (owned) (nullable): file for the bodies at the end
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
  gboolean sends_trees;
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
