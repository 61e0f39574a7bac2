/* small-worlds.h - cities by chance, so few that all their tours can be tried
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

/* Distances from 0 to @max, by GTest's chance. Clear them with satin_record_clear(). */
Distances small_world_new (gint32 n_cities, gint32 max);

/* The length of the shortest of all tours that begin with @path, for ten cities at most. @path:
 * (array length=n_path): one city or more */
gint32 small_world_find_shortest (const Distances *distances, const gint32 *path, gint32 n_path);
