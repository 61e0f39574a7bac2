/* reader.h - reads files ahead on a thread of its own, a few blocks at most
 *
 * Threads: one at a time calls these functions. The reading thread is internal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "place.h"

G_BEGIN_DECLS

/* How many bytes are read or written at once. */
#define COPY_BLOCK_BYTES SATIN_STORAGE_BLOCK_MAX

typedef struct _CopyReader CopyReader;

/* Makes a reader of files in @place. @place must outlive the reader, and only the reader may use it
 * during that time. Returns: (transfer full) */
CopyReader *copy_reader_new (CopyPlace *place);
/* Waits for the end of a running operation. copy_place_interrupt() makes this sooner. @self:
 * (nullable) */
void copy_reader_free (CopyReader *self);

/* Starts to read @name from @offset on. Blocks that were read ahead before are dropped. */
void copy_reader_begin (CopyReader *self, const char *name, guint64 offset);
/* Waits for the next block, which has 1 byte or more. Returns: (transfer full) (nullable): %NULL at
 * the end of the file, or with @error */
GBytes *copy_reader_next (CopyReader *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CopyReader, copy_reader_free)

G_END_DECLS
