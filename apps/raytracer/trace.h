/* trace.h - finds what a ray meets in a scene
 *
 * Threads: any; the scene is finished and does not change.
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
 * @low: hits at this distance or nearer do not count
 * @ret_hit: (out): the nearest hit; untouched when there is none
 *
 * Cost: about logarithmic in the number of primitives.
 */
gboolean trace_nearest (const Scene *scene, const Ray *ray, double low, Hit *ret_hit);

/**
 * trace_transmittance:
 * @low: as for trace_nearest()
 * @high: distance of the light
 *
 * Returns: the share of the light that arrives: the product of the transmittances of all surfaces
 *   between @low and @high; 0 if one of them is opaque
 */
double trace_transmittance (const Scene *scene, const Ray *ray, double low, double high);
