/* distance.h - the distances between two points that TSPLIB defines
 *
 * Threads: any. Source: Reinelt, "TSPLIB 95", Heidelberg 1995, section 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

G_BEGIN_DECLS

/* Returns: the distance in the plane, rounded to a whole number */
gint32 distance_euclidean (Point a, Point b);

/* Returns: the distance on a sphere of the Earth's size, in whole kilometres. In @a and @b, x is
 * the longitude and y the latitude, in radians */
gint32 distance_geographic (Point a, Point b);

/* Converts an angle of a file. @angle: degrees before the decimal point, minutes in the two digits
 * after it. Returns: the angle in radians */
double distance_radians (double angle);

G_END_DECLS
