/* path.h - the light that comes along a ray
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../scene/scene.h"
#include "random.h"

#define PATH_MAX_BOUNCES 1000

/**
 * path_trace:
 * @sky: radiance that comes from where there is no surface
 * @direction: unit vector
 * @n_bounces: how often a path is scattered, at most; 0 to %PATH_MAX_BOUNCES
 * @random: (inout): the numbers of this path
 *
 * Follows one path of light backwards. The mean over many paths is the radiance that comes from the
 * direction. At each surface the path looks for light in two ways: it draws a place on a lamp, and
 * it draws a direction from the surface. Each way is weighted by how probable it was (multiple
 * importance sampling with the power heuristic of Veach, 1997), so that both together count once.
 *
 * Returns: radiance
 */
Vector path_trace (const Scene *scene, Vector sky, Vector from, Vector direction, guint n_bounces,
                   Random *random);
