/* distance.h - how TSPLIB measures between two places
 *
 * Threads: any. Source: Reinelt, "TSPLIB 95", Heidelberg 1995, section 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

G_BEGIN_DECLS

/* In the plane, to the nearest whole number. */
gint32 distance_euclidean (Point a, Point b);

/* On a ball of the Earth's size, in whole kilometres. Of @a and @b, x is the longitude and y the
 * latitude, in radians. */
gint32 distance_geographic (Point a, Point b);

/* @angle: degrees before the point, minutes in the two digits behind it. Returns: radians */
double distance_radians (double angle);

G_END_DECLS
