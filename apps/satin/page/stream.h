/* stream.h - the events of a journal as they come, for a browser (server-sent events)
 *
 * Threads: one stream belongs to one thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>

G_BEGIN_DECLS

/* A journal that is followed. */
typedef struct _PageStream PageStream;

/* @n_known: how many events the browser has. Returns: (transfer full): free with
 * page_stream_free() */
PageStream *page_stream_new (const char *path, guint64 n_known, GError **error);

/**
 * page_stream_next:
 *
 * Makes one message of the events that are new:
 *
 *   {"names": [NAME, ...], "events": [[TIME_US, NODE, KIND, TEXT, [NAME, VALUE, ...]], ...]}
 *
 * KIND and NAME are indices into "names". The summaries of a node are joined into one. The id of
 * the message is the number of events that the browser then has. After the end of the run the
 * message is "event: end"; when the journal is damaged it is "event: damage", once, with the
 * damage as a JSON string.
 *
 * Returns: (transfer full) (nullable): %NULL when there is nothing new
 */
char *page_stream_next (PageStream *self);

/* Whether there was more to read than the last message holds. */
gboolean page_stream_is_behind (const PageStream *self);

/* Whether the end of the run was passed on, so that nothing more comes. */
gboolean page_stream_is_over (const PageStream *self);

/* @self: (nullable) */
void page_stream_free (PageStream *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PageStream, page_stream_free)

G_END_DECLS
