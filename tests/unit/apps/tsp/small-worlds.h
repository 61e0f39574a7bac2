/* small-worlds.h - random cities, so few that a test can try all their tours
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

/* Returns: random distances from 0 to @max; clear them with satin_record_clear() */
Distances small_world_new (gint32 n_cities, gint32 max);

/* Returns: the length of the shortest tour that begins with @path, for ten cities at most. @path:
 * (array length=n_path): one city or more */
gint32 small_world_find_shortest (const Distances *distances, const gint32 *path, gint32 n_path);
