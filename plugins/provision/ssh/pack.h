/* pack.h - packs the program and its files once for all hosts
 *
 * The archive is tar with gzip, which every Debian can unpack. It has only plain names, and is in a
 * temporary file without a name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>

typedef struct _Pack Pack;

/**
 * pack_new:
 * @start: (borrowed)
 * @error: %SATIN_ERROR_NOT_FOUND, %SATIN_ERROR_INVALID or %SATIN_ERROR_IO when a file does not
 *   exist, is not a plain file, may not be read, or has the same name as another
 *
 * Checks the files, but packs nothing.
 *
 * Threads: the loop's.
 */
Pack *pack_new (const SatinStart *start, GError **error);
void pack_free (Pack *self);

/* Whether there is nothing to pack. Threads: any. */
gboolean pack_is_empty (const Pack *self);

/* Packs, if no earlier call has done so; other threads wait for this. Threads: any; blocks. */
gboolean pack_make (Pack *self, GError **error);

/* Size and SHA-256 digest of the archive, known after pack_make(). Threads: any. */
guint64 pack_get_size (const Pack *self);
const char *pack_get_digest (const Pack *self);
/* Returns: bytes read, 0 at the end, or -1 with @error */
gssize pack_read (const Pack *self, guint64 offset, char *buffer, gsize n_bytes, GError **error);
