/* plummer.h - makes a star cluster for the beginning of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "body.h"

/* Bodies farther from the middle than this many core radii are made again. */
#define PLUMMER_CUT 20

/**
 * plummer_make:
 * @n: 1 to %BODY_MAX_NUMBER
 * @seed: chooses one cluster
 *
 * Makes Plummer's model: a sphere of equal masses in equilibrium. The sum of the masses is 1. The
 * energy is -1/4, except for the effects of chance and of the cut. The centre of mass rests at the
 * origin.
 *
 * Source: Aarseth, Henon and Wielen, "A Comparison of Numerical Methods for the Study of Star
 * Cluster Dynamics", Astronomy and Astrophysics 37, 1974. Differs: directions come from rejection
 * and powers from roots, because the last bits of sines and powers differ between libraries.
 *
 * Returns: (transfer full) (element-type Body)
 */
GArray *plummer_make (guint n, guint64 seed);
