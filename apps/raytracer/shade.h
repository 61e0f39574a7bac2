/* shade.h - computes the colour that is seen along a ray
 *
 * The model is Phong's, in the form of the Neutral File Format (nff.h). The colour of a point is a
 * sum. Each light adds its colour, times the share of it that reaches the point, times (Kd * colour
 * of the surface * cos (normal, light) + Ks * cos (mirrored ray, light)^shine). The mirrored ray
 * adds Ks times the colour that it sees, and the refracted ray adds T times the colour that it
 * sees. If total reflection makes refraction impossible, the mirrored ray counts Ks + T times.
 *
 * Threads: any; the scene is finished and does not change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "trace.h"

#define SHADE_MAX_DEPTH 20

/**
 * shade_ray:
 * @low: hits at this distance or nearer do not count
 * @depth: how many more times the ray may be mirrored or refracted, at most %SHADE_MAX_DEPTH
 *
 * Returns: red, green, blue, 0 or more, not limited to 1
 */
Vector shade_ray (const Scene *scene, const Ray *ray, double low, guint depth);

/**
 * shade_refract:
 * @direction: of length 1
 * @normal: of length 1, against @direction
 * @ratio: index of refraction on the side that the ray comes from, divided by the index on the side
 *   that the ray goes to
 * @ret_direction: (out): of length 1; untouched on total internal reflection
 *
 * Refracts a ray by Snell's law.
 *
 * Returns: %FALSE on total internal reflection
 */
gboolean shade_refract (Vector direction, Vector normal, double ratio, Vector *ret_direction);

/**
 * shade_power:
 * @base: in [0, 1]
 * @exponent: 0 or more, below 2^40; rounded to the nearest 1/4096
 *
 * Computes @base to the power of @exponent, by multiplications and square roots only. So the result
 * has the same bits with every mathematical library, which pow() does not promise.
 */
double shade_power (double base, double exponent);
