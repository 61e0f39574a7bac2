/* history.h - what a journal says about a run, as short as pictures allow
 *
 * Threads: one at a time. The functions block on the disk.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>

G_BEGIN_DECLS

/* A journal that was read, and can be read on. */
typedef struct _PageHistory PageHistory;

/**
 * page_history_new:
 * @path: a journal
 * @max_points: about how many points of all nodes to keep
 * @error: as for satin_journal_reader_new()
 *
 * Opens a journal, of which nothing is read yet. Returns: (transfer full): free with
 * page_history_free()
 */
PageHistory *page_history_new (const char *path, guint max_points, GError **error);

/**
 * page_history_read:
 * @n_max: the largest number of events to read
 *
 * Reads on, from where the last call ended. Joins the summaries of a node that are close to each
 * other into a point, which has the last value of each figure that pictures show.
 *
 * Returns: whether there may be more
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
 * In "events" are all events but summaries. KIND and NAME are indices into "names". Of each node
 * there are the last values of all its figures, and its points. Of a point, time and values are the
 * differences to the point before. N is how many events were read.
 */
void page_history_write (PageHistory *self, GString *out);

/* Returns: (nullable): as satin_journal_reader_get_damage() */
const char *page_history_get_damage (const PageHistory *self);

/* @self: (nullable) */
void page_history_free (PageHistory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PageHistory, page_history_free)

G_END_DECLS
