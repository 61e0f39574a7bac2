/* reader.h - reads files ahead on a thread of its own, a few blocks at most
 *
 * Threads: one, which is not the reader's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "place.h"

G_BEGIN_DECLS

/* How much is read, and written, at once. */
#define COPY_BLOCK_BYTES SATIN_STORAGE_BLOCK_MAX

typedef struct _CopyReader CopyReader;

/* Reads from @place, which must outlive it and is not used by others meanwhile. Returns: (transfer
 * full) */
CopyReader *copy_reader_new (CopyPlace *place);
/* Waits for the operation that runs, unless somebody interrupts it. */
void copy_reader_free (CopyReader *self);

/* From now on the blocks are those of @name from @offset on; what had been read ahead is dropped.
 */
void copy_reader_begin (CopyReader *self, const char *name, guint64 offset);
/* The next block, of 1 byte or more. Returns: (transfer full) (nullable): %NULL at the end of the
 * file, or with @error */
GBytes *copy_reader_next (CopyReader *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CopyReader, copy_reader_free)

G_END_DECLS
