/* settings.h - the command line of the ray tracer
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "render.h"
#include "scene/source.h"

/**
 * Settings:
 * @output: (owned) (nullable): file for the picture
 * @source: (owned): the scene
 * @shot: width and height are 0 for the scene's own size
 * @tile: pixels; a job divides if a side of its part of the picture is longer than this, else it
 *   draws the part
 * @pixel_us: how long a pixel takes in a simulation, microseconds
 */
typedef struct
{
  AppOptions common;
  char *output;
  SceneSource source;
  Shot shot;
  gint tile;
  gint pixel_us;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv): as given to the root task
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure
 * @error: %SATIN_ERROR_INVALID for wrong options, or as for source_load()
 *
 * Reads the options and the scene's file. With --help it reads no scene.
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)
