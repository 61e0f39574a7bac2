/* shade.h - computes the colour that is seen along a ray
 *
 * The model is Phong's, in the form of the Neutral File Format. A colour is the sum over all lights
 * that reach the point of Kd * colour * cos (normal, light) + Ks * cos (mirrored ray, light)^shine,
 * plus Ks times what the mirrored ray sees, plus T times what the refracted ray sees. If a
 * refracted ray is totally reflected, its share goes to the mirrored ray.
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
 * @depth: how often the ray may still be mirrored or refracted, at most %SHADE_MAX_DEPTH
 *
 * Returns: red, green, blue, 0 or more, not limited to 1
 */
Vector shade_ray (const Scene *scene, const Ray *ray, double low, guint depth);

/**
 * shade_refract:
 * @direction: of length 1
 * @normal: of length 1, against @direction
 * @ratio: index of refraction on the side that the ray comes from, over that on the other side
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
 * Computes the power only by multiplications and square roots. Unlike those of pow(), the bits of
 * the result are the same with every mathematical library.
 */
double shade_power (double base, double exponent);
