/* plummer.h - a star cluster to begin with
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "body.h"

/* Bodies further from the middle than so many core radii are drawn again. */
#define PLUMMER_CUT 20

/**
 * plummer_make:
 * @n: 1 to %BODY_MAX_NUMBER
 * @seed: number of the cluster among its likes
 *
 * Makes Plummer's model, a sphere of equal masses in equilibrium, where the sum of masses is 1 and,
 * but for chance and the cut, the energy -1/4. Its centre of mass rests at the origin.
 *
 * Source: Aarseth, Henon and Wielen, "A Comparison of Numerical Methods for the Study of Star
 * Cluster Dynamics", Astronomy and Astrophysics 37, 1974. Differs: directions are drawn by
 * rejection, and powers made of roots, as sines and powers of libm have other last bits on other
 * machines.
 *
 * Returns: (transfer full) (element-type Body)
 */
GArray *plummer_make (guint n, guint64 seed);
