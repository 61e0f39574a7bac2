/* area.h - a rectangle of the picture, and how it is cut into tiles
 *
 * The tiles are the squares of a grid over the whole picture; those at its right and lower edges
 * may be smaller. An area is cut along the lines of the grid, so every part consists of whole
 * tiles.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

/* Its upper left pixel, and its size in pixels. */
SATIN_RECORD (Area, (int, x), (int, y), (int, width), (int, height))

#define AREA_MAX_PARTS  4
#define BYTES_PER_PIXEL 3

/* Returns: bytes of the pixels of the area */
gsize area_bytes (const Area *self);

/* Returns: number of tiles in @pixels pixels, the last of which may be cut */
gint area_n_tiles (gint pixels, gint tile);

/* Cuts the area into two parts along each side that is longer than a tile. @ret_parts: room for
 * %AREA_MAX_PARTS. Returns: the number of parts; 1 for a tile */
guint area_cut (const Area *self, gint tile, Area *ret_parts);

/* Copies pixels of @part to their place in those of @whole. */
void area_paste (const Area *whole, guint8 *rgb, const Area *part, const guint8 *part_rgb);
