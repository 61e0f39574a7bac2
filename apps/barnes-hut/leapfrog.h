/* leapfrog.h - moves bodies through time
 *
 * A step kicks for half its time, drifts for all of it, and kicks again with the
 * forces at the new places. It goes back as it came, so errors of the energy do not pile up.
 * Sums go over the bodies in their order.
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

/* How much of the energy at first has come or gone; above 0 when it has come. */
double energy_drift (Energy first, Energy now);

/**
 * leapfrog_kick:
 * @bodies: (element-type Body)
 * @forces: (array): one for each body, in their order
 * @time: how long they pull
 */
void leapfrog_kick (GArray *bodies, const Force *forces, double time);

/**
 * leapfrog_drift:
 * @error: %SATIN_ERROR_LIMIT when a body is then further away or faster than %BODY_MAX_VALUE
 */
gboolean leapfrog_drift (GArray *bodies, double time, GError **error);

Energy leapfrog_energy (const GArray *bodies, const Force *forces);
