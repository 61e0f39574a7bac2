/* plummer.h - makes a star cluster for the beginning of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "body.h"

/* A body that would be farther from the middle than this many core radii is drawn again. */
#define PLUMMER_CUT 20

/**
 * plummer_make:
 * @n: 1 to %BODY_MAX_NUMBER
 * @seed: the same seed always gives the same cluster, another seed another cluster
 *
 * Makes Plummer's model: a sphere of equal masses in equilibrium. The sum of the masses is 1. The
 * energy is about -1/4: it differs by chance, and because of %PLUMMER_CUT. The centre of mass rests
 * at the origin.
 *
 * Source: Aarseth, Henon and Wielen, "A Comparison of Numerical Methods for the Study of Star
 * Cluster Dynamics", Astronomy and Astrophysics 37, 1974. Differs: directions are drawn by
 * rejection, without sines, and powers are computed from roots, because the last bits of sines and
 * powers differ between libraries.
 *
 * Returns: (transfer full) (element-type Body)
 */
GArray *plummer_make (guint n, guint64 seed);
