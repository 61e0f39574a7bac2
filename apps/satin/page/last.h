/* last.h - the last value of each figure of a node
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "names.h"

G_BEGIN_DECLS

/* The last values of the figures of a node. */
typedef struct _PageLast PageLast;

PageLast *page_last_new (void);

/* Takes the values of a summary. Names that @names does not have yet get a number. */
void page_last_take (PageLast *self, PageNames *names, const SatinJournalEvent *summary);

/* Returns: the last value of the figure with that number of its name; 0 if there is none */
gint64 page_last_get (const PageLast *self, guint name);

/* Appends NAME, VALUE, NAME, VALUE, ... */
void page_last_write (const PageLast *self, GString *out);

/* @self: (nullable) */
void page_last_free (PageLast *self);

G_END_DECLS
