/* function.h - the function that this assignment integrates
 *
 * Given. The tests have their own copy of this file, so they ignore your changes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* How often an interval may be halved. If its integral is not exact enough after that, the function
 * has no integral there. */
#define MAX_HALVINGS 40

/* The function of @instance at @x: six peaks on a slope. Each instance has its own peaks. If the
 * number of the instance is a multiple of 4, the function also has a pole. An interval with the
 * pole has no integral. */
double function_at (int instance, double x);

/* Whether the integral of an interval is exact enough: @coarse comes from its two ends, @fine also
 * from its middle. */
int is_exact (double coarse, double fine, double tolerance);
