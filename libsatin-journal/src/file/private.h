/* private.h - the Avro schema of a journal, and the framing of its file
 *
 *   "Obj" 1 | metadata: map of name to bytes | sync, 16 bytes | blocks
 *   block: number of events, varint | bytes, varint | the events, deflated | sync
 *
 * Numbers are Avro longs: zigzag, then varint. Source: Apache Avro 1.11 specification, object
 * container files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal/event.h>

#include <avro.h>

#define JOURNAL_SYNC_BYTES 16

/* The events of a block have this size at most. A flush ends a block earlier. */
#define JOURNAL_BLOCK_BYTES ((gsize)64 << 10)

/* The largest sizes that a reader accepts: of a block in the file, of the events of a block after
 * inflating, of a name or a value in the metadata. */
#define JOURNAL_BLOCK_MAX_BYTES  ((gsize)4 << 20)
#define JOURNAL_EVENTS_MAX_BYTES ((gsize)16 << 20)
#define JOURNAL_HEADER_MAX_BYTES ((gsize)64 << 10)

/* Returns: (transfer full): drop it with avro_schema_decref() */
avro_schema_t journal_schema_new (void);

/* Returns: (transfer full): the JSON of the schema, as Avro C writes it into a file */
char *journal_schema_text (void);

/* Decodes the event that begins at *@at of a block, and moves *@at behind it. Changes the bytes of
 * the event. @values: (element-type SatinJournalValue): replaced by those of the event. Returns:
 * FALSE when there is no event; then @ret_event is untouched. Until the next call, @ret_event
 * points into @bytes and @values. */
gboolean journal_decode (guint8 *bytes, gsize n_bytes, gsize *at, GArray *values,
                         SatinJournalEvent *ret_event);
