/* paint.h - draws who has made which tile: the file of --owners
 *
 * A tile has its pixels, tinted with the colour of its node. Tiles that nobody has made are dark.
 * The file is written under another name and renamed, so whoever opens it sees a whole picture.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "owners.h"

G_BEGIN_DECLS

/**
 * paint_begin:
 * @path: the file
 * @width: of the picture, pixels
 * @height: of the picture, pixels
 * @tile: side of a tile, pixels
 * @state: (nullable): the tiles that an earlier run has made
 * @error: %SATIN_ERROR_IO when the file cannot be written
 *
 * Draws the file, and lets paint_now_and_then() of this process draw it again.
 */
gboolean paint_begin (const char *path, gint width, gint height, gint tile,
                      const owners_state *state, GError **error);

/**
 * paint_now_and_then:
 * @state: (nullable): the tiles that have been made so far
 * @now_us: the time, as of satin_now_us()
 *
 * Draws the file if this process is to draw it, and has not drawn it in the last second. A file
 * that cannot be written is not tried again before paint_end().
 */
void paint_now_and_then (const owners_state *state, gint64 now_us);

/**
 * paint_end:
 * @rgb: (nullable): the pixels of the whole picture; %NULL: the file stays as it is
 * @nodes: (array length=n_nodes): who has made each tile
 * @error: %SATIN_ERROR_IO when the file cannot be written
 *
 * Draws the file for the last time.
 */
gboolean paint_end (const guint8 *rgb, const gint32 *nodes, gsize n_nodes, GError **error);

G_END_DECLS
