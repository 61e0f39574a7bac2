/* balls.h - the sphere flake: a ball with smaller balls on it, and so on
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "scene.h"

#define BALLS_MAX_LEVELS 6

/**
 * balls_scene:
 * @n_levels: 0 to %BALLS_MAX_LEVELS; 0 is one ball alone
 *
 * Makes a scene like "balls" of the Standard Procedural Databases, with a floor and three lights.
 * Each ball carries nine balls with a third of its radius. Together they are
 * (9^(n_levels + 1) - 1) / 8 balls.
 *
 * Returns: (transfer full): a finished scene
 */
Scene *balls_scene (guint n_levels);
