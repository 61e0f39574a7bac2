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

/* Takes the values of a summary. Adds their names to @names if they are new. */
void page_last_take (PageLast *self, PageNames *names, const SatinJournalEvent *summary);

/* @name: the number of the figure's name. Returns: the last value; 0 if there is none */
gint64 page_last_get (const PageLast *self, guint name);

/* Appends NAME, VALUE, NAME, VALUE, ... as JSON. NAME is a number. */
void page_last_write (const PageLast *self, GString *out);

/* @self: (nullable) */
void page_last_free (PageLast *self);

G_END_DECLS
