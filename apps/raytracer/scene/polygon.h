/* polygon.h - cuts a polygon into triangles
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../../common/vector.h"

#define POLYGON_MAX_CORNERS 1024

/**
 * polygon_cut:
 * @corners: (array length=n_corners): in order around the polygon, in about one plane
 * @n_corners: 3 to %POLYGON_MAX_CORNERS
 * @ret_triangles: (out caller-allocates): room for 3 * (@n_corners - 2) indices of corners
 *
 * Cuts off one ear after the other, which also works for concave polygons. An ear is a corner that
 * forms a triangle with its two neighbours, inside the polygon and without another corner in it. If
 * the polygon crosses itself and no ear is left, the rest is cut like a fan. Triangles without area
 * are left out.
 *
 * Cost: O(n_corners^2) for most polygons, O(n_corners^3) for the worst.
 *
 * Returns: the number of triangles
 */
guint polygon_cut (const Vector *corners, guint n_corners, guint *ret_triangles);
