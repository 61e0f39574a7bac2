/* distance.c - distances in the plane and on the Earth
 *
 * The constants are those that TSPLIB publishes. Better values are known, but with these the tours
 * have the published lengths.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "distance.h"

#include <math.h>

#define PI              3.141592
#define EARTH_RADIUS_KM 6378.388

gint32
distance_euclidean (Point a, Point b)
{
  double x = a.x - b.x, y = a.y - b.y;
  return (gint32)(sqrt (x * x + y * y) + 0.5);
}

gint32
distance_geographic (Point a, Point b)
{
  double q1 = cos (a.x - b.x), q2 = cos (a.y - b.y), q3 = cos (a.y + b.y);
  double cosine = 0.5 * ((1 + q1) * q2 - (1 - q1) * q3);
  return (gint32)(EARTH_RADIUS_KM * acos (CLAMP (cosine, -1, 1)) + 1);
}

double
distance_radians (double angle)
{
  double degrees = trunc (angle);
  return PI * (degrees + 5 * (angle - degrees) / 3) / 180;
}
