/* reader.h - reads a journal, also a damaged one and one that is still being written
 *
 * Threads: one at a time; the functions block on the disk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal/event.h>

G_BEGIN_DECLS

/* A journal that is being read. */
typedef struct _SatinJournalReader SatinJournalReader;

/**
 * satin_journal_reader_new:
 * @path: the file; its bytes may come from anywhere
 * @error: %SATIN_ERROR_IO when it cannot be read; %SATIN_ERROR_FORMAT when it is no journal, or
 *   another version of Satin wrote it; all with the path
 *
 * Opens a journal and checks its header. Blocks and events are checked when they are read.
 *
 * Cost: reads the header; the rest of the file is mapped. Returns: (transfer full): free with
 * satin_journal_reader_free()
 */
SATIN_API SatinJournalReader *satin_journal_reader_new (const char *path, GError **error);

/* Like satin_journal_reader_new(), but reads @bytes. @name: stands for the path in messages. */
SATIN_API SatinJournalReader *satin_journal_reader_new_for_bytes (GBytes *bytes, const char *name,
                                                                  GError **error);

/**
 * satin_journal_reader_next:
 * @ret_event: (out caller-allocates): valid until the next call; do not clear it
 *
 * Reads the next event. If the file is damaged, the journal ends at the damage.
 *
 * Returns: %FALSE at the end of the journal; then @ret_event is untouched
 */
SATIN_API gboolean satin_journal_reader_next (SatinJournalReader *self,
                                              SatinJournalEvent *ret_event);

/* Skips events, as if satin_journal_reader_next() had read them. Whole blocks are skipped without
 * looking at their events. Returns: how many events were skipped; fewer than @n_events at the end
 * of the journal */
SATIN_API guint64 satin_journal_reader_skip (SatinJournalReader *self, guint64 n_events);

/* Says why the journal ended before the end of its file. Called after satin_journal_reader_next()
 * has returned %FALSE. Returns: (nullable): a sentence for people, with the path and the offset of
 * the damage; %NULL when there is no damage; borrowed from the reader */
SATIN_API const char *satin_journal_reader_get_damage (const SatinJournalReader *self);

/**
 * satin_journal_reader_refresh:
 * @error: %SATIN_ERROR_IO when the file cannot be read; %SATIN_ERROR_FORMAT when it has become
 *   shorter
 *
 * Reads a file again that is still being written. The next event is the one behind the last event
 * that was read. A block that was not whole is no damage any more if it has become whole. Other
 * damage stays. Only for a reader of satin_journal_reader_new().
 *
 * Returns: %TRUE on success, also if there is nothing new
 */
SATIN_API gboolean satin_journal_reader_refresh (SatinJournalReader *self, GError **error);

/* @self: (nullable) */
SATIN_API void satin_journal_reader_free (SatinJournalReader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinJournalReader, satin_journal_reader_free)

G_END_DECLS
