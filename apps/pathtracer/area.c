/* area.c - cuts a rectangle of the picture along the grid of tiles
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "area.h"

#include <string.h>

gsize
area_bytes (const Area *self)
{
  return (gsize)self->width * (gsize)self->height * BYTES_PER_PIXEL;
}

gint
area_n_tiles (gint pixels, gint tile)
{
  return (pixels - 1) / tile + 1;
}

/* Returns: where a side is cut, on a line of the grid; its length, if it is one tile */
static gint
middle_of (gint pixels, gint tile)
{
  return pixels > tile ? area_n_tiles (pixels, tile) / 2 * tile : pixels;
}

guint
area_cut (const Area *self, gint tile, Area *ret_parts)
{
  gint middle_x = middle_of (self->width, tile), middle_y = middle_of (self->height, tile);
  guint n = 0;
  for (gint y = 0; y < self->height; y = y == 0 ? middle_y : self->height)
    for (gint x = 0; x < self->width; x = x == 0 ? middle_x : self->width)
      ret_parts[n++] = (Area){ self->x + x, self->y + y, x == 0 ? middle_x : self->width - middle_x,
                               y == 0 ? middle_y : self->height - middle_y };
  return n;
}

void
area_paste (const Area *whole, guint8 *rgb, const Area *part, const guint8 *part_rgb)
{
  gsize line = (gsize)part->width * BYTES_PER_PIXEL;
  for (gint y = 0; y < part->height; y++)
    {
      gsize pixel =
          (gsize)(part->y - whole->y + y) * (gsize)whole->width + (gsize)(part->x - whole->x);
      memcpy (rgb + pixel * BYTES_PER_PIXEL, part_rgb + (gsize)y * line, line);
    }
}
