/* owners.h - who has made which tile so far, as a shared object: each job adds its tile
 *
 * A replica has a place for each tile of the picture: the number of the node that has made it, and
 * a small copy of its pixels, the thumbnail. Of two nodes that have made the same tile, the lower
 * number stays. So replicas that received the same updates are equal, however often and in whatever
 * order the updates came. What a node does not know yet, it shows as missing. The pixels of the
 * picture itself do not depend on any of this.
 *
 * Threads: as libsatin-so says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

#include "area.h"

G_BEGIN_DECLS

/* Pixels on each side of a thumbnail, and its bytes. */
#define THUMB_SIDE  16
#define THUMB_BYTES ((gsize)THUMB_SIDE * THUMB_SIDE * BYTES_PER_PIXEL)
/* Tiles of a picture whose owners are shown: 12 MiB. */
#define OWNERS_MAX_TILES 16384
/* The owner of a tile that nobody has made yet. */
#define OWNERS_NOBODY (-1)

/* @nodes: for each tile the number of its node, or %OWNERS_NOBODY; @thumbs: for each tile its
 * thumbnail, %THUMB_BYTES */
SATIN_OBJECT_TYPE_DECLARE (owners, (array_int, nodes), (bytes, thumbs))

/* A node has made a tile. @node: its number; %OWNERS_NOBODY: this node */
SATIN_METHOD_DECLARE (owners, add, (int, tile), (int, node), (bytes, thumb))

/* Returns: (transfer full): the initial value for @n_tiles tiles; free it with satin_record_clear()
 */
owners_packed owners_make (gsize n_tiles);

/* Returns: the number of the node that has made a tile, or %OWNERS_NOBODY. @state: (nullable) */
gint32 owners_get (const owners_state *state, gsize tile);

/* Makes the thumbnail of a tile. @rgb: the pixels of @area; @tile: a tile inside it; @ret_thumb:
 * (out caller-allocates): %THUMB_BYTES */
void owners_shrink (const Area *area, const guint8 *rgb, const Area *tile, guint8 *ret_thumb);

G_END_DECLS
