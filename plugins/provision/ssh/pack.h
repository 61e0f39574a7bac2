/* pack.h - the program and its files, packed once for all hosts
 *
 * An archive of plain names (tar with gzip, which every Debian unpacks) in a file without a name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>

typedef struct _Pack Pack;

/**
 * pack_new:
 * @start: (borrowed)
 * @error: %SATIN_ERROR_NOT_FOUND, %SATIN_ERROR_INVALID or %SATIN_ERROR_IO when a file is not there,
 *   is none, may not be read, or has the name of another
 *
 * Only looks at the files.
 *
 * Threads: the loop's.
 */
Pack *pack_new (const SatinStart *start, GError **error);
void pack_free (Pack *self);

/* Whether there is nothing to pack. Threads: any. */
gboolean pack_is_empty (const Pack *self);

/* Packs, at the first call; others wait for it. Threads: any; blocks. */
gboolean pack_make (Pack *self, GError **error);

/* After pack_make(). Threads: any. */
guint64 pack_get_size (const Pack *self);
const char *pack_get_digest (const Pack *self);
/* Returns: bytes read, 0 at the end, or -1 with @error */
gssize pack_read (const Pack *self, guint64 offset, char *buffer, gsize n_bytes, GError **error);
