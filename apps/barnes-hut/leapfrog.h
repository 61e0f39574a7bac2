/* leapfrog.h - moves bodies through time
 *
 * A step "kicks" the velocities for half its time, "drifts" the positions for all of it, and kicks
 * again with the forces at the new positions. The method is reversible in time, so errors of the
 * energy do not add up. Sums go over the bodies in their order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "body.h"
#include "gravity.h"

typedef struct
{
  double kinetic;
  double potential;
} Energy;

static inline double
energy_total (Energy energy)
{
  return energy.kinetic + energy.potential;
}

/* Returns: the change of the energy since @first, relative to its absolute value; above 0 when the
 * energy has grown */
double energy_drift (Energy first, Energy now);

/**
 * leapfrog_kick:
 * @bodies: (element-type Body)
 * @forces: (array): one for each body, in their order
 * @time: how long the forces act
 */
void leapfrog_kick (GArray *bodies, const Force *forces, double time);

/**
 * @error: %SATIN_ERROR_LIMIT when a body is then farther away or faster than %BODY_MAX_VALUE
 * @error: %SATIN_ERROR_LIMIT when a body is then further away or faster than %BODY_MAX_VALUE
 */
gboolean leapfrog_drift (GArray *bodies, double time, GError **error);

Energy leapfrog_energy (const GArray *bodies, const Force *forces);
