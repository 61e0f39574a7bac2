/* history.h - what a journal says about a run, as short as pictures allow
 *
 * Threads: one at a time. The functions block on the disk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>

G_BEGIN_DECLS

/* What was read of a journal. More of it can be read later. */
typedef struct _PageHistory PageHistory;

/**
 * page_history_new:
 * @path: a journal
 * @max_points: about how many points to keep, of all nodes together
 * @error: as for satin_journal_reader_new()
 *
 * Opens a journal, of which nothing is read yet. Returns: (transfer full): free with
 * page_history_free()
 */
PageHistory *page_history_new (const char *path, guint max_points, GError **error);

/* Returns: whether the part details has sent the event: only a trace shows such events */
gboolean page_leaves_out (const SatinJournalEvent *event);

/**
 * page_history_read:
 * @n_max: the largest number of events to read
 *
 * Reads further events, from where the last call ended. Summaries of a node that are close in time
 * become one point, which has the last value of each figure that pictures show.
 *
 * Returns: whether there may be more to read now
 */
gboolean page_history_read (PageHistory *self, guint n_max);

/**
 * page_history_write:
 * @out: gets a JSON object appended, without its last brace:
 *
 *   {"names": [NAME, ...], "events": [[TIME_US, NODE, KIND, TEXT, [NAME, VALUE, ...]], ...],
 *    "drawn": [NAME, ...],
 *    "nodes": [[NODE, [NAME, VALUE, ...], [TIME_US, VALUE of each of drawn, ...]], ...],
 *    "end_us": TIME_US, "count": N
 *
 * "events" has all events but summaries and those of the part details. KIND and NAME are indices
 * into "names". Each node has the last values of all its figures, and its points. The time and the
 * values of a point are differences to the point before; those of the first point, to 0. N is how
 * many events were read.
 */
void page_history_write (PageHistory *self, GString *out);

/* Returns: (nullable): as satin_journal_reader_get_damage() */
const char *page_history_get_damage (const PageHistory *self);

/* @self: (nullable) */
void page_history_free (PageHistory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PageHistory, page_history_free)

G_END_DECLS
