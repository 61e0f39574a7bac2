/* writer.h - writes a journal
 *
 * Events are collected into blocks of about 64 KiB, compressed by deflate. A reader sees an event
 * at the latest after the next flush.
 *
 * Threads: one at a time. All functions may block on the disk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal/event.h>

G_BEGIN_DECLS

/* A journal that is being written. */
typedef struct _SatinJournalWriter SatinJournalWriter;

/**
 * satin_journal_writer_new:
 * @path: the file, which must not exist
 * @error: %SATIN_ERROR_IO, with the path, when the file cannot be made
 *
 * Makes a journal, readable by its owner alone.
 *
 * Returns: (transfer full): free with satin_journal_writer_free()
 */
SATIN_API SatinJournalWriter *satin_journal_writer_new (const char *path, GError **error);

/**
 * satin_journal_writer_add:
 * @event: copied
 * @error: %SATIN_ERROR_IO when the file cannot be written; %SATIN_ERROR_LIMIT when the event is
 *   larger than %SATIN_JOURNAL_MAX_EVENT_BYTES
 *
 * Adds an event. After %SATIN_ERROR_IO all later calls fail in the same way.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_journal_writer_add (SatinJournalWriter *self,
                                             const SatinJournalEvent *event, GError **error);

/* Writes all events that were added so far into the file. @error: %SATIN_ERROR_IO. Returns: TRUE on
 * success */
SATIN_API gboolean satin_journal_writer_flush (SatinJournalWriter *self, GError **error);

/* Flushes and closes the file. Ignores errors. @self: (nullable) */
SATIN_API void satin_journal_writer_free (SatinJournalWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinJournalWriter, satin_journal_writer_free)

G_END_DECLS
