/* leapfrog.h - moves bodies through time
 *
 * A step "kicks" the velocities for half the time of the step, "drifts" the positions for the whole
 * time, and kicks the velocities again with the forces at the new positions. The method is
 * reversible in time, so errors of the energy do not add up. Sums go over the bodies in their
 * order.
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

/* Returns: the change from @first to @now, divided by the absolute value of @first unless that is
 * 0; above 0 when the energy has grown */
double energy_drift (Energy first, Energy now);

/**
 * leapfrog_kick:
 * @bodies: (element-type Body)
 * @forces: (array): one for each body, in their order
 * @time: how long the forces act
 */
void leapfrog_kick (GArray *bodies, const Force *forces, double time);

/**
 * leapfrog_drift:
 * @bodies: (element-type Body)
 * @time: how long the bodies move with their velocities
 * @error: %SATIN_ERROR_LIMIT when a body is then farther away or faster than %BODY_MAX_VALUE
 *
 * Returns: %TRUE on success
 */
gboolean leapfrog_drift (GArray *bodies, double time, GError **error);

Energy leapfrog_energy (const GArray *bodies, const Force *forces);
