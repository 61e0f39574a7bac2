/* trace.h - what a ray meets in a scene
 *
 * Threads: any; the scene is finished and not changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "scene/scene.h"

typedef struct
{
  const Primitive *primitive;
  double distance;
} Hit;

/**
 * trace_nearest:
 * @low: what is at or before this distance does not count
 * @ret_hit: (out): the nearest hit; untouched when there is none
 *
 * Cost: about logarithmic in the number of primitives.
 */
gboolean trace_nearest (const Scene *scene, const Ray *ray, double low, Hit *ret_hit);

/**
 * trace_transmittance:
 * @low: as for trace_nearest()
 * @high: distance of what the light comes from
 *
 * Returns: the part of the light that comes through between @low and @high: the
 *   product of the transmittance of every surface on the way, 0 behind an opaque one
 */
double trace_transmittance (const Scene *scene, const Ray *ray, double low, double high);
