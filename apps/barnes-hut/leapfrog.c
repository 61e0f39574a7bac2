/* leapfrog.c - changes velocities and positions, and computes the energy
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "leapfrog.h"

double
energy_drift (Energy first, Energy now)
{
  double change = energy_total (now) - energy_total (first);

  return energy_total (first) != 0 ? change / fabs (energy_total (first)) : change;
}

void
leapfrog_kick (GArray *bodies, const Force *forces, double time)
{
  for (guint i = 0; i < bodies->len; i++)
    {
      Body *body = &g_array_index (bodies, Body, i);
      body->velocity = vector_add_scaled (body->velocity, forces[i].acceleration, time);
    }
}

/* Returns: whether the absolute value of each component is at most BODY_MAX_VALUE; %FALSE when a
 * component is not a number */
static gboolean
is_within (Vector vector)
{
  return fabs (vector.x) <= BODY_MAX_VALUE && fabs (vector.y) <= BODY_MAX_VALUE
         && fabs (vector.z) <= BODY_MAX_VALUE;
}

gboolean
leapfrog_drift (GArray *bodies, double time, GError **error)
{
  for (guint i = 0; i < bodies->len; i++)
    {
      Body *body = &g_array_index (bodies, Body, i);
      body->at = vector_add_scaled (body->at, body->velocity, time);
      if (is_within (body->at) && is_within (body->velocity))
        continue;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "body %u is further away or faster than %g: use a smaller --dt or more "
                   "--softening",
                   i + 1, BODY_MAX_VALUE);
      return FALSE;
    }
  return TRUE;
}

Energy
leapfrog_energy (const GArray *bodies, const Force *forces)
{
  Energy energy = { 0 };

  for (guint i = 0; i < bodies->len; i++)
    {
      const Body *body = &g_array_index (bodies, Body, i);
      energy.kinetic += body->mass * vector_dot (body->velocity, body->velocity) / 2;
      /* Half, because the sum over all bodies counts each pair twice. */
      energy.potential += body->mass * forces[i].potential / 2;
    }
  return energy;
}
