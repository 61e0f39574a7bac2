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

/* @n_known: how many events of the journal the browser has already. Returns: (transfer full): free
 * with page_stream_free() */
PageStream *page_stream_new (const char *path, guint64 n_known, GError **error);

/**
 * page_stream_next:
 *
 * Makes one message of the events that are new:
 *
 *   {"names": [NAME, ...], "events": [[TIME_US, NODE, KIND, TEXT, [NAME, VALUE, ...]], ...]}
 *
 * KIND and NAME are indices into "names". The summaries of a node are joined into one. The id of
 * the message is the number of events that the browser has after it. After the event of the end of
 * the run comes one more message, "event: end". When the journal is damaged, one message "event:
 * damage" has a JSON string that says how.
 *
 * Returns: (transfer full) (nullable): %NULL when there is nothing new
 */
char *page_stream_next (PageStream *self);

/* Whether there may be events that the last message had no room for. */
gboolean page_stream_is_behind (const PageStream *self);

/* Whether "event: end" was returned, so that nothing more comes. */
gboolean page_stream_is_over (const PageStream *self);

/* @self: (nullable) */
void page_stream_free (PageStream *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PageStream, page_stream_free)

G_END_DECLS
