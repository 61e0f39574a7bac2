/* settings.h - the command line of the path tracer
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/options.h"
#include "render.h"

/**
 * Settings:
 * @scene: (owned): the scene's file
 * @output: (owned) (nullable): file for the picture
 * @owners: (owned) (nullable): file that shows who has made which part
 * @shot: @degrees is 0 without --fov; the camera is set if @has_camera
 * @has_camera: the options have a camera: --eye and --at
 * @tile: side of the part that one job draws, pixels
 * @pixel_us: how long a pixel takes in a simulation, microseconds
 */
typedef struct
{
  AppOptions common;
  char *scene;
  char *output;
  char *owners;
  Shot shot;
  gboolean has_camera;
  gint tile;
  gint pixel_us;
} Settings;

/**
 * settings_read:
 * @argv: (array length=n_argv): as given to the root task
 * @ret_settings: (out caller-allocates): free with settings_clear(), also on failure
 * @error: %SATIN_ERROR_INVALID for wrong options
 *
 * Reads the options. Reads no file.
 */
gboolean settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings,
                        GError **error);

void settings_clear (Settings *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Settings, settings_clear)
