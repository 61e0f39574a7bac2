/* owners.c - who has made which tile so far, as a shared object
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "owners.h"

#include <string.h>

/* Whether the arrays of a replica, which may come from another node, fit each other. */
static gboolean
is_whole (const owners_state *state)
{
  return state->n_thumbs == state->n_nodes * THUMB_BYTES;
}

owners_packed
owners_make (gsize n_tiles)
{
  gint32 *nodes = g_new (gint32, n_tiles);
  for (gsize i = 0; i < n_tiles; i++)
    nodes[i] = OWNERS_NOBODY;
  return (owners_packed){ nodes, n_tiles, g_malloc0 (n_tiles * THUMB_BYTES),
                          n_tiles * THUMB_BYTES };
}

gint32
owners_get (const owners_state *state, gsize tile)
{
  return state != NULL && is_whole (state) && tile < state->n_nodes ? state->nodes[tile]
                                                                    : OWNERS_NOBODY;
}

/* Whether @node may replace the owner that a tile has. */
static gboolean
is_better (const owners_state *state, gsize tile, gint32 node)
{
  return node >= 0 && is_whole (state) && tile < state->n_nodes
         && (state->nodes[tile] < 0 || node < state->nodes[tile]);
}

static void
set (owners_state *state, gsize tile, gint32 node, const guint8 *thumb)
{
  if (!is_better (state, tile, node))
    return;
  ((gint32 *)state->nodes)[tile] = node;
  memcpy ((guint8 *)state->thumbs + tile * THUMB_BYTES, thumb, THUMB_BYTES);
}

SATIN_METHOD_BODY (owners, add, (int, tile), (int, node), (bytes, thumb))
{
  if (tile >= 0 && n_thumb == THUMB_BYTES)
    set (state, (gsize)tile, node, thumb);
}

static void
owners_merge (gpointer state, gconstpointer other_data)
{
  const owners_state *other = other_data;
  for (gsize i = 0; is_whole (other) && i < other->n_nodes; i++)
    set (state, i, other->nodes[i], other->thumbs + i * THUMB_BYTES);
}

/* A job does not know the number of its node. The store does. */
static gboolean
owners_prepare (const SatinMethod *method, gconstpointer state, gint64 origin, gpointer data)
{
  owners_add_args *args = data;
  if (args->node == OWNERS_NOBODY)
    args->node = (gint32)origin;
  return args->tile >= 0 && is_better (state, (gsize)args->tile, args->node);
}

SATIN_OBJECT_TYPE_DEFINE (owners, .is_checkpointed = TRUE, .merge = owners_merge,
                          .prepare = owners_prepare)

/* ---- thumbnails ---- */

/* The mean of some pixels of a colour. */
static guint8
mean (const Area *area, const guint8 *rgb, const Area *part, guint colour)
{
  guint64 sum = 0;
  for (gint y = 0; y < part->height; y++)
    {
      const guint8 *line =
          rgb
          + ((gsize)(part->y - area->y + y) * (gsize)area->width + (gsize)(part->x - area->x))
                * BYTES_PER_PIXEL;
      for (gint x = 0; x < part->width; x++)
        sum += line[x * BYTES_PER_PIXEL + (gint)colour];
    }
  guint64 n = (guint64)part->width * (guint64)part->height;
  return (guint8)((sum + n / 2) / n);
}

void
owners_shrink (const Area *area, const guint8 *rgb, const Area *tile, guint8 *ret_thumb)
{
  for (gint y = 0; y < THUMB_SIDE; y++)
    for (gint x = 0; x < THUMB_SIDE; x++)
      {
        gint left = x * tile->width / THUMB_SIDE, right = (x + 1) * tile->width / THUMB_SIDE;
        gint top = y * tile->height / THUMB_SIDE, bottom = (y + 1) * tile->height / THUMB_SIDE;
        /* A tile may have fewer pixels than its thumbnail. */
        const Area part = { tile->x + left, tile->y + top, MAX (right - left, 1),
                            MAX (bottom - top, 1) };
        for (guint colour = 0; colour < BYTES_PER_PIXEL; colour++)
          *ret_thumb++ = mean (area, rgb, &part, colour);
      }
}
