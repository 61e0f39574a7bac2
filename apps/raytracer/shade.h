/* shade.h - the colour that is seen along a ray
 *
 * Phong's model as the Neutral File Format means it: over all lights that reach
 * the point Kd * colour * cos(normal, light) + Ks * cos(mirrored ray, light)^shine,
 * plus Ks of what the mirrored ray sees and T of what the refracted ray sees.
 * Where a refracted ray is totally reflected inside, its part goes to the mirrored ray.
 *
 * Threads: any; the scene is finished and not changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "trace.h"

#define SHADE_MAX_DEPTH 20

/**
 * shade_ray:
 * @low: what is at or before this distance is not seen
 * @depth: how often the ray may still be mirrored or refracted, up to %SHADE_MAX_DEPTH
 *
 * Returns: red, green, blue, 0 or more, not limited to 1
 */
Vector shade_ray (const Scene *scene, const Ray *ray, double low, guint depth);

/**
 * shade_refract:
 * @direction: of length 1
 * @normal: of length 1, against @direction
 * @ratio: index of refraction of where the ray comes from over that of where it goes
 * @ret_direction: (out): of length 1; untouched on total internal reflection
 *
 * Snell's law. Returns: %FALSE on total internal reflection
 */
gboolean shade_refract (Vector direction, Vector normal, double ratio, Vector *ret_direction);

/**
 * shade_power:
 * @base: in [0, 1]
 * @exponent: 0 or more, below 2^40; taken to the nearest 1/4096
 *
 * @base to the power of @exponent by squares and square roots only: unlike pow() these
 * are the same bits with every mathematical library.
 */
double shade_power (double base, double exponent);
